#include <algorithm>
#include <cstring>
#include <memory>

#include "sim/hip_surface/call.h"

using namespace hk::sim;
using namespace hk::sim::surface;

namespace {

hipError_t instantiate(hipGraphExec_t* executable, hipGraph_t graph) {
  return call([&](Simulator& simulator) {
    if (executable == nullptr)
      return null_parameter("pGraphExec");
    const std::shared_ptr<Graph> found = simulator.graphs.find(graph);
    if (found == nullptr)
      return Error(ErrorCode::invalid_value, "the graph is none that is alive");
    *executable = static_cast<hipGraphExec_t>(
        simulator.executable_graphs.add(std::make_shared<ExecutableGraph>(ExecutableGraph{*found})));
    return Error();
  });
}

} // namespace

hipError_t hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphNode_t* pErrorNode,
                               char* pLogBuffer, size_t bufferSize) {
  if (pErrorNode != nullptr)
    *pErrorNode = nullptr;
  if (pLogBuffer != nullptr && bufferSize != 0)
    *pLogBuffer = '\0';
  return instantiate(pGraphExec, graph);
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags) {
  // The one flag that matters frees memory of allocation nodes, which graphs of the simulator never have.
  if (flags != 0 && flags != hipGraphInstantiateFlagAutoFreeOnLaunch)
    return call([](Simulator&) { return Error(ErrorCode::invalid_value, "unknown flags of hipGraphInstantiate"); });
  return instantiate(pGraphExec, graph);
}

hipError_t hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream) {
  return call([&](Simulator& simulator) {
    const std::shared_ptr<ExecutableGraph> graph = simulator.executable_graphs.find(graphExec);
    if (graph == nullptr)
      return Error(ErrorCode::invalid_value, "the executable graph is none that is alive");
    const Outcome<std::shared_ptr<Stream>> found = stream_of(simulator, stream);
    if (!found)
      return found.error();
    Device& device = (*found)->device();
    if (device.ordinal() != graph->graph.device)
      return Error(ErrorCode::invalid_value, "the graph was captured on another device than the stream's");
    const Outcome<bool> captured = simulator.captures.record_graph(**found, graph->graph);
    if (!captured)
      return captured.error();
    if (*captured)
      return Error();
    const Outcome<CompletionPointer> queued = device.submit(**found, GraphReplay{graph});
    return queued ? Error() : queued.error();
  });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes) {
  return call([&](Simulator& simulator) {
    if (numNodes == nullptr)
      return null_parameter("numNodes");
    const std::shared_ptr<Graph> found = simulator.graphs.find(graph);
    if (found == nullptr)
      return Error(ErrorCode::invalid_value, "the graph is none that is alive");
    if (nodes == nullptr) {
      *numNodes = found->nodes.size();
      return Error();
    }
    for (std::size_t i = 0; i < *numNodes; ++i)
      nodes[i] = i < found->nodes.size() ? reinterpret_cast<hipGraphNode_t>(&found->nodes[i]) : nullptr;
    *numNodes = std::min(*numNodes, found->nodes.size());
    return Error();
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return call([&](Simulator& simulator) {
    return simulator.graphs.remove(graph) != nullptr
               ? Error()
               : Error(ErrorCode::invalid_value, "the graph is none that is alive");
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t graphExec) {
  return call([&](Simulator& simulator) {
    return simulator.executable_graphs.remove(graphExec) != nullptr
               ? Error()
               : Error(ErrorCode::invalid_value, "the executable graph is none that is alive");
  });
}
