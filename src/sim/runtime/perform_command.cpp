#include "sim/runtime/perform_command.h"

#include <algorithm>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "sim/runtime/device.h"
#include "sim/runtime/graph.h"
#include "sim/runtime/kernel_launch.h"
#include "sim/runtime/memory_command.h"

namespace hk::sim {
namespace {

struct Performer {
  Device& device;
  double start;

  double operator()(const Marker&) const { return start; }
  double operator()(const KernelLaunch& launch) const { return perform_launch(device, launch, start); }
  double operator()(const MemoryCopy& copy) const { return perform_copy(device, copy, start); }
  double operator()(const MemoryFill& fill) const { return perform_fill(device, fill, start); }
  double operator()(const MemoryRelease& release) const { return perform_release(device, release, start); }
  double operator()(const HostCall& call) const {
    call.call();
    return start;
  }
  // One node after the other; on the modelled clock each starts when the nodes before it have ended.
  double operator()(const GraphReplay& replay) const {
    const std::vector<GraphNode>& nodes = replay.graph->graph.nodes;
    std::vector<double> ends(nodes.size(), start);
    double last = start;
    for (std::size_t i = 0; i < nodes.size() && !device.faulted(); ++i) {
      double node_start = start;
      for (const std::uint32_t earlier : nodes[i].after)
        node_start = std::max(node_start, ends[earlier]);
      ends[i] = std::visit(Performer{device, node_start}, nodes[i].command);
      last = std::max(last, ends[i]);
    }
    return last;
  }
};

} // namespace

double perform(Device& device, const Command& command, double start) {
  try {
    return std::visit(Performer{device, start}, command);
  } catch (const std::exception& exception) {
    // The worker thread has no caller to throw to.
    device.raise(ErrorCode::launch_failure, std::string("queued work failed on the host: ") + exception.what());
  } catch (...) {
    device.raise(ErrorCode::launch_failure, "queued work failed on the host with an exception of unknown type");
  }
  return start;
}

} // namespace hk::sim
