#pragma once
// TuningRecords: what a context knows about which configuration is best, whatever the operation.
//
// The records of the cache folder are read when the context is made and again only by refresh(), so that what a job
// decides does not change while it runs; what this context measures or imports is added at once.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/status.h"
#include "device/driver.h"
#include "tune/record_file.h"
#include "tune/record_set.h"

namespace hk::ops {

enum class ImportHow {
  merge,   // the better evidence stays
  replace, // only the imported records remain
};

// All functions may be called from any thread.
class TuningRecords {
 public:
  // device: outlives the records. cache_folder: one that the cache trusts; empty: nothing is kept on disk. enabled:
  // false for HK_TUNE=off, where no file is read or written and nothing is found.
  TuningRecords(const device::DeviceInfo& device, const std::string& cache_folder, bool enabled);

  // The record that decides. key: of the operation; source: digest of the kernel source.
  [[nodiscard]] std::optional<tune::Record> find(const std::string& key, const std::string& source) const;
  // Names of configurations in the order in which they are worth trying; empty if nothing is known.
  [[nodiscard]] std::vector<std::string> likely_order(const std::string& key, const std::string& source) const;

  // Looks into the file, not into what is known: has another process measured this meanwhile? If so it is known from
  // now on. Records of other problems are not taken.
  std::optional<tune::Record> find_in_file(const std::string& key, const std::string& source);
  // Whether find_in_file() would find one.
  [[nodiscard]] bool file_has(const std::string& key, const std::string& source) const;

  // A record of this context's tuner: known at once, and written to the file. device fields are filled in here. If it
  // displaces, a record of the same problem gives way whatever its evidence.
  void add(tune::Record record, bool displace);

  // Takes in what the file has now. Fails with internal if it cannot be read.
  Status refresh();
  [[nodiscard]] std::string text() const;
  [[nodiscard]] base::Digest128 digest() const;
  // Fails with invalid_argument if the text holds nothing that this library can read; then nothing has changed. store:
  // also write to the file; fails with internal if that is not possible, and the records are known all the same.
  Status import(std::string_view text, ImportHow how, bool store);

  [[nodiscard]] bool enabled() const { return m_enabled; }
  // Path of the file; empty without a cache folder.
  [[nodiscard]] std::string location() const { return m_file ? m_file->path() : std::string(); }

 private:
  [[nodiscard]] tune::WantedRecord wanted(const std::string& key, const std::string& source) const;
  void warn(const Status& status) const;

  const device::DeviceInfo& m_device;
  const bool m_enabled;
  std::optional<tune::RecordFile> m_file;
  mutable std::mutex m_mutex; // of m_records
  tune::RecordSet m_records;
};

} // namespace hk::ops
