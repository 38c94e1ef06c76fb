# dev tsan [--all]: the host tests under ThreadSanitizer; --all adds simulator and integration tests.
tsan_targets=(host_tests)
tsan_labels=(-L unit)
case ${1:-} in
  --all)
    tsan_targets=(all)
    tsan_labels=()
    ;;
  "") ;;
  *) die "usage: tools/dev tsan [--all]" ;;
esac
dev_build tsan "${tsan_targets[@]}" hk-compile-worker
cd "$checkout/build/tsan"
dev_exec env TSAN_OPTIONS=halt_on_error=1 \
  ctest --no-tests=error --output-on-failure -j "$(dev_jobs)" -LE 'slow|no_sanitizer' "${tsan_labels[@]}"
