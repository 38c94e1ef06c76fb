#include "compile/compile_options.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/hash.h"
#include "codeobj/target_id.h"

namespace hk::compile {
namespace {

// -nostdinc, -nostdinc++: otherwise headers of the build machine are found, and differ from machine to machine.
// Code object 5: the default of newer compilers is 6, which older runtimes refuse.
constexpr std::array<std::string_view, 5> k_pinned_amd = {"-std=c++20", "-O3", "-nostdinc", "-nostdinc++",
                                                          "-mcode-object-version=5"};

// Its folders are none of the build machine's: -default-device and headers handed over in memory are all it gets.
// -no-cache: hk keeps its own.
constexpr std::array<std::string_view, 4> k_pinned_nvidia = {"-std=c++20", "-default-device", "-no-source-include",
                                                             "-no-cache"};

constexpr std::array<std::string_view, 12> k_reserved_prefixes = {"-std=",
                                                                  "--std=",
                                                                  "-O",
                                                                  "-mcode-object-version",
                                                                  "--offload-arch",
                                                                  "--gpu-architecture",
                                                                  "-cuid",
                                                                  "-arch",
                                                                  "-default-device",
                                                                  "--device-as-default-execution-space",
                                                                  "-no-cache",
                                                                  "--no-cache"};

constexpr std::array<std::string_view, 5> k_hidden_inputs = {
    "HIPRTC_COMPILE_OPTIONS_APPEND", "HIPRTC_LINK_OPTIONS_APPEND", "AMD_COMGR_DRIVER_OPTIONS_APPEND",
    "AMD_OCL_BUILD_OPTIONS_APPEND", "CCC_OVERRIDE_OPTIONS"};

bool has_zero_byte(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

bool is_reserved(std::string_view option) {
  return std::any_of(k_reserved_prefixes.begin(), k_reserved_prefixes.end(),
                     [option](std::string_view prefix) { return option.starts_with(prefix); });
}

Status refused(const CompileRequest& request, const std::string& why) {
  return {StatusCode::invalid_argument, "program '" + request.program_name + "' is not compiled: " + why};
}

// Length before text, so that no two lists of texts read the same.
void append_text(base::ByteWriter& writer, std::string_view text) {
  writer.write(std::uint64_t{text.size()}).write_bytes(base::as_bytes(text));
}

std::string content_digest(const CompileRequest& request) {
  base::ByteWriter writer;
  append_text(writer, request.program_name);
  append_text(writer, request.source);
  append_text(writer, request.target_id);
  for (const SourceHeader& header : request.headers) {
    append_text(writer, header.name);
    append_text(writer, header.text);
  }
  writer.write(std::uint64_t{request.options.size()});
  for (const std::string& option : request.options)
    append_text(writer, option);
  return base::to_hex(base::hash128(writer.bytes()));
}

} // namespace

std::span<const std::string_view> pinned_options(codeobj::Platform platform) {
  if (platform == codeobj::Platform::nvidia)
    return k_pinned_nvidia;
  return k_pinned_amd;
}

std::string program_name(codeobj::Platform platform, std::string_view symbol) {
  return std::string(symbol) + (platform == codeobj::Platform::nvidia ? ".cu" : ".hip");
}

std::span<const std::string_view> hidden_input_variables() {
  return k_hidden_inputs;
}

Status check_request(const CompileRequest& request) {
  HK_RETURN_IF_ERROR([&]() -> Status {
    auto target = codeobj::parse_supported_target_id(request.target_id);
    return target ? Status() : std::move(target.error());
  }());
  if (request.program_name.empty() || request.source.empty() || request.symbol.empty())
    return refused(request, "it lacks a name, a source or the symbol of its kernel");
  if (has_zero_byte(request.program_name) || has_zero_byte(request.source))
    return refused(request, "its name or source holds a zero byte");
  for (const SourceHeader& header : request.headers)
    if (header.name.empty() || has_zero_byte(header.name) || has_zero_byte(header.text))
      return refused(request, "header '" + header.name + "' has no name or holds a zero byte");
  for (const std::string& option : request.options)
    if (option.empty() || has_zero_byte(option) || is_reserved(option))
      return refused(request, "option '" + option + "' is empty or one that hk itself sets");
  return {};
}

std::vector<std::string> all_options(const CompileRequest& request) {
  const codeobj::Processor* const processor =
      codeobj::find_processor(std::string_view(request.target_id).substr(0, request.target_id.find(':')));
  const bool nvidia = processor != nullptr && processor->platform == codeobj::Platform::nvidia;
  const std::span<const std::string_view> pinned =
      pinned_options(nvidia ? codeobj::Platform::nvidia : codeobj::Platform::amd);
  std::vector<std::string> options(request.options);
  options.insert(options.end(), pinned.begin(), pinned.end());
  if (nvidia) {
    options.push_back("--gpu-architecture=" + std::string(processor->architecture));
  } else {
    options.push_back("--offload-arch=" + request.target_id);
    options.push_back("-cuid=" + content_digest(request));
  }
  return options;
}

} // namespace hk::compile
