# dev bench [GROUP]: timings with machine, commit and spread. Run it on a quiet machine.
dev_build dev hk-bench hk-compile-worker hk-canned-worker hksim
git -C "$checkout" log -1 --format='commit: %h' 2>/dev/null || true
dev_exec "$checkout/build/dev/bin/hk-bench" "$@"
