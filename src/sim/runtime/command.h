#pragma once
// What can be queued on a stream or recorded as a node of a graph.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

namespace hk::sim {

class LoadedModule;
struct ExecutableGraph;
struct LoadedKernel;

struct LaunchShape {
  std::array<std::uint32_t, 3> grid{1, 1, 1};  // workgroups
  std::array<std::uint32_t, 3> block{1, 1, 1}; // work-items per workgroup
  std::uint32_t dynamic_lds = 0;               // bytes
};

struct KernelLaunch {
  std::shared_ptr<const LoadedKernel> kernel;
  LaunchShape shape;
  std::vector<std::byte> arguments; // the whole kernarg segment, hidden arguments filled in
};

// Addresses are the caller's; they are looked up when the copy is done, because a graph may be replayed later.
struct MemoryCopy {
  std::uint64_t destination = 0;
  std::uint64_t source = 0;
  std::uint64_t bytes = 0;
};

struct MemoryFill {
  std::uint64_t destination = 0;
  std::uint32_t value = 0;
  std::uint32_t element_bytes = 1; // 1, 2 or 4
  std::uint64_t elements = 0;
};

struct HostCall {
  std::function<void()> call;
};

// hipFreeAsync
struct MemoryRelease {
  std::uint64_t address = 0;
};

struct GraphReplay {
  std::shared_ptr<const ExecutableGraph> graph;
};

// Does nothing; its completion is what matters.
struct Marker {};

using Command = std::variant<Marker, KernelLaunch, MemoryCopy, MemoryFill, HostCall, MemoryRelease, GraphReplay>;

} // namespace hk::sim
