# dev tidy [--changed [BASE]]: clang-tidy over the C++ translation units of the project that the dev preset compiles.
# --changed: over those that differ from BASE (default HEAD~1) only, and one for each changed header.
base=()
case ${1:-} in
  --changed) base=("${2:-HEAD~1}") ;;
  "") ;;
  *) die "usage: tools/dev tidy [--changed [BASE]]" ;;
esac
cd "$checkout"
for revision in "${base[@]}"; do
  git rev-parse --quiet --verify "$revision^{commit}" >/dev/null || die "'$revision' is no commit"
done
if ((${#base[@]} == 0)); then dev_build dev; else dev_configure dev; fi
files=$(dev_exec python3 -B tools/dev.d/lib/tidy_files.py "$checkout" build/dev/compile_commands.json "${base[@]}")
mapfile -t units < <(printf '%s' "$files")
((${#units[@]} > 0)) || { say "nothing to check"; exit 0; }
say "clang-tidy over ${#units[@]} files"
# Generated headers come with the objects that need them: "FILE^" is what ninja makes from FILE.
((${#base[@]} == 0)) || dev_build dev "${units[@]/%/^}"
printf '%s\0' "${units[@]}" | dev_exec xargs -0 -P "$(dev_jobs)" -n 4 clang-tidy --quiet -p build/dev
