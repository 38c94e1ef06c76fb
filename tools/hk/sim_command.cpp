#include "sim_command.h"

#include <memory>
#include <string>

#include "sim_list.h"
#include "sim_run.h"
#include "sim_run_argument.h"

namespace hk::command {
namespace {

// Releases of CLI11 that fill paragraphs would destroy the columns of the help; older ones leave them alone.
template <typename Formatter>
void keep_lines_of_footer(Formatter& formatter) {
  if constexpr (requires { formatter.enable_footer_formatting(false); })
    formatter.enable_footer_formatting(false);
}

void add_run(CLI::App& sim, std::function<int()>& chosen) {
  CLI::App* run = sim.add_subcommand("run", "Run one kernel of a code object on a simulated device");
  const auto options = std::make_shared<SimRunOptions>();
  run->add_option("file", options->file, "The code object, or an offload bundle")->required();
  run->add_option("--kernel", options->kernel, "Its name (not needed if the object holds one)");
  run->add_option("--device", options->device, "sim:mi300x, sim:mi325x or sim:mi355x (by the object's target)");
  run->add_option("--grid", options->grid, "Workgroups: X[,Y[,Z]]")->required();
  run->add_option("--block", options->block, "Work-items per workgroup: X[,Y[,Z]]")->required();
  run->add_option("--lds", options->lds, "Dynamic LDS in bytes, beside the kernel's own");
  run->add_option("--arg", options->arguments, "One argument; see below")
      ->take_all()
      ->allow_extra_args(false)
      ->type_name("VALUE");
  run->add_flag("--packed", options->packed, "Lay out the arguments as given, whatever the object says");
  run->add_flag("--stats", options->stats, "One line of JSON, the last of stdout: instructions, waves, modelled time");
  run->add_option("--trace", options->trace,
                  "X,Y,Z[:WAVE[:LINES]]: print the first instructions (1000) of a wave (0) of a workgroup");
  run->add_option("--max-instructions", options->max_instructions,
                  "A wave that executes more is a fault (2^32: minutes)")
      ->check(CLI::PositiveNumber);
  run->add_option("--turn", options->turn,
                  "Instructions of a wave before the next wave's turn; HK_SIM_SCHEDULE=seed makes turns random")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  run->add_flag("--forgive-missing-waits", options->forgive_missing_waits,
                "A register that is used before the wait for its load holds what it loads, as it may on hardware "
                "(counted as missing_waits); without this it is a fault");
  run->footer(argument_help());
  keep_lines_of_footer(*run->get_formatter());
  run->callback([options, &chosen] { chosen = [options] { return sim_run(*options); }; });
}

void add_list(CLI::App& sim, std::function<int()>& chosen) {
  CLI::App* list = sim.add_subcommand("list", "List the kernels of a code object");
  struct Options {
    std::string file;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  list->add_option("file", options->file, "The code object, or an offload bundle")->required();
  list->add_flag("--json", options->json, "One line of JSON");
  list->callback([options, &chosen] { chosen = [options] { return sim_list(options->file, options->json); }; });
}

} // namespace

void add_sim(CLI::App& app, std::function<int()>& chosen) {
  CLI::App* sim = app.add_subcommand("sim", "Run any code object for gfx942 or gfx950 on the simulator");
  sim->require_subcommand(1);
  add_run(*sim, chosen);
  add_list(*sim, chosen);
}

} // namespace hk::command
