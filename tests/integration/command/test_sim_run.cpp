#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/scratch_folder.h"
#include "run_command.h"
#include "sim_objects.h"

TEST_SUITE_BEGIN("command");

using hk::sim::Target;
using hk::test::CommandResult;
using hk::test::floats_of;
using hk::test::read_npy_file;
using hk::test::run_hk;
using hk::test::scale_text;
using hk::test::ScratchFolder;
using hk::test::write_floats;
using hk::test::write_object;

namespace {

std::vector<std::string> sim_run(const std::string& file, const std::vector<std::string>& options,
                                 const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"sim", "run", file};
  words.insert(words.end(), options.begin(), options.end());
  for (const std::string& argument : arguments)
    words.insert(words.end(), {"--arg", argument});
  return words;
}

CommandResult must_run(const std::vector<std::string>& words) {
  const CommandResult result = run_hk(words, "none");
  INFO(result.errors);
  REQUIRE(result.exit_code == 0);
  CHECK(result.errors.empty());
  return result;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 1.0F);
  return values;
}

} // namespace

TEST_CASE("command.sim_run: files in, files out, on both targets") {
  const ScratchFolder folder;
  write_floats(folder / "in.npy", counting(128));
  for (const Target target : {Target::gfx942, Target::gfx950}) {
    write_object(folder / "scale.co", target, scale_text());
    const CommandResult result =
        must_run(sim_run(folder / "scale.co", {"--kernel", "test_kernel", "--grid", "2", "--block", "64", "--stats"},
                         {"buffer:512:out=" + (folder / "out.npy") + ":as=f32:shape=2x64",
                          "buffer:auto:" + (folder / "in.npy"), "f32:0.5"}));
    const auto out = read_npy_file(folder / "out.npy");
    CHECK(out.header.find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 64), }") == 0);
    const std::vector<float> values = floats_of(out);
    REQUIRE(values.size() == 128);
    for (std::size_t i = 0; i < values.size(); ++i)
      CHECK(values[i] == 0.5F * static_cast<float>(i + 1));

    const auto stats = nlohmann::json::parse(result.last_line());
    CHECK(result.output == result.last_line() + "\n");
    CHECK(stats.at("device") == (target == Target::gfx942 ? "sim:mi300x" : "sim:mi355x"));
    CHECK(stats.at("kernel") == "test_kernel");
    CHECK(stats.at("grid") == std::vector<int>{2, 1, 1});
    CHECK(stats.at("block") == std::vector<int>{64, 1, 1});
    CHECK(stats.at("workgroups") == 2);
    CHECK(stats.at("waves") == 2);
    CHECK(stats.at("instructions") == 22);
    const auto& classes = stats.at("instructions_by_class");
    CHECK(classes.at("scalar") == 2);        // s_lshl
    CHECK(classes.at("scalar_memory") == 4); // two s_load
    CHECK(classes.at("branch") == 6);        // two s_waitcnt, s_endpgm
    CHECK(classes.at("vector") == 6);        // add, shift, multiply
    CHECK(classes.at("vector_memory") == 4); // load, store
    CHECK(classes.at("matrix") == 0);
    CHECK(stats.at("missing_waits") == 0);
    CHECK(stats.at("modelled_us") > 0);
    CHECK(stats.at("profile").get<std::string>().size() == 32);
  }
}

TEST_CASE("command.sim_run: several arguments share a named buffer, also at an offset") {
  const ScratchFolder folder;
  write_object(folder / "scale.co", Target::gfx942, scale_text());
  write_floats(folder / "in.npy", counting(128));
  // In place, and from the first half into the second.
  must_run(
      sim_run(folder / "scale.co", {"--grid", "1,1,1", "--block", "64,1,1"},
              {"ptr:x+256", "buffer:512:" + (folder / "in.npy") + ":name=x:out=" + (folder / "out.npy"), "f32:2"}));
  const std::vector<float> values = floats_of(read_npy_file(folder / "out.npy"));
  REQUIRE(values.size() == 128);
  for (std::size_t i = 0; i < 64; ++i) {
    CHECK(values[i] == static_cast<float>(i + 1));
    CHECK(values[64 + i] == 2 * static_cast<float>(i + 1));
  }
}

