#include "device_run.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "unit/base/scratch_folder.h"

namespace hk::test {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

template <typename Element>
void check_unchanged(const char* name, const Tensor<Element>& tensor, const DeviceArray<Element>& on_device) {
  std::vector<Element> found(tensor.storage().size());
  on_device.download(found);
  CAPTURE(std::string(name));
  CHECK_MESSAGE(found == tensor.storage(), "an input was changed");
}

template <typename Element>
void fetch_output(const char* name, Tensor<Element>& tensor, const DeviceArray<Element>& on_device, void* stream) {
  on_device.download(tensor.storage(), stream);
  CAPTURE(std::string(name));
  CHECK(tensor.damaged_guards() == 0);
}

} // namespace

std::string device_under_test() {
  const std::string named = variable("HK_DEVICE");
  return named.empty() ? "sim:mi355x" : named;
}

const char* kernel_folder() {
  static const std::string named = variable("HK_CACHE_DIR");
  if (!named.empty())
    return named.c_str();
  static const ScratchFolder own;
  return own.path().c_str();
}

Context open_context(hk_specialize specialize, const std::string& device) {
  hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
  options.specialize = specialize;
  options.device = device.c_str();
  options.cache_directory = kernel_folder();
  return Context(&options);
}

DeviceProblem::DeviceProblem(const Context& context, Problem& problem)
    : m_problem(problem), m_q(context, problem.q.storage()), m_k(context, problem.k.storage()),
      m_v(context, problem.v.storage()), m_o(context, problem.o.storage().size()),
      m_lse(context, problem.lse.storage().size()), m_args(problem.args()) {
  problem.spoil_outputs();
  m_o.upload(problem.o.storage());
  m_lse.upload(problem.lse.storage());
  m_args.q.data = m_q.data() + problem.q.first();
  m_args.k.data = m_k.data() + problem.k.first();
  m_args.v.data = m_v.data() + problem.v.first();
  m_args.o.data = m_o.data() + problem.o.first();
  if (problem.shape.want_lse)
    m_args.lse = reinterpret_cast<float*>(m_lse.data() + problem.lse.first());
}

void DeviceProblem::fetch(void* stream) {
  fetch_output("o", m_problem.o, m_o, stream);
  fetch_output("lse", m_problem.lse, m_lse, stream);
  check_unchanged("q", m_problem.q, m_q);
  check_unchanged("k", m_problem.k, m_k);
  check_unchanged("v", m_problem.v, m_v);
}

void run(const Context& context, Problem& problem, void* stream) {
  DeviceProblem on_device(context, problem);
  context.attention(on_device.args(), stream);
  on_device.fetch(stream);
}

} // namespace hk::test
