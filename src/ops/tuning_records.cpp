#include "ops/tuning_records.h"

#include <utility>

#include "base/file_system_kind.h"
#include "base/log.h"

namespace hk::ops {
namespace {

std::optional<tune::RecordFile> file_in(const std::string& cache_folder, const device::DeviceInfo& device) {
  if (cache_folder.empty())
    return std::nullopt;
  const auto kind = base::file_system_kind(cache_folder);
  return tune::RecordFile(cache_folder, device.target, !kind || *kind == base::FileSystemKind::network);
}

std::optional<tune::Record> copy_of(const tune::Record* record) {
  return record == nullptr ? std::nullopt : std::optional(*record);
}

} // namespace

TuningRecords::TuningRecords(const device::DeviceInfo& device, const std::string& cache_folder, bool enabled)
    : m_device(device), m_enabled(enabled), m_file(enabled ? file_in(cache_folder, device) : std::nullopt) {
  if (const Status status = refresh(); !status.ok())
    warn(status);
}

void TuningRecords::warn(const Status& status) const {
  base::log_message(base::LogLevel::warning, status.message);
}

tune::WantedRecord TuningRecords::wanted(const std::string& key, const std::string& source) const {
  tune::WantedRecord wanted;
  wanted.key = key;
  wanted.target = m_device.target;
  wanted.compute_units = static_cast<std::uint32_t>(m_device.compute_units);
  wanted.clock_mhz = static_cast<std::uint32_t>(m_device.clock_mhz);
  wanted.source = source;
  wanted.simulated = m_device.simulated;
  wanted.profile = m_device.profile;
  return wanted;
}

std::optional<tune::Record> TuningRecords::find(const std::string& key, const std::string& source) const {
  const std::lock_guard lock(m_mutex);
  return copy_of(m_records.decision(wanted(key, source)));
}

std::vector<std::string> TuningRecords::likely_order(const std::string& key, const std::string& source) const {
  const std::lock_guard lock(m_mutex);
  return m_records.likely_order(wanted(key, source));
}

bool TuningRecords::file_has(const std::string& key, const std::string& source) const {
  if (!m_file)
    return false;
  const Result<tune::ParsedRecords> read = m_file->read();
  return read && read->records.decision(wanted(key, source)) != nullptr;
}

std::optional<tune::Record> TuningRecords::find_in_file(const std::string& key, const std::string& source) {
  if (!m_file)
    return std::nullopt;
  const Result<tune::ParsedRecords> read = m_file->read();
  if (!read) {
    warn(read.error());
    return std::nullopt;
  }
  std::optional<tune::Record> found = copy_of(read->records.decision(wanted(key, source)));
  if (found) {
    const std::lock_guard lock(m_mutex);
    m_records.add(*found);
  }
  return found;
}

void TuningRecords::add(tune::Record record, bool displace) {
  if (!m_enabled)
    return;
  const tune::WantedRecord here = wanted(record.key, record.source);
  record.target = here.target;
  record.compute_units = here.compute_units;
  record.clock_mhz = here.clock_mhz;
  record.evidence = here.simulated ? tune::Evidence::modelled : tune::Evidence::measured;
  record.environment = here.simulated ? here.profile : m_device.runtime_version;
  tune::RecordSet one;
  one.add(std::move(record));
  {
    const std::lock_guard lock(m_mutex);
    if (displace)
      m_records.override_with(one);
    else
      m_records.merge(one);
  }
  if (!m_file)
    return;
  if (const Status status = displace ? m_file->override_with(one) : m_file->merge(one); !status.ok())
    warn(status);
}

Status TuningRecords::refresh() {
  if (!m_file)
    return {};
  HK_ASSIGN_OR_RETURN(const tune::ParsedRecords read, m_file->read());
  if (read.damaged != 0)
    base::log_message(base::LogLevel::warning, "tuning records: " + std::to_string(read.damaged) +
                                                   " damaged lines of " + m_file->path() + " were passed over");
  const std::lock_guard lock(m_mutex);
  m_records.merge(read.records);
  return {};
}

std::string TuningRecords::text() const {
  const std::lock_guard lock(m_mutex);
  return m_records.text();
}

base::Digest128 TuningRecords::digest() const {
  const std::lock_guard lock(m_mutex);
  return m_records.digest();
}

Status TuningRecords::import(std::string_view text, ImportHow how, bool store) {
  if (!m_enabled)
    return {StatusCode::unsupported,
            "tuning records are switched off (HK_TUNE=off): use HK_TUNE=lookup to let imported "
            "records decide"};
  tune::ParsedRecords parsed = tune::RecordSet::parse(text);
  if (parsed.damaged == 0 && parsed.parts == 0)
    return {StatusCode::invalid_argument, "the tuning text is empty: pass on what hk_tuning_export gave, which holds a "
                                          "first line even without records"};
  if (parsed.damaged != 0 || (parsed.records.empty() && parsed.foreign != 0))
    return {StatusCode::invalid_argument,
            "the tuning text has " + std::to_string(parsed.damaged) + " damaged lines and " +
                std::to_string(parsed.foreign) +
                " of another version: pass on what hk_tuning_export gave, byte by byte and from the same release"};
  {
    const std::lock_guard lock(m_mutex);
    if (how == ImportHow::replace)
      m_records = parsed.records;
    else
      m_records.merge(parsed.records);
  }
  if (!store)
    return {};
  if (!m_file)
    return {StatusCode::unsupported,
            "the records are known to this context, but there is no cache folder to store them in: set HK_CACHE_DIR"};
  return how == ImportHow::replace ? m_file->override_with(parsed.records) : m_file->merge(parsed.records);
}

} // namespace hk::ops
