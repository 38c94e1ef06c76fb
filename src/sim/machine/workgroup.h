#pragma once
// A workgroup on one compute unit: its waves, its LDS and what they share.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/machine/memory.h"
#include "sim/machine/schedule_random.h"
#include "sim/machine/target.h"
#include "sim/machine/wave.h"

namespace hk::sim {

class Program; // decoded instructions of a loaded code object

struct Workgroup {
  Target target = Target::gfx942;
  const Program* program = nullptr;
  const MemoryMap* memory = nullptr;
  std::string kernel;
  std::uint64_t kernel_offset = 0; // of the kernel's first instruction in the program; reports count from there
  std::uint32_t id[3] = {0, 0, 0};
  std::vector<std::byte> lds; // the bytes that the dispatch asked for; accesses past them are faults of the checker
  std::vector<std::unique_ptr<Wave>> waves;
  std::uint32_t xcd = 0;               // which XCD it was dealt to
  std::uint32_t compute_unit = 0;      // in the XCD
  ScheduleRandom schedule_random;      // seeded by HK_SIM_SCHEDULE
  bool forgives_missing_waits = false; // see DispatchOptions
  bool randomised = false;             // false: waves in order, accesses complete at their wait
};

} // namespace hk::sim
