# dev test [--full]: what CI runs. Every stage's time is printed at the end.
full=0
case ${1:-} in
  --full) full=1 ;;
  "") ;;
  *) die "usage: tools/dev test [--full]" ;;
esac
excluded='slow'
((full == 0)) || excluded='^$'

run_check() { bash "$checkout/tools/dev" check; }
run_asan() { bash "$checkout/tools/dev" asan; }
run_tests() {
  cd "$checkout/build/dev"
  dev_exec ctest --no-tests=error --output-on-failure -j "$(dev_jobs)" -LE "$excluded"
}
if ! use_native; then dev_stage "set-up" ensure_root >/dev/null; fi
dev_stage "check" run_check
dev_stage "build" dev_build dev
dev_stage "tests" run_tests
dev_stage "asan: build and tests" run_asan
print_stage_sums
