#include "compile/worker_location.h"

#include <vector>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compile/resolved_path.h"

namespace hk::compile {
namespace {

constexpr std::string_view k_name = "/hk-compile-worker";

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

bool is_program(const std::string& path) {
  struct stat information{};
  return ::stat(path.c_str(), &information) == 0 && S_ISREG(information.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

// The file that holds this function: libhk.so, or the program if libhk is linked statically.
std::string module_path() {
  Dl_info information{};
  if (::dladdr(reinterpret_cast<const void*>(&module_path), &information) == 0 || information.dli_fname == nullptr)
    return {};
  return resolved_path(information.dli_fname);
}

std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  const std::string module = module_path();
  const std::string program = resolved_path("/proc/self/exe");
  if (!module.empty())
    paths.push_back(folder_of(module) + "/" HK_WORKER_FROM_LIBRARY + std::string(k_name));
  if (!program.empty())
    paths.push_back(folder_of(program) + "/" HK_WORKER_FROM_PROGRAM + std::string(k_name));
  // An installed library must not look where it was built: on another machine anybody might own that path.
  const std::string build_folder = HK_BUILD_FOLDER "/";
  if (module.starts_with(build_folder) || program.starts_with(build_folder))
    paths.emplace_back(HK_BUILT_WORKER);
  return paths;
}

} // namespace

Result<std::string> find_worker(const std::string& configured) {
  if (!configured.empty()) {
    if (is_program(configured))
      return configured;
    return fail(StatusCode::no_compiler, "the configured compile worker " + configured +
                                             " is not an executable file; correct HK_COMPILE_WORKER or unset it");
  }
  std::string tried;
  for (const std::string& path : candidates()) {
    if (is_program(path))
      return path;
    tried += (tried.empty() ? "" : ", ") + path;
  }
  return fail(StatusCode::no_compiler, "hk-compile-worker was not found (looked for " + tried +
                                           "): reinstall hk, or name the program in HK_COMPILE_WORKER");
}

} // namespace hk::compile
