#pragma once
// Candidates whose true times are known, measured with the noise of a real machine: every sample deviates by a
// lognormal factor, some are disturbed, and the clock drifts slowly over the whole run.
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tune/tuner.h"

namespace hk::test {

struct Noise {
  double sigma = 0;              // of the logarithm of a sample
  double outliers = 0;           // share of samples that take 1.5 to 3 times as long
  double drift = 0;              // the clock's whole way, relative
  double samples_of_drift = 500; // in which it goes there, and as many back
};

class NoisyTrials : public tune::Trials {
 public:
  NoisyTrials(std::vector<double> times, Noise noise, std::uint64_t seed)
      : m_times(std::move(times)), m_noise(noise), m_random(seed) {}

  std::size_t count() override { return m_times.size(); }
  std::string name(std::size_t candidate) override { return "c" + std::to_string(candidate); }
  Result<tune::Facts> prepare(std::size_t candidate) override {
    {
      const std::lock_guard lock(m_mutex);
      m_prepared.push_back(candidate);
    }
    if (const auto found = prepare_failures.find(candidate); found != prepare_failures.end())
      return fail(found->second);
    if (const auto found = facts.find(candidate); found != facts.end())
      return found->second;
    return usable();
  }
  Status verify(std::size_t candidate) override {
    verified.push_back(candidate);
    const auto found = verify_failures.find(candidate);
    return found == verify_failures.end() ? Status() : found->second;
  }
  Result<double> measure(std::size_t candidate) override {
    measured.push_back(candidate);
    if (on_measure)
      on_measure(candidate);
    if (const auto found = measure_failures.find(candidate);
        found != measure_failures.end() && measured.size() > found->second)
      return fail(StatusCode::launch_failed, "c" + std::to_string(candidate) + " hung");
    return m_times[candidate] * disturbance();
  }

  static tune::Facts usable() {
    tune::Facts facts;
    facts.vgprs = 128;
    facts.waves_per_workgroup = 4;
    facts.workgroups_per_cu = 2;
    return facts;
  }

  std::map<std::size_t, tune::Facts> facts;
  std::map<std::size_t, Status> prepare_failures;
  std::map<std::size_t, Status> verify_failures;
  std::map<std::size_t, std::size_t> measure_failures; // fails once so many samples were taken of all candidates
  std::function<void(std::size_t)> on_measure;
  std::vector<std::size_t> verified;
  std::vector<std::size_t> measured;
  [[nodiscard]] std::vector<std::size_t> prepared() {
    const std::lock_guard lock(m_mutex);
    return m_prepared;
  }

 private:
  double uniform() { return (static_cast<double>(m_random() >> 11) + 0.5) * 0x1p-53; }
  double disturbance() {
    if (m_noise.sigma == 0 && m_noise.outliers == 0 && m_noise.drift == 0)
      return 1;
    const double radius = std::sqrt(-2 * std::log(uniform()));
    double factor = std::exp(m_noise.sigma * radius * std::cos(2 * std::numbers::pi * uniform()));
    if (uniform() < m_noise.outliers)
      factor *= 1.5 + 1.5 * uniform();
    const double way = static_cast<double>(measured.size()) / m_noise.samples_of_drift;
    return factor * (1 + m_noise.drift * 0.5 * (1 - std::cos(std::numbers::pi * way)));
  }

  std::vector<double> m_times;
  Noise m_noise;
  std::mt19937_64 m_random;
  std::mutex m_mutex;
  std::vector<std::size_t> m_prepared;
};

} // namespace hk::test
