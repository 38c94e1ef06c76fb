#include "ops/attention/trial.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "ops/attention/launch.h"
#include "ops/random_elements.h"

namespace hk::ops {
namespace {

// Unwritten elements and guards. NaN in both element types; two of them are a NaN of float.
constexpr std::uint16_t k_unwritten = 0x7fff;
constexpr std::uint32_t k_unwritten_log_sum = 0x7fff7fff;
// On both sides of each output, in bytes.
constexpr std::int64_t k_guard_bytes = 4096;
constexpr std::int64_t k_guard_elements = k_guard_bytes / k_element_bytes;
constexpr std::int64_t k_guard_log_sums = k_guard_bytes / 4;
constexpr std::uint64_t k_tensor_alignment = 4096;
constexpr std::uint64_t k_most_sets = 1024;

bool is_nan(ElementType type, std::uint16_t bits) {
  return std::isnan(element_to_float(type, bits));
}

std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + k_tensor_alignment - 1) / k_tensor_alignment * k_tensor_alignment;
}

// Where the tensors of one set lie, in bytes from its start.
struct SetLayout {
  explicit SetLayout(const AttentionProblem& problem) {
    // Unaligned tensors begin one element past a multiple of 16 bytes.
    const std::uint64_t shift = problem.pointer_alignment % 16 == 0 ? 0 : k_element_bytes;
    const auto query_bytes = static_cast<std::uint64_t>(query_elements(problem) * k_element_bytes);
    const auto key_bytes = static_cast<std::uint64_t>(key_elements(problem) * k_element_bytes);
    const auto log_sum_bytes =
        static_cast<std::uint64_t>(problem.write_lse ? problem.batch * problem.heads_q * problem.seq_q * 4 : 0);
    const auto place = [this](std::uint64_t before, std::uint64_t tensor_bytes) {
      const std::uint64_t at = bytes + before;
      bytes = rounded_up(at + tensor_bytes + k_guard_bytes);
      return at;
    };
    q = place(shift, query_bytes);
    k = place(shift, key_bytes);
    v = place(shift, key_bytes);
    o = place(k_guard_bytes + shift, query_bytes);
    lse = place(k_guard_bytes, log_sum_bytes);
  }

  std::uint64_t q, k, v, o, lse;
  std::uint64_t bytes = 0;
};

Status outside(const char* name) {
  return {StatusCode::internal, std::string("memory beside ") + name + " was written"};
}

} // namespace

AttentionTrial::AttentionTrial(device::Driver& driver, const AttentionProblem& problem, std::uint64_t seed)
    : m_driver(driver), m_problem(problem), m_rows(rows_to_look_at(problem, seed)) {
  m_q.resize(static_cast<std::size_t>(query_elements(problem)));
  m_k.resize(static_cast<std::size_t>(key_elements(problem)));
  m_v.resize(m_k.size());
  m_o.resize(m_q.size() + 2 * k_guard_elements);
  if (problem.write_lse)
    m_lse.resize(static_cast<std::size_t>(problem.batch * problem.heads_q * problem.seq_q + 2 * k_guard_log_sums));
  std::uint64_t stream = seed * 4;
  for (std::vector<std::uint16_t>* tensor : {&m_q, &m_k, &m_v}) {
    // Streams far apart in the generator's one sequence.
    ++stream;
    fill_random(problem.element, stream + (stream << 60), *tensor);
  }
}

AttentionTrial::~AttentionTrial() {
  // Nothing may still run on what is freed; a device that fails now has said so before.
  if (m_stream != nullptr) {
    static_cast<void>(m_driver.synchronize(m_stream));
    static_cast<void>(m_driver.destroy_stream(m_stream));
  }
  if (m_memory != nullptr)
    static_cast<void>(m_driver.free(m_memory));
}

Result<std::unique_ptr<AttentionTrial>> AttentionTrial::create(device::Driver& driver, const AttentionProblem& of,
                                                               const TrialOptions& options) {
  HK_ASSIGN_OR_RETURN(const AttentionProblem problem, trial_problem(of, options.scale));
  std::unique_ptr<AttentionTrial> trial(new AttentionTrial(driver, problem, options.seed));
  HK_ASSIGN_OR_RETURN(trial->m_stream, driver.create_stream());
  HK_RETURN_IF_ERROR(trial->allocate(options.rotated_bytes));
  HK_RETURN_IF_ERROR(trial->upload());
  return trial;
}

Status AttentionTrial::allocate(std::uint64_t rotated_bytes) {
  const SetLayout layout(m_problem);
  const std::uint64_t wanted = (rotated_bytes + layout.bytes - 1) / layout.bytes;
  std::uint64_t sets = std::clamp<std::uint64_t>(wanted, 1, k_most_sets);
  Result<void*> memory = m_driver.allocate(layout.bytes * sets);
  if (!memory && sets > 1) { // a device that is nearly full: better warm caches than no measurement
    sets = 1;
    memory = m_driver.allocate(layout.bytes);
  }
  if (!memory)
    return memory.error();
  m_memory = *memory;
  for (std::uint64_t i = 0; i < sets; ++i) {
    auto* base = static_cast<std::byte*>(m_memory) + i * layout.bytes;
    AttentionProblem set = m_problem;
    set.q.data = base + layout.q;
    set.k.data = base + layout.k;
    set.v.data = base + layout.v;
    set.o.data = base + layout.o;
    if (m_problem.write_lse)
      set.lse = reinterpret_cast<float*>(base + layout.lse);
    m_sets.push_back(set);
  }
  return {};
}

