#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "sim/hip_surface/call.h"
#include "sim/runtime/kernel_launch.h"

#pragma GCC visibility push(default)
#include <hip/hip_deprecated.h>
// The symbol that programs built against HIP 5 and older bind to; the header gives its name to the new structure.
#undef hipGetDeviceProperties
extern "C" hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* prop, int device);
#pragma GCC visibility pop

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

using Properties = hipDeviceProp_tR0600;

constexpr int k_int_max = std::numeric_limits<int>::max();
constexpr int k_wave_lanes = 64;

template <std::size_t N>
void set_text(char (&to)[N], const std::string& text) {
  std::snprintf(to, N, "%s", text.c_str());
}

void set_limits(Properties& properties, const Profile& profile) {
  const int lds = static_cast<int>(profile.lds_bytes);
  const int registers =
      static_cast<int>(profile.vector_registers_per_lane * profile.simds_per_compute_unit) * k_wave_lanes;
  properties.sharedMemPerBlock = profile.lds_bytes;
  properties.sharedMemPerMultiprocessor = profile.lds_bytes;
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(lds);
  properties.maxSharedMemoryPerMultiProcessor = profile.lds_bytes;
  properties.regsPerBlock = registers;
  properties.regsPerMultiprocessor = registers;
  properties.warpSize = k_wave_lanes;
  properties.maxThreadsPerBlock = static_cast<int>(k_max_workgroup_size);
  std::fill(std::begin(properties.maxThreadsDim), std::end(properties.maxThreadsDim),
            static_cast<int>(k_max_workgroup_size));
  properties.maxGridSize[0] = k_int_max;
  properties.maxGridSize[1] = 65536;
  properties.maxGridSize[2] = 65536;
  properties.maxThreadsPerMultiProcessor =
      static_cast<int>(profile.simds_per_compute_unit * profile.waves_per_simd) * k_wave_lanes;
  properties.maxBlocksPerMultiProcessor =
      properties.maxThreadsPerMultiProcessor / static_cast<int>(k_max_workgroup_size);
  properties.memPitch = k_int_max;
  properties.totalConstMem = k_int_max;
  properties.textureAlignment = 256;
  properties.surfaceAlignment = 256;
  properties.texturePitchAlignment = 256;
}

void set_abilities(Properties& properties) {
  properties.concurrentKernels = 1;
  properties.asyncEngineCount = 2; // one copy engine for each direction on the modelled clock
  properties.deviceOverlap = 1;
  properties.canMapHostMemory = 1;
  properties.unifiedAddressing = 1;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.hostRegisterSupported = 1;
  properties.streamPrioritiesSupported = 1;
  properties.globalL1CacheSupported = 1;
  properties.localL1CacheSupported = 1;
  properties.ECCEnabled = 1;
  hipDeviceArch_t& arch = properties.arch;
  arch.hasGlobalInt32Atomics = arch.hasGlobalFloatAtomicExch = arch.hasSharedInt32Atomics = 1;
  arch.hasSharedFloatAtomicExch = arch.hasFloatAtomicAdd = arch.hasGlobalInt64Atomics = 1;
  arch.hasSharedInt64Atomics = arch.hasDoubles = arch.hasWarpVote = arch.hasWarpBallot = 1;
  arch.hasWarpShuffle = arch.hasThreadFenceSystem = arch.has3dGrid = 1;
}

Properties properties_of(const Device& device) {
  const Profile& profile = device.profile();
  Properties properties{};
  set_text(properties.name, profile.market_name);
  set_text(properties.gcnArchName, profile.target_id);
  std::snprintf(properties.uuid.bytes, sizeof properties.uuid.bytes, "hksim-%08x",
                static_cast<unsigned>(device.ordinal()));
  properties.totalGlobalMem = profile.memory_bytes;
  properties.clockRate = static_cast<int>(profile.engine_clock_mhz * 1000);
  properties.clockInstructionRate = properties.clockRate;
  properties.memoryClockRate = static_cast<int>(profile.memory_clock_mhz * 1000);
  properties.memoryBusWidth = static_cast<int>(profile.memory_bus_bits);
  properties.multiProcessorCount = static_cast<int>(profile.compute_units);
  properties.l2CacheSize = static_cast<int>(profile.l2_bytes_per_xcd); // of one XCD, as ROCm reports it
  properties.persistingL2CacheMaxSize = properties.l2CacheSize;
  properties.major = 9;
  properties.minor = device.target() == Target::gfx950 ? 5 : 4;
  properties.pciBusID = device.ordinal() + 1;
  properties.multiGpuBoardGroupID = device.ordinal();
  set_limits(properties, profile);
  set_abilities(properties);
  return properties;
}

