#include "codeobj/metadata.h"

#include <limits>
#include <utility>

#include "codeobj/message_pack.h"

namespace hk::codeobj {
namespace {

using Kind = ArgumentKind;

constexpr std::pair<std::string_view, Kind> k_kinds[] = {
    {"by_value", Kind::by_value},
    {"global_buffer", Kind::global_buffer},
    {"dynamic_shared_pointer", Kind::dynamic_shared_pointer},
    {"sampler", Kind::sampler},
    {"image", Kind::image},
    {"pipe", Kind::pipe},
    {"queue", Kind::queue},
    {"hidden_none", Kind::hidden_none},
    {"hidden_block_count_x", Kind::hidden_block_count_x},
    {"hidden_block_count_y", Kind::hidden_block_count_y},
    {"hidden_block_count_z", Kind::hidden_block_count_z},
    {"hidden_group_size_x", Kind::hidden_group_size_x},
    {"hidden_group_size_y", Kind::hidden_group_size_y},
    {"hidden_group_size_z", Kind::hidden_group_size_z},
    {"hidden_remainder_x", Kind::hidden_remainder_x},
    {"hidden_remainder_y", Kind::hidden_remainder_y},
    {"hidden_remainder_z", Kind::hidden_remainder_z},
    {"hidden_grid_dims", Kind::hidden_grid_dims},
    {"hidden_global_offset_x", Kind::hidden_global_offset_x},
    {"hidden_global_offset_y", Kind::hidden_global_offset_y},
    {"hidden_global_offset_z", Kind::hidden_global_offset_z},
    {"hidden_dynamic_lds_size", Kind::hidden_dynamic_lds_size},
    {"hidden_printf_buffer", Kind::hidden_printf_buffer},
    {"hidden_hostcall_buffer", Kind::hidden_hostcall_buffer},
    {"hidden_default_queue", Kind::hidden_default_queue},
    {"hidden_completion_action", Kind::hidden_completion_action},
    {"hidden_multigrid_sync_arg", Kind::hidden_multigrid_sync_arg},
    {"hidden_heap_v1", Kind::hidden_heap_v1},
    {"hidden_private_base", Kind::hidden_private_base},
    {"hidden_shared_base", Kind::hidden_shared_base},
    {"hidden_queue_ptr", Kind::hidden_queue_ptr},
};

Kind kind_from_text(std::string_view text) {
  for (const auto& [name, kind] : k_kinds)
    if (name == text)
      return kind;
  return Kind::unknown;
}

FailAs damaged(const std::string& owner, std::string_view key, const char* what) {
  return fail_as(Status(StatusCode::load_failed, "the metadata of " + owner + " is damaged: '" + std::string(key) +
                                                     "' " + what + "; recompile the code object"));
}

// Reads the keys of one map; `owner` names the map in messages.
class Fields {
 public:
  Fields(const MessagePackValue& map, std::string owner) : m_map(map), m_owner(std::move(owner)) {}

  template <typename Integer>
  Status required(std::string_view key, Integer& target) const {
    if (m_map.find(key) == nullptr)
      return damaged(m_owner, key, "is missing");
    return optional(key, target);
  }

  template <typename Integer>
  Status optional(std::string_view key, Integer& target) const {
    const MessagePackValue* value = m_map.find(key);
    if (value == nullptr)
      return {};
    const std::uint64_t* number = value->number();
    if (number == nullptr || *number > std::numeric_limits<Integer>::max())
      return damaged(m_owner, key, "is not a number in range");
    target = static_cast<Integer>(*number);
    return {};
  }

  Status required_text(std::string_view key, std::string& target) const {
    if (m_map.find(key) == nullptr)
      return damaged(m_owner, key, "is missing");
    return optional_text(key, target);
  }

  Status optional_text(std::string_view key, std::string& target) const {
    const MessagePackValue* value = m_map.find(key);
    if (value == nullptr)
      return {};
    if (value->text() == nullptr)
      return damaged(m_owner, key, "is not a text");
    target = *value->text();
    return {};
  }

  // Written as a boolean or as 0 and 1.
  Status optional_flag(std::string_view key, bool& target) const {
    const MessagePackValue* value = m_map.find(key);
    if (value == nullptr)
      return {};
    if (value->boolean() == nullptr && value->number() == nullptr)
      return damaged(m_owner, key, "is not a flag");
    target = value->boolean() != nullptr ? *value->boolean() : *value->number() != 0;
    return {};
  }

  [[nodiscard]] const MessagePackArray& array(std::string_view key) const {
    static const MessagePackValue k_nothing;
    const MessagePackValue* value = m_map.find(key);
    return value != nullptr ? value->array() : k_nothing.array();
  }

  [[nodiscard]] bool has(std::string_view key) const { return m_map.find(key) != nullptr; }
  [[nodiscard]] const std::string& owner() const { return m_owner; }

