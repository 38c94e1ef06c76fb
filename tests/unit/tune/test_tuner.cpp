// The course of a tuner run: what is asked of the candidates, in which order, and what becomes of those that fail.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "unit/tune/noisy_trials.h"

namespace {

using hk::Status;
using hk::StatusCode;
using hk::test::Noise;
using hk::test::NoisyTrials;
using hk::tune::CandidateState;
using hk::tune::TuneOptions;

constexpr Noise k_quiet{};
constexpr Noise k_usual{0.02, 0.05, 0.1};

TuneOptions patient() {
  TuneOptions options;
  options.budget = std::chrono::hours(1);
  return options;
}

TuneOptions repeatable() {
  TuneOptions options = patient();
  options.repeatable = true;
  return options;
}

bool mentions(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::size_t times_measured(const NoisyTrials& trials, std::size_t candidate) {
  return static_cast<std::size_t>(std::count(trials.measured.begin(), trials.measured.end(), candidate));
}

} // namespace

TEST_CASE("A repeatable device measures each candidate once, and exact times decide") {
  NoisyTrials trials({100, 90, 80, 95}, k_quiet, 1);
  const auto outcome = hk::tune::tune(trials, repeatable());
  REQUIRE(outcome.has_value());
  CHECK(outcome->winner == 2);
  CHECK(trials.measured == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(outcome->candidates[2].median == 80);
  CHECK(outcome->candidates[2].samples == 1);
  CHECK(outcome->candidates[2].speedup == doctest::Approx(1.25));
  CHECK(mentions(outcome->reason, "25.0 %"));
  CHECK(outcome->ties == std::vector<std::size_t>{2});
}

TEST_CASE("Within the minimum gain the default stays, and among equals the first of them wins") {
  NoisyTrials near({100, 99, 98.7}, k_quiet, 1);
  auto outcome = hk::tune::tune(near, repeatable());
  CHECK(outcome->winner == 0);
  CHECK(mentions(outcome->reason, "stays"));
  CHECK(outcome->ties == std::vector<std::size_t>{0, 1, 2});

  NoisyTrials equals({100, 130, 80.5, 80, 80.9, 90}, k_quiet, 1);
  outcome = hk::tune::tune(equals, repeatable());
  CHECK(outcome->winner == 2);
  CHECK(outcome->ties == std::vector<std::size_t>{2, 3, 4});
  CHECK(mentions(outcome->reason, "c2, c3 and c4 are equal"));
}

TEST_CASE("Two equal kernels, 5 % faster than the default: the first wins, whatever the noise says") {
  int first = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    NoisyTrials trials({105, 100, 100}, k_usual, seed);
    first += hk::tune::tune(trials, patient())->winner == 1 ? 1 : 0;
  }
  CHECK(first >= 99);
}

TEST_CASE("The same seed gives the same run; the order within rounds changes") {
  NoisyTrials first({105, 100, 103}, k_usual, 7);
  NoisyTrials second({105, 100, 103}, k_usual, 7);
  const auto a = hk::tune::tune(first, patient());
  const auto b = hk::tune::tune(second, patient());
  CHECK(first.measured == second.measured);
  CHECK(a->candidates[1].median == b->candidates[1].median);
  std::array<std::array<int, 3>, 3> places{}; // by candidate and place within the round
  for (std::size_t i = 9; i < 9 + 30; ++i)    // three rounds of warm-up, then ten rounds
    ++places[first.measured[i]][i % 3];
  for (const auto& candidate : places)
    for (const int count : candidate)
      CHECK(count >= 2);
}

TEST_CASE("Prepare runs on several threads at once, each candidate once") {
  class Waiting : public NoisyTrials {
   public:
    Waiting() : NoisyTrials({100, 99, 98, 97}, k_quiet, 1) {}
    // Nobody goes on before four are inside.
    hk::Result<hk::tune::Facts> prepare(std::size_t candidate) override {
      {
        std::unique_lock lock(m_door);
        ++m_inside;
        m_full.notify_all();
        all_inside = m_full.wait_for(lock, std::chrono::seconds(20), [&] { return m_inside == 4; });
      }
      return NoisyTrials::prepare(candidate);
    }
    std::atomic<bool> all_inside{false};

   private:
    std::mutex m_door;
    std::condition_variable m_full;
    int m_inside = 0;
  } trials;
  TuneOptions options = repeatable();
  options.workers = 8; // more than candidates
  REQUIRE(hk::tune::tune(trials, options).has_value());
  CHECK(trials.all_inside);
  auto prepared = trials.prepared();
  std::sort(prepared.begin(), prepared.end());
  CHECK(prepared == std::vector<std::size_t>{0, 1, 2, 3});
}

TEST_CASE("A candidate whose preparation throws has failed; the others go on") {
  class Throwing : public NoisyTrials {
   public:
    Throwing() : NoisyTrials({100, 50}, k_quiet, 1) {}
    hk::Result<hk::tune::Facts> prepare(std::size_t candidate) override {
      if (candidate == 1)
        throw std::runtime_error("no such thing");
      return NoisyTrials::prepare(candidate);
    }
  } trials;
  TuneOptions options = repeatable();
  options.workers = 2;
  const auto outcome = hk::tune::tune(trials, options);
  CHECK(outcome->winner == 0);
  CHECK(outcome->candidates[1].state == CandidateState::failed);
  CHECK(mentions(outcome->candidates[1].why, "no such thing"));
}

TEST_CASE("Candidates that fail, hang, are pruned or wrong never win, however fast they are") {
  for (const bool noisy : {false, true}) {
    NoisyTrials trials({100, 10, 10, 10, 10, 80}, noisy ? k_usual : k_quiet, 3);
    trials.prepare_failures[1] = Status(StatusCode::compile_failed, "c1 does not compile");
    trials.facts[2] = NoisyTrials::usable();
    trials.facts[2].spilled_vgprs = 3;
    trials.verify_failures[3] = Status(StatusCode::compile_failed, "c3 is off by 7 in row 12");
    trials.measure_failures[4] = noisy ? 20 : 0;
    const auto outcome = hk::tune::tune(trials, noisy ? patient() : repeatable());
    REQUIRE(outcome.has_value());
    CHECK(outcome->winner == 5);
    CHECK(outcome->candidates[1].state == CandidateState::failed);
    CHECK(outcome->candidates[1].failure.code == StatusCode::compile_failed);
    CHECK(outcome->candidates[2].state == CandidateState::pruned);
    CHECK(outcome->candidates[3].state == CandidateState::wrong);
    CHECK(outcome->candidates[4].state == CandidateState::failed);
    CHECK(mentions(outcome->candidates[4].why, "hung"));
    CHECK(times_measured(trials, 1) + times_measured(trials, 2) + times_measured(trials, 3) == 0);
    CHECK(trials.verified == std::vector<std::size_t>{0, 3, 4, 5});
    for (std::size_t i = 1; i < 5; ++i)
      CHECK(!outcome->candidates[i].why.empty());
  }
}

TEST_CASE("A candidate that cannot run in its check has failed; one with other numbers is wrong") {
  NoisyTrials trials({100, 90, 90}, k_quiet, 1);
  trials.verify_failures[1] = Status(StatusCode::launch_failed, "c1 faulted");
  trials.verify_failures[2] = Status(StatusCode::internal, "c2 left NaN");
  const auto outcome = hk::tune::tune(trials, repeatable());
  CHECK(outcome->candidates[1].state == CandidateState::failed);
  CHECK(outcome->candidates[2].state == CandidateState::wrong);
  CHECK(outcome->winner == 0);
  CHECK(trials.measured.empty()); // nothing is left to compare
}

TEST_CASE("A default that is wrong gives way to the fastest right one, and the reason says so") {
  NoisyTrials trials({50, 100, 80}, k_usual, 1);
  trials.verify_failures[0] = Status(StatusCode::compile_failed, "row 3 differs");
  const auto outcome = hk::tune::tune(trials, patient());
  REQUIRE(outcome.has_value());
  CHECK(outcome->winner == 2);
  CHECK(mentions(outcome->reason, "default configuration gives wrong results (row 3 differs)"));
  CHECK(times_measured(trials, 0) == 0);
}

TEST_CASE("A default that fails while it is measured gives way too") {
  NoisyTrials trials({100, 100, 80}, k_usual, 1);
  trials.measure_failures[0] = 12;
  const auto outcome = hk::tune::tune(trials, patient());
  REQUIRE(outcome.has_value());
  CHECK(outcome->winner == 2);
  CHECK(outcome->candidates[0].state == CandidateState::failed);
  CHECK(mentions(outcome->reason, "default configuration cannot be used"));
}

TEST_CASE("If no candidate can be used the failure is the default's") {
  NoisyTrials trials({100, 90, 80}, k_quiet, 1);
  trials.verify_failures[0] = Status(StatusCode::launch_failed, "the default faulted");
  trials.prepare_failures[1] = Status(StatusCode::compile_failed, "c1");
  trials.measure_failures[2] = 0;
  auto outcome = hk::tune::tune(trials, repeatable());
  // c2 is the only one left and right: it is used without being measured.
  REQUIRE(outcome.has_value());
  CHECK(outcome->winner == 2);

  trials.verify_failures[2] = Status(StatusCode::compile_failed, "c2");
  outcome = hk::tune::tune(trials, repeatable());
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().code == StatusCode::launch_failed);
  CHECK(outcome.error().message == "the default faulted");

