#pragma once
// What the tests of hostile surroundings share: contexts with options, environment variables for a while, a census of
// what a failing call must not lose, and a small call whose refusal or result is checked.

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "integration/attention/device_run.h"
#include "integration/attention/inputs.h"
#include "integration/attention/verdict.h"
#include "unit/base/scratch_folder.h"
#include "unit/compile/process_census.h"

namespace hk::test {

// An environment variable for the length of a scope. The library reads the environment when a context is created.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : m_name(name) {
    const char* before = std::getenv(name);
    m_was_set = before != nullptr;
    m_before = m_was_set ? before : "";
    ::setenv(name, value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    if (m_was_set)
      ::setenv(m_name, m_before.c_str(), 1);
    else
      ::unsetenv(m_name);
  }

 private:
  const char* m_name;
  bool m_was_set = false;
  std::string m_before;
};

// As many descriptors and children at its end as at its start.
class Census {
 public:
  Census() {
    {
      const Context context = open_context();
    } // what is loaded once per process
    m_descriptors = compile::open_descriptors();
    m_children = compile::children().size();
  }
  Census(const Census&) = delete;
  Census& operator=(const Census&) = delete;
  ~Census() {
    CHECK(compile::open_descriptors() == m_descriptors);
    CHECK(compile::children().size() == m_children);
  }

 private:
  std::size_t m_descriptors = 0;
  std::size_t m_children = 0;
};

struct Surroundings {
  std::string device = device_under_test();
  std::string worker{};       // empty: the library's own
  std::string cache = "none"; // nothing on disk
};

inline Context open_in(const Surroundings& surroundings) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.specialize = HK_SPECIALIZE_FAMILY;
  options.device = surroundings.device.c_str();
  options.compile_worker = surroundings.worker.empty() ? nullptr : surroundings.worker.c_str();
  options.cache_directory = surroundings.cache.c_str();
  return Context(&options);
}

inline void check_sentence(std::initializer_list<std::string> words) {
  const std::string sentence = hk_last_error_message();
  CAPTURE(sentence);
  CHECK_FALSE(sentence.empty());
  CHECK(sentence.find('\n') == std::string::npos);
  for (const std::string& word : words)
    CHECK_MESSAGE(sentence.find(word) != std::string::npos, word);
}

// hk_context_create with these options gives this status and says these words.
inline void expect_no_context(const hk_context_options& options, hk_status status,
                              std::initializer_list<std::string> words) {
  hk_context* context = nullptr;
  CHECK(std::string(hk_status_name(hk_context_create(&options, &context))) == hk_status_name(status));
  CHECK(context == nullptr);
  check_sentence(words);
  hk_context_destroy(context);
}

// One small problem on a context's device.
class SmallCall {
 public:
  static constexpr std::chrono::seconds k_patience{20};

  explicit SmallCall(const Context& context)
      : m_context(context), m_problem(filled()), m_on_device(context, m_problem), m_args(m_on_device.args()) {}

  hk_attention_args& args() { return m_args; }

  // The call is refused in time, says these words and leaves the outputs as they were.
  void expect(hk_status status, std::initializer_list<std::string> words) {
    const auto start = std::chrono::steady_clock::now();
    const hk_status found = hk_attention(m_context.get(), &m_args, nullptr, 0, nullptr);
    CHECK(std::chrono::steady_clock::now() - start < k_patience);
    CHECK(std::string(hk_status_name(found)) == hk_status_name(status));
    check_sentence(words);
    check_untouched();
  }
  void check_untouched() {
    m_on_device.fetch();
    for (std::int64_t i = 0; i < m_problem.shape.seq_q; ++i) {
      CHECK(m_problem.o.at(0, 0, i, 0) == k_nan_bits);
      CHECK(m_problem.o.at(0, 0, i, m_problem.shape.head_dim - 1) == k_nan_bits);
      CHECK(m_problem.lse.at(0, 0, 0, i) == Tensor<std::uint32_t>::k_guard);
    }
  }
  void expect_right() {
    m_context.attention(m_args);
    m_on_device.fetch();
    check_against_reference(m_problem);
  }
  // What the last right call computed.
  [[nodiscard]] std::vector<std::uint16_t> output() const { return m_problem.o.dense(); }

 private:
  static Problem filled() {
    Shape shape;
    shape.seq_q = 3;
    shape.seq_k = 7;
    Problem problem(shape);
    fill(problem, Input::normal);
    return problem;
  }

  const Context& m_context;
  Problem m_problem;
  DeviceProblem m_on_device;
  hk_attention_args m_args;
};

} // namespace hk::test
