#include "ops/attention/sampled_reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

#include "ops/attention/reference_rows.h"

namespace hk::ops {
namespace {

constexpr double k_infinity = std::numeric_limits<double>::infinity();

template <typename Real, bool RoundToElement>
void compute_rows(const AttentionProblem& problem, std::span<const SampledRow> rows, double* o, double* lse) {
  KeysAndValues<Real> converted;
  RowComputer<Real, RoundToElement> computer(problem, converted);
  std::int64_t batch = -1;
  std::int64_t head_kv = -1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SampledRow& row = rows[i];
    const std::int64_t wanted = row.head / problem.group_size();
    if (row.batch != batch || wanted != head_kv) {
      batch = row.batch;
      head_kv = wanted;
      convert(problem, batch, head_kv, problem.visible_keys(problem.seq_q - 1), converted);
    }
    computer.compute(row_of(problem.q, row.batch, row.head, row.row), problem.visible_keys(row.row),
                     o + i * static_cast<std::size_t>(problem.head_dim), lse + i);
  }
}

std::string place_of(const SampledRow& row) {
  return "batch " + std::to_string(row.batch) + ", head " + std::to_string(row.head) + ", row " +
         std::to_string(row.row);
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

Status wrong(std::string sentence) {
  return {StatusCode::internal, std::move(sentence)};
}

Status compare_log_sum(const SampledRow& row, double expected, double found) {
  const bool same =
      expected == -k_infinity ? found == expected : std::abs(found - expected) <= 1e-3 + 1e-5 * std::abs(expected);
  if (same)
    return {};
  return wrong("lse of " + place_of(row) + " is " + number(found) + " instead of " + number(expected));
}

} // namespace

SampledReference sampled_attention_reference(const AttentionProblem& problem, std::span<const SampledRow> rows) {
  SampledReference reference;
  reference.o.resize(rows.size() * static_cast<std::size_t>(problem.head_dim));
  reference.lse.resize(rows.size());
  compute_rows<double, false>(problem, rows, reference.o.data(), reference.lse.data());
  std::vector<double> low_precision(reference.o.size());
  std::vector<double> low_precision_lse(rows.size());
  compute_rows<float, true>(problem, rows, low_precision.data(), low_precision_lse.data());
  double error = 0;
  double largest = 0;
  for (std::size_t i = 0; i < reference.o.size(); ++i) {
    error = std::max(error, std::abs(low_precision[i] - reference.o[i]));
    largest = std::max(largest, std::abs(reference.o[i]));
  }
  reference.bound = 2 * error + 2 * element_spacing(problem.element, largest);
  return reference;
}

Status compare_sampled_rows(const AttentionProblem& problem, std::span<const SampledRow> rows,
                            const SampledReference& reference, const SampledOutput& output) {
  const auto columns = static_cast<std::size_t>(problem.head_dim);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool sees_nothing = problem.visible_keys(rows[i].row) == 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint16_t bits = output.o[i * columns + c];
      const double expected = reference.o[i * columns + c];
      const auto found = static_cast<double>(element_to_float(problem.element, bits));
      const bool right = sees_nothing ? bits == 0 : std::abs(found - expected) <= reference.bound; // false for NaN
      if (!right)
        return wrong("o of " + place_of(rows[i]) + ", column " + std::to_string(c) + " is " + number(found) +
                     " instead of " + number(expected) + "; the bound is " +
                     number(sees_nothing ? 0 : reference.bound));
    }
    if (!output.lse.empty())
      HK_RETURN_IF_ERROR(compare_log_sum(rows[i], reference.lse[i], static_cast<double>(output.lse[i])));
  }
  return {};
}

} // namespace hk::ops
