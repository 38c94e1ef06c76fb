#include "sim/runtime/graph.h"

namespace hk::sim {

std::vector<std::uint32_t> Graph::leaves() const {
  std::vector<bool> has_successor(nodes.size(), false);
  for (const GraphNode& node : nodes)
    for (const std::uint32_t earlier : node.after)
      has_successor[earlier] = true;
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < nodes.size(); ++i)
    if (!has_successor[i])
      result.push_back(i);
  return result;
}

} // namespace hk::sim