hipDeviceProp_tR0000 old_properties_of(const Device& device) {
  const Properties now = properties_of(device);
  hipDeviceProp_tR0000 old{};
  set_text(old.name, now.name);
  set_text(old.gcnArchName, now.gcnArchName);
  old.totalGlobalMem = now.totalGlobalMem;
  old.sharedMemPerBlock = now.sharedMemPerBlock;
  old.regsPerBlock = now.regsPerBlock;
  old.warpSize = now.warpSize;
  old.maxThreadsPerBlock = now.maxThreadsPerBlock;
  std::copy(std::begin(now.maxThreadsDim), std::end(now.maxThreadsDim), std::begin(old.maxThreadsDim));
  std::copy(std::begin(now.maxGridSize), std::end(now.maxGridSize), std::begin(old.maxGridSize));
  old.clockRate = now.clockRate;
  old.memoryClockRate = now.memoryClockRate;
  old.memoryBusWidth = now.memoryBusWidth;
  old.totalConstMem = now.totalConstMem;
  old.major = now.major;
  old.minor = now.minor;
  old.multiProcessorCount = now.multiProcessorCount;
  old.l2CacheSize = now.l2CacheSize;
  old.maxThreadsPerMultiProcessor = now.maxThreadsPerMultiProcessor;
  old.clockInstructionRate = now.clockInstructionRate;
  old.arch = now.arch;
  old.concurrentKernels = now.concurrentKernels;
  old.pciBusID = now.pciBusID;
  old.maxSharedMemoryPerMultiProcessor = now.maxSharedMemoryPerMultiProcessor;
  old.canMapHostMemory = now.canMapHostMemory;
  old.ECCEnabled = now.ECCEnabled;
  return old;
}

struct Attribute {
  hipDeviceAttribute_t number;
  int (*value)(const Properties&);
};

