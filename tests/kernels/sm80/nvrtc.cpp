#include "nvrtc.h"

#include <array>
#include <cstddef>
#include <dlfcn.h>
#include <link.h>

namespace hk::testing {
namespace {

using Program = void*; // nvrtcProgram; functions return 0 for success
struct Functions {
  int (*version)(int*, int*);
  int (*create)(Program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(Program, int, const char* const*);
  int (*destroy)(Program*);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);
};

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

std::string text_of(Program program, int (*size_of)(Program, std::size_t*), int (*copy)(Program, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != 0)
    return {};
  std::string text(size, '\0');
  return copy(program, text.data()) == 0 ? text : std::string();
}

class LoadedNvrtc final : public Nvrtc {
 public:
  explicit LoadedNvrtc(const Functions& functions) : m_functions(functions) {}

  CompiledKernel compile(const std::string& source, const std::string& architecture) const override {
    const char* const header = "#include <hk/arch/sm80/target.h>\n";
    const char* const header_name = "hk/target.h";
    Program program = nullptr;
    if (m_functions.create(&program, source.c_str(), "kernel.cu", 1, &header, &header_name) != 0)
      return {false, "nvrtcCreateProgram failed", {}};
    const std::string target = "--gpu-architecture=" + architecture;
    const std::array<const char*, 5> options = {"--std=c++20", target.c_str(), "--device-as-default-execution-space",
                                                "-I" HK_KERNEL_SOURCES, "--ptxas-options=-v"};
    CompiledKernel kernel;
    kernel.succeeded = m_functions.compile(program, static_cast<int>(options.size()), options.data()) == 0;
    kernel.log = text_of(program, m_functions.log_size, m_functions.log);
    if (kernel.succeeded)
      kernel.cubin = text_of(program, m_functions.cubin_size, m_functions.cubin);
    m_functions.destroy(&program);
    return kernel;
  }

 private:
  Functions m_functions;
};

// NVRTC opens its built-in functions by name alone, and finds them where the loader searches or if they are loaded
// already: here from its own folder.
void load_builtins(void* library, int major, int minor) {
  link_map* loaded = nullptr;
  if (::dlinfo(library, RTLD_DI_LINKMAP, &loaded) != 0)
    return;
  const std::string path = loaded->l_name;
  const std::string folder = path.substr(0, path.find_last_of('/') + 1);
  const std::string name = "libnvrtc-builtins.so." + std::to_string(major) + "." + std::to_string(minor);
  (void)::dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL);
}

} // namespace

std::unique_ptr<Nvrtc> Nvrtc::open(std::string& why) {
  void* library = nullptr;
  for (const char* const name : {"libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so.13",
                                 "/usr/local/cuda/lib64/libnvrtc.so.12"}) {
    library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr)
      break;
  }
  if (library == nullptr) {
    why = "no libnvrtc.so.13 or .12 on the loader's path or under /usr/local/cuda/lib64";
    return nullptr;
  }
  Functions functions = {};
  int major = 0;
  int minor = 0;
  if (!resolve(library, "nvrtcVersion", functions.version) ||
      !resolve(library, "nvrtcCreateProgram", functions.create) ||
      !resolve(library, "nvrtcCompileProgram", functions.compile) ||
      !resolve(library, "nvrtcDestroyProgram", functions.destroy) ||
      !resolve(library, "nvrtcGetProgramLogSize", functions.log_size) ||
      !resolve(library, "nvrtcGetProgramLog", functions.log) ||
      !resolve(library, "nvrtcGetCUBINSize", functions.cubin_size) ||
      !resolve(library, "nvrtcGetCUBIN", functions.cubin) || functions.version(&major, &minor) != 0 || major < 12) {
    why = "NVRTC lacks a function or is older than 12.0, the first with C++20";
    return nullptr;
  }
  load_builtins(library, major, minor);
  return std::make_unique<LoadedNvrtc>(functions);
}

} // namespace hk::testing
