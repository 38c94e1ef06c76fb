#include "device/hip/hip_libraries.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace hk::device {
namespace {

constexpr std::string_view k_runtime_name = "libamdhip64.so";
constexpr std::string_view k_simulator_name = "libhksim.so";

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

int collect_runtime(dl_phdr_info* object, std::size_t, void* paths) {
  const std::string_view path = object->dlpi_name != nullptr ? object->dlpi_name : "";
  if (base_name(path).starts_with(k_runtime_name))
    static_cast<std::vector<std::string>*>(paths)->emplace_back(path);
  return 0;
}

std::vector<std::string> mapped_runtimes() {
  std::vector<std::string> paths;
  dl_iterate_phdr(collect_runtime, &paths);
  return paths;
}

// Empty if /proc is not there.
std::string program_path() {
  std::string program(4096, '\0');
  const ssize_t length = readlink("/proc/self/exe", program.data(), program.size());
  return length <= 0 ? std::string() : program.substr(0, static_cast<std::size_t>(length));
}

// Folder of the file that holds this code: libhk.so, or the program when libhk is linked statically.
std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr)
    return {};
  std::string path = info.dli_fname;
  if (path.find('/') == std::string::npos || path.front() != '/') {
    // The loader reports the program as it was called; the kernel knows its real place.
    path = program_path();
    if (path.empty())
      return {};
  }
  return path.substr(0, path.rfind('/'));
}

} // namespace

Result<RuntimeLibrary> open_hip_library(const std::string& requested) {
  std::string tried;
  if (!requested.empty()) {
    RuntimeLibrary library =
        open_runtime_library(requested, 0, "asked for by runtime_library or HK_HIP_LIBRARY", tried);
    if (library.handle == nullptr)
      return fail(StatusCode::no_runtime, "the HIP runtime asked for cannot be loaded (" + tried +
                                              "): correct or unset runtime_library and HK_HIP_LIBRARY");
    return library;
  }
  const std::vector<std::string> mapped = mapped_runtimes();
  if (mapped.size() > 1)
    return fail(StatusCode::no_runtime, "this process holds two HIP runtimes, " + mapped[0] + " and " + mapped[1] +
                                            ": name the one that allocates your memory in HK_HIP_LIBRARY");
  if (mapped.size() == 1) {
    RuntimeLibrary library = open_runtime_library(mapped[0], RTLD_NOLOAD, "already loaded in this process", tried);
    if (library.handle != nullptr)
      return library;
  }
  for (const char* suffix : {".7", ".6"}) {
    RuntimeLibrary library =
        open_runtime_library(std::string(k_runtime_name) + suffix, 0, "found by the system's library search", tried);
    if (library.handle != nullptr)
      return library;
  }
  return fail(StatusCode::no_runtime,
              "no HIP runtime was found (" + tried +
                  "): install ROCm, set HK_HIP_LIBRARY, or choose a simulated device such as HK_DEVICE=sim:mi300x");
}

Result<RuntimeLibrary> open_simulator_library(const std::string& requested) {
  std::string tried;
  if (!requested.empty()) {
    RuntimeLibrary library = open_runtime_library(requested, 0, "asked for by HK_SIM_LIBRARY", tried);
    if (library.handle == nullptr)
      return fail(StatusCode::no_runtime,
                  "the simulator asked for cannot be loaded (" + tried + "): correct or unset HK_SIM_LIBRARY");
    return library;
  }
  const std::string folder = own_folder();
  std::vector<std::string> places;
  if (!folder.empty())
    places = {folder + "/", folder + "/../lib/", folder + "/../lib/hk/", folder + "/hk/"};
  // An installed library must not look where it was built: on another machine anybody might own that path.
  if ((folder + "/").starts_with(HK_BUILD_FOLDER "/") || program_path().starts_with(HK_BUILD_FOLDER "/"))
    places.emplace_back(HK_BUILD_SIMULATOR_FOLDER "/");
  for (const std::string& place : places) {
    const std::string path = place + std::string(k_simulator_name);
    if (access(path.c_str(), F_OK) != 0) {
      tried += (tried.empty() ? "" : "; ") + path + ": no such file";
      continue;
    }
    RuntimeLibrary library = open_runtime_library(path, 0, "the simulator beside libhk", tried);
    if (library.handle != nullptr)
      return library;
  }
  return fail(StatusCode::no_runtime, "the simulator libhksim.so cannot be loaded (" + tried +
                                          "): install it beside libhk or name it in HK_SIM_LIBRARY");
}

} // namespace hk::device
