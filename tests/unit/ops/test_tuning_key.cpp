// Size classes, names of configurations, the search space and the table of decisions.
#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "ops/attention/decision_table.h"
#include "ops/attention/exact_places.h"
#include "ops/attention/search_space.h"
#include "ops/attention/tuning_key.h"
#include "sample_problem.h"

TEST_SUITE_BEGIN("ops");

using namespace hk::ops;
using hk::service::KernelIdentity;
using hk::test::sample_args;
using hk::test::SampleSizes;

namespace {

AttentionProblem problem_of(const SampleSizes& sizes) {
  return *make_attention_problem(sample_args(sizes), AttentionUse::launch);
}

std::string exact_key(const SampleSizes& sizes) {
  const AttentionProblem problem = problem_of(sizes);
  return tuning_key(exact_attention_spec(problem), problem);
}

std::string family_key(const SampleSizes& sizes) {
  const AttentionProblem problem = problem_of(sizes);
  return tuning_key(family_attention_spec(problem), problem);
}

KernelIdentity exact_identity(const SampleSizes& sizes) {
  const AttentionProblem problem = problem_of(sizes);
  return tuning_identity(exact_attention_spec(problem), problem);
}

} // namespace

TEST_CASE("ops.attention.tuning_key: buckets end at powers of two") {
  CHECK(size_bucket(0) == 0);
  CHECK(size_bucket(1) == 0);
  CHECK(size_bucket(2) == 1);
  CHECK(size_bucket(3) == 2);
  CHECK(size_bucket(4) == 2);
  CHECK(size_bucket(5) == 3);
  CHECK(size_bucket(1024) == 10);
  CHECK(size_bucket(1025) == 11);
  CHECK(size_bucket(std::int64_t{1} << 60) == 60);
}

TEST_CASE("ops.attention.tuning_key: texts, which records keep for good") {
  // Long sequences are constants of the spec; batch * heads is a class.
  CHECK(exact_key({.batch = 2, .heads_q = 8, .heads_kv = 2, .seq_q = 512, .seq_k = 1000}) ==
        "attention_forward__bf16_d128_lse_gqa4_q512_k1000__bh16");
  CHECK(exact_key({.batch = 3, .heads_q = 8, .heads_kv = 2, .seq_q = 512, .seq_k = 1000}) ==
        "attention_forward__bf16_d128_lse_gqa4_q512_k1000__bh32");
  // Decode: lengths are classes too.
  CHECK(exact_key({.batch = 2, .heads_q = 8, .heads_kv = 2, .seq_q = 1, .seq_k = 1000}) ==
        "attention_forward__bf16_d128_lse_gqa4__bh16_q1_k1024");
  CHECK(family_key({.batch = 2, .heads_q = 8, .heads_kv = 2, .seq_q = 300, .seq_k = 1000}) ==
        "attention_forward__bf16_d128_lse__bh16_q512_k1024");
  // The configuration plays no part.
  const AttentionProblem problem = problem_of({});
  AttentionSpec other = exact_attention_spec(problem);
  other.configuration = {.waves = 8, .tile_q = 256, .tile_kv = 64};
  CHECK(tuning_key(other, problem) == tuning_key(exact_attention_spec(problem), problem));
  CHECK(tuning_identity(other, problem) == tuning_identity(exact_attention_spec(problem), problem));
}

TEST_CASE("ops.attention.tuning_key: identities are equal exactly where the texts are") {
  std::vector<SampleSizes> all;
  for (const std::int64_t batch : {1, 2, 3})
    for (const std::int64_t heads_q : {4, 8})
      for (const std::int64_t seq_q : {1, 2, 16, 17, 96})
        for (const std::int64_t seq_k : {0, 1, 100, 128, 129})
          for (const std::int64_t head_dim : {64, 128})
            all.push_back({batch, heads_q, 4, seq_q, seq_k, head_dim});
  std::size_t wrong = 0;
  for (const SampleSizes& a : all) {
    for (const SampleSizes& b : all)
      wrong += (exact_key(a) == exact_key(b)) == (exact_identity(a) == exact_identity(b)) ? 0 : 1;
  }
  CHECK(wrong == 0);
  // A tuning identity is never that of a kernel or of the other kind of spec.
  const AttentionProblem problem = problem_of({});
  CHECK_FALSE(exact_identity({}) == identity_of(exact_attention_spec(problem)));
  CHECK_FALSE(exact_identity({}) == tuning_identity(family_attention_spec(problem), problem));
}

TEST_CASE("ops.attention.search_space: every legal configuration once, the default first; names lead back") {
  for (const std::int64_t head_dim : {64, 128}) {
    for (const std::int64_t seq_q : {1, 40, 100, 5000}) {
      const AttentionProblem problem = problem_of({.seq_q = seq_q, .head_dim = head_dim});
      const auto space = attention_search_space(problem);
      CHECK(space.front() == default_attention_configuration(problem));
      CHECK(space.size() == attention_configurations(*problem.processor, head_dim).size());
      for (const AttentionConfiguration& legal : attention_configurations(*problem.processor, head_dim)) {
        CHECK(std::count(space.begin(), space.end(), legal) == 1);
        CHECK(configuration_named(configuration_name(legal), problem) == legal);
      }
    }
  }
  CHECK(configuration_name({.waves = 4, .tile_q = 128, .tile_kv = 64}) == "q128_kv64_w4");
  CHECK_FALSE(configuration_named("q128_kv64_w5", problem_of({})));
  CHECK_FALSE(configuration_named("q128_kv128_w4", problem_of({}))); // legal for 64 only
  CHECK_FALSE(configuration_named("", problem_of({.head_dim = 64})));
}

