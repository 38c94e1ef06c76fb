#include "attention_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "hk/hk.hpp"
#include "ops/element.h"

namespace hk::command {
namespace {

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (std::isnan(difference))
      return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

} // namespace

AttentionErrors check_attention(const AttentionOptions& options, AttentionInputs& inputs,
                                std::span<const std::uint16_t> o) {
  const hk_attention_args args = make_args(options, inputs.q.data(), inputs.k.data(), inputs.v.data(), nullptr);
  std::vector<double> exact(o.size());
  std::vector<double> lowprec(o.size());
  hk::check(hk_attention_reference(&args, HK_REFERENCE_FP64, exact.data(), nullptr));
  hk::check(hk_attention_reference(&args, HK_REFERENCE_INPUT_TYPE, lowprec.data(), nullptr));
  std::vector<double> computed(o.size());
  std::transform(o.begin(), o.end(), computed.begin(), [&](std::uint16_t bits) {
    return static_cast<double>(ops::element_to_float(static_cast<ops::ElementType>(options.dtype), bits));
  });
  double scale = 0;
  for (const double value : exact)
    scale = std::max(scale, std::abs(value));
  AttentionErrors errors;
  errors.max_abs_err = largest_difference(computed, exact);
  errors.lowprec_max_abs_err = largest_difference(lowprec, exact);
  errors.bound =
      2 * errors.lowprec_max_abs_err + 2 * ops::element_spacing(static_cast<ops::ElementType>(options.dtype), scale);
  return errors;
}

} // namespace hk::command
