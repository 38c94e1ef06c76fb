#include "cache/layout.h"

#include "base/temporary_file.h"
#include "base/trusted_folder.h"
#include "cache/entry.h"

namespace hk::cache {
namespace {

using base::FileResult;
using base::UniqueFd;

constexpr std::string_view k_entry_suffix = ".hk";
constexpr std::string_view k_failure_suffix = ".failure";
constexpr std::string_view k_rejected_suffix = ".rejected";

// From https://bford.info/cachedir/
constexpr std::string_view k_tag_text =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# Compiled GPU kernels of hk. Everything here can be rebuilt; `hk cache clear` removes it.\n";

// A tag that cannot be written harms nobody.
void write_tag(int folder, const std::string& path) {
  auto file = base::TemporaryFile::create(folder, path, 0600);
  if (file && file->write(base::as_bytes(k_tag_text)) && file->sync())
    (void)file->publish_new("CACHEDIR.TAG");
}

FileResult<UniqueFd> make_cache_folder(const std::string& folder) {
  bool made = false;
  auto opened = base::make_own_folder(folder, &made);
  if (made)
    write_tag(opened->get(), folder);
  return opened;
}

} // namespace

std::string format_folder() {
  return "v" + std::to_string(k_entry_format_version);
}

std::string entry_folder(const Key& key) {
  const std::string name = key.name();
  return format_folder() + "/" + name[0] + "/" + name[1];
}

std::string entry_file(const Key& key) {
  return key.name().append(k_entry_suffix);
}

std::string failure_file(const Key& key) {
  return key.name().append(k_failure_suffix);
}

std::string rejected_file(const Key& key) {
  return key.name().append(k_rejected_suffix);
}

FileName parse_file_name(std::string_view file) {
  if (base::is_temporary_name(file))
    return {FileKind::temporary, {}};
  for (const auto& [kind, suffix] :
       {std::pair(FileKind::entry, k_entry_suffix), std::pair(FileKind::failure, k_failure_suffix),
        std::pair(FileKind::rejected, k_rejected_suffix)}) {
    if (!file.ends_with(suffix))
      continue;
    const std::string_view name = file.substr(0, file.size() - suffix.size());
    if (name.size() == 65 && name[32] == '-' && base::digest_from_hex(name.substr(0, 32)) &&
        base::digest_from_hex(name.substr(33)))
      return {kind, name};
  }
  return {};
}

FileResult<UniqueFd> open_cache_folder(const std::string& folder) {
  return base::open_own_folder(folder);
}

FileResult<UniqueFd> make_format_folder(const std::string& folder) {
  auto current = make_cache_folder(folder);
  if (!current)
    return current;
  return base::open_or_make_folder(current->get(), format_folder(), folder + "/" + format_folder());
}

FileResult<UniqueFd> make_entry_folder(const std::string& folder, const Key& key) {
  auto current = make_format_folder(folder);
  std::string path = folder + "/" + format_folder();
  const std::string name = key.name();
  for (const std::string& part : {name.substr(0, 1), name.substr(1, 1)}) {
    if (!current)
      return current;
    path += "/" + part;
    current = base::open_or_make_folder(current->get(), part, path);
  }
  return current;
}

} // namespace hk::cache
