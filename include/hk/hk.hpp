#ifndef HK_HK_HPP
#define HK_HK_HPP
/* A thin C++20 layer over hk.h: owners for contexts, memory, streams and events, and failures as exceptions.
 *
 * Every function throws hk::Error where the C function fails; the C API underneath never throws. Owners can be moved,
 * not copied; they must not outlive their context. Destructors ignore failures: whoever wants them synchronises first.
 * Thread safety is that of hk.h. The header needs nothing but hk.h and the standard library.
 */

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "hk/hk.h"

namespace hk {

class Error : public std::runtime_error {
 public:
  // Takes message and detail from the calling thread's last failing call.
  explicit Error(hk_status status)
      : std::runtime_error(hk_last_error_message()), m_status(status), m_detail(hk_last_error_detail()) {}

  [[nodiscard]] hk_status status() const noexcept { return m_status; }
  [[nodiscard]] const std::string& detail() const noexcept { return m_detail; }

 private:
  hk_status m_status;
  std::string m_detail;
};

inline void check(hk_status status) {
  if (status != HK_STATUS_SUCCESS)
    throw Error(status);
}

// Runs a function of the two-call convention, e.g. text_of([&](char* t, size_t c, size_t* r) { return
// hk_device_info(context.get(), t, c, r); }).
template <typename Function>
std::string text_of(Function&& function) {
  std::size_t required = 0;
  check(function(static_cast<char*>(nullptr), std::size_t{0}, &required));
  std::string text(required, '\0');
  check(function(text.data(), text.size(), &required));
  text.resize(required - 1); // without the zero byte
  return text;
}

class Context {
 public:
  // As hk_context_create; options may be null.
  explicit Context(const hk_context_options* options = nullptr) { check(hk_context_create(options, &m_context)); }
  // For a device by name, e.g. "sim:mi300x".
  explicit Context(const std::string& device) {
    hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
    options.device = device.c_str();
    check(hk_context_create(&options, &m_context));
  }
  Context(Context&& other) noexcept : m_context(std::exchange(other.m_context, nullptr)) {}
  Context& operator=(Context&& other) noexcept {
    std::swap(m_context, other.m_context);
    return *this;
  }
  ~Context() { hk_context_destroy(m_context); }

  [[nodiscard]] hk_context* get() const noexcept { return m_context; }

  // JSON text of hk_device_info.
  [[nodiscard]] std::string info() const {
    return text_of([this](char* text, std::size_t capacity, std::size_t* required) {
      return hk_device_info(m_context, text, capacity, required);
    });
  }
  [[nodiscard]] hk_statistics statistics() const {
    hk_statistics counters = HK_STATISTICS_INIT;
    check(hk_context_statistics(m_context, &counters));
    return counters;
  }
  void synchronize(void* stream = nullptr) const { check(hk_stream_synchronize(m_context, stream)); }

  // As hk_context_refresh.
  void refresh() const { check(hk_context_refresh(m_context)); }
  // 32 hexadecimal digits of hk_tuning_digest.
  [[nodiscard]] std::string tuning_digest() const {
    return text_of([this](char* text, std::size_t capacity, std::size_t* required) {
      return hk_tuning_digest(m_context, text, capacity, required);
    });
  }
  // Text of hk_tuning_export. Throws if another thread adds a record meanwhile: ask again.
  [[nodiscard]] std::string export_tuning() const {
    return text_of([this](char* text, std::size_t capacity, std::size_t* required) {
      return hk_tuning_export(m_context, text, capacity, required);
    });
  }
  // flags: of hk_tuning_import_flags.
  void import_tuning(const std::string& text, std::uint32_t flags = HK_TUNING_IMPORT_MERGE) const {
    check(hk_tuning_import(m_context, text.data(), text.size(), flags));
  }

