#include "sim/hip/hiprtc.h"

#include <array>
#include <optional>

#include <dlfcn.h>
#include <doctest/doctest.h>

namespace hk::sim::testing {
namespace {

using Program = void*;
// hipRTC's functions, by hand: its header may be absent where its library is present.
struct Compiler {
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile)(Program, int, const char* const*) = nullptr;
  int (*log_size)(Program, std::size_t*) = nullptr;
  int (*log)(Program, char*) = nullptr;
  int (*code_size)(Program, std::size_t*) = nullptr;
  int (*code)(Program, char*) = nullptr;
  int (*destroy)(Program*) = nullptr;
};

template <typename Function>
void resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  REQUIRE(function != nullptr);
}

std::optional<Compiler> open_compiler() {
  void* library = nullptr;
  for (const char* name : {"libhiprtc.so", "libhiprtc.so.7", "libhiprtc.so.6"})
    if (library == nullptr)
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return std::nullopt;
  Compiler compiler;
  resolve(library, "hiprtcCreateProgram", compiler.create);
  resolve(library, "hiprtcCompileProgram", compiler.compile);
  resolve(library, "hiprtcGetProgramLogSize", compiler.log_size);
  resolve(library, "hiprtcGetProgramLog", compiler.log);
  resolve(library, "hiprtcGetCodeSize", compiler.code_size);
  resolve(library, "hiprtcGetCode", compiler.code);
  resolve(library, "hiprtcDestroyProgram", compiler.destroy);
  return compiler;
}

const std::optional<Compiler>& the_compiler() {
  static const std::optional<Compiler> compiler = open_compiler();
  return compiler;
}

} // namespace

bool hiprtc_exists() {
  return the_compiler().has_value();
}

std::vector<std::byte> compile_with_hiprtc(const char* source, const std::string& target) {
  REQUIRE(hiprtc_exists());
  const Compiler& compiler = *the_compiler();
  Program program = nullptr;
  REQUIRE(compiler.create(&program, source, "test_kernels.hip", 0, nullptr, nullptr) == 0);
  const std::string architecture = "--offload-arch=" + target;
  const std::array options = {architecture.c_str(), "-std=c++20", "-mcode-object-version=5"};
  const int status = compiler.compile(program, static_cast<int>(options.size()), options.data());
  std::size_t size = 0;
  REQUIRE(compiler.log_size(program, &size) == 0);
  std::string log(size, '\0');
  REQUIRE(compiler.log(program, log.data()) == 0);
  INFO("compiler log: ", log);
  REQUIRE(status == 0);
  REQUIRE(compiler.code_size(program, &size) == 0);
  std::vector<std::byte> code(size);
  REQUIRE(compiler.code(program, reinterpret_cast<char*>(code.data())) == 0);
  REQUIRE(compiler.destroy(&program) == 0);
  return code;
}

} // namespace hk::sim::testing
