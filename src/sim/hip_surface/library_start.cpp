// What must happen when libhksim.so is loaded, before any call.

#include <cstddef>
#include <cstring>

#include <dlfcn.h>
#include <link.h>

namespace {

// dl_iterate_phdr's callback; a result other than 0 ends the walk.
int keep_loaded(dl_phdr_info* library, std::size_t, void*) {
  if (std::strstr(library->dlpi_name, "libamd_comgr") == nullptr)
    return 0;
  dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
  return 1;
}

struct LibraryStart {
  // LLVM, which amd_comgr brings along, cannot be unloaded. If amd_comgr alone went with this library and came back
  // with it, it would register its options with LLVM a second time, and LLVM answers that with abort(). So it stays.
  LibraryStart() noexcept { dl_iterate_phdr(keep_loaded, nullptr); }
};

const LibraryStart k_library_start;

} // namespace
