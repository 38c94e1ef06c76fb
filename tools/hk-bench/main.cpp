// Timings of the service around the kernels, with machine and spread: hk-bench [GROUP].
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
    {"herd", hk::bench::run_herd_group},
#ifdef HK_BENCH_SIMULATOR
    {"sim", hk::bench::run_sim_group},
#endif
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
    if (wanted == "--candidates" && argument_count == 3)
      return hk::bench::run_candidates(std::stoi(arguments[2]));
    if (wanted == "--herd-member" && argument_count == 3)
      return hk::bench::run_herd_member(std::stoi(arguments[2]));
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
