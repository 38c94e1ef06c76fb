// v_smfmac_*: D += A * B where A has at most two non-zero values in every four along k. A holds those two, in order,
// and src2 two bits for each of them: its place among the four ("CDNA4 ISA", section "Sparse Matrices"). With C = D,
// operand 3 is the index register. cbsz = 0 lets abid choose which set of the register's indices is used, else the
// first is.

#include "sim/instructions/matrix/arithmetic/register_dense.h"
#include "sim/machine/workgroup.h"

namespace hk::sim {

namespace {

template <typename T>
struct SparseFormat {
  MatrixShape shape; // of the product, that is with A expanded
  DecodeItem<T> decode_a = nullptr;
  DecodeItem<T> decode_b = nullptr;
  DepthOrder order = DepthOrder::consecutive;
};

// A with its zeros, [k][row].
template <typename T>
void expand(const SparseFormat<T>& format, const RegisterLine* words, const RegisterLine& indices, unsigned set,
            T* tile) {
  const MatrixShape& shape = format.shape;
  const int kept = shape.items_per_lane() / 2;
  std::fill(tile, tile + shape.depth * shape.rows, T{});
  for (int item = 0; item < kept; ++item) {
    T line[k_wave_size];
    format.decode_a(words, item, line);
    for (int lane = 0; lane < k_wave_size; ++lane) {
      const unsigned shift = unsigned(kept) * 2 * set + unsigned(item) * 2;
      const int place = int(indices[lane] >> shift & 3);
      const int k = depth_index(shape, format.order, lane / shape.rows, item / 2 * 4) + place;
      tile[k * shape.rows + lane % shape.rows] = line[lane];
    }
  }
}

template <typename T>
void execute_sparse(Wave& wave, const Instruction& instruction, const SparseFormat<T>& format) {
  if (!operands_allowed(wave, instruction))
    return;
  const MatrixShape& shape = format.shape;
  const Operand& d = instruction.operands[0];
  alignas(64) T a[k_largest_operand_tile];
  alignas(64) T b[k_largest_operand_tile];
  alignas(64) T result[k_largest_result_tile];
  const unsigned sets = 32u / unsigned(shape.items_per_lane());
  const unsigned set = instruction.modifiers.cbsz == 0 ? instruction.modifiers.abid % sets : 0;
  const RegisterLine& indices = wave.vector[instruction.operands[3].index];
  expand(format, &wave.vector[instruction.operands[1].index], indices, set, a);
  unpack_operand<T>(shape, format.order, &wave.vector[instruction.operands[2].index], format.decode_b, b);
  load_accumulator(wave, d, shape, result);
  multiply_accumulate(a, b, result, shape.rows, shape.columns, shape.depth);
  store_accumulator(wave, d, shape, result);
}

template <auto Format>
void execute_fixed(Wave& wave, const Instruction& instruction) {
  execute_sparse(wave, instruction, Format);
}

template <int Size, int Depth, bool A_is_bf8, bool B_is_bf8>
void execute_bytes(Wave& wave, const Instruction& instruction) {
  constexpr DepthOrder order = Size * Depth == 2048 ? DepthOrder::two_halves : DepthOrder::consecutive;
  const bool fnuz = wave.workgroup->target == Target::gfx942;
  const DecodeItem<float> fp8 = fnuz ? static_cast<DecodeItem<float>>(decode_fp8_fnuz) : decode_fp8_ocp;
  const DecodeItem<float> bf8 = fnuz ? static_cast<DecodeItem<float>>(decode_bf8_fnuz) : decode_bf8_ocp;
  execute_sparse(wave, instruction,
                 SparseFormat<float>{{Size, Size, Depth, 1}, A_is_bf8 ? bf8 : fp8, B_is_bf8 ? bf8 : fp8, order});
}

template <int Size, int Depth>
void add_bytes(OperationTable& table, const std::string& shape) {
  add_matrix_operation(table, "v_smfmac_f32_" + shape + "_fp8_fp8", execute_bytes<Size, Depth, false, false>);
  add_matrix_operation(table, "v_smfmac_f32_" + shape + "_fp8_bf8", execute_bytes<Size, Depth, false, true>);
  add_matrix_operation(table, "v_smfmac_f32_" + shape + "_bf8_fp8", execute_bytes<Size, Depth, true, false>);
  add_matrix_operation(table, "v_smfmac_f32_" + shape + "_bf8_bf8", execute_bytes<Size, Depth, true, true>);
}

template <int Size, int Depth, DepthOrder Order>
void add_words(OperationTable& table, const std::string& shape) {
  constexpr MatrixShape size{Size, Size, Depth, 1};
  add_matrix_operation(table, "v_smfmac_f32_" + shape + "_f16",
                       execute_fixed<SparseFormat<float>{size, decode_f16, decode_f16, Order}>);
  add_matrix_operation(table, "v_smfmac_f32_" + shape + "_bf16",
                       execute_fixed<SparseFormat<float>{size, decode_bf16, decode_bf16, Order}>);
}

template <int Size, int Depth, DepthOrder Order>
void add_integers(OperationTable& table, const std::string& shape) {
  add_matrix_operation(table, "v_smfmac_i32_" + shape + "_i8",
                       execute_fixed<SparseFormat<std::int32_t>{{Size, Size, Depth, 1}, decode_i8, decode_i8, Order}>);
}

} // namespace

void register_smfmac(OperationTable& table) {
  add_words<16, 32, DepthOrder::consecutive>(table, "16x16x32");
  add_words<32, 16, DepthOrder::consecutive>(table, "32x32x16");
  add_integers<16, 64, DepthOrder::consecutive>(table, "16x16x64");
  add_integers<32, 32, DepthOrder::consecutive>(table, "32x32x32");
  add_bytes<16, 64>(table, "16x16x64");
  add_bytes<32, 32>(table, "32x32x32");
  // gfx950: twice the depth, each half laid out like the shorter instruction
  add_words<16, 64, DepthOrder::two_halves>(table, "16x16x64");
  add_words<32, 32, DepthOrder::two_halves>(table, "32x32x32");
  add_integers<16, 128, DepthOrder::two_halves>(table, "16x16x128");
  add_integers<32, 64, DepthOrder::two_halves>(table, "32x32x64");
  add_bytes<16, 128>(table, "16x16x128");
  add_bytes<32, 64>(table, "32x32x64");
}

} // namespace hk::sim
