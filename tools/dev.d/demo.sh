# dev demo: builds what the demo needs and runs it.
dev_build dev hk-demo hk-command hk-compile-worker hksim attention_example
dev_exec "$checkout/build/dev/bin/hk-demo"