TEST_CASE("command.sim_run: without a description, or with --packed, arguments lie as given") {
  const ScratchFolder folder;
  write_floats(folder / "in.npy", counting(64));
  auto silent = scale_text();
  silent.arguments.clear();
  write_object(folder / "silent.co", Target::gfx942, silent);
  write_object(folder / "scale.co", Target::gfx942, scale_text());
  const std::vector<std::string> arguments = {"buffer:256:out=" + (folder / "out.npy") + ":as=f32",
                                              "buffer:256:" + (folder / "in.npy"), "bytes:0000404000000000"}; // 3.0F, 0
  must_run(sim_run(folder / "silent.co", {"--grid", "1", "--block", "64"}, arguments));
  CHECK(floats_of(read_npy_file(folder / "out.npy")).at(63) == 192);
  must_run(sim_run(folder / "scale.co", {"--grid", "1", "--block", "64", "--packed"}, arguments));
  CHECK(floats_of(read_npy_file(folder / "out.npy")).at(63) == 192);
  // Each value at its natural alignment: u8 at 0, u32 at 4.
  must_run(
      sim_run(folder / "silent.co", {"--grid", "1", "--block", "64"}, {arguments[0], arguments[1], "f32:-1", "u8:7"}));
  CHECK(floats_of(read_npy_file(folder / "out.npy")).at(63) == -64);
}

TEST_CASE("command.sim_run: random inputs repeat with their seed, and have the distribution that was asked for") {
  const ScratchFolder folder;
  write_object(folder / "scale.co", Target::gfx942, scale_text());
  const auto drawn = [&](const std::string& random) {
    must_run(sim_run(folder / "scale.co", {"--grid", "64", "--block", "64"},
                     {"buffer:16k", "buffer:16k:random:" + random + ":out=" + (folder / "x.npy"), "f32:1"}));
    return floats_of(read_npy_file(folder / "x.npy"));
  };
  const std::vector<float> normal = drawn("1:f32");
  CHECK(normal == drawn("1:f32"));
  CHECK(normal != drawn("2:f32"));
  const double mean = std::accumulate(normal.begin(), normal.end(), 0.0) / 4096;
  const double square = std::inner_product(normal.begin(), normal.end(), normal.begin(), 0.0) / 4096;
  CHECK(std::abs(mean) < 0.08); // five standard errors, 5 / 64
  CHECK(std::abs(square - 1) < 0.12);
  const std::vector<float> uniform = drawn("1:f32:uniform");
  CHECK(*std::min_element(uniform.begin(), uniform.end()) >= 0);
  CHECK(*std::max_element(uniform.begin(), uniform.end()) <= 1);
  CHECK(std::abs(std::accumulate(uniform.begin(), uniform.end(), 0.0) / 4096 - 0.5) < 0.023); // 5 / sqrt(12) / 64
}

TEST_CASE("command.sim_run: hidden arguments are filled in, grid and block have three dimensions, LDS can be added") {
  const ScratchFolder folder;
  hk::sim::testing::KernelText text;
  // out[0..2] = workgroups in x, y, z; out[3] = size of a workgroup in y; out[4] = what LDS at 1020 holds after a
  // write.
  text.body = R"(s_load_dwordx2 s[4:5], s[0:1], 0x0
s_load_dwordx4 s[8:11], s[0:1], 0x8
v_mov_b32 v0, 0
v_mov_b32 v6, 0x3fc
v_mov_b32 v7, 77
ds_write_b32 v6, v7
ds_read_b32 v5, v6
s_waitcnt lgkmcnt(0)
s_lshr_b32 s11, s11, 16
v_mov_b32 v8, s8
v_mov_b32 v9, s9
v_mov_b32 v10, s10
v_mov_b32 v11, s11
global_store_dwordx4 v0, v[8:11], s[4:5]
global_store_dword v0, v5, s[4:5] offset:16
s_endpgm)";
  text.directives = ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n";
  text.arguments = "{.offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global},"
                   "{.offset: 8, .size: 4, .value_kind: hidden_block_count_x},"
                   "{.offset: 12, .size: 4, .value_kind: hidden_block_count_y},"
                   "{.offset: 16, .size: 4, .value_kind: hidden_block_count_z},"
                   "{.offset: 20, .size: 2, .value_kind: hidden_group_size_x},"
                   "{.offset: 22, .size: 2, .value_kind: hidden_group_size_y},"
                   "{.offset: 24, .size: 2, .value_kind: hidden_group_size_z}";
  text.kernarg_bytes = 32;
  write_object(folder / "hidden.co", Target::gfx942, text);
  const std::vector<std::string> arguments = {"buffer:32:out=" + (folder / "out.npy") + ":as=i32"};
  must_run(sim_run(folder / "hidden.co", {"--grid", "5,4,3", "--block", "16,8,2", "--lds", "1k"}, arguments));
  const auto out = read_npy_file(folder / "out.npy");
  CHECK(out.header.find("'descr': '<i4'") != std::string::npos);
  std::vector<std::int32_t> values(8);
  std::memcpy(values.data(), out.elements.data(), 32);
  CHECK(values == std::vector<std::int32_t>{5, 4, 3, 8, 77, 0, 0, 0});
  // The LDS is really that of the option.
  const auto small =
      run_hk(sim_run(folder / "hidden.co", {"--grid", "1", "--block", "64", "--lds", "1020"}, arguments), "none");
  CHECK(small.exit_code == 1);
  CHECK(small.errors.find("LDS") != std::string::npos);
}

