# dev fuzz SECONDS: each fuzz target for that long under libFuzzer with ASan and UBSan, from its corpus.
seconds=${1:-}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || die "usage: tools/dev fuzz SECONDS (for each target)"
dev_exec cmake -S "$checkout" -B "$checkout/build/fuzz" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_BUILD_TYPE=None "-DCMAKE_CXX_FLAGS=-O1 -g1" -DHK_SANITIZE=address,undefined -DHK_FUZZ=ON >&2
targets=()
for source in "$checkout"/tests/fuzz/fuzz_*.cpp; do targets+=("$(basename "$source" .cpp)"); done
dev_exec ninja -C "$checkout/build/fuzz" -j "$(dev_jobs)" "${targets[@]}" >&2
failed=0
for target in "${targets[@]}"; do
  corpus=$checkout/tests/fuzz/corpus/${target#fuzz_}
  found=$checkout/build/fuzz/found/$target
  mkdir -p "$found"
  program=$(find "$checkout/build/fuzz" -type f -name "$target" -perm -u+x | head -1)
  dev_exec "$program" -max_total_time="$seconds" -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$found/" \
    "$found" "$corpus" || { say "$target FAILED; the input lies in $found"; failed=1; }
done
exit "$failed"
