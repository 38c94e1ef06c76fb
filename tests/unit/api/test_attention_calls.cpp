// hk_attention and its queries through the C functions.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "assembled_context.h"
#include "service/counted_allocations.h"

TEST_SUITE_BEGIN("api");

using hk::test::AssembledContext;
using hk::test::sample_args;

namespace {

bool message_has(const std::string& text) {
  return std::string(hk_last_error_message()).find(text) != std::string::npos;
}

// hk_attention_args with eight bytes that this library does not know.
struct NewerArgs {
  hk_attention_args known;
  std::uint64_t unknown;
};

NewerArgs newer_args(std::uint64_t unknown) {
  NewerArgs args{sample_args(), unknown};
  args.known.struct_size = sizeof(NewerArgs);
  return args;
}

} // namespace

TEST_CASE("api.attention: a call launches, and the counters tell where the kernel came from") {
  const AssembledContext context;
  const hk_attention_args args = sample_args();
  REQUIRE(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS);
  REQUIRE(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS);
  CHECK(context.driver->launches() == 2);
  hk_statistics statistics = HK_STATISTICS_INIT;
  REQUIRE(hk_context_statistics(context.get(), &statistics) == HK_STATUS_SUCCESS);
  CHECK(statistics.launches == 2);
  CHECK(statistics.compiles == 1);
  CHECK(statistics.memory_hits == 1);
  CHECK(statistics.disk_hits == 0);
  CHECK(statistics.failures == 0);
  CHECK(statistics.struct_size == sizeof(hk_statistics));
}

TEST_CASE("api.attention: a warm call through the C API allocates nothing") {
  const AssembledContext context;
  const hk_attention_args args = sample_args();
  REQUIRE(hk_attention_prepare(context.get(), &args) == HK_STATUS_SUCCESS);
  const std::uint64_t before = hk::test::allocations_of_this_thread();
  hk_status status = HK_STATUS_SUCCESS;
  for (int i = 0; i < 100; ++i) {
    const hk_status called = hk_attention(context.get(), &args, nullptr, 0, nullptr);
    status = status == HK_STATUS_SUCCESS ? called : status;
  }
  CHECK(hk::test::allocations_of_this_thread() == before);
  CHECK(status == HK_STATUS_SUCCESS);
  CHECK(context.driver->launches() == 100);
}

TEST_CASE("api.attention: sizes of args") {
  const AssembledContext context;
  const auto call = [&](const hk_attention_args* args) {
    return hk_attention(context.get(), args, nullptr, 0, nullptr);
  };
  CHECK(call(nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("args is null"));
  hk_attention_args args = sample_args();
  for (const std::uint32_t size : {0U, 4U, 255U}) {
    args.struct_size = size;
    CHECK(call(&args) == HK_STATUS_INVALID_ARGUMENT);
    CHECK(message_has("args.struct_size is " + std::to_string(size)));
    CHECK(message_has("_INIT"));
  }
  const NewerArgs compatible = newer_args(0);
  CHECK(call(&compatible.known) == HK_STATUS_SUCCESS);
  const NewerArgs incompatible = newer_args(std::uint64_t{1} << 63);
  CHECK(call(&incompatible.known) == HK_STATUS_UNSUPPORTED_VERSION);
  CHECK(message_has("args.struct_size is 264"));
  CHECK(context.driver->launches() == 1);
}

TEST_CASE("api.attention: a refusal launches nothing and leaves every output as it was") {
  const AssembledContext context;
  const std::pair<const char*, std::function<void(hk_attention_args&)>> changes[] = {
      {"head_dim is 65", [](hk_attention_args& a) { a.head_dim = 65; }},
      {"heads_kv, 3", [](hk_attention_args& a) { a.heads_kv = 3; }},
      {"seq_q is -1", [](hk_attention_args& a) { a.seq_q = -1; }},
      {"mask is 9", [](hk_attention_args& a) { a.mask = 9; }},
      {"q.dtype is 0", [](hk_attention_args& a) { a.q.dtype = 0; }},
      {"v.stride_row is -1", [](hk_attention_args& a) { a.v.stride_row = -1; }},
      {"o.stride_row is 0", [](hk_attention_args& a) { a.o.stride_row = 0; }},
      {"scale is inf", [](hk_attention_args& a) { a.scale = INFINITY; }},
      {"batch * heads_q * seq_q", [](hk_attention_args& a) { a.batch = 1 << 29; }},
  };
  for (const auto& [words, change] : changes) {
    CAPTURE(words);
    hk_attention_args args = sample_args();
    change(args);
    const hk_attention_args given = args;
    std::size_t bytes = 77;
    std::size_t required = 77;
    char text[4] = "abc";
    for (const auto& call : std::vector<std::function<hk_status()>>{
             [&] { return hk_attention(context.get(), &args, nullptr, 0, nullptr); },
             [&] { return hk_attention_supported(context.get(), &args); },
             [&] { return hk_attention_prepare(context.get(), &args); },
             [&] { return hk_attention_workspace(context.get(), &args, &bytes); },
             [&] { return hk_attention_describe(context.get(), &args, text, sizeof(text), &required); }}) {
      const hk_status status = call();
      CHECK((status == HK_STATUS_INVALID_ARGUMENT || status == HK_STATUS_UNSUPPORTED));
      CHECK(std::strlen(hk_last_error_message()) > 0);
      CHECK(message_has(words));
    }
    CHECK(bytes == 77);
    CHECK(required == 77);
    CHECK(std::string(text) == "abc");
    CHECK(std::memcmp(&given, &args, sizeof(args)) == 0);
  }
  CHECK(context.driver->launches() == 0);
  CHECK(context.compiler.compiles == 0);
}

TEST_CASE("api.attention: workspace") {
  const AssembledContext context;
  const hk_attention_args args = sample_args();
  std::size_t bytes = 77;
  CHECK(hk_attention_workspace(context.get(), &args, &bytes) == HK_STATUS_SUCCESS);
  CHECK(bytes == 0);
  CHECK(hk_attention_workspace(context.get(), &args, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("bytes is null"));
  CHECK(hk_attention(context.get(), &args, nullptr, 16, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("workspace is null"));
}

TEST_CASE("api.attention: describe follows the two-call convention") {
  const AssembledContext context;
  hk_attention_args args = sample_args();
  args.q.data = args.k.data = args.v.data = args.o.data = nullptr;
  std::size_t required = 0;
  REQUIRE(hk_attention_describe(context.get(), &args, nullptr, 0, &required) == HK_STATUS_SUCCESS);
  std::string text(required, '?');
  CHECK(hk_attention_describe(context.get(), &args, text.data(), required - 1, &required) ==
        HK_STATUS_INVALID_ARGUMENT);
  REQUIRE(hk_attention_describe(context.get(), &args, text.data(), text.size(), nullptr) == HK_STATUS_SUCCESS);
  CHECK(text.back() == '\0');
  CHECK(text.find("attention_forward__bf16_d128_lse_gqa4_q96_k160__q128_kv64_w4") != std::string::npos);
}

TEST_CASE("api.attention: a failing compile reaches the caller with its log, and is not repeated at once") {
  AssembledContext context;
  context.compiler.failure = hk::Status(hk::StatusCode::compile_failed, "unit.hip does not compile", "line 3: error");
  const hk_attention_args args = sample_args();
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_COMPILE_FAILED);
  CHECK(std::string(hk_last_error_message()) == "unit.hip does not compile");
  CHECK(std::string(hk_last_error_detail()) == "line 3: error");
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_COMPILE_FAILED);
  CHECK(message_has("unit.hip does not compile"));
  CHECK(std::string(hk_last_error_detail()) == "line 3: error");
  CHECK(context.compiler.compiles == 1);
  hk_statistics statistics = HK_STATISTICS_INIT;
  REQUIRE(hk_context_statistics(context.get(), &statistics) == HK_STATUS_SUCCESS);
  CHECK(statistics.kept_failures == 1);
  CHECK(statistics.failures == 2);
}

TEST_CASE("api.attention: what a compiler throws is INTERNAL, and the next call works") {
  AssembledContext context;
  context.compiler.throws = true;
  const hk_attention_args args = sample_args();
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_INTERNAL);
  context.compiler.throws = false;
  CHECK(hk_attention(context.get(), &args, nullptr, 0, nullptr) == HK_STATUS_SUCCESS);
}

