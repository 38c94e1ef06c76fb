#pragma once
// The machine's picture of a device, from its profile.

#include "sim/machine/device_model.h"

namespace hk::sim {

class Device;

DeviceModel device_model_of(const Device& device);

} // namespace hk::sim
