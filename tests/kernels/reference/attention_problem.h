#pragma once
// An attention problem in host memory: tensors with guard bands, in any stride pattern.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <hk/tile/mask_kind.h>
#include <kernels/attention_forward_arguments.h>

namespace hk::test {

enum class ElementKind { bf16, fp16 };

float widen(ElementKind kind, std::uint16_t bits);
/// Round to nearest, ties to even.
std::uint16_t round_to(ElementKind kind, double value);
/// Distance between neighbours of `kind` at the magnitude of `value`.
double ulp_at(ElementKind kind, double value);

struct Shape {
  ElementKind element = ElementKind::bf16;
  int head_dim = 64;
  MaskKind mask = MaskKind::none;
  int batch = 1;
  int heads_q = 1;
  int heads_kv = 1;
  int seq_q = 1;
  int seq_k = 1;
  float scale = 0.0f; ///< 0 stands for 1 / sqrt(head_dim)

  float softmax_scale() const;
  std::string text() const;
};

/// A 4-D tensor [batch, head, row, feature] of 16-bit elements, strides in elements, inside a larger allocation. What
/// lies around and between the rows is a pattern that is NaN in both element types.
class Tensor {
 public:
  static constexpr std::uint16_t k_guard = 0x7fff;

  Tensor() = default;
  /// `offset` elements are left in front of the first element, in addition to the guard band.
  Tensor(int batch, int heads, int rows, int columns, std::ptrdiff_t stride_batch, std::ptrdiff_t stride_head,
         std::ptrdiff_t stride_row, std::size_t offset = 0);
  static Tensor contiguous(int batch, int heads, int rows, int columns);

  std::uint16_t& at(int batch, int head, int row, int column);
  std::uint16_t at(int batch, int head, int row, int column) const;
  std::uint16_t* data() { return m_storage.data() + m_first; }
  const std::uint16_t* data() const { return m_storage.data() + m_first; }
  /// Everything, guard bands included: what is copied to a device.
  std::vector<std::uint16_t>& storage() { return m_storage; }
  /// Number of stored elements outside the tensor that no longer hold the guard pattern.
  std::size_t damaged_guards() const;

  int batch = 0, heads = 0, rows = 0, columns = 0;
  std::ptrdiff_t stride_batch = 0, stride_head = 0, stride_row = 0;

 private:
  std::size_t index(int batch, int head, int row, int column) const;

  std::vector<std::uint16_t> m_storage;
  std::size_t m_first = 0;
};

enum class Input {
  randn,      ///< q, k, v normal with variance 1: logits of std 1 after scaling
  std_8,      ///< q and k scaled so that the logits have std 8
  peaked,     ///< one key per query far above the others
  constant_v, ///< randn logits, every value row the same
  one_hot_v,  ///< randn logits, value row j has a single one at feature j mod head_dim
  head_id_v,  ///< randn logits, every value of a head is its key head's number + 1
};

struct Problem {
  Shape shape;
  Tensor q, k, v, o;
  std::vector<float> lse; ///< [batch, heads_q, seq_q] between guard bands of k_lse_guard floats

  static constexpr std::size_t k_lse_guard = 32;
  float lse_at(int batch, int head, int row) const;
  /// Number of floats of the guard bands of lse that are no longer NaN.
  std::size_t damaged_lse_guards() const;
  /// Kernel arguments that point into this problem.
  AttentionForwardArguments arguments();
};

/// Contiguous tensors [batch, head, row, feature]; outputs are NaN.
Problem make_problem(const Shape& shape, Input input, unsigned seed);
/// Fills q, k and v of a problem whose tensors exist.
void fill(Problem& problem, Input input, unsigned seed);
/// Makes every output element NaN.
void spoil_outputs(Problem& problem);

} // namespace hk::test