  NoisyTrials hanging({100, 90}, k_quiet, 1);
  hanging.measure_failures[0] = 0;
  hanging.measure_failures[1] = 0;
  outcome = hk::tune::tune(hanging, patient());
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().message == "c0 hung");

  NoisyTrials pruned({100}, k_quiet, 1);
  pruned.facts[0] = NoisyTrials::usable();
  pruned.facts[0].workgroups_per_cu = 0;
  outcome = hk::tune::tune(pruned, patient());
  REQUIRE(!outcome.has_value());
  CHECK(outcome.error().code == StatusCode::unsupported);
  CHECK(mentions(outcome.error().message, "does not fit into a compute unit"));
}

TEST_CASE("Nothing is measured where there is nothing to choose; no candidate at all is refused") {
  NoisyTrials one({100}, k_quiet, 1);
  const auto outcome = hk::tune::tune(one, patient());
  CHECK(outcome->winner == 0);
  CHECK(outcome->ties == std::vector<std::size_t>{0});
  CHECK(one.measured.empty());
  CHECK(one.verified == std::vector<std::size_t>{0});
  NoisyTrials none({}, k_quiet, 1);
  CHECK(hk::tune::tune(none, patient()).error().code == StatusCode::invalid_argument);
}

TEST_CASE("What is no time is a failure") {
  for (const double time : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    NoisyTrials trials({100, time, 80}, k_quiet, 1);
    const auto outcome = hk::tune::tune(trials, repeatable());
    CHECK(outcome->winner == 2);
    CHECK(outcome->candidates[1].state == CandidateState::failed);
  }
}

