#pragma once
// The operands of one vector instruction while it executes: sources as 64 lanes, results written under EXEC.
//
// Every rule that does not depend on the operation lives here: constants by operand type, DPP, SDWA, op_sel halves,
// negation and absolute value, denormal flushing, output multiplier, clamp, and which lanes are written.

#include <cstdint>

#include "sim/instructions/vector/access/dpp.h"
#include "sim/instructions/vector/access/float_mode.h"
#include "sim/instructions/vector/access/lane_types.h"
#include "sim/machine/instruction.h"
#include "sim/machine/wave.h"

namespace hk::sim::vector {

// Storage for one source or result; which member is live follows from the width of the kind.
struct alignas(64) Lanes {
  union {
    std::uint32_t words[k_wave_size];
    std::uint64_t wide[k_wave_size];
  };
  Lanes() {} // NOLINT: deliberately uninitialised, it is filled before use and cleared for nobody
};

// How a source is taken from its register.
struct SourceView {
  Selection select = Selection::dword;
  bool sign_extend = false;
  bool negate = false;
  bool absolute = false;
  std::uint8_t dword = 0; // register of a pair, for packed f32
};

class LaneAccess {
 public:
  LaneAccess(Wave& wave, const Instruction& instruction);

  [[nodiscard]] const FloatMode& mode() const { return m_mode; }
  [[nodiscard]] const Instruction& instruction() const { return m_instruction; }
  [[nodiscard]] Wave& wave() const { return m_wave; }
  // Lanes that the instruction writes: EXEC, less what DPP disables.
  [[nodiscard]] std::uint64_t lanes() const { return m_lanes; }

  // The modifiers of source `number` (0, 1, 2) at operand `position`.
  [[nodiscard]] SourceView view(unsigned position, unsigned number, Kind kind) const;
  // Pointers to 64 lanes: the register itself where nothing has to be changed, else `storage`. Values of 16-bit kinds
  // are in the low half of each word; the upper half is arbitrary.
  const std::uint32_t* source32(unsigned position, unsigned number, Kind kind, Lanes& storage);
  const std::uint32_t* source32(unsigned position, unsigned number, Kind kind, const SourceView& view, Lanes& storage);
  const std::uint64_t* source64(unsigned position, unsigned number, Kind kind, Lanes& storage);
  // 0 or 1 per lane from a scalar register pair.
  const std::uint32_t* mask_source(unsigned position, Lanes& storage);
  [[nodiscard]] std::uint64_t mask_bits(unsigned position) const;

  // Old contents of the destination.
  const std::uint32_t* destination32(unsigned position, Kind kind, Lanes& storage);
  const std::uint64_t* destination64(unsigned position, Kind kind, Lanes& storage);

  // Apply output modifiers (`result` is changed in place) and write.
  void store32(unsigned position, const ResultTraits& traits, std::uint32_t* result);
  void store64(unsigned position, const ResultTraits& traits, std::uint64_t* result);
  // Writes all 64 bits of a scalar register pair; bits of lanes that are not executed must be 0 already.
  void store_mask(unsigned position, std::uint64_t mask);
  // Writes register `offset` behind the destination without any modifier.
  void store_register(unsigned position, unsigned offset, const std::uint32_t* words);

 private:
  unsigned vector_index(const Operand& operand, unsigned index_enable_bit) const;
  const std::uint32_t* refuse(unsigned position, Lanes& storage);
  void permute(std::uint32_t* words, const std::uint32_t* source) const;
  void merge_sdwa(std::uint32_t* result, const std::uint32_t* old) const;

  Wave& m_wave;
  const Instruction& m_instruction;
  FloatMode m_mode;
  std::uint64_t m_lanes;
  bool m_has_dpp;
  DppLanes m_dpp;
};

// 0, 1, ... 63.
const std::uint32_t* lane_numbers();

} // namespace hk::sim::vector
