#pragma once
// JSON text of one line: what hk_<op>_describe and `hk ... --json` return. Members keep the order in which they were
// set.

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hk::base {

// One JSON object or array under construction.
class Json {
 public:
  static Json object();
  static Json array();

  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(Json other) noexcept;
  ~Json();

  // For an object. Bytes that are not UTF-8 are replaced in the output; a double that is not finite becomes null.
  Json& set(std::string_view name, std::string_view value);
  Json& set(std::string_view name, const char* value) { return set(name, std::string_view(value)); }
  Json& set(std::string_view name, double value);
  Json& set(std::string_view name, bool value);
  Json& set(std::string_view name, const Json& value);
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  Json& set(std::string_view name, Integer value) {
    if constexpr (std::signed_integral<Integer>)
      return set_signed(name, value);
    else
      return set_unsigned(name, value);
  }
  // For an array.
  Json& append(std::string_view value);
  Json& append(const Json& value);

  [[nodiscard]] std::string text() const;

 private:
  struct Value;
  explicit Json(std::unique_ptr<Value> value);
  Json& set_signed(std::string_view name, std::int64_t value);
  Json& set_unsigned(std::string_view name, std::uint64_t value);

  std::unique_ptr<Value> m_value;
};

} // namespace hk::base
