#include "known_problem.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace hk::test {
namespace {

constexpr int k_columns = 64;

// The upper half of a float: exact for whole numbers below 256.
std::uint16_t bfloat16(float value) {
  std::uint32_t bits = 0;
  std::copy_n(reinterpret_cast<const unsigned char*>(&value), sizeof value, reinterpret_cast<unsigned char*>(&bits));
  return static_cast<std::uint16_t>(bits >> 16);
}

} // namespace

FaultFolder::FaultFolder() : m_path((std::filesystem::temp_directory_path() / "hk-fault-XXXXXX").string()) {
  if (mkdtemp(m_path.data()) == nullptr)
    m_path.clear();
}

FaultFolder::~FaultFolder() {
  std::error_code ignored;
  if (!m_path.empty())
    std::filesystem::remove_all(m_path, ignored);
}

Variables::Variables(std::vector<std::pair<std::string, std::string>> variables) {
  for (auto& [name, value] : variables) {
    setenv(name.c_str(), value.c_str(), 1);
    m_names.push_back(name);
  }
}

Variables::~Variables() {
  for (const std::string& name : m_names)
    unsetenv(name.c_str());
}

KnownProblem::KnownProblem(const std::string& cache_folder, const std::string& device) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.device = device.c_str();
  options.cache_directory = cache_folder.c_str();
  m_context = std::make_unique<Context>(&options);
  std::vector<std::uint16_t> content(std::size_t{k_rows} * k_columns, 0);
  m_tensors.emplace_back(*m_context, content);
  m_tensors.emplace_back(*m_context, content);
  for (std::size_t i = 0; i < content.size(); ++i)
    content[i] = bfloat16(static_cast<float>(i / k_columns));
  m_tensors.emplace_back(*m_context, content);
  content.assign(content.size(), k_unwritten);
  m_tensors.emplace_back(*m_context, content);
  m_args.batch = m_args.heads_q = m_args.heads_kv = 1;
  m_args.seq_q = m_args.seq_k = k_rows;
  m_args.head_dim = k_columns;
  hk_tensor* const tensors[] = {&m_args.q, &m_args.k, &m_args.v, &m_args.o};
  for (std::size_t i = 0; i < m_tensors.size(); ++i)
    *tensors[i] = {m_tensors[i].data(), HK_DTYPE_BFLOAT16, 0, 0, 0, k_columns};
}

hk_status KnownProblem::run() {
  const hk_status status = hk_attention(m_context->get(), &m_args, nullptr, 0, nullptr);
  return status == HK_STATUS_SUCCESS ? hk_stream_synchronize(m_context->get(), nullptr) : status;
}

bool KnownProblem::all_are(std::uint16_t bits) const {
  std::vector<std::uint16_t> output(std::size_t{k_rows} * k_columns, 0);
  m_tensors[3].download(output);
  return std::all_of(output.begin(), output.end(), [bits](std::uint16_t element) { return element == bits; });
}

bool KnownProblem::output_is_right() const {
  return all_are(bfloat16(static_cast<float>(k_rows - 1) / 2));
}

bool KnownProblem::output_is_untouched() const {
  return all_are(k_unwritten);
}

} // namespace hk::test
