// Timings of the service around the kernels, with machine and spread: hk-bench [calls|compile].
// Exits 0 only if every limit is kept.

#include <cstdio>
#include <exception>
#include <string>

#include "groups.h"
#include "series.h"

namespace {

struct Group {
  const char* name;
  bool (*run)();
};

constexpr Group k_groups[] = {
    {"calls", hk::bench::run_calls_group},
    {"compile", hk::bench::run_compile_group},
};

int usage() {
  std::fprintf(stderr, "usage: hk-bench [GROUP]\ngroups:");
  for (const Group& group : k_groups)
    std::fprintf(stderr, " %s", group.name);
  std::fprintf(stderr, "\n");
  return 2;
}

} // namespace

int main(int argument_count, char** arguments) {
  const std::string wanted = argument_count > 1 ? arguments[1] : "";
  try {
    if (wanted == "--probe" && argument_count == 3)
      return hk::bench::run_probe(arguments[2]);
    bool known = argument_count == 1;
    for (const Group& group : k_groups)
      known = known || (argument_count == 2 && wanted == group.name);
    if (!known)
      return usage();
    hk::bench::print_machine();
    hk::bench::print_header();
    bool kept = true;
    for (const Group& group : k_groups)
      if (wanted.empty() || wanted == group.name)
        kept = group.run() && kept;
    return kept ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hk-bench: %s\n", error.what());
    return 1;
  }
}
