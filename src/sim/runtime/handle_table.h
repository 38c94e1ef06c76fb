#pragma once
// The live objects behind the opaque handles of the C API, so that a stale or invented handle is an error and no crash.

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace hk::sim {

template <typename T>
class HandleTable {
 public:
  // The handle is the object's address. Adding an object again is harmless.
  void* add(std::shared_ptr<T> object) {
    void* handle = const_cast<std::remove_const_t<T>*>(object.get());
    const std::unique_lock lock(m_mutex);
    m_objects.insert_or_assign(handle, std::move(object));
    return handle;
  }

  // Null if there is no such object.
  [[nodiscard]] std::shared_ptr<T> find(const void* handle) const {
    const std::shared_lock lock(m_mutex);
    const auto found = m_objects.find(handle);
    return found == m_objects.end() ? nullptr : found->second;
  }

  // Takes the object out; null if there is no such object.
  std::shared_ptr<T> remove(const void* handle) {
    const std::unique_lock lock(m_mutex);
    const auto found = m_objects.find(handle);
    if (found == m_objects.end())
      return nullptr;
    std::shared_ptr<T> object = std::move(found->second);
    m_objects.erase(found);
    return object;
  }

  // Takes out all objects for which the predicate holds.
  std::vector<std::shared_ptr<T>> remove_if(const std::function<bool(const T&)>& predicate) {
    std::vector<std::shared_ptr<T>> removed;
    const std::unique_lock lock(m_mutex);
    for (auto entry = m_objects.begin(); entry != m_objects.end();) {
      if (predicate(*entry->second)) {
        removed.push_back(std::move(entry->second));
        entry = m_objects.erase(entry);
      } else {
        ++entry;
      }
    }
    return removed;
  }

 private:
  mutable std::shared_mutex m_mutex;
  std::unordered_map<const void*, std::shared_ptr<T>> m_objects;
};

} // namespace hk::sim
