# Writes OUTPUT: the build id from VERSION and the contents of SOURCES. Run at build time, whenever a source changes.
set(digests "")
foreach(source IN LISTS SOURCES)
  file(SHA256 ${source} digest)
  string(APPEND digests "${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 short)
file(WRITE ${OUTPUT} "#pragma once
#include <string_view>

namespace hk::compile {
inline constexpr std::string_view k_generated_build_id = \"${VERSION}-${short}\";
} // namespace hk::compile
")
