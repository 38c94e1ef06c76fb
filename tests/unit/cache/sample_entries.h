#pragma once
// Keys, metadata and payloads that the cache tests store.

#include <string>

#include "base/bytes.h"
#include "cache/entry.h"
#include "cache/key.h"

namespace hk::test {

inline cache::Key sample_key(const std::string& spec = "attention d128",
                             const std::string& target = "gfx942:sramecc+:xnack-") {
  cache::KeyRequest request;
  request.spec = spec;
  request.sources = {0x0123456789abcdefU, 0xfedcba9876543210U};
  request.options = {"-O3", "--offload-arch=gfx942"};
  request.target = target;
  return cache::make_key(request, {{"libhiprtc", "beef"}, {"libamd_comgr", "c0ffee"}});
}

inline cache::Metadata sample_metadata() {
  return {{"symbol", "attention_forward"}, {"target", "gfx942"}};
}

inline base::Bytes sample_payload(std::size_t size = 3000) {
  base::Bytes payload(size);
  for (std::size_t i = 0; i < size; ++i)
    payload[i] = static_cast<std::byte>(i * 7 + i / 256);
  return payload;
}

} // namespace hk::test
