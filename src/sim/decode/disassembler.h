#pragma once
// Machine code to text, one instruction at a time. Behind it stands amd_comgr, whose text is llvm-objdump's.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"
#include "sim/machine/target.h"

namespace hk::sim {

class Disassembler {
 public:
  // Fails with internal if amd_comgr refuses the target.
  static Result<Disassembler> create(Target target);
  ~Disassembler();
  Disassembler(Disassembler&&) noexcept;
  Disassembler& operator=(Disassembler&&) noexcept;
  Disassembler(const Disassembler&) = delete;
  Disassembler& operator=(const Disassembler&) = delete;

  // The instruction at a byte offset of the code, without leading or trailing blanks, into `text`. Returns its size in
  // bytes, or 0 if the bytes are no instruction of the target.
  std::uint32_t disassemble(std::span<const std::byte> code, std::uint64_t offset, std::string& text);

 private:
  struct State;
  explicit Disassembler(std::unique_ptr<State> state);
  std::unique_ptr<State> m_state;
};

} // namespace hk::sim