Status AttentionTrial::upload() {
  for (const AttentionProblem& set : m_sets) {
    const std::pair<void*, const std::vector<std::uint16_t>*> tensors[] = {
        {set.q.data, &m_q}, {set.k.data, &m_k}, {set.v.data, &m_v}};
    for (const auto& [data, host] : tensors) {
      if (!host->empty())
        HK_RETURN_IF_ERROR(m_driver.copy(data, host->data(), host->size() * k_element_bytes, m_stream));
    }
  }
  return {};
}

const SampledReference& AttentionTrial::reference() {
  if (m_reference == nullptr) {
    AttentionProblem on_host = m_problem;
    on_host.q.data = m_q.data();
    on_host.k.data = m_k.data();
    on_host.v.data = m_v.data();
    m_reference = std::make_unique<SampledReference>(sampled_attention_reference(on_host, m_rows));
  }
  return *m_reference;
}

Status AttentionTrial::launch_on(const AttentionProblem& set, const service::ServedKernel& kernel,
                                 const AttentionConfiguration& configuration, device::Stream stream) {
  HK_ASSIGN_OR_RETURN(const device::LaunchShape shape, attention_launch_shape(set, configuration));
  const AttentionForwardArguments arguments = attention_arguments(set);
  return m_driver.launch(*kernel.module, shape, std::as_bytes(std::span(&arguments, 1)), stream);
}

Status AttentionTrial::launch(const service::ServedKernel& kernel, const AttentionConfiguration& configuration,
                              device::Stream stream) {
  const AttentionProblem& set = m_sets[m_next];
  m_next = (m_next + 1) % m_sets.size();
  return launch_on(set, kernel, configuration, stream);
}

Status AttentionTrial::verify(const service::ServedKernel& kernel, const AttentionConfiguration& configuration) {
  const AttentionProblem& set = m_sets.front();
  std::uint16_t* const o = static_cast<std::uint16_t*>(set.o.data) - k_guard_elements;
  float* const lse = set.lse == nullptr ? nullptr : set.lse - k_guard_log_sums;
  std::fill(m_o.begin(), m_o.end(), k_unwritten);
  std::fill(m_lse.begin(), m_lse.end(), k_unwritten_log_sum);
  HK_RETURN_IF_ERROR(m_driver.copy(o, m_o.data(), m_o.size() * k_element_bytes, m_stream));
  if (lse != nullptr)
    HK_RETURN_IF_ERROR(m_driver.copy(lse, m_lse.data(), m_lse.size() * 4, m_stream));
  HK_RETURN_IF_ERROR(launch_on(set, kernel, configuration, m_stream));
  HK_RETURN_IF_ERROR(m_driver.synchronize(m_stream));
  HK_RETURN_IF_ERROR(m_driver.copy(m_o.data(), o, m_o.size() * k_element_bytes, m_stream));
  if (lse != nullptr)
    HK_RETURN_IF_ERROR(m_driver.copy(m_lse.data(), lse, m_lse.size() * 4, m_stream));
  SampledOutput output;
  HK_RETURN_IF_ERROR(check_o(output));
  HK_RETURN_IF_ERROR(check_lse(output));
  return compare_sampled_rows(m_problem, m_rows, reference(), output);
}

Status AttentionTrial::check_o(SampledOutput& output) const {
  const auto untouched = [](std::uint16_t bits) { return bits == k_unwritten; };
  const std::int64_t columns = m_problem.head_dim;
  const std::int64_t stride = m_problem.o.stride_row;
  const auto first = m_o.begin() + k_guard_elements;
  if (!std::all_of(m_o.begin(), first, untouched) || !std::all_of(m_o.end() - k_guard_elements, m_o.end(), untouched))
    return outside("o");
  const std::int64_t rows = m_problem.batch * m_problem.heads_q * m_problem.seq_q;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto begin = first + row * stride;
    if (std::any_of(begin, begin + columns, [&](std::uint16_t bits) { return is_nan(m_problem.element, bits); }))
      return {StatusCode::internal, "o has elements that are NaN or were not written, first in row " +
                                        std::to_string(row % m_problem.seq_q) + " of head " +
                                        std::to_string(row / m_problem.seq_q)};
    if (!std::all_of(begin + columns, begin + stride, untouched))
      return outside("o");
  }
  for (const SampledRow& row : m_rows) {
    const auto begin =
        first + row.batch * m_problem.o.stride_batch + row.head * m_problem.o.stride_head + row.row * stride;
    output.o.insert(output.o.end(), begin, begin + columns);
  }
  return {};
}

Status AttentionTrial::check_lse(SampledOutput& output) const {
  if (m_lse.empty())
    return {};
  const auto untouched = [](std::uint32_t bits) { return bits == k_unwritten_log_sum; };
  const auto first = m_lse.begin() + k_guard_log_sums;
  const auto last = m_lse.end() - k_guard_log_sums;
  if (!std::all_of(m_lse.begin(), first, untouched) || !std::all_of(last, m_lse.end(), untouched))
    return outside("lse");
  if (std::any_of(first, last, [](std::uint32_t bits) { return std::isnan(std::bit_cast<float>(bits)); }))
    return {StatusCode::internal, "lse has elements that are NaN or were not written"};
  for (const SampledRow& row : m_rows)
    output.lse.push_back(std::bit_cast<float>(
        first[row.batch * m_problem.lse_stride_batch + row.head * m_problem.lse_stride_head + row.row]));
  return {};
}

} // namespace hk::ops