TEST_CASE("command.sim_run: --trace prints the instructions of one wave") {
  const ScratchFolder folder;
  write_object(folder / "scale.co", Target::gfx942, scale_text());
  const std::vector<std::string> arguments = {"buffer:2k", "buffer:2k", "f32:1"};
  const auto traced = must_run(
      sim_run(folder / "scale.co", {"--grid", "2,2,2", "--block", "64", "--trace", "1,0,1", "--stats"}, arguments));
  // Eleven instructions and the statistics.
  CHECK(std::count(traced.output.begin(), traced.output.end(), '\n') == 12);
  CHECK(traced.output.find("3 +0x00010 s_lshl_b32 s3, s2, 6 ; exec ffffffffffffffff scc 1 = 00000040\n") !=
        std::string::npos);
  const auto cut =
      must_run(sim_run(folder / "scale.co", {"--grid", "1", "--block", "64", "--trace", "0,0,0:0:3"}, arguments));
  CHECK(std::count(cut.output.begin(), cut.output.end(), '\n') == 3);
}

TEST_CASE("command.sim_run: a wait that is missing is a fault unless it is forgiven") {
  const ScratchFolder folder;
  auto text = scale_text();
  text.body.erase(text.body.find("s_waitcnt vmcnt(0)\n"), 19);
  write_object(folder / "scale.co", Target::gfx942, text);
  write_floats(folder / "in.npy", counting(64));
  const std::vector<std::string> arguments = {"buffer:256:out=" + (folder / "out.npy") + ":as=f32",
                                              "buffer:256:" + (folder / "in.npy"), "f32:2"};
  const auto strict = run_hk(sim_run(folder / "scale.co", {"--grid", "1", "--block", "64"}, arguments), "none");
  CHECK(strict.exit_code == 1);
  CHECK(strict.errors.find("v3 is used before a wait") != std::string::npos);
  const auto forgiven = must_run(
      sim_run(folder / "scale.co", {"--grid", "1", "--block", "64", "--forgive-missing-waits", "--stats"}, arguments));
  CHECK(nlohmann::json::parse(forgiven.last_line()).at("missing_waits") == 1);
  CHECK(floats_of(read_npy_file(folder / "out.npy")).at(63) == 128);
}

TEST_CASE("command.sim_list: kernels, resources and arguments, for people and as JSON") {
  const ScratchFolder folder;
  auto text = scale_text();
  text.lds_bytes = 2048;
  text.agprs = 8;
  write_object(folder / "scale.co", Target::gfx950, text);
  const auto list = must_run({"sim", "list", folder / "scale.co"});
  CHECK(list.output == "gfx950, code object V5, runs on sim:mi355x\ntest_kernel\n"
                       "  registers: 32 VGPRs, 8 AGPRs, 96 SGPRs\n"
                       "  LDS: 2048 bytes; scratch: 0 bytes per work-item\n"
                       "  workgroup: at most 1024 work-items\n"
                       "  kernarg segment: 24 bytes, 0 hidden arguments\n"
                       "    0: offset 0, 8 bytes, global_buffer out\n"
                       "    1: offset 8, 8 bytes, global_buffer in\n"
                       "    2: offset 16, 4 bytes, by_value factor\n");
  const auto json = nlohmann::json::parse(must_run({"sim", "list", folder / "scale.co", "--json"}).last_line());
  CHECK(json.at("target") == "gfx950");
  const auto& kernel = json.at("kernels").at(0);
  CHECK(kernel.at("name") == "test_kernel");
  CHECK(kernel.at("lds_bytes") == 2048);
  CHECK(kernel.at("kernarg_bytes") == 24);
  CHECK(kernel.at("arguments").size() == 4); // with the filler
  CHECK(kernel.at("arguments").at(2).at("offset") == 16);
}

TEST_CASE("command.sim_run: the help explains arguments with an example") {
  const auto help = must_run({"sim", "run", "--help"});
  for (const char* words :
       {"buffer:SIZE", "ptr:NAME[+OFFSET]", "bytes:HEX", "random:SEED:TYPE", "\n  hk sim run saxpy.co"})
    CHECK(help.output.find(words) != std::string::npos);
}

TEST_SUITE_END();
