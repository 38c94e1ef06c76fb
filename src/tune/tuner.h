#pragma once
// The tuner: measures the configurations of one problem and says which one to use.
//
// It knows neither operations nor caches: the caller describes its candidates through Trials. Candidate 0 is the
// default; it is what every other candidate is compared with, and what stays when the difference is within the noise.
//
//   prepare all (several threads) -> prune by static facts -> verify each -> warm up -> rounds -> decide
// A candidate that fails or is wrong on the way never wins and never stops the others.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tune/facts.h"

namespace hk::tune {

// What the caller supplies. Numbers are below count(), which does not change.
class Trials {
 public:
  virtual ~Trials() = default;

  // At least 1.
  virtual std::size_t count() = 0;
  // The candidate's configuration as text; candidate 0 is the default.
  virtual std::string name(std::size_t candidate) = 0;
  // Compiles and loads. Called once for each candidate, from several threads at once.
  virtual Result<Facts> prepare(std::size_t candidate) = 0;
  // Runs the candidate once on outputs that were filled with NaN before and compares with a reference. One call at a
  // time, like measure(). LAUNCH_FAILED, LOAD_FAILED and OUT_OF_MEMORY say that it could not run; any other failure
  // says that its output is wrong.
  virtual Status verify(std::size_t candidate) = 0;
  // One sample: microseconds of device time of one run, finite and above 0. The inputs are not in the device's caches
  // (the caller rotates buffers). Fails if the kernel fails or runs past the caller's limit.
  virtual Result<double> measure(std::size_t candidate) = 0;
};

struct TuneOptions {
  // Of warm-up and measuring, on the host's clock; preparing and verifying have the compiler's and the caller's limits.
  std::chrono::milliseconds budget{5000};
  // The device reports equal times for equal runs (a simulated device without noise): one sample of each decides.
  bool repeatable = false;
  // Threads for prepare(), the calling one included.
  std::size_t workers = 1;
  // Bytes of LDS of a compute unit; 0 = not known, and nothing is pruned for its LDS.
  std::uint64_t lds_limit = 0;
  // A candidate must be faster than the default by more than this share to replace it, however little noise there is:
  // below that, the next run of the tuner on another day may well say the opposite.
  double minimum_gain = 0.015;
  // Samples are taken until the standard error of the ratios that matter is below this.
  double standard_error = 0.005;
  std::size_t minimum_rounds = 10;
  std::size_t maximum_rounds = 400;
  // Names of candidates in the order in which they are tried when the budget does not suffice for all, best first;
  // those that are not named follow in their own order. This is all that a record of another provenance may decide:
  // RecordSet::likely_order.
  std::vector<std::string> try_order;
  // Of the order within the rounds. The choice does not depend on it but for noise.
  std::uint64_t seed = 1;
  // Replaced in tests.
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

enum class CandidateState {
  measured, // to the end
  stopped,  // measured until it was clear that it does not win
  pruned,   // static facts spoke against it
  failed,   // did not compile, load or run
  wrong,    // its output was wrong
  skipped,  // the budget did not suffice for it, or there was nothing to compare it with
};

// "measured", "stopped early", "pruned", "failed", "wrong", "skipped"
const char* candidate_state_name(CandidateState state) noexcept;

struct CandidateOutcome {
  std::string name;
  CandidateState state = CandidateState::skipped;
  std::string why; // one sentence unless measured
  Status failure;  // if failed or wrong
  std::optional<Facts> facts;
  bool verified = false;  // passed verify()
  double median = 0;      // microseconds; 0 without samples
  double spread = 0;      // of its samples: robust relative standard deviation (1.4826 MAD / median)
  double speedup = 0;     // over the default: median of paired ratios; 0 where there are no pairs
  double uncertainty = 0; // standard error of speedup, relative
  std::size_t samples = 0;
};

struct Outcome {
  std::size_t winner = 0;
  std::size_t default_candidate = 0;
  std::vector<CandidateOutcome> candidates;
  std::string reason;            // why the winner, one sentence
  std::vector<std::size_t> ties; // candidates that measuring cannot tell from the fastest, ascending, winner included
  std::size_t rounds = 0;
  bool budget_spent = false;
};

// Fails only if no candidate can be used: with the default's failure.
Result<Outcome> tune(Trials& trials, const TuneOptions& options);

} // namespace hk::tune
