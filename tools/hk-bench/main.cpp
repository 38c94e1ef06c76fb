// Timings of the service around the kernels, with machine and spread: hk-bench [compile|call].
// Exits 0 only if every limit is kept.

#include <cstdio>
#include <exception>
#include <string>

#include "groups.h"
#include "series.h"

int main(int argument_count, char** arguments) {
  const std::string group = argument_count > 1 ? arguments[1] : "all";
  try {
    if (group == "--probe" && argument_count == 3)
      return hk::bench::run_probe(arguments[2]);
    if (argument_count > 2 || (group != "all" && group != "compile" && group != "call")) {
      std::fprintf(stderr, "usage: hk-bench [compile|call]\n");
      return 2;
    }
    hk::bench::print_machine();
    hk::bench::print_header();
    bool kept = true;
    if (group != "call")
      kept = hk::bench::run_compile_group() && kept;
    if (group != "compile")
      kept = hk::bench::run_call_group() && kept;
    return kept ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hk-bench: %s\n", error.what());
    return 1;
  }
}
