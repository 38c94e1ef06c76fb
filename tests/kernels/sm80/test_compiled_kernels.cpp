// attention_forward through NVRTC for sm_80 and sm_90: the default configuration of either head dim, aligned and not,
// compiles, and stays inside what a multiprocessor gives two waves per scheduler. Exit code 77 (skipped) without NVRTC.

#define DOCTEST_CONFIG_IMPLEMENT
#include <cstdio>
#include <doctest/doctest.h>
#include <memory>
#include <regex>
#include <string>

#include "nvrtc.h"

using namespace hk::testing;

namespace {

std::unique_ptr<Nvrtc> g_nvrtc; // set by main

struct Configuration {
  const char* element;
  int head_dim;
  const char* mask;
  bool write_lse;
  bool aligned;
  int waves;
  int tile_q;
  int tile_kv;
};

std::string source_of(const Configuration& configuration) {
  const auto constant = [](const char* type, const char* name, const std::string& value) {
    return std::string("  static constexpr ") + type + " " + name + " = " + value + ";\n";
  };
  const auto flag = [](bool value) { return std::string(value ? "true" : "false"); };
  return "#include <hk/target.h>\n#include <kernels/attention_forward.h>\nnamespace hk {\nstruct Config {\n"
         "  using Element = hk::" +
         std::string(configuration.element) + ";\n" +
         constant("int", "head_dim", std::to_string(configuration.head_dim)) +
         constant("MaskKind", "mask", std::string("MaskKind::") + configuration.mask) +
         constant("bool", "write_lse", flag(configuration.write_lse)) +
         constant("bool", "aligned", flag(configuration.aligned)) + constant("int", "group_size", "0") +
         constant("int", "seq_q", "0") + constant("int", "seq_k", "0") +
         constant("int", "waves", std::to_string(configuration.waves)) +
         constant("int", "tile_q", std::to_string(configuration.tile_q)) +
         constant("int", "tile_kv", std::to_string(configuration.tile_kv)) +
         "};\n}\nextern \"C\" __global__ HK_LAUNCH_BOUNDS(hk::Config) void kernel(hk::AttentionForwardArguments "
         "arguments) "
         "{\n  hk::attention_forward<hk::Config>(arguments);\n}\n"
         "HK_TELL_SHARED_BYTES(kernel, hk::AttentionForwardTypes<hk::Config>::k_shared_bytes);\n";
}

/// The number that `pattern` captures in the compiler's report, or -1.
int reported(const std::string& log, const char* pattern) {
  std::smatch match;
  return std::regex_search(log, match, std::regex(pattern)) ? std::stoi(match[1].str()) : -1;
}

void check_kernel(const Configuration& configuration, int most_spilled_bytes) {
  for (const char* const architecture : {"sm_80", "sm_90"}) {
    CAPTURE(architecture);
    CAPTURE(configuration.head_dim);
    const CompiledKernel kernel = g_nvrtc->compile(source_of(configuration), architecture);
    INFO(kernel.log);
    REQUIRE(kernel.succeeded);
    CHECK(kernel.cubin.substr(0, 4) == "\x7f"
                                       "ELF");
    const int registers = reported(kernel.log, "Used ([0-9]+) registers");
    CHECK(registers > 0);
    CHECK(registers <= 255);
    const int spilled = reported(kernel.log, "([0-9]+) bytes spill stores");
    CHECK(spilled >= 0);
    CHECK(spilled <= most_spilled_bytes);
    // What the launch must ask for is told by a variable of the module.
    CHECK(kernel.cubin.find("kernel__shared_bytes") != std::string::npos);
  }
}

} // namespace

TEST_SUITE_BEGIN("kernels.sm80.compiled");

TEST_CASE("head dim 64: no spills") {
  check_kernel({"bfloat16", 64, "causal_bottom_right", false, true, 4, 128, 64}, 0);
}

TEST_CASE("head dim 64, element-aligned, few queries: no spills") {
  check_kernel({"float16", 64, "causal_top_left", true, false, 1, 32, 64}, 0);
}

TEST_CASE("head dim 128: the sums take 192 of 255 registers, so a few loop invariants are spilled") {
  check_kernel({"bfloat16", 128, "none", false, true, 4, 128, 64}, 64);
}

TEST_SUITE_END();

int main(int count, char** arguments) {
  std::string why;
  g_nvrtc = Nvrtc::open(why);
  if (g_nvrtc == nullptr) {
    std::printf("SKIP: %s\n", why.c_str());
    return 77;
  }
  return doctest::Context(count, arguments).run();
}
