# dev soak [schedule | cache [SECONDS]]: what only shows after many runs; without a word both.
#   schedule         the schedule tests on both simulated devices under many schedule seeds (HK_SOAK_SEEDS, default 20)
#   cache [SECONDS]  programs that share a small cache folder: memory, descriptors and files must not grow (default 300)
soak_schedule() {
  local test=$checkout/build/dev/tests/integration/attention/test_attention_streams
  local cache=$checkout/build/dev/soak-kernels seed device
  for ((seed = 1; seed <= ${HK_SOAK_SEEDS:-20}; ++seed)); do
    for device in sim:mi300x sim:mi355x; do
      say "$device, HK_SIM_SCHEDULE=$seed"
      dev_exec env HK_DEVICE="$device" HK_SIM_SCHEDULE="$seed" HK_CACHE_DIR="$cache" "$test" -ts=schedule ||
        die "failed on $device with HK_SIM_SCHEDULE=$seed"
    done
  done
}

soak_cache() {
  say "cache folder, ${1} s"
  dev_exec env HK_SOAK_SECONDS="$1" "$checkout/build/dev/tests/soak/test_soak_cache" || die "something grew"
}

usage_of_soak="usage: tools/dev soak [schedule | cache [SECONDS]]"
soak_seconds=${2:-300}
[[ $# -le 2 && $soak_seconds =~ ^[1-9][0-9]*$ && (-z ${2:-} || $1 == cache) ]] || die "$usage_of_soak"
case ${1:-} in
  "" | schedule | cache) ;;
  *) die "$usage_of_soak" ;;
esac
dev_build dev
[[ ${1:-schedule} != schedule ]] || soak_schedule
[[ ${1:-cache} != cache ]] || soak_cache "$soak_seconds"
