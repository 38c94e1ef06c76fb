#pragma once
// A context over the null device, a fake compiler and a store in memory: the whole host path without a compiler.

#include <memory>

#include <doctest/doctest.h>

#include "api/context.h"
#include "cache/memory_store.h"
#include "device/null/null_driver.h"
#include "ops/sample_problem.h"
#include "service/fake_compiler.h"

namespace hk::test {

struct AssembledContext {
  AssembledContext() {
    api::ContextParts parts;
    auto null_driver = std::make_unique<device::NullDriver>("null", "gfx950");
    driver = null_driver.get();
    parts.driver = std::move(null_driver);
    parts.compiler = std::make_unique<FakeCompiler>(compiler);
    parts.store = std::make_unique<cache::MemoryStore>();
    auto assembled = api::assemble_context({}, std::move(parts));
    REQUIRE_MESSAGE(assembled, assembled.error().message);
    context = std::move(*assembled);
  }

  [[nodiscard]] hk_context* get() const { return context.get(); }

  CompilerControl compiler;
  device::NullDriver* driver = nullptr;
  std::unique_ptr<hk_context> context;
};

} // namespace hk::test