TEST_CASE("Losers stop early: the hopeless after four rounds, the slower ones when it is clear") {
  NoisyTrials trials({100, 95, 200, 115}, k_usual, 5);
  const auto outcome = hk::tune::tune(trials, patient());
  CHECK(outcome->winner == 1);
  CHECK(outcome->candidates[2].state == CandidateState::stopped);
  CHECK(outcome->candidates[2].samples == 4);
  CHECK(outcome->candidates[3].state == CandidateState::stopped);
  CHECK(outcome->candidates[3].samples < outcome->candidates[1].samples);
  CHECK(outcome->candidates[1].samples == outcome->candidates[0].samples);
}

TEST_CASE("A candidate that beats the default but not the fastest stops while the fastest two go on") {
  NoisyTrials trials({130, 100, 100.3, 112}, Noise{0.04, 0.05, 0.1}, 5);
  const auto outcome = hk::tune::tune(trials, patient());
  CHECK(outcome->winner == 1);
  CHECK(outcome->candidates[3].state == CandidateState::stopped);
  CHECK(outcome->candidates[3].samples < outcome->candidates[1].samples);
  CHECK(outcome->candidates[2].state == CandidateState::measured);
}

TEST_CASE("Little noise needs few samples, much noise takes more, and there is an end") {
  const auto rounds_of = [](double sigma) {
    NoisyTrials trials({101, 100}, Noise{sigma, 0, 0}, 1);
    return hk::tune::tune(trials, patient())->rounds;
  };
  CHECK(rounds_of(0.001) == 10);
  CHECK(rounds_of(0.02) > 30);
  CHECK(rounds_of(0.3) == 400);
}

