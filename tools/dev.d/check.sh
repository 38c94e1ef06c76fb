# dev check: formatting and structure; needs no build.
cd "$checkout"
failed=0
git ls-files -co --exclude-standard -- '*.h' '*.hpp' '*.cpp' '*.c' |
  dev_exec xargs -r clang-format --dry-run -Werror || { say "formatting: run tools/dev format"; failed=1; }
for script in tools/checks/*.py; do
  if dev_exec python3 -B "$script"; then say "$script: ok"; else say "$script: FAILED"; failed=1; fi
done
((failed == 0)) || exit 1
