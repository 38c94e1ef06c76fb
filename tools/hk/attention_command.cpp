#include "attention_command.h"

#include <chrono>
#include <cstdio>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "attention_check.h"
#include "attention_inputs.h"
#include "hk/hk.hpp"
#include "json_text.h"
#include "progress.h"

namespace hk::command {
namespace {

// A NaN of both dtypes: what no kernel wrote stays NaN and fails every check.
constexpr std::uint16_t k_nan_bits = 0x7fff;

// What the command refuses, as against the library.
class Refusal : public std::runtime_error {
 public:
  Refusal(hk_status status, const std::string& sentence) : std::runtime_error(sentence), m_status(status) {}
  [[nodiscard]] hk_status status() const noexcept { return m_status; }

 private:
  hk_status m_status;
};

// A comparison of nothing must not end like one that succeeded.
void refuse_an_empty_check(const AttentionOptions& options, const std::string& device) {
  if (!options.check)
    return;
  if (device.starts_with("null"))
    throw Refusal(HK_STATUS_UNSUPPORTED,
                  "--check compares nothing on device " + device +
                      ", which runs no kernel: choose another with --device, such as sim:mi300x");
  if (options.batch == 0 || options.heads == 0 || options.seq_q == 0)
    throw Refusal(HK_STATUS_INVALID_ARGUMENT,
                  "--check has nothing to compare: with --batch, --heads or --seq-q 0 there is no output");
}

struct Outcome {
  AttentionReport report;
  std::optional<AttentionErrors> errors;
};

std::string cache_word(const hk_statistics& before, const hk_statistics& after) {
  if (after.compiles > before.compiles)
    return "miss";
  return after.disk_hits > before.disk_hits ? "disk" : "memory";
}

// One call with its figures; leaves the output on the device.
void call_once(const Context& context, const hk_attention_args& args, bool modelled, AttentionReport& report) {
  const Stream stream(context);
  Event begin(context);
  Event end(context);
  const hk_statistics before = context.statistics();
  const auto called = std::chrono::steady_clock::now();
  context.prepare(args); // what a first call runs beside the kernel (self-check, tuning) is no part of its device time
  begin.record(stream.get());
  context.attention(args, stream.get());
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - called;
  end.record(stream.get());
  stream.synchronize();
  const hk_statistics after = context.statistics();
  report.cache = cache_word(before, after);
  report.compile_ms = static_cast<double>(after.compile_nanoseconds - before.compile_nanoseconds) * 1e-6;
  report.call_us = taken.count();
  if (modelled)
    report.modelled_us = end.microseconds_since(begin);
}

void run_on_device(const AttentionOptions& options, Progress& progress, Outcome& outcome) {
  progress.phase("opening the device");
  hk_context_options context_options = HK_CONTEXT_OPTIONS_INIT;
  context_options.device = options.device.empty() ? nullptr : options.device.c_str();
  const Context context(&context_options);
  const std::string info = context.info();
  AttentionReport& report = outcome.report;
  report.device = text_member(info, "device");
  // Before anything is allocated for it.
  const hk_attention_args wanted = make_args(options, nullptr, nullptr, nullptr, nullptr);
  check(hk_attention_supported(context.get(), &wanted));
  refuse_an_empty_check(options, report.device);

  progress.phase("making inputs");
  AttentionInputs inputs = make_inputs(options);
  const std::vector<std::uint16_t> unwritten(
      static_cast<std::size_t>(options.batch * options.heads * options.seq_q * options.head_dim), k_nan_bits);
  using Array = DeviceArray<std::uint16_t>;
  const Array q(context, inputs.q);
  const Array k(context, inputs.k);
  const Array v(context, inputs.v);
  Array o(context, unwritten);
  const hk_attention_args args = make_args(options, q.data(), k.data(), v.data(), o.data());
  report.kernel = text_member(context.describe(args), "kernel");
  progress.phase("running " + *report.kernel + " on " + report.device);
  for (int call = 0; call < options.calls; ++call) {
    o.upload(unwritten);
    call_once(context, args, text_member(info, "simulated") == "true", report);
  }
  if (!options.check)
    return;
  std::vector<std::uint16_t> output(unwritten.size());
  o.download(output);
  progress.phase("computing the reference in fp64");
  outcome.errors = check_attention(options, inputs, output);
  report.max_abs_err = outcome.errors->max_abs_err;
  report.lowprec_max_abs_err = outcome.errors->lowprec_max_abs_err;
}

void print_for_people(const Outcome& outcome) {
  const AttentionReport& report = outcome.report;
  std::printf("device      %s\n", report.device.c_str());
  std::printf("kernel      %s\n", report.kernel.value_or("").c_str());
  std::printf("cache       %s\n", report.cache.value_or("").c_str());
  std::printf("compile     %.1f ms\n", report.compile_ms.value_or(0));
  std::printf("call        %.1f us on the host\n", report.call_us.value_or(0));
  if (report.modelled_us)
    std::printf("device time %.1f us, modelled\n", *report.modelled_us);
  if (outcome.errors)
    std::printf("error       %.3g against fp64; bound %.3g (2 x %.3g of the input type + 2 ulp): %s\n",
                outcome.errors->max_abs_err, outcome.errors->bound, outcome.errors->lowprec_max_abs_err,
                outcome.errors->within_bound() ? "ok" : "TOO LARGE");
}

} // namespace

int run_attention(const AttentionOptions& options) {
  Outcome outcome;
  outcome.report.status = hk_status_name(HK_STATUS_SUCCESS);
  outcome.report.device = options.device;
  bool failed = false;
  try {
    Progress progress;
    run_on_device(options, progress, outcome);
  } catch (const std::bad_alloc&) {
    failed = true;
    outcome.report.status = hk_status_name(HK_STATUS_OUT_OF_MEMORY);
    std::fprintf(stderr, "hk run attention: OUT_OF_MEMORY: the host has no memory for tensors of this size\n");
  } catch (const Refusal& refusal) {
    failed = true;
    outcome.report.status = hk_status_name(refusal.status());
    std::fprintf(stderr, "hk run attention: %s: %s\n", hk_status_name(refusal.status()), refusal.what());
  } catch (const Error& error) {
    failed = true;
    outcome.report.status = hk_status_name(error.status());
    std::fprintf(stderr, "hk run attention: %s: %s\n", hk_status_name(error.status()), error.what());
    if (!error.detail().empty())
      std::fprintf(stderr, "%s\n", error.detail().c_str());
  }
  if (options.json)
    std::printf("%s\n", to_json(outcome.report).c_str());
  else if (!failed)
    print_for_people(outcome);
  if (outcome.errors && !outcome.errors->within_bound()) {
    std::fprintf(stderr, "hk run attention: the error %g is beyond its bound %g\n", outcome.errors->max_abs_err,
                 outcome.errors->bound);
    failed = true;
  }
  return failed ? 1 : 0;
}

} // namespace hk::command
