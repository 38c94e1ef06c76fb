#pragma once
// A large stretch of address space that is reserved once and filled on demand.

#include <cstddef>
#include <cstdint>

#include "base/status.h"

namespace hk::sim {

// Whether the host may touch the bytes at the addresses that device code uses.
enum class HostAccess : std::uint8_t {
  // Device memory: the range itself is inaccessible, so that a host access faults as on hardware without a large BAR.
  // The simulator reaches the bytes through a second mapping.
  none,
  // Pinned host memory: both sides use the same addresses, each page once it has been opened.
  direct,
};

// Bytes; the least that create() accepts.
inline constexpr std::uint64_t k_smallest_reservation = std::uint64_t{64} << 20;

class Reservation {
 public:
  // Reserves up to `bytes`. Where the host grants less (RLIMIT_AS, a small address space), half of it is tried, and so
  // on down to 64 MiB; size() says what was granted. Fails with out_of_memory.
  static Result<Reservation> create(std::uint64_t bytes, HostAccess access);

  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation();

  [[nodiscard]] std::uint64_t begin() const { return m_begin; }
  [[nodiscard]] std::uint64_t size() const { return m_size; }
  [[nodiscard]] HostAccess access() const { return m_access; }
  [[nodiscard]] bool contains(std::uint64_t address) const { return address - m_begin < m_size; }
  // Where the simulator finds the byte of an address.
  [[nodiscard]] std::byte* host(std::uint64_t address) const { return m_alias + (address - m_begin); }

  // Makes [begin, begin + size) usable; both are multiples of the page size. The bytes read as zero.
  // Fails with out_of_memory when the host refuses.
  [[nodiscard]] Status open(std::uint64_t begin, std::uint64_t size) const;
  // Gives the pages back to the host; where the host has access, it loses it.
  void close(std::uint64_t begin, std::uint64_t size) const;
  // Sets [begin, begin + size) to zero; whole pages are given back to the host instead of being written.
  void zero(std::uint64_t begin, std::uint64_t size) const;

 private:
  Reservation(std::uint64_t begin, std::byte* alias, std::uint64_t size, HostAccess access)
      : m_begin(begin), m_alias(alias), m_size(size), m_access(access) {}
  void release() noexcept;

  std::uint64_t m_begin = 0;
  std::byte* m_alias = nullptr;
  std::uint64_t m_size = 0;
  HostAccess m_access = HostAccess::none;
};

} // namespace hk::sim
