# dev asan: host tests under AddressSanitizer and UBSan.
dev_build asan
cd "$checkout/build/asan"
dev_exec env ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
  ctest --output-on-failure -j "$(dev_jobs)" -LE 'slow|no_sanitizer' "$@"