TEST_CASE("The budget ends the run; without enough samples the default stays") {
  std::chrono::steady_clock::time_point time{};
  TuneOptions options;
  options.now = [&] { return time; };
  options.budget = std::chrono::milliseconds(100);
  const auto run = [&](NoisyTrials& trials, std::chrono::microseconds per_sample) {
    time = {};
    trials.on_measure = [&, per_sample](std::size_t) { time += per_sample; };
    return *hk::tune::tune(trials, options);
  };
  SUBCASE("in the middle of a race that noise draws out") {
    NoisyTrials trials({101, 100}, Noise{0.3, 0, 0}, 1);
    const auto outcome = run(trials, std::chrono::milliseconds(1));
    CHECK(outcome.winner == 0);
    CHECK(outcome.budget_spent);
    CHECK(time.time_since_epoch() == std::chrono::milliseconds(100));
  }
  SUBCASE("a field that does not fit is made smaller, in the order of trying") {
    options.try_order = {"c5", "c3", "no such candidate", "c5"};
    NoisyTrials trials({100, 60, 70, 80, 75, 90}, k_quiet, 1);
    const auto outcome = run(trials, std::chrono::microseconds(2700)); // three times ten rounds and the warm-up
    CHECK(outcome.budget_spent);
    CHECK(trials.verified == std::vector<std::size_t>{0, 5, 3, 1, 2, 4});
    CHECK(outcome.winner == 3);
    CHECK(outcome.candidates[5].samples >= 10);
    CHECK(outcome.candidates[1].state == CandidateState::skipped);
    CHECK(outcome.candidates[2].state == CandidateState::skipped);
    CHECK(outcome.candidates[4].state == CandidateState::skipped);
    CHECK(time.time_since_epoch() <= options.budget);
  }
  SUBCASE("when not even two can be compared") {
    NoisyTrials trials({100, 50}, k_quiet, 1);
    const auto outcome = run(trials, std::chrono::milliseconds(30));
    CHECK(outcome.winner == 0);
    CHECK(outcome.budget_spent);
    CHECK(trials.measured.size() == 2);
    CHECK(mentions(outcome.reason, "does not suffice"));
  }
  SUBCASE("of a repeatable device too") {
    options.repeatable = true;
    NoisyTrials trials({100, 90, 80, 70}, k_quiet, 1);
    const auto outcome = run(trials, std::chrono::milliseconds(40));
    CHECK(outcome.budget_spent);
    CHECK(trials.measured.size() == 3);
    CHECK(outcome.winner == 2);
    CHECK(outcome.candidates[3].state == CandidateState::skipped);
  }
}

TEST_CASE("The default is verified and measured like everybody, warm-up samples do not count") {
  NoisyTrials trials({100, 90}, Noise{0.001, 0, 0}, 1);
  const auto outcome = hk::tune::tune(trials, patient());
  CHECK(outcome->default_candidate == 0);
  CHECK(outcome->candidates[0].verified);
  CHECK(outcome->candidates[0].samples == 10);
  CHECK(times_measured(trials, 0) == 13);
  CHECK(outcome->candidates[0].speedup == 1);
  CHECK(outcome->candidates[1].speedup == doctest::Approx(100.0 / 90).epsilon(0.01));
  CHECK(outcome->candidates[1].median == doctest::Approx(90).epsilon(0.01));
}
