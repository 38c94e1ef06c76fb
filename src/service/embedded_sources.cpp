#include "service/embedded_sources.h"

#include <algorithm>

namespace hk::service {

const EmbeddedSource* find_embedded_source(std::string_view path) {
  const std::span<const EmbeddedSource> sources = embedded_sources();
  const auto found =
      std::lower_bound(sources.begin(), sources.end(), path,
                       [](const EmbeddedSource& source, std::string_view wanted) { return source.path < wanted; });
  return found != sources.end() && found->path == path ? &*found : nullptr;
}

} // namespace hk::service
