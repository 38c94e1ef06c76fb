// The command hk: reads the command line and hands over.

#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "attention_command.h"
#include "cache_command.h"
#include "hk/hk.h"
#include "info_command.h"
#include "problem_arguments.h"
#include "sim_command.h"
#include "tune_command.h"

namespace {

using namespace hk::command;

void add_info(CLI::App& app, std::function<int()>& chosen) {
  CLI::App* info = app.add_subcommand("info", "Show the library, the device, its runtime and the settings");
  struct Options {
    std::string device;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  info->add_option("--device", options->device,
                   "hip:N, cuda:N, sim:mi300x, sim:mi325x, sim:mi355x or null (HK_DEVICE, hip:0)");
  info->add_flag("--json", options->json, "One line of JSON");
  info->callback([options, &chosen] { chosen = [options] { return show_info(options->device, options->json); }; });
}

void add_run_attention(CLI::App& run, std::function<int()>& chosen) {
  static const std::map<std::string, InputKind> k_inputs = {{"randn", InputKind::randn},
                                                            {"peaked", InputKind::peaked},
                                                            {"constant-v", InputKind::constant_v},
                                                            {"one-hot-v", InputKind::one_hot_v}};
  CLI::App* attention = run.add_subcommand("attention", "Run one attention problem and report on it");
  const auto options = std::make_shared<AttentionOptions>();
  add_attention_problem(*attention, *options);
  add_choice(*attention, "--input", options->input, k_inputs,
             "randn, peaked (logits of deviation 8), constant-v or one-hot-v")
      ->default_str("randn");
  add_number(*attention, "--seed", options->seed, "Of the random numbers");
  add_number(*attention, "--calls", options->calls, "Calls in this process; the last one is reported")
      ->check(CLI::Range(1, 1000000));
  attention->add_flag("--check", options->check, "Compare with fp64; exit with 1 if the error is beyond 2 P + 2 ulp");
  attention->add_flag("--json", options->json, "One line of JSON, the last of stdout");
  attention->callback([options, &chosen] { chosen = [options] { return run_attention(*options); }; });
}

void add_cache(CLI::App& app, std::function<int()>& chosen) {
  CLI::App* cache = app.add_subcommand("cache", "Look after the folder of compiled kernels");
  cache->require_subcommand(1);
  const CLI::Validator not_zero(
      [](const std::string& value) {
        return value.find_first_not_of('0') == std::string::npos
                   ? "a number above 0 is wanted; `hk cache clear` removes every entry"
                   : "";
      },
      "");
  struct Verb {
    const char* name;
    const char* help;
    int (*run)(const CacheOptions&);
  };
  for (const Verb& verb :
       {Verb{"stat", "Say which folder is used and why, and count what is in it", cache_stat},
        Verb{"ls", "List the entries", cache_list},
        Verb{"inspect", "Show what one entry was made from, and its metadata", cache_inspect},
        Verb{"verify", "Read every entry; exit with 1 if one is damaged", cache_verify},
        Verb{"gc", "Remove leftovers, and the entries not used for longest if the folder is too large", cache_gc},
        Verb{"clear", "Remove every entry", cache_clear}}) {
    CLI::App* command = cache->add_subcommand(verb.name, verb.help);
    const auto options = std::make_shared<CacheOptions>();
    if (verb.run == cache_inspect)
      command->add_option("KEY", options->key, "Name of the entry, or enough of its beginning")->required();
    if (verb.run == cache_gc)
      command->add_option("--max-bytes", options->max_bytes, "Size to keep to (HK_CACHE_MAX_BYTES)")->check(not_zero);
    command->add_option("--dir", options->folder, "The folder (HK_CACHE_DIR, else the default)");
    command->add_flag("--json", options->json, "One line of JSON");
    command->callback([options, run = verb.run, &chosen] { chosen = [options, run] { return run(*options); }; });
  }
  add_cache_why(*cache, chosen);
}

std::string version_text() {
  const int version = hk_version();
  return "hk " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

// What the library can only log (a cache folder that cannot be used or written) a person at the command should see.
void show_warnings() {
  hk_set_log_callback(
      HK_LOG_LEVEL_WARNING, [](std::int32_t, const char* message, void*) { std::fprintf(stderr, "hk: %s\n", message); },
      nullptr);
}

// CLI11 says "A subcommand is required" also where there is a word in its place. Where none can follow, what it says of
// the option that is missing is good.
int command_missing(CLI::App& app, const CLI::RequiredError& error) {
  const CLI::App* group = &app;
  std::string path = app.get_name();
  while (!group->get_subcommands().empty()) {
    group = group->get_subcommands().front();
    path += " " + group->get_name();
  }
  std::string known;
  for (const CLI::App* command : group->get_subcommands([](const CLI::App*) { return true; }))
    known += (known.empty() ? "" : ", ") + command->get_name();
  if (known.empty()) { // it is not a command that is missing
    std::fprintf(stderr, "%s: %s; --help says more\n", path.c_str(), error.what());
    return error.get_exit_code();
  }
  const std::vector<std::string> words = app.remaining(true);
  const std::string problem = words.empty() ? "a command is missing behind '" + path + "'"
                                            : "'" + path + "' has no command '" + words.front() + "'";
  std::fprintf(stderr, "hk: %s: use one of %s; --help says more\n", problem.c_str(), known.c_str());
  return error.get_exit_code();
}

int run_command(int argc, char** argv) {
  CLI::App app("Attention kernels for AMD GPUs, compiled at run time: look at the device, run or tune a "
               "problem, tend the cache",
               "hk");
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  std::function<int()> chosen;
  add_info(app, chosen);
  CLI::App* run = app.add_subcommand("run", "Run one problem");
  run->require_subcommand(1);
  add_run_attention(*run, chosen);
  add_sim(app, chosen);
  add_cache(app, chosen);
  add_tune(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError& error) {
    return command_missing(app, error);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  show_warnings();
  return chosen();
}

} // namespace

int main(int argc, char** argv) {
  try {
    const int code = run_command(argc, argv);
    // A full disk or a closed pipe must not look like success.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0)
      return code;
    std::fputs("hk: the output could not be written: is the disk full?\n", stderr);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "hk: %s\n", error.what());
  } catch (...) {
    std::fputs("hk: unexpected failure\n", stderr);
  }
  return 1;
}
