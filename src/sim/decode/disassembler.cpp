#include "sim/decode/disassembler.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>

#include <amd_comgr/amd_comgr.h>

namespace hk::sim {

struct Disassembler::State {
  amd_comgr_disassembly_info_t handle{};
  bool created = false;

  ~State() {
    if (created)
      amd_comgr_destroy_disassembly_info(handle);
  }
};

namespace {

struct Request {
  std::span<const std::byte> code;
  std::string* text = nullptr;
};

std::uint64_t read_code(std::uint64_t from, char* to, std::uint64_t size, void* user_data) {
  const auto& request = *static_cast<const Request*>(user_data);
  if (from >= request.code.size())
    return 0;
  const std::uint64_t available = std::min<std::uint64_t>(size, request.code.size() - from);
  std::memcpy(to, request.code.data() + from, available);
  return available;
}

void keep_text(const char* instruction, void* user_data) {
  std::string_view text = instruction;
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return;
  const auto last = text.find_last_not_of(" \t\n");
  static_cast<Request*>(user_data)->text->assign(text.substr(first, last - first + 1));
}

void ignore_annotation(std::uint64_t, void*) {}

} // namespace

Disassembler::Disassembler(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Disassembler::~Disassembler() = default;
Disassembler::Disassembler(Disassembler&&) noexcept = default;
Disassembler& Disassembler::operator=(Disassembler&&) noexcept = default;

Result<Disassembler> Disassembler::create(Target target) {
  // amd_comgr's first use sets up LLVM and is not promised to be thread-safe.
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  auto state = std::make_unique<State>();
  const std::string isa = std::string("amdgcn-amd-amdhsa--") + target_name(target);
  if (amd_comgr_create_disassembly_info(isa.c_str(), read_code, keep_text, ignore_annotation, &state->handle) !=
      AMD_COMGR_STATUS_SUCCESS)
    return fail(StatusCode::internal, "amd_comgr offers no disassembler for " + isa + "; install ROCm 6.4 or newer");
  state->created = true;
  return Disassembler(std::move(state));
}

std::uint32_t Disassembler::disassemble(std::span<const std::byte> code, std::uint64_t offset, std::string& text) {
  text.clear();
  Request request{code, &text};
  std::uint64_t size = 0;
  if (amd_comgr_disassemble_instruction(m_state->handle, offset, &request, &size) != AMD_COMGR_STATUS_SUCCESS ||
      text.empty() || size > code.size() - offset)
    return 0;
  return std::uint32_t(size);
}

} // namespace hk::sim