 private:
  const MessagePackValue& m_map;
  std::string m_owner;
};

Result<KernelArgument> read_argument(const Fields& fields, std::uint64_t segment_size) {
  KernelArgument argument;
  HK_RETURN_IF_ERROR(fields.required(".offset", argument.offset));
  HK_RETURN_IF_ERROR(fields.required(".size", argument.size));
  HK_RETURN_IF_ERROR(fields.required_text(".value_kind", argument.kind_text));
  HK_RETURN_IF_ERROR(fields.optional_text(".name", argument.name));
  HK_RETURN_IF_ERROR(fields.optional_text(".address_space", argument.address_space));
  argument.kind = kind_from_text(argument.kind_text);
  if (argument.offset > segment_size || argument.size > segment_size - argument.offset)
    return damaged(fields.owner(), ".offset", "puts an argument outside the kernarg segment");
  return argument;
}

Status read_required_workgroup_size(const Fields& fields, KernelMetadata& kernel) {
  if (!fields.has(".reqd_workgroup_size"))
    return {};
  const MessagePackArray& sizes = fields.array(".reqd_workgroup_size");
  std::array<std::uint32_t, 3> required{};
  if (sizes.size() != required.size())
    return damaged(fields.owner(), ".reqd_workgroup_size", "does not hold three numbers");
  for (std::size_t i = 0; i < required.size(); ++i) {
    const std::uint64_t* number = sizes[i].number();
    if (number == nullptr || *number > std::numeric_limits<std::uint32_t>::max())
      return damaged(fields.owner(), ".reqd_workgroup_size", "does not hold three numbers");
    required[i] = static_cast<std::uint32_t>(*number);
  }
  kernel.required_workgroup_size = required;
  return {};
}

Status read_registers(const Fields& fields, KernelMetadata& kernel) {
  HK_RETURN_IF_ERROR(fields.required(".sgpr_count", kernel.sgpr_count));
  HK_RETURN_IF_ERROR(fields.required(".vgpr_count", kernel.vgpr_count));
  if (fields.has(".agpr_count"))
    HK_RETURN_IF_ERROR(fields.required(".agpr_count", kernel.agpr_count.emplace()));
  HK_RETURN_IF_ERROR(fields.optional(".sgpr_spill_count", kernel.sgpr_spill_count));
  return fields.optional(".vgpr_spill_count", kernel.vgpr_spill_count);
}

Result<KernelMetadata> read_kernel(const MessagePackValue& map) {
  KernelMetadata kernel;
  HK_RETURN_IF_ERROR(Fields(map, "the code object").required_text(".name", kernel.name));
  const Fields fields(map, "kernel '" + kernel.name + "'");
  HK_RETURN_IF_ERROR(fields.required_text(".symbol", kernel.symbol));
  HK_RETURN_IF_ERROR(fields.required(".kernarg_segment_size", kernel.kernarg_segment_size));
  HK_RETURN_IF_ERROR(fields.required(".kernarg_segment_align", kernel.kernarg_segment_align));
  HK_RETURN_IF_ERROR(fields.required(".group_segment_fixed_size", kernel.group_segment_fixed_size));
  HK_RETURN_IF_ERROR(fields.required(".private_segment_fixed_size", kernel.private_segment_fixed_size));
  HK_RETURN_IF_ERROR(fields.required(".wavefront_size", kernel.wavefront_size));
  HK_RETURN_IF_ERROR(fields.required(".max_flat_workgroup_size", kernel.max_flat_workgroup_size));
  HK_RETURN_IF_ERROR(read_registers(fields, kernel));
  HK_RETURN_IF_ERROR(read_required_workgroup_size(fields, kernel));
  HK_RETURN_IF_ERROR(fields.optional_flag(".uniform_work_group_size", kernel.uniform_workgroup_size));
  HK_RETURN_IF_ERROR(fields.optional_flag(".uses_dynamic_stack", kernel.uses_dynamic_stack));
  for (const MessagePackValue& map_of_argument : fields.array(".args")) {
    const Fields argument_fields(map_of_argument, fields.owner());
    HK_ASSIGN_OR_RETURN(KernelArgument argument, read_argument(argument_fields, kernel.kernarg_segment_size));
    kernel.arguments.push_back(std::move(argument));
  }
  return kernel;
}

} // namespace

Result<Metadata> parse_metadata(std::span<const std::byte> note) {
  HK_ASSIGN_OR_RETURN(const MessagePackValue root, parse_message_pack(note));
  const Fields fields(root, "the code object");
  Metadata metadata;
  const MessagePackArray& version = fields.array("amdhsa.version");
  if (version.size() != 2 || version[0].number() == nullptr || version[1].number() == nullptr)
    return damaged(fields.owner(), "amdhsa.version", "does not hold two numbers");
  if (*version[0].number() != 1 || *version[1].number() > std::numeric_limits<std::uint32_t>::max())
    return damaged(fields.owner(), "amdhsa.version", "is not 1.x");
  metadata.version_major = 1;
  metadata.version_minor = static_cast<std::uint32_t>(*version[1].number());
  HK_RETURN_IF_ERROR(fields.optional_text("amdhsa.target", metadata.target));
  for (const MessagePackValue& map : fields.array("amdhsa.kernels")) {
    HK_ASSIGN_OR_RETURN(KernelMetadata kernel, read_kernel(map));
    metadata.kernels.push_back(std::move(kernel));
  }
  return metadata;
}

} // namespace hk::codeobj
