#pragma once
// Turns the description of a dense matrix instruction into an operation.

#include <string>

#include "sim/instructions/matrix/arithmetic/dense_product.h"
#include "sim/machine/operation.h"

namespace hk::sim {

template <auto Format>
void execute_dense(Wave& wave, const Instruction& instruction) {
  execute_dense_product<Format.shape>(wave, instruction, Format);
}

// An MFMA takes the VALU issue port for 4 clocks; how long the matrix unit is busy is in matrix/passes.h.
inline void add_matrix_operation(OperationTable& table, std::string mnemonic, Execute execute) {
  Operation operation;
  operation.mnemonic = std::move(mnemonic);
  operation.execute = execute;
  operation.operation_class = OperationClass::matrix;
  operation.destinations = 1;
  operation.issue_clocks = 4;
  table.add(std::move(operation));
}

template <auto Format>
void add_dense(OperationTable& table, const char* mnemonic) {
  add_matrix_operation(table, mnemonic, execute_dense<Format>);
}

} // namespace hk::sim
