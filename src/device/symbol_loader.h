#pragma once
// SymbolLoader: fills a table of functions from one library and collects the first missing name, so that the table
// stays a list.

#include <dlfcn.h>

namespace hk::device {

class SymbolLoader {
 public:
  explicit SymbolLoader(void* handle) : m_handle(handle) {}

  template <typename Function>
  void load(Function& function, const char* name) {
    load_if_there(function, name);
    if (function == nullptr && m_missing == nullptr)
      m_missing = name;
  }

  template <typename Function>
  void load_if_there(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(m_handle, name));
  }

  [[nodiscard]] const char* missing() const { return m_missing; }

 private:
  void* m_handle;
  const char* m_missing = nullptr;
};

} // namespace hk::device