  void attention(const hk_attention_args& args, void* stream = nullptr) const {
    check(hk_attention(m_context, &args, nullptr, 0, stream));
  }
  void prepare(const hk_attention_args& args) const { check(hk_attention_prepare(m_context, &args)); }
  // JSON text of hk_attention_describe.
  [[nodiscard]] std::string describe(const hk_attention_args& args) const {
    return text_of([&](char* text, std::size_t capacity, std::size_t* required) {
      return hk_attention_describe(m_context, &args, text, capacity, required);
    });
  }
  // JSON text of hk_attention_cache_state.
  [[nodiscard]] std::string cache_state(const hk_attention_args& args) const {
    return text_of([&](char* text, std::size_t capacity, std::size_t* required) {
      return hk_attention_cache_state(m_context, &args, text, capacity, required);
    });
  }

 private:
  hk_context* m_context = nullptr;
};

// Device memory for a number of elements of a trivially copyable type.
template <typename Element>
class DeviceArray {
 public:
  DeviceArray(const Context& context, std::size_t count) : m_context(context.get()), m_count(count) {
    void* pointer = nullptr;
    check(hk_memory_allocate(m_context, count * sizeof(Element), &pointer));
    m_data = static_cast<Element*>(pointer);
  }
  DeviceArray(const Context& context, std::span<const Element> content) : DeviceArray(context, content.size()) {
    upload(content);
  }
  DeviceArray(DeviceArray&& other) noexcept
      : m_context(other.m_context), m_data(std::exchange(other.m_data, nullptr)), m_count(other.m_count) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(m_context, other.m_context);
    std::swap(m_data, other.m_data);
    std::swap(m_count, other.m_count);
    return *this;
  }
  ~DeviceArray() { hk_memory_free(m_context, m_data); }

  // A device address: the host must not follow it.
  [[nodiscard]] Element* data() const noexcept { return m_data; }
  [[nodiscard]] std::size_t size() const noexcept { return m_count; }

  // Throws std::length_error if there are more than size() elements.
  void upload(std::span<const Element> content, void* stream = nullptr) {
    check_count(content.size());
    check(hk_memory_copy(m_context, m_data, content.data(), content.size_bytes(), stream));
  }
  // Throws std::length_error if there are more than size() elements.
  void download(std::span<Element> content, void* stream = nullptr) const {
    check_count(content.size());
    check(hk_memory_copy(m_context, content.data(), m_data, content.size_bytes(), stream));
  }

 private:
  void check_count(std::size_t count) const {
    if (count > m_count)
      throw std::length_error("hk::DeviceArray holds " + std::to_string(m_count) + " elements, not " +
                              std::to_string(count));
  }

  hk_context* m_context;
  Element* m_data = nullptr;
  std::size_t m_count;
};

class Stream {
 public:
  explicit Stream(const Context& context) : m_context(context.get()) { check(hk_stream_create(m_context, &m_stream)); }
  Stream(Stream&& other) noexcept : m_context(other.m_context), m_stream(std::exchange(other.m_stream, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(m_context, other.m_context);
    std::swap(m_stream, other.m_stream);
    return *this;
  }
  ~Stream() { hk_stream_destroy(m_context, m_stream); }

  [[nodiscard]] void* get() const noexcept { return m_stream; }
  void synchronize() const { check(hk_stream_synchronize(m_context, m_stream)); }

 private:
  hk_context* m_context;
  void* m_stream = nullptr;
};

class Event {
 public:
  explicit Event(const Context& context) : m_context(context.get()) { check(hk_event_create(m_context, &m_event)); }
  Event(Event&& other) noexcept : m_context(other.m_context), m_event(std::exchange(other.m_event, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(m_context, other.m_context);
    std::swap(m_event, other.m_event);
    return *this;
  }
  ~Event() { hk_event_destroy(m_context, m_event); }

  void record(void* stream = nullptr) { check(hk_event_record(m_context, m_event, stream)); }
  // Device time from start to this event in microseconds; waits for this event.
  [[nodiscard]] double microseconds_since(const Event& start) const {
    double microseconds = 0;
    check(hk_event_elapsed(m_context, start.m_event, m_event, &microseconds));
    return microseconds;
  }

 private:
  hk_context* m_context;
  void* m_event = nullptr;
};

} // namespace hk

#endif // HK_HK_HPP