TEST_CASE("ops.attention.search_space: the default is the same for all problems of a size class") {
  for (const std::int64_t head_dim : {64, 128}) {
    for (std::int64_t seq_q = 1; seq_q < 600; ++seq_q) {
      const std::int64_t upper = std::int64_t{1} << size_bucket(seq_q);
      CHECK(default_attention_configuration(problem_of({.seq_q = seq_q, .head_dim = head_dim})) ==
            default_attention_configuration(problem_of({.seq_q = upper, .head_dim = head_dim})));
    }
  }
}

TEST_CASE("ops.attention.search_space: what some problem of the class could not be launched with is left out") {
  SampleSizes sizes;
  sizes.seq_q = 1;
  sizes.heads_q = sizes.heads_kv = 1024;
  sizes.batch = 12000; // 2^24 in its class: 64 work-items each are 2^30, 512 are 2^33
  const auto space = attention_search_space(problem_of(sizes));
  CHECK(space.front() == AttentionConfiguration{.waves = 1, .tile_q = 32, .tile_kv = 32});
  for (const AttentionConfiguration& configuration : space)
    CHECK(configuration.waves < 4);
}

TEST_CASE("ops.attention.decisions: found, replaced, forgotten; a decision on old records is dropped") {
  DecisionTable table;
  const KernelIdentity identity = exact_identity({});
  CHECK_FALSE(table.find(identity).known);
  const Decision first{{.waves = 8, .tile_q = 256, .tile_kv = 128}, DecisionSource::tuned};
  CHECK(table.set(identity, first, table.generation()));
  CHECK(table.find(identity).decision == first);
  const Decision second{{.waves = 1, .tile_q = 32, .tile_kv = 32}, DecisionSource::default_rule};
  const std::uint64_t before = table.generation();
  CHECK(table.set(identity, second, before));
  CHECK(table.find(identity).decision == second);
  table.forget();
  CHECK(table.find(identity).known);
  CHECK_FALSE(table.find(identity).decision);
  CHECK_FALSE(table.set(identity, first, before));
  CHECK_FALSE(table.find(identity).decision);
  CHECK(table.set(identity, first, table.generation()));
  table.mark(identity); // changes nothing
  CHECK(table.find(identity).decision == first);
  const KernelIdentity other{{1, 2, 3, 4}};
  table.mark(other);
  CHECK(table.find(other).known);
  CHECK_FALSE(table.find(other).decision);
}

TEST_CASE("ops.attention.decisions: many entries, read while others are written") {
  DecisionTable table;
  constexpr std::uint64_t k_entries = 5000;
  const auto identity = [](std::uint64_t i) { return KernelIdentity{{1, i, i * 3, 7}}; };
  const auto decision = [](std::uint64_t i) {
    return Decision{{.waves = 4, .tile_q = static_cast<std::int32_t>(i), .tile_kv = 64},
                    DecisionSource::measured_record};
  };
  std::atomic<std::uint64_t> written{0};
  std::atomic<std::uint64_t> wrong{0};
  std::thread reader([&] {
    while (written.load() < k_entries) {
      const std::uint64_t count = written.load();
      for (std::uint64_t i = count > 50 ? count - 50 : 0; i < count; ++i)
        wrong += table.find(identity(i)).decision == decision(i) ? 0 : 1;
    }
  });
  for (std::uint64_t i = 0; i < k_entries; ++i) {
    table.set(identity(i), decision(i), table.generation());
    written = i + 1;
  }
  reader.join();
  for (std::uint64_t i = 0; i < k_entries; ++i)
    wrong += table.find(identity(i)).decision == decision(i) ? 0 : 1;
  CHECK(wrong == 0);
  CHECK_FALSE(table.find(identity(k_entries)).known);
}

TEST_CASE("ops.attention.exact_places: one per spec, whatever its configuration") {
  ExactPlaces places(2);
  AttentionSpec spec = exact_attention_spec(problem_of({}));
  CHECK(places.take(spec) == ExactPlaces::Taken::now);
  spec.configuration.waves = 1;
  CHECK(places.take(spec) == ExactPlaces::Taken::before);
  const AttentionSpec second = exact_attention_spec(problem_of({.seq_q = 97}));
  CHECK(places.any_left(second));
  CHECK(places.take(second) == ExactPlaces::Taken::now);
  const AttentionSpec third = exact_attention_spec(problem_of({.seq_q = 98}));
  CHECK_FALSE(places.any_left(third));
  CHECK(places.take(third) == ExactPlaces::Taken::none_left);
  places.give_back(second);
  places.give_back(second); // once is enough
  CHECK(places.take(third) == ExactPlaces::Taken::now);
  CHECK(places.take(second) == ExactPlaces::Taken::none_left);
  // Another family has its own.
  CHECK(places.take(exact_attention_spec(problem_of({.head_dim = 64}))) == ExactPlaces::Taken::now);
}

TEST_SUITE_END();
