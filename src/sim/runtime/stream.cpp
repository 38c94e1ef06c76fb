#include "sim/runtime/stream.h"

#include "sim/runtime/device.h"

namespace hk::sim {

Stream::Stream(Device& device, StreamKind kind, int priority, std::uint64_t number)
    : m_device(device), m_kind(kind), m_priority(priority), m_number(number) {
  m_device.add_stream(*this);
}

Stream::~Stream() {
  m_device.remove_stream(*this);
}

} // namespace hk::sim