constexpr std::array k_attributes = {
    Attribute{hipDeviceAttributeAsyncEngineCount, [](const Properties& p) { return p.asyncEngineCount; }},
    Attribute{hipDeviceAttributeCanMapHostMemory, [](const Properties& p) { return p.canMapHostMemory; }},
    Attribute{hipDeviceAttributeCanUseHostPointerForRegisteredMem,
              [](const Properties& p) { return p.canUseHostPointerForRegisteredMem; }},
    Attribute{hipDeviceAttributeClockRate, [](const Properties& p) { return p.clockRate; }},
    Attribute{hipDeviceAttributeComputeMode, [](const Properties& p) { return p.computeMode; }},
    Attribute{hipDeviceAttributeConcurrentKernels, [](const Properties& p) { return p.concurrentKernels; }},
    Attribute{hipDeviceAttributeConcurrentManagedAccess, [](const Properties& p) { return p.concurrentManagedAccess; }},
    Attribute{hipDeviceAttributeCooperativeLaunch, [](const Properties& p) { return p.cooperativeLaunch; }},
    Attribute{hipDeviceAttributeDeviceOverlap, [](const Properties& p) { return p.deviceOverlap; }},
    Attribute{hipDeviceAttributeEccEnabled, [](const Properties& p) { return p.ECCEnabled; }},
    Attribute{hipDeviceAttributeHostRegisterSupported, [](const Properties& p) { return p.hostRegisterSupported; }},
    Attribute{hipDeviceAttributeIntegrated, [](const Properties& p) { return p.integrated; }},
    Attribute{hipDeviceAttributeKernelExecTimeout, [](const Properties& p) { return p.kernelExecTimeoutEnabled; }},
    Attribute{hipDeviceAttributeL2CacheSize, [](const Properties& p) { return p.l2CacheSize; }},
    Attribute{hipDeviceAttributeComputeCapabilityMajor, [](const Properties& p) { return p.major; }},
    Attribute{hipDeviceAttributeComputeCapabilityMinor, [](const Properties& p) { return p.minor; }},
    Attribute{hipDeviceAttributeManagedMemory, [](const Properties& p) { return p.managedMemory; }},
    Attribute{hipDeviceAttributeMaxBlocksPerMultiProcessor,
              [](const Properties& p) { return p.maxBlocksPerMultiProcessor; }},
    Attribute{hipDeviceAttributeMaxBlockDimX, [](const Properties& p) { return p.maxThreadsDim[0]; }},
    Attribute{hipDeviceAttributeMaxBlockDimY, [](const Properties& p) { return p.maxThreadsDim[1]; }},
    Attribute{hipDeviceAttributeMaxBlockDimZ, [](const Properties& p) { return p.maxThreadsDim[2]; }},
    Attribute{hipDeviceAttributeMaxGridDimX, [](const Properties& p) { return p.maxGridSize[0]; }},
    Attribute{hipDeviceAttributeMaxGridDimY, [](const Properties& p) { return p.maxGridSize[1]; }},
    Attribute{hipDeviceAttributeMaxGridDimZ, [](const Properties& p) { return p.maxGridSize[2]; }},
    Attribute{hipDeviceAttributeMaxRegistersPerBlock, [](const Properties& p) { return p.regsPerBlock; }},
    Attribute{hipDeviceAttributeMaxRegistersPerMultiprocessor,
              [](const Properties& p) { return p.regsPerMultiprocessor; }},
    Attribute{hipDeviceAttributeMaxSharedMemoryPerBlock,
              [](const Properties& p) { return static_cast<int>(p.sharedMemPerBlock); }},
    Attribute{hipDeviceAttributeSharedMemPerBlockOptin,
              [](const Properties& p) { return static_cast<int>(p.sharedMemPerBlockOptin); }},
    Attribute{hipDeviceAttributeSharedMemPerMultiprocessor,
              [](const Properties& p) { return static_cast<int>(p.sharedMemPerMultiprocessor); }},
    Attribute{hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
              [](const Properties& p) { return static_cast<int>(p.maxSharedMemoryPerMultiProcessor); }},
    Attribute{hipDeviceAttributeMaxThreadsPerBlock, [](const Properties& p) { return p.maxThreadsPerBlock; }},
    Attribute{hipDeviceAttributeMaxThreadsPerMultiProcessor,
              [](const Properties& p) { return p.maxThreadsPerMultiProcessor; }},
    Attribute{hipDeviceAttributeMemoryBusWidth, [](const Properties& p) { return p.memoryBusWidth; }},
    Attribute{hipDeviceAttributeMemoryClockRate, [](const Properties& p) { return p.memoryClockRate; }},
    Attribute{hipDeviceAttributeMemoryPoolsSupported, [](const Properties& p) { return p.memoryPoolsSupported; }},
    Attribute{hipDeviceAttributeMultiprocessorCount, [](const Properties& p) { return p.multiProcessorCount; }},
    Attribute{hipDeviceAttributePhysicalMultiProcessorCount, [](const Properties& p) { return p.multiProcessorCount; }},
    Attribute{hipDeviceAttributePciBusId, [](const Properties& p) { return p.pciBusID; }},
    Attribute{hipDeviceAttributePciDeviceId, [](const Properties& p) { return p.pciDeviceID; }},
    Attribute{hipDeviceAttributePciDomainID, [](const Properties& p) { return p.pciDomainID; }},
    Attribute{hipDeviceAttributePageableMemoryAccess, [](const Properties& p) { return p.pageableMemoryAccess; }},
    Attribute{hipDeviceAttributeStreamPrioritiesSupported,
              [](const Properties& p) { return p.streamPrioritiesSupported; }},
    Attribute{hipDeviceAttributeUnifiedAddressing, [](const Properties& p) { return p.unifiedAddressing; }},
    Attribute{hipDeviceAttributeWarpSize, [](const Properties& p) { return p.warpSize; }},
    Attribute{hipDeviceAttributeClockInstructionRate, [](const Properties& p) { return p.clockInstructionRate; }},
    Attribute{hipDeviceAttributeIsLargeBar, [](const Properties& p) { return p.isLargeBar; }},
};

} // namespace

hipError_t hipGetDevicePropertiesR0600(hipDeviceProp_tR0600* prop, int deviceId) {
  return call([&](Simulator& simulator) {
    if (prop == nullptr)
      return null_parameter("prop");
    const Outcome<Device*> device = simulator.device(deviceId);
    if (!device)
      return device.error();
    *prop = properties_of(**device);
    return Error();
  });
}

hipError_t hipGetDevicePropertiesR0000(hipDeviceProp_tR0000* prop, int device) {
  return call([&](Simulator& simulator) {
    if (prop == nullptr)
      return null_parameter("prop");
    const Outcome<Device*> found = simulator.device(device);
    if (!found)
      return found.error();
    *prop = old_properties_of(**found);
    return Error();
  });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_tR0000* prop, int device) {
  return hipGetDevicePropertiesR0000(prop, device);
}

hipError_t hipDeviceGetAttribute(int* pi, hipDeviceAttribute_t attr, int deviceId) {
  return call([&](Simulator& simulator) {
    if (pi == nullptr)
      return null_parameter("pi");
    const Outcome<Device*> device = simulator.device(deviceId);
    if (!device)
      return device.error();
    const auto found = std::find_if(k_attributes.begin(), k_attributes.end(),
                                    [&](const Attribute& attribute) { return attribute.number == raw_value(attr); });
    if (found == k_attributes.end())
      return Error(ErrorCode::invalid_value,
                   "device attribute " + std::to_string(raw_value(attr)) + " is not known to the simulator");
    *pi = found->value(properties_of(**device));
    return Error();
  });
}
