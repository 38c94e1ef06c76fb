// Every configuration that the library may choose, on the device under test: no scratch, no spilled vector register,
// and right results. The public API runs the default ones only, so this test goes below it.

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "base/config.h"
#include "cache/open_store.h"
#include "compile/compiler.h"
#include "device/open_device.h"
#include "device_run.h"
#include "inputs.h"
#include "ops/attention/launch.h"
#include "ops/attention/problem.h"
#include "ops/attention/source_writer.h"
#include "ops/attention/spec.h"
#include "rotation.h"
#include "service/kernel_service.h"
#include "verdict.h"

using namespace hk;
using namespace hk::test;
using ops::AttentionConfiguration;
using ops::AttentionSpec;

namespace {

class Machine {
 public:
  Machine() : m_context(open_context()) {
    auto config = base::read_config();
    REQUIRE_MESSAGE(config, config.error().message);
    config->cache_folder = kernel_folder();
    auto driver = device::open_device(
        {device_under_test(), config->hip_library, config->simulator_library, config->cuda_library});
    REQUIRE_MESSAGE(driver, driver.error().message);
    m_driver = std::move(*driver);
    m_service = std::make_unique<service::KernelService>(
        *m_driver, *codeobj::parse_supported_target_id(m_driver->info().target),
        compile::make_compiler(compile::compiler_options(
            *config, codeobj::platform_of(*codeobj::parse_target_id(m_driver->info().target)))),
        cache::open_store(*config));
  }

  [[nodiscard]] const codeobj::Processor& processor() const { return m_service->processor(); }

  // Null, with a failed check, if the compiler's answer is refused, e.g. because it needs scratch.
  const service::ServedKernel* obtain(const AttentionSpec& spec) {
    const auto obtained =
        m_service->obtain(ops::identity_of(spec), {ops::symbol_of(spec), ops::attention_source(spec)});
    CHECK_MESSAGE(obtained, obtained.error().message);
    return obtained ? obtained->kernel : nullptr;
  }

  void run(const service::ServedKernel& kernel, const AttentionSpec& spec, Problem& problem) {
    DeviceProblem on_device(m_context, problem);
    auto checked = ops::make_attention_problem(on_device.args(), ops::AttentionUse::launch);
    REQUIRE_MESSAGE(checked, checked.error().message);
    checked->processor = &processor();
    REQUIRE(ops::is_aligned(*checked) == spec.aligned);
    const auto shape = ops::attention_launch_shape(*checked, spec.configuration);
    REQUIRE(shape);
    const AttentionForwardArguments arguments = ops::attention_arguments(*checked);
    const Status launched =
        m_service->launch(kernel, *shape, std::as_bytes(std::span(&arguments, 1)), device::Stream{});
    REQUIRE_MESSAGE(launched.ok(), launched.message);
    on_device.fetch();
  }

 private:
  Context m_context; // for memory
  std::unique_ptr<device::Driver> m_driver;
  std::unique_ptr<service::KernelService> m_service;
};

// Ends inside a tile of queries and inside a tile of keys of every configuration.
Shape shape_of(const AttentionSpec& spec) {
  Shape shape;
  shape.dtype = static_cast<hk_dtype>(spec.element);
  shape.head_dim = spec.head_dim;
  shape.mask = static_cast<hk_mask>(spec.mask);
  shape.heads_q = 4;
  shape.heads_kv = 2;
  shape.seq_q = 300;
  shape.seq_k = 331;
  shape.want_lse = spec.write_lse;
  return shape;
}

void check_kernel(Machine& machine, const AttentionSpec& spec) {
  INFO(ops::symbol_of(spec));
  const service::ServedKernel* kernel = machine.obtain(spec);
  if (kernel == nullptr)
    return;
  CHECK(kernel->resources.scratch_bytes == 0);
  CHECK(kernel->resources.spilled_vgprs == 0);
  Arrangement arrangement;
  arrangement.surround.offset = spec.aligned ? 0 : 1;
  Problem problem(shape_of(spec), arrangement);
  fill(problem, Input::deviation8);
  machine.run(*kernel, spec, problem);
  check_against_reference(problem);
}

AttentionSpec family(std::int64_t head_dim, const AttentionConfiguration& configuration) {
  AttentionSpec spec;
  spec.head_dim = static_cast<std::int32_t>(head_dim);
  spec.configuration = configuration;
  return spec;
}

// One kernel per configuration, with LSE, which costs registers. The default ones take the element types of the shape
// tests, and so mostly their kernels.
void check_configurations(std::int64_t head_dim) {
  Machine machine;
  std::int64_t turn = turn_of_device();
  for (const AttentionConfiguration& configuration : ops::attention_configurations(machine.processor(), head_dim)) {
    const hk_mask mask = k_masks[static_cast<std::size_t>(turn % 3)];
    AttentionSpec spec = family(head_dim, configuration);
    spec.element =
        static_cast<ops::ElementType>(rotated_shape(head_dim, mask, configuration.tile_q, 300, turn_of_device()).dtype);
    spec.mask = static_cast<ops::AttentionMask>(mask);
    spec.write_lse = true;
    spec.aligned = configuration.tile_kv == 64 || turn % 2 == 0;
    check_kernel(machine, spec);
    ++turn;
  }
}

} // namespace

TEST_SUITE_BEGIN("configurations");

TEST_CASE("configurations: each legal one of d64 needs no scratch and computes the same") {
  check_configurations(64);
}

TEST_CASE("configurations: each legal one of d128 needs no scratch and computes the same") {
  check_configurations(128);
}

TEST_SUITE_END();

TEST_SUITE_BEGIN("every_kernel" * doctest::skip());

TEST_CASE("every kernel: all configurations, element types, masks, outputs and alignments") {
  Machine machine;
  for (const std::int64_t head_dim : k_head_dims) {
    for (const AttentionConfiguration& configuration : ops::attention_configurations(machine.processor(), head_dim)) {
      AttentionSpec spec = family(head_dim, configuration);
      for (const hk_dtype dtype : k_dtypes) {
        spec.element = static_cast<ops::ElementType>(dtype);
        for (const hk_mask mask : k_masks) {
          spec.mask = static_cast<ops::AttentionMask>(mask);
          for (const bool write_lse : {false, true}) {
            spec.write_lse = write_lse;
            for (const bool aligned : {false, true}) {
              spec.aligned = aligned;
              check_kernel(machine, spec);
            }
          }
        }
      }
    }
  }
}

TEST_SUITE_END();
