# Configure and build one preset of CMakePresets.json. Sourced by tools/dev.

dev_jobs() { printf '%s\n' "${HK_DEV_JOBS:-$(nproc)}"; }

# dev_configure PRESET: writes build/PRESET/build.ninja.
dev_configure() {
  local preset=$1
  dev_exec cmake -S "$checkout" --preset "$preset" >"$checkout/build/configure-$preset.log" 2>&1 ||
    { cat "$checkout/build/configure-$preset.log" >&2; die "configuring the preset '$preset' failed"; }
}

# dev_build PRESET [TARGETS...]: builds into build/PRESET.
dev_build() {
  local preset=$1
  shift
  dev_configure "$preset"
  dev_exec ninja -C "$checkout/build/$preset" -j "$(dev_jobs)" "$@" >&2 || die "building the preset '$preset' failed"
}

# dev_stage NAME COMMAND...: runs a stage and remembers its seconds for the closing sums.
declare -a k_stage_names=() k_stage_seconds=()
dev_stage() {
  local name=$1 begin=$SECONDS
  shift
  say "== $name"
  "$@"
  k_stage_names+=("$name")
  k_stage_seconds+=($((SECONDS - begin)))
}

print_stage_sums() {
  local i total=0
  for i in "${!k_stage_names[@]}"; do
    printf '%6d s  %s\n' "${k_stage_seconds[$i]}" "${k_stage_names[$i]}"
    total=$((total + k_stage_seconds[i]))
  done
  printf '%6d s  in all (budget 26 minutes)\n' "$total"
}

mkdir -p "$checkout/build"
