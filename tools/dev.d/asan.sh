# dev asan [--all]: the host tests under AddressSanitizer and UBSan; --all adds simulator and integration tests.
asan_targets=(host_tests)
asan_labels=(-L unit)
case ${1:-} in
  --all)
    asan_targets=(all)
    asan_labels=()
    ;;
  "") ;;
  *) die "usage: tools/dev asan [--all]" ;;
esac
dev_build asan "${asan_targets[@]}" hk-compile-worker
cd "$checkout/build/asan"
dev_exec env ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
  ctest --no-tests=error --output-on-failure -j "$(dev_jobs)" -LE 'slow|no_sanitizer' "${asan_labels[@]}"
