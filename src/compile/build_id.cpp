#include "compile/build_id.h"

#include "compile/generated_build_id.h"

namespace hk::compile {

std::string_view build_id() noexcept {
  return k_generated_build_id;
}

} // namespace hk::compile
