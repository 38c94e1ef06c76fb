# dev soak: the schedule tests on both simulated devices under many schedule seeds (HK_SOAK_SEEDS, default 20).
dev_build dev
soak_test=$checkout/build/dev/tests/integration/attention/test_attention_streams
soak_cache=$checkout/build/dev/soak-kernels
for ((seed = 1; seed <= ${HK_SOAK_SEEDS:-20}; ++seed)); do
  for device in sim:mi300x sim:mi355x; do
    say "$device, HK_SIM_SCHEDULE=$seed"
    dev_exec env HK_DEVICE="$device" HK_SIM_SCHEDULE="$seed" HK_CACHE_DIR="$soak_cache" "$soak_test" -ts=schedule ||
      die "failed on $device with HK_SIM_SCHEDULE=$seed"
  done
done
