# dev soak: repeats the concurrency and determinism tests (ctest label 'schedule') under many schedule seeds.
dev_build dev
cd "$checkout/build/dev"
for ((seed = 1; seed <= ${HK_SOAK_SEEDS:-20}; ++seed)); do
  say "HK_SIM_SCHEDULE=$seed"
  HK_SIM_SCHEDULE=$seed dev_exec ctest --output-on-failure -j "$(dev_jobs)" -L schedule || die "failed with HK_SIM_SCHEDULE=$seed"
done
