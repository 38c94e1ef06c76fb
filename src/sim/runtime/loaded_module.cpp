#include "sim/runtime/loaded_module.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <elf.h>

#include "codeobj/offload_bundle.h"
#include "sim/decode/decode_code.h"
#include "sim/runtime/device.h"
#include "sim/runtime/relocation.h"

namespace hk::sim {
namespace {

bool runs_here(const std::string& target, const codeobj::TargetId& device) {
  const Result<codeobj::TargetId> parsed = codeobj::parse_target_id(target);
  return parsed && codeobj::runs_on(*parsed, device);
}

Outcome<codeobj::CodeObject> from_bundle(std::span<const std::byte> image, const codeobj::TargetId& device) {
  Result<std::vector<codeobj::BundleEntry>> entries = codeobj::parse_offload_bundle(image);
  if (!entries)
    return error(error_from(std::move(entries).error(), ErrorCode::invalid_image));
  if (std::none_of(entries->begin(), entries->end(),
                   [&](const codeobj::BundleEntry& entry) { return runs_here(entry.target, device); }))
    return error(ErrorCode::no_binary_for_gpu,
                 "the offload bundle has no entry for " + device.to_string() + "; compile for this target");
  Result<codeobj::CodeObject> object = codeobj::parse_code_object_for(image, device);
  if (!object)
    return error(error_from(std::move(object).error(), ErrorCode::invalid_image));
  return std::move(*object);
}

Outcome<codeobj::CodeObject> parse_for(std::span<const std::byte> image, const codeobj::TargetId& device) {
  if (codeobj::is_offload_bundle(image))
    return from_bundle(image, device);
  Result<codeobj::CodeObject> object = codeobj::parse_code_object(image);
  if (!object)
    return error(error_from(object.error(), object.error().code == StatusCode::unsupported
                                                ? ErrorCode::no_binary_for_gpu
                                                : ErrorCode::invalid_image));
  if (!codeobj::runs_on(object->target, device))
    return error(ErrorCode::no_binary_for_gpu, "the code object is for " + object->target.to_string() +
                                                   ", the device is " + device.to_string() +
                                                   "; compile for the device's target");
  return std::move(*object);
}

} // namespace

std::uint64_t LoadedKernel::explicit_argument_bytes() const {
  std::uint64_t end = 0;
  for (const codeobj::KernelArgument& argument : kernel->metadata.arguments)
    if (!argument.is_hidden())
      end = std::max(end, argument.offset + argument.size);
  return end;
}

Outcome<std::shared_ptr<LoadedModule>> LoadedModule::load(Device& device, std::span<const std::byte> image) {
  Outcome<codeobj::CodeObject> object = parse_for(image, device.target_id());
  if (!object)
    return error(std::move(object).error());
  std::shared_ptr<LoadedModule> module(new LoadedModule(device, std::move(*object)));
  if (Error failed = module->copy_segments(); !failed.ok())
    return error(std::move(failed));
  if (Error failed = module->decode(); !failed.ok())
    return error(std::move(failed));
  for (const codeobj::Kernel& kernel : module->m_object.kernels)
    module->m_kernels.emplace(kernel.metadata.name, LoadedKernel{module.get(), &kernel});
  return module;
}

LoadedModule::~LoadedModule() {
  if (m_image.size != 0)
    static_cast<void>(m_device.memory().free(m_image.begin));
}

Error LoadedModule::copy_segments() {
  AllocationRequest request;
  request.size = m_object.elf.loaded_size();
  request.kind = AllocationKind::code_object;
  for (const codeobj::ElfSegment& segment : m_object.elf.segments)
    if (segment.type == PT_LOAD && segment.memory_size != 0)
      request.parts.push_back({segment.virtual_address, segment.virtual_address + segment.memory_size,
                               (segment.flags & PF_W) == 0, (segment.flags & PF_X) != 0});
  if (request.parts.empty())
    return Error(ErrorCode::invalid_image, "the code object has nothing to load");
  Result<Allocation> image = m_device.memory().allocate(std::move(request));
  if (!image)
    return error_from(std::move(image).error(), ErrorCode::out_of_memory);
  m_image = *image;
  for (const codeobj::ElfSegment& segment : m_object.elf.segments) {
    if (segment.type != PT_LOAD)
      continue;
    const std::span<const std::byte> bytes = m_object.segment_bytes(segment);
    if (!bytes.empty())
      std::memcpy(m_image.host + segment.virtual_address, bytes.data(), bytes.size());
  }
  return apply_relocations(m_object.elf, {m_image.host, m_image.size}, m_image.begin);
}

Error LoadedModule::decode() {
  Result<Program> program = decode_program(m_object);
  if (!program)
    return error_from(std::move(program).error(), ErrorCode::invalid_image);
  m_program = std::move(*program);
  m_program.code_address = m_image.begin + m_program.code_virtual_address;
  return {};
}

std::shared_ptr<const LoadedKernel> LoadedModule::kernel(std::string_view name) {
  const auto found = m_kernels.find(std::string(name));
  if (found == m_kernels.end())
    return nullptr;
  return {shared_from_this(), &found->second};
}

Outcome<DeviceGlobal> LoadedModule::global(std::string_view name) const {
  const codeobj::ElfSymbol* symbol = m_object.find_symbol(name);
  if (symbol == nullptr || symbol->type != STT_OBJECT ||
      m_object.elf.segment_of(symbol->value, symbol->size) == nullptr)
    return error(ErrorCode::not_found, "the module has no global variable '" + std::string(name) + "'");
  return DeviceGlobal{m_image.begin + symbol->value, symbol->size};
}

} // namespace hk::sim
