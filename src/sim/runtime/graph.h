#pragma once
// Graphs: commands with the dependencies that stream capture saw.

#include <cstdint>
#include <vector>

#include "sim/runtime/command.h"

namespace hk::sim {

struct GraphNode {
  Command command;
  std::vector<std::uint32_t> after; // indices of earlier nodes
};

// Nodes are in the order of capture, so every dependency points backward.
struct Graph {
  int device = 0; // ordinal of the device that it was captured on
  std::vector<GraphNode> nodes;

  // Nodes that no other node depends on.
  [[nodiscard]] std::vector<std::uint32_t> leaves() const;
};

// What hipGraphInstantiate makes: a copy that later changes of the graph do not touch.
struct ExecutableGraph {
  Graph graph;
};

} // namespace hk::sim
