#include "info_command.h"

#include <cstdio>

#include "hk/hk.hpp"
#include "json_text.h"

namespace hk::command {

int show_info(const std::string& device, bool json) {
  try {
    hk_context_options options = HK_CONTEXT_OPTIONS_INIT;
    options.device = device.empty() ? nullptr : device.c_str();
    const Context context(&options);
    const std::string info = context.info();
    std::printf("%s%s", json ? info.c_str() : readable(info).c_str(), json ? "\n" : "");
    return 0;
  } catch (const Error& error) {
    std::fprintf(stderr, "hk info: %s: %s\n", hk_status_name(error.status()), error.what());
    if (!error.detail().empty())
      std::fprintf(stderr, "%s\n", error.detail().c_str());
    return 1;
  }
}

} // namespace hk::command
