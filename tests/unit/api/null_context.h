#pragma once
// A context on the null device without a cache folder, destroyed at the end of the scope.

#include <doctest/doctest.h>

#include "hk/hk.h"

class NullContext {
 public:
  NullContext() {
    hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
    options.device = "null";
    options.cache_directory = "none";
    REQUIRE_MESSAGE(hk_context_create(&options, &m_context) == HK_STATUS_SUCCESS, hk_last_error_message());
  }
  ~NullContext() { CHECK(hk_context_destroy(m_context) == HK_STATUS_SUCCESS); }
  NullContext(const NullContext&) = delete;
  NullContext& operator=(const NullContext&) = delete;

  [[nodiscard]] hk_context* get() const { return m_context; }

 private:
  hk_context* m_context = nullptr;
};
