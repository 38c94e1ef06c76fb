#pragma once
// An operation is what a mnemonic means, whatever its encoding: "v_add_f32" covers _e32, _e64, _dpp and _sdwa.
//
// Each file under src/sim/instructions/<family>/ holds one kind of operation and defines
//     void register_<file stem>(OperationTable& table);
// CMake scans the folder and generates the function that calls them all, so adding a file is all it takes.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hk::sim {

struct Instruction;
struct Wave;

// Executes the instruction for the whole wave. A failure is reported by wave.raise(...), never by throwing.
// The program counter already points behind the instruction; branches overwrite wave.next.
using Execute = void (*)(Wave& wave, const Instruction& instruction);

constexpr int k_operation_class_count = 8;

enum class OperationClass : std::uint8_t {
  scalar,        // SALU
  scalar_memory, // SMEM
  branch,        // s_branch, s_cbranch_*, s_setpc, s_endpgm, s_barrier, s_waitcnt, s_nop, s_sleep ...
  vector,        // VALU
  transcendental,
  matrix,        // MFMA
  lds,           // DS
  vector_memory, // MUBUF, GLOBAL, FLAT, SCRATCH
};

struct Operation {
  std::string mnemonic; // without _e32, _e64, _dpp, _sdwa
  Execute execute = nullptr;
  // The same for instructions that are plain (Instruction::plain), quicker; null: execute does it.
  Execute plain_execute = nullptr;
  bool plain_with_op_sel = false; // plain_execute understands op_sel and op_sel_hi
  OperationClass operation_class = OperationClass::vector;
  std::uint8_t destinations = 1; // the first N operands are written (0: stores, compares into implicit registers, ...)
  std::uint16_t issue_clocks =
      4; // engine clocks of the port that the instruction takes; the modelled time's raw material
  // Registers that the text of the instruction does not show: v_div_fmas (vcc), direct-to-LDS loads (m0), saveexec
  // (exec). EXEC is implied by the classes vector to vector_memory.
  bool implies_vcc = false;
  bool implies_exec = false;
  bool implies_m0 = false;
};

class OperationTable {
 public:
  void add(Operation operation) {
    std::string name = operation.mnemonic;
    m_operations.insert_or_assign(std::move(name), std::move(operation));
  }
  [[nodiscard]] const Operation* find(std::string_view mnemonic) const {
    auto found = m_operations.find(std::string(mnemonic));
    return found == m_operations.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::unordered_map<std::string, Operation>& all() const { return m_operations; }

 private:
  std::unordered_map<std::string, Operation> m_operations;
};

// Every operation of every family; built once, immutable afterwards.
const OperationTable& operation_table();

} // namespace hk::sim
