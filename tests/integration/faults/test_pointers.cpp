// Pointers that are not device memory of the context, and arguments that break the rules: nothing is written.

#include "surroundings.h"

#include <signal.h>
#include <sys/wait.h>

#include <limits>
#include <vector>

using namespace hk;
using namespace hk::test;

TEST_SUITE_BEGIN("pointers");

TEST_CASE("pointers: host memory") {
  const Census census;
  const Context context = open_context();
  std::vector<float> host(4096);
  for (int which = 0; which < 5; ++which) {
    SmallCall call(context);
    hk_attention_args& args = call.args();
    const char* const names[] = {"q.data", "k.data", "v.data", "o.data", "lse"};
    void** const fields[] = {&args.q.data, &args.k.data, &args.v.data, &args.o.data};
    if (which < 4)
      *fields[which] = host.data();
    else
      args.lse = host.data();
    CAPTURE(std::string(names[which]));
    call.expect(HK_STATUS_INVALID_ARGUMENT, {names[which], "not device memory", "hk_memory_copy"});
  }
  for (const float value : host)
    REQUIRE(value == 0);
}

TEST_CASE("pointers: memory of another simulated device") {
  const Census census;
  const Context context = open_context();
  const Context other = open_context(HK_SPECIALIZE_FAMILY, "sim:mi325x");
  const DeviceArray<std::uint16_t> foreign(other, 4096);
  SmallCall call(context);
  call.args().k.data = foreign.data();
  call.expect(HK_STATUS_INVALID_ARGUMENT, {"k.data", "another device", device_under_test()});
  call.args().k.data = nullptr;
  call.expect(HK_STATUS_INVALID_ARGUMENT, {"k.data is null"});
}

TEST_CASE("pointers: freed memory") {
  const Census census;
  const Context context = open_context();
  SmallCall call(context);
  {
    const DeviceArray<std::uint16_t> gone(context, 4096);
    call.args().v.data = gone.data();
  }
  call.expect(HK_STATUS_INVALID_ARGUMENT, {"v.data", "not device memory"});
}

TEST_CASE("pointers: the host cannot read device memory by following a pointer") {
  const Context context = open_context();
  const DeviceArray<std::uint16_t> memory(context, 16);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_DFL);
    const volatile std::uint16_t* followed = memory.data();
    ::_exit(*followed == 0 ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGSEGV);
}

TEST_CASE("pointers: arguments that break a rule are refused before anything is compiled") {
  const Census census;
  const Context context = open_in({});
  SmallCall call(context);
  const hk_attention_args good = call.args();
  const auto refuse = [&](hk_status status, const char* word, auto&& change) {
    call.args() = good;
    change(call.args());
    call.expect(status, {word});
  };
  using Args = hk_attention_args;
  refuse(HK_STATUS_INVALID_ARGUMENT, "struct_size", [](Args& a) { a.struct_size = 8; });
  refuse(HK_STATUS_UNSUPPORTED, "q.dtype", [](Args& a) { a.q.dtype = 99; });
  refuse(HK_STATUS_UNSUPPORTED, "head_dim", [](Args& a) { a.head_dim = 96; });
  refuse(HK_STATUS_INVALID_ARGUMENT, "multiple", [](Args& a) { a.heads_q = 3, a.heads_kv = 2; });
  refuse(HK_STATUS_INVALID_ARGUMENT, "seq_k", [](Args& a) { a.seq_k = -1; });
  refuse(HK_STATUS_INVALID_ARGUMENT, "k.stride_row", [](Args& a) { a.k.stride_row = -64; });
  refuse(HK_STATUS_INVALID_ARGUMENT, "address space", [](Args& a) { a.v.stride_row = INT64_MAX / 4; });
  refuse(HK_STATUS_UNSUPPORTED, "seq_q", [](Args& a) { a.seq_q = INT64_MAX; });
  refuse(HK_STATUS_INVALID_ARGUMENT, "mask", [](Args& a) { a.mask = 7; });
  refuse(HK_STATUS_INVALID_ARGUMENT, "scale", [](Args& a) { a.scale = std::numeric_limits<float>::infinity(); });
  CHECK(context.statistics().compiles == 0);
  CHECK(context.statistics().launches == 0);
}

TEST_SUITE_END();
