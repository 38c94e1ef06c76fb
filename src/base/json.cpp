#include "base/json.h"

#include <nlohmann/json.hpp>

namespace hk::base {

struct Json::Value {
  nlohmann::ordered_json content;
};

Json::Json(std::unique_ptr<Value> value) : m_value(std::move(value)) {}
Json::Json(const Json& other) : m_value(std::make_unique<Value>(*other.m_value)) {}
Json::Json(Json&& other) noexcept = default;
Json::~Json() = default;

Json& Json::operator=(Json other) noexcept {
  m_value = std::move(other.m_value);
  return *this;
}

Json Json::object() {
  return Json(std::make_unique<Value>(Value{nlohmann::ordered_json::object()}));
}

Json Json::array() {
  return Json(std::make_unique<Value>(Value{nlohmann::ordered_json::array()}));
}

Json& Json::set(std::string_view name, std::string_view value) {
  m_value->content[std::string(name)] = value;
  return *this;
}

Json& Json::set(std::string_view name, double value) {
  m_value->content[std::string(name)] = value;
  return *this;
}

Json& Json::set(std::string_view name, bool value) {
  m_value->content[std::string(name)] = value;
  return *this;
}

Json& Json::set(std::string_view name, const Json& value) {
  m_value->content[std::string(name)] = value.m_value->content;
  return *this;
}

Json& Json::set_signed(std::string_view name, std::int64_t value) {
  m_value->content[std::string(name)] = value;
  return *this;
}

Json& Json::set_unsigned(std::string_view name, std::uint64_t value) {
  m_value->content[std::string(name)] = value;
  return *this;
}

Json& Json::append(std::string_view value) {
  m_value->content.push_back(value);
  return *this;
}

Json& Json::append(const Json& value) {
  m_value->content.push_back(value.m_value->content);
  return *this;
}

std::string Json::text() const {
  return m_value->content.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace hk::base
