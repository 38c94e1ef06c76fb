#include "sim_objects.h"

#include <cstring>

#include <doctest/doctest.h>

#include "base/scratch_folder.h"

namespace hk::test {

sim::testing::KernelText scale_text() {
  sim::testing::KernelText text;
  text.body = R"(s_load_dwordx4 s[4:7], s[0:1], 0x0
s_load_dword s8, s[0:1], 0x10
s_lshl_b32 s3, s2, 6
v_add_u32 v1, s3, v0
v_lshlrev_b32 v2, 2, v1
s_waitcnt lgkmcnt(0)
global_load_dword v3, v2, s[6:7]
s_waitcnt vmcnt(0)
v_mul_f32 v3, s8, v3
global_store_dword v2, v3, s[4:5]
s_endpgm)";
  text.directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  text.arguments = k_scale_arguments;
  text.kernarg_bytes = 24;
  return text;
}

void write_object(const std::string& path, sim::Target target, const sim::testing::KernelText& text) {
  const std::vector<std::byte> object = sim::testing::assembled_object(target, text);
  write_text(path, {reinterpret_cast<const char*>(object.data()), object.size()});
}

void write_floats(const std::string& path, const std::vector<float>& values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  header.append(118 - 1 - header.size(), ' ').append("\n"); // 10 + 118 = 128
  std::string file("\x93NUMPY\x01\x00\x76\x00", 10);
  file += header;
  file.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  write_text(path, file);
}

NpyFile read_npy_file(const std::string& path) {
  const std::string file = read_text(path);
  REQUIRE(file.size() >= 10);
  CHECK(file.substr(0, 8) == std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t length = static_cast<unsigned char>(file[8]) + 256U * static_cast<unsigned char>(file[9]);
  REQUIRE(file.size() >= 10 + length);
  CHECK((10 + length) % 64 == 0);
  CHECK(file[9 + length] == '\n');
  return {file.substr(10, length), file.substr(10 + length)};
}

std::vector<float> floats_of(const NpyFile& file) {
  std::vector<float> values(file.elements.size() / sizeof(float));
  std::memcpy(values.data(), file.elements.data(), values.size() * sizeof(float));
  return values;
}

} // namespace hk::test
