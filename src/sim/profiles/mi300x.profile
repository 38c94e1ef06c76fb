# AMD Instinct MI300X in SPX mode. `key = value # source`; a letter is the confidence: A vendor document, vendor source or
# a compile that was read, B third-party measurement on the part, C derived from A or B, D remembered and not re-checked.
# SPEC = rocm.docs.amd.com, "AMD GPU specifications". RPC = ROCm/rocm-systems 1b1610f, rocprofiler-compute
# analysis_configs and pipeline descriptions. MT4G = microbenchmark report "AMD Instinct MI300X VF", ROCm 6.4.3, 2025-08-08.
# AITER = ROCm/aiter e404860. The simulated clock changes with these numbers: compare results of one digest only.
market_name = AMD Instinct MI300X (simulated) # SPEC, A; the addition is ours
target_id = gfx942:sramecc+:xnack- # SPEC for the processor, A; features as ROCm reports them on this part, D
compute_units = 304 # 38 per XCD x 8, SPEC, A
xcds = 8 # SPEC, A
simds_per_compute_unit = 4 # RPC, A
waves_per_simd = 8 # RPC, A
vector_registers_per_lane = 512 # 256 VGPR + 256 AGPR at one wave per SIMD, AITER, A
vector_register_granule = 8 # AITER and LLVM AMDGPU user guide, A
engine_clock_mhz = 2100 # boost, MT4G, A
lds_bytes = 65536 # per compute unit, SPEC, A
vector_l1_bytes = 32768 # SPEC, A
l2_bytes_per_xcd = 4194304 # SPEC, A
l2_channels_per_xcd = 16 # RPC, A
cache_line_bytes = 128 # SPEC and MT4G, A
infinity_cache_bytes = 268435456 # SPEC, A
memory_bytes = 206158430208 # 192 GiB, SPEC, A
memory_bus_bits = 8192 # MT4G, A
memory_clock_mhz = 1300 # 5.2 Gb/s a pin (MT4G) over 4, C
memory_peak_gb_per_second = 5300 # 8192 bit x 5.2 Gb/s, MT4G, C
memory_achieved_gb_per_second = 4000 # read 3.96 TB/s, MT4G, B
dispatch_overhead_ns = 2200 # extra dispatch, back to back; seen on gfx950, AITER, B
host_link_gb_per_second = 64 # PCIe 5.0 x16 line rate in one direction, D
