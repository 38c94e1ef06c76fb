#pragma once
// Code objects for the tests of `hk sim`, from assembler text.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel_fixture.h"

namespace hk::test {

// out[i] = factor * in[i] for 64 * workgroups floats, one wave per workgroup, 11 instructions. Arguments: out and in
// (addresses), factor (f32), unused (u32).
sim::testing::KernelText scale_text();
inline constexpr const char* k_scale_arguments =
    "{.name: out, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global},"
    "{.name: in, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global},"
    "{.name: factor, .offset: 16, .size: 4, .value_kind: by_value},"
    "{.name: pad, .offset: 20, .size: 4, .value_kind: by_value}";

void write_object(const std::string& path, sim::Target target, const sim::testing::KernelText& text);

// A .npy file as numpy writes it, by hand: descr '<f4', one dimension.
void write_floats(const std::string& path, const std::vector<float>& values);

struct NpyFile {
  std::string header; // the dictionary
  std::string elements;
};
// Requires magic, version 1.0 and a header that ends at a multiple of 64 with a newline.
NpyFile read_npy_file(const std::string& path);
std::vector<float> floats_of(const NpyFile& file);

} // namespace hk::test
