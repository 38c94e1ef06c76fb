#include "sim/memory/reservation.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <sys/mman.h>

namespace hk::sim {
namespace {

constexpr std::uint64_t k_page = 4096;

void* map(std::uint64_t bytes, int protection) {
  void* mapping =
      mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, /*fd=*/-1, /*offset=*/0);
  if (mapping == MAP_FAILED)
    return nullptr;
  // A core file would otherwise walk through the whole range.
  madvise(mapping, bytes, MADV_DONTDUMP);
  return mapping;
}

} // namespace

Result<Reservation> Reservation::create(std::uint64_t bytes, HostAccess access) {
  for (std::uint64_t size = bytes; size >= k_smallest_reservation; size /= 2) {
    void* range = map(size, PROT_NONE);
    if (range == nullptr)
      continue;
    if (access == HostAccess::direct)
      return Reservation(reinterpret_cast<std::uint64_t>(range), static_cast<std::byte*>(range), size, access);
    void* alias = map(size, PROT_READ | PROT_WRITE);
    if (alias == nullptr) {
      munmap(range, size);
      continue;
    }
    // A forked child cannot use the simulator, so it need not copy page tables of device memory either.
    madvise(alias, size, MADV_DONTFORK);
    return Reservation(reinterpret_cast<std::uint64_t>(range), static_cast<std::byte*>(alias), size, access);
  }
  return fail(StatusCode::out_of_memory, "the host grants not even 64 MiB of address space for simulated memory (" +
                                             std::string(std::strerror(errno)) + "); raise its limit, see ulimit -v");
}

Reservation::Reservation(Reservation&& other) noexcept
    : m_begin(std::exchange(other.m_begin, 0)), m_alias(std::exchange(other.m_alias, nullptr)),
      m_size(std::exchange(other.m_size, 0)), m_access(other.m_access) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this != &other) {
    release();
    m_begin = std::exchange(other.m_begin, 0);
    m_alias = std::exchange(other.m_alias, nullptr);
    m_size = std::exchange(other.m_size, 0);
    m_access = other.m_access;
  }
  return *this;
}

Reservation::~Reservation() {
  release();
}

void Reservation::release() noexcept {
  if (m_size == 0)
    return;
  munmap(reinterpret_cast<void*>(m_begin), m_size);
  if (m_access == HostAccess::none)
    munmap(m_alias, m_size);
  m_size = 0;
}

Status Reservation::open(std::uint64_t begin, std::uint64_t size) const {
  if (m_access == HostAccess::direct && mprotect(host(begin), size, PROT_READ | PROT_WRITE) != 0)
    return Status(StatusCode::out_of_memory, "the host refuses " + std::to_string(size) + " bytes of pinned memory (" +
                                                 std::string(std::strerror(errno)) + "); free some first");
  return {};
}

void Reservation::close(std::uint64_t begin, std::uint64_t size) const {
  madvise(host(begin), size, MADV_DONTNEED);
  if (m_access == HostAccess::direct)
    mprotect(host(begin), size, PROT_NONE);
}

void Reservation::zero(std::uint64_t begin, std::uint64_t size) const {
  const std::uint64_t end = begin + size;
  const std::uint64_t first_page = (begin + k_page - 1) / k_page * k_page;
  const std::uint64_t last_page = end / k_page * k_page;
  if (first_page >= last_page) {
    std::memset(host(begin), 0, size);
    return;
  }
  std::memset(host(begin), 0, first_page - begin);
  madvise(host(first_page), last_page - first_page, MADV_DONTNEED);
  std::memset(host(last_page), 0, end - last_page);
}

} // namespace hk::sim
