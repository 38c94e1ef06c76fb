#pragma once
// Doing a queued command, on the thread of its stream.

#include "sim/runtime/command.h"

namespace hk::sim {

class Device;

// Returns the modelled end. What goes wrong is raised on the device.
double perform(Device& device, const Command& command, double start);

} // namespace hk::sim
