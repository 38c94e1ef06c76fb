// What must happen when libhksim.so is loaded and when it goes, before and after every call.

#include <cstddef>
#include <cstring>

#include <dlfcn.h>
#include <link.h>

#include "sim/runtime/process_simulator.h"

namespace {

// dl_iterate_phdr's callback; a result other than 0 ends the walk.
int keep_loaded(dl_phdr_info* library, std::size_t, void*) {
  if (std::strstr(library->dlpi_name, "libamd_comgr") == nullptr)
    return 0;
  dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  return 1;
}

struct LibraryLifetime {
  // LLVM, which amd_comgr brings along, cannot be unloaded. If amd_comgr alone went with this library and came back
  // with it, it would register its options with LLVM a second time, and LLVM answers that with abort(). So it stays.
  LibraryLifetime() { dl_iterate_phdr(keep_loaded, nullptr); }
  // dlclose() and exit() come here.
  ~LibraryLifetime() { hk::sim::end_process_simulator(); }
};

const LibraryLifetime k_library_lifetime;

} // namespace
