#include "base/config.h"

#include <cstdlib>

namespace hk::base {

const char* process_environment(const char* name) {
  return secure_getenv(name);
}

Result<Config> read_config(const EnvironmentGetter& getter) {
  Config config;
  bool level_given = false;
  for (const EnvironmentVariable& variable : environment_variables()) {
    const char* text = getter(variable.name);
    if (text == nullptr || *text == '\0')
      continue;
    const std::string value(text);
    if (!variable.parse(value, config))
      return fail(StatusCode::invalid_argument, std::string(variable.name) + "=" + value + " is not understood: use " +
                                                    variable.accepted + ", or unset it");
    level_given = level_given || std::string(variable.name) == "HK_LOG_LEVEL";
  }
  if (!config.log_file.empty() && !level_given)
    config.log_level = LogLevel::info;
  return config;
}

} // namespace hk::base