TEST_CASE("api.attention: statistics of an older header are filled as far as it goes") {
  const AssembledContext context;
  hk_statistics statistics = HK_STATISTICS_INIT;
  statistics.struct_size = 8;
  CHECK(hk_context_statistics(context.get(), &statistics) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("statistics.struct_size is 8"));
  CHECK(hk_context_statistics(context.get(), nullptr) == HK_STATUS_INVALID_ARGUMENT);
}

TEST_CASE("api.attention: the reference refuses what it cannot read") {
  const std::vector<std::uint16_t> tensor(16, 0);
  std::vector<double> o(16, 5);
  hk_attention_args args = HK_ATTENTION_ARGS_INIT;
  args.batch = args.heads_q = args.heads_kv = args.seq_q = args.seq_k = 1;
  args.head_dim = 16;
  hk_tensor dense = {const_cast<std::uint16_t*>(tensor.data()), HK_DTYPE_FLOAT16, 0, 16, 16, 16};
  args.q = args.k = args.v = dense;
  CHECK(hk_attention_reference(&args, HK_REFERENCE_FP64, o.data(), nullptr) == HK_STATUS_SUCCESS);
  CHECK(o[0] == 0);
  o.assign(16, 5);
  CHECK(hk_attention_reference(&args, 2, o.data(), nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("precision is 2"));
  CHECK(hk_attention_reference(&args, HK_REFERENCE_FP64, nullptr, nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("o is null"));
  args.v.data = nullptr;
  CHECK(hk_attention_reference(&args, HK_REFERENCE_FP64, o.data(), nullptr) == HK_STATUS_INVALID_ARGUMENT);
  CHECK(message_has("v.data is null"));
  CHECK(o[0] == 5);
}

TEST_CASE("api.attention: a device without kernels is UNSUPPORTED and named") {
  class OtherGpu final : public hk::device::NullDriver {
   public:
    OtherGpu() : NullDriver("hip:0", "gfx1100") {}
  };
  hk::test::CompilerControl control;
  hk::api::ContextParts parts;
  parts.driver = std::make_unique<OtherGpu>();
  parts.compiler = std::make_unique<hk::test::FakeCompiler>(control);
  parts.store = std::make_unique<hk::cache::MemoryStore>();
  const auto context = hk::api::assemble_context({}, std::move(parts));
  REQUIRE(!context);
  CHECK(context.error().code == hk::StatusCode::unsupported);
  CHECK(context.error().message.find("gfx1100") != std::string::npos);
}

TEST_SUITE_END();
