// Offsets past 2^31 and 2^32 bytes, in device memory that holds pages only where they are touched. Exit code 77
// (skipped), with the reason, where the device has no room.

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <optional>
#include <string>

#include "device_run.h"
#include "inputs.h"
#include "rotation.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;

namespace {

constexpr std::int64_t k_gib = std::int64_t{1} << 30;         // bytes
constexpr std::int64_t k_apart = 5 * k_gib / 2;               // elements: 5 GiB
constexpr std::int64_t k_tensor_room = std::int64_t{1} << 20; // elements

// What the buffer holds: four tensors of which parts lie 5 GiB apart, and some room in front to choose an address.
constexpr std::int64_t k_buffer_bytes = 5 * k_gib + k_gib / 8;

// One buffer for all of them. Elements are copied one row at a time: no host copy of the whole exists.
class SparseBuffer {
 public:
  explicit SparseBuffer(const Context& context)
      : m_context(context), m_memory(context, static_cast<std::size_t>(k_buffer_bytes / 2)) {}

  // Element 0 of the n-th tensor.
  [[nodiscard]] std::uint16_t* tensor(int n, std::int64_t offset = 0) const {
    return m_memory.data() + offset + n * k_tensor_room;
  }
  void write(const Tensor<std::uint16_t>& from, std::uint16_t* to, const Strides& strides) const {
    for_each_row(from, [&](std::int64_t b, std::int64_t h, std::int64_t r) {
      std::vector<std::uint16_t> row;
      for (std::int64_t c = 0; c < from.sizes().columns; ++c)
        row.push_back(from.at(b, h, r, c));
      check(hk_memory_copy(m_context.get(), to + place(strides, b, h, r), row.data(), 2 * row.size(), nullptr));
    });
  }
  void read(Tensor<std::uint16_t>& to, const std::uint16_t* from, const Strides& strides) const {
    for_each_row(to, [&](std::int64_t b, std::int64_t h, std::int64_t r) {
      std::vector<std::uint16_t> row(static_cast<std::size_t>(to.sizes().columns));
      check(hk_memory_copy(m_context.get(), row.data(), from + place(strides, b, h, r), 2 * row.size(), nullptr));
      for (std::int64_t c = 0; c < to.sizes().columns; ++c)
        to.at(b, h, r, c) = row[static_cast<std::size_t>(c)];
    });
  }

 private:
  static std::int64_t place(const Strides& strides, std::int64_t b, std::int64_t h, std::int64_t r) {
    return b * strides.batch + h * strides.head + r * strides.row;
  }
  template <typename Action>
  static void for_each_row(const Tensor<std::uint16_t>& tensor, Action&& action) {
    for (std::int64_t b = 0; b < tensor.sizes().batch; ++b) {
      for (std::int64_t h = 0; h < tensor.sizes().heads; ++h) {
        for (std::int64_t r = 0; r < tensor.sizes().rows; ++r)
          action(b, h, r);
      }
    }
  }

  const Context& m_context;
  DeviceArray<std::uint16_t> m_memory;
};

// Runs the problem with its tensors at `offset` in the buffer under these strides; the output comes back dense.
void run_sparse(const Context& context, const SparseBuffer& buffer, Problem& problem, const Strides& q,
                const Strides& kv, const Strides& o, std::int64_t offset = 0) {
  problem.spoil_outputs();
  hk_attention_args args = problem.args();
  const auto set = [](hk_tensor& tensor, std::uint16_t* data, const Strides& strides) {
    tensor.data = data;
    tensor.stride_batch = strides.batch;
    tensor.stride_head = strides.head;
    tensor.stride_row = strides.row;
  };
  set(args.q, buffer.tensor(0, offset), q);
  set(args.k, buffer.tensor(1, offset), kv);
  set(args.v, buffer.tensor(2, offset), kv);
  set(args.o, buffer.tensor(3, offset), o);
  buffer.write(problem.q, buffer.tensor(0, offset), q);
  buffer.write(problem.k, buffer.tensor(1, offset), kv);
  buffer.write(problem.v, buffer.tensor(2, offset), kv);
  buffer.write(problem.o, buffer.tensor(3, offset), o);
  context.attention(args);
  context.synchronize();
  buffer.read(problem.o, buffer.tensor(3, offset), o);
}

Shape shape_with(std::int64_t head_dim, std::int64_t batch, std::int64_t heads) {
  Shape shape = rotated_shape(head_dim, HK_MASK_CAUSAL_BOTTOM_RIGHT, 63, 65, turn_of_device());
  shape.batch = batch;
  shape.heads_q = shape.heads_kv = heads;
  shape.want_lse = false;
  return shape;
}

// By all test cases; memory that was never touched costs nothing.
const Context* g_context = nullptr;
const SparseBuffer* g_buffer = nullptr;

void check_strides(std::int64_t batch, std::int64_t heads, const Strides& strides, std::int64_t offset = 0) {
  for (const std::int64_t head_dim : k_head_dims) {
    Problem problem(shape_with(head_dim, batch, heads));
    Strides used = strides;
    used.row = strides.row == 0 ? head_dim : strides.row;
    fill(problem, Input::normal);
    run_sparse(*g_context, *g_buffer, problem, used, used, used, offset);
    check_against_reference(problem);
  }
}

} // namespace

TEST_SUITE_BEGIN("large_strides");

TEST_CASE("F1, F2, F5, F8, F11: batches 2 GiB, 4 GiB and 5 GiB apart") {
  for (const std::int64_t apart : {k_gib, 2 * k_gib, k_apart, k_gib + 8, 2 * k_gib + 8})
    check_strides(2, 1, {apart, 0, 0});
}

TEST_CASE("F2: heads 5 GiB apart") {
  check_strides(1, 2, {0, k_apart, 0});
}

TEST_CASE("F5: rows 64 MiB apart, the last one past 4 GiB") {
  // Rows this far apart are beyond the fast kernel, which keeps the offsets of a tile in 32 bits.
  check_strides(1, 1, {0, 0, std::int64_t{1} << 25});
}

TEST_CASE("F2: rows just below and just at the limit of the fast kernel") {
  for (const std::int64_t stride : {(std::int64_t{1} << 23) - 8, std::int64_t{1} << 23})
    check_strides(1, 1, {0, 0, stride});
}

TEST_CASE("F20: tensors that lie across a multiple of 4 GiB of the address space") {
  // The tensors lie a fixed distance apart; each in turn is moved across the boundary.
  const auto base = reinterpret_cast<std::uintptr_t>(g_buffer->tensor(0));
  const std::uintptr_t boundary = (base + (std::uintptr_t{1} << 32)) >> 32 << 32;
  for (int n = 0; n < 4; ++n) {
    const auto in_front = static_cast<std::int64_t>(boundary - base) / 2 - n * k_tensor_room;
    if (in_front - 1024 < 0 || (in_front + 4 * k_tensor_room) * 2 > k_buffer_bytes)
      continue;
    CAPTURE(n);
    check_strides(1, 1, {0, 0, 0}, in_front - 1024); // 16-byte aligned; a tensor is 7.9 KiB or more long
  }
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  std::optional<Context> context;
  std::optional<SparseBuffer> buffer;
  try {
    context.emplace(open_context());
    buffer.emplace(*context);
  } catch (const Error& error) {
    std::printf("%s: %s\n", error.status() == HK_STATUS_OUT_OF_MEMORY ? "skipped" : "failed", error.what());
    return error.status() == HK_STATUS_OUT_OF_MEMORY ? 77 : 1;
  }
  g_context = &*context;
  g_buffer = &*buffer;
  return doctest::Context(count, arguments).run();
}
