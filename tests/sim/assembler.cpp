#include "sim/assembler.h"

#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include <amd_comgr/amd_comgr.h>

#include "codeobj/elf.h"

namespace hk::sim::testing {

namespace {

class DataSet {
 public:
  DataSet() { amd_comgr_create_data_set(&m_set); }
  ~DataSet() { amd_comgr_destroy_data_set(m_set); }
  DataSet(const DataSet&) = delete;
  DataSet& operator=(const DataSet&) = delete;
  [[nodiscard]] amd_comgr_data_set_t handle() const { return m_set; }

  void add(amd_comgr_data_kind_t kind, const char* name, std::string_view bytes) {
    amd_comgr_data_t data{};
    amd_comgr_create_data(kind, &data);
    amd_comgr_set_data(data, bytes.size(), bytes.data());
    amd_comgr_set_data_name(data, name);
    amd_comgr_data_set_add(m_set, data);
    amd_comgr_release_data(data);
  }

  [[nodiscard]] std::string first(amd_comgr_data_kind_t kind) const {
    std::size_t count = 0;
    amd_comgr_action_data_count(m_set, kind, &count);
    if (count == 0)
      return {};
    amd_comgr_data_t data{};
    amd_comgr_action_data_get_data(m_set, kind, 0, &data);
    std::size_t size = 0;
    amd_comgr_get_data(data, &size, nullptr);
    std::string bytes(size, '\0');
    amd_comgr_get_data(data, &size, bytes.data());
    amd_comgr_release_data(data);
    return bytes;
  }

 private:
  amd_comgr_data_set_t m_set{};
};

Result<std::string> act(amd_comgr_action_kind_t action, Target target, const DataSet& input,
                        amd_comgr_data_kind_t wanted) {
  amd_comgr_action_info_t info{};
  amd_comgr_create_action_info(&info);
  const std::string isa = std::string("amdgcn-amd-amdhsa--") + target_name(target);
  amd_comgr_action_info_set_isa_name(info, isa.c_str());
  amd_comgr_action_info_set_logging(info, true);
  DataSet output;
  const amd_comgr_status_t status = amd_comgr_do_action(action, info, input.handle(), output.handle());
  amd_comgr_destroy_action_info(info);
  if (status != AMD_COMGR_STATUS_SUCCESS)
    return fail(StatusCode::compile_failed, "assembly failed", output.first(AMD_COMGR_DATA_KIND_LOG));
  return output.first(wanted);
}

Result<std::string> assemble_relocatable(Target target, std::string_view text) {
  DataSet input;
  input.add(AMD_COMGR_DATA_KIND_SOURCE, "test.s", text);
  return act(AMD_COMGR_ACTION_ASSEMBLE_SOURCE_TO_RELOCATABLE, target, input, AMD_COMGR_DATA_KIND_RELOCATABLE);
}

std::vector<std::byte> to_bytes(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

// The section headers of a relocatable, which parse_elf refuses because it cannot be loaded.
std::vector<std::byte> text_section(std::string_view elf) {
  const auto read = [&](std::size_t offset, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, elf.data() + offset, size);
    return value;
  };
  const std::uint64_t headers = read(0x28, 8);
  const std::uint64_t header_size = read(0x3a, 2);
  const std::uint64_t count = read(0x3c, 2);
  const std::uint64_t names = read(headers + header_size * read(0x3e, 2) + 0x18, 8);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t header = headers + header_size * i;
    if (std::string_view(elf.data() + names + read(header, 4)) == ".text")
      return to_bytes(elf.substr(read(header + 0x18, 8), read(header + 0x20, 8)));
  }
  return {};
}

} // namespace

Result<std::vector<std::byte>> assemble(Target target, std::string_view text) {
  static std::mutex mutex;
  static std::map<std::pair<Target, std::string>, std::vector<std::byte>> known;
  const std::scoped_lock lock(mutex);
  auto& bytes = known[{target, std::string(text)}];
  if (bytes.empty() && !text.empty()) {
    HK_ASSIGN_OR_RETURN(const std::string relocatable, assemble_relocatable(target, text));
    bytes = text_section(relocatable);
  }
  return bytes;
}

Result<std::vector<std::byte>> assemble_code_object(Target target, std::string_view text) {
  HK_ASSIGN_OR_RETURN(const std::string relocatable, assemble_relocatable(target, text));
  DataSet input;
  input.add(AMD_COMGR_DATA_KIND_RELOCATABLE, "test.o", relocatable);
  HK_ASSIGN_OR_RETURN(const std::string linked, act(AMD_COMGR_ACTION_LINK_RELOCATABLE_TO_EXECUTABLE, target, input,
                                                    AMD_COMGR_DATA_KIND_EXECUTABLE));
  return to_bytes(linked);
}

} // namespace hk::sim::testing
