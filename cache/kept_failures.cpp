#include "cache/kept_failures.h"

#include <algorithm>
#include <charconv>

#include "cache/store.h"

namespace hk::cache {
namespace {

constexpr std::size_t k_most_items = 1024;
constexpr const char* k_code = "failure_code";
constexpr const char* k_message = "failure_message";

std::optional<std::int64_t> number_of(const Metadata& metadata, const char* name) {
  const auto found = metadata.find(name);
  if (found == metadata.end())
    return std::nullopt;
  const std::string& text = found->second;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

} // namespace

void KeptFailures::keep(const Key& key, const Status& failure, Clock::time_point now) {
  const std::lock_guard lock(m_mutex);
  if (m_items.size() >= k_most_items) {
    std::erase_if(m_items, [&](const auto& item) { return now - item.second.kept >= k_failure_lifetime; });
    if (m_items.size() >= k_most_items)
      m_items.erase(std::min_element(m_items.begin(), m_items.end(), [](const auto& left, const auto& right) {
        return left.second.kept < right.second.kept;
      }));
  }
  m_items.insert_or_assign(key.name(), Item{failure, now});
}

std::optional<Status> KeptFailures::find(const Key& key, Clock::time_point now) {
  const std::lock_guard lock(m_mutex);
  const auto found = m_items.find(key.name());
  if (found == m_items.end())
    return std::nullopt;
  if (now - found->second.kept < k_failure_lifetime)
    return found->second.failure;
  m_items.erase(found);
  return std::nullopt;
}

base::Bytes encode_failure(const Key& key, const Status& failure, std::int64_t now) {
  const Metadata metadata = {{k_code, std::to_string(static_cast<std::int32_t>(failure.code))},
                             {k_message, failure.message},
                             {metadata_names::k_created, std::to_string(now)}};
  return encode_entry(key, metadata, base::as_bytes(failure.detail));
}

std::optional<Status> failure_of(const Entry& entry, std::int64_t now) {
  const auto code = number_of(entry.metadata, k_code);
  const auto created = number_of(entry.metadata, metadata_names::k_created);
  const auto message = entry.metadata.find(k_message);
  if (!code || !created || message == entry.metadata.end())
    return std::nullopt;
  if (*code <= static_cast<std::int64_t>(StatusCode::success) ||
      *code > static_cast<std::int64_t>(StatusCode::internal))
    return std::nullopt;
  // Compared this way round, no difference of two texts from a file can overflow.
  if (*created > now || *created <= now - k_failure_lifetime.count())
    return std::nullopt;
  return Status(static_cast<StatusCode>(*code), message->second, std::string(base::as_text(entry.payload)));
}

} // namespace hk::cache
