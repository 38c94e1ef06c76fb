# dev tsan: host tests under ThreadSanitizer.
dev_build tsan
cd "$checkout/build/tsan"
dev_exec env TSAN_OPTIONS=halt_on_error=1 ctest --output-on-failure -j "$(dev_jobs)" -LE 'slow|no_sanitizer' "$@"
