#include "tune_command.h"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "attention_inputs.h"
#include "base/files.h"
#include "hk/hk.hpp"
#include "json_text.h"
#include "problem_arguments.h"
#include "progress.h"
#include "tune/record_file.h"
#include "tune_table.h"

namespace hk::command {
namespace {

struct TuneOptions {
  AttentionOptions problem; // its device is that of every verb
  bool lse = false;
  bool json = false;
  std::string folder; // empty: HK_CACHE_DIR, else the default
  std::string file;
  bool replace = false;
};

// Runs body() -> exit code; a failing call is printed and gives 1.
template <typename Body>
int reporting(const char* name, Body&& body) {
  try {
    return body();
  } catch (const Error& error) {
    std::fprintf(stderr, "hk %s: %s: %s\n", name, hk_status_name(error.status()), error.what());
    if (!error.detail().empty())
      std::fprintf(stderr, "%s\n", error.detail().c_str());
    return 1;
  }
}

Context open(const TuneOptions& options, hk_tune mode) {
  hk_context_options context_options = HK_CONTEXT_OPTIONS_INIT;
  context_options.device = options.problem.device.empty() ? nullptr : options.problem.device.c_str();
  context_options.cache_directory = options.folder.empty() ? nullptr : options.folder.c_str();
  context_options.tune = mode;
  return Context(&context_options);
}

hk_attention_args query_args(const TuneOptions& options) {
  hk_attention_args args = make_args(options.problem, nullptr, nullptr, nullptr, nullptr);
  args.want_lse = options.lse ? 1 : 0;
  args.lse_stride_batch = options.problem.heads * options.problem.seq_q;
  args.lse_stride_head = options.problem.seq_q;
  return args;
}

int tune_attention(const TuneOptions& options) {
  return reporting("tune attention", [&] {
    Progress progress;
    progress.phase("opening the device");
    const Context context = open(options, HK_TUNE_FORCE);
    const hk_attention_args args = query_args(options);
    progress.phase("compiling and measuring");
    context.prepare(args);
    const std::string description = context.describe(args);
    const std::string table = candidate_table(description);
    if (options.json)
      std::printf("%s\n", description.c_str());
    else if (!table.empty())
      std::printf("%s\n%s", text_member(description, "tuning_key").c_str(), table.c_str());
    if (!table.empty()) {
      if (text_member(context.info(), "cache") == "memory")
        std::fprintf(stderr, "hk tune attention: the result is not kept, because no cache folder is used\n");
      return 0;
    }
    std::fprintf(stderr, "hk tune attention: nothing was measured: %s\n", readable(description).c_str());
    return 1;
  });
}

int tune_show(const TuneOptions& options) {
  return reporting("tune show", [&] {
    const std::string records = open(options, HK_TUNE_LOOKUP).export_tuning();
    if (options.json)
      std::printf("%s\n", record_json(records).c_str());
    else
      std::printf("%s", record_table(records).c_str());
    return 0;
  });
}

int tune_export(const TuneOptions& options) {
  return reporting("tune export", [&] {
    const std::string records = open(options, HK_TUNE_LOOKUP).export_tuning();
    if (options.file.empty()) {
      std::printf("%s", records.c_str());
      return 0;
    }
    std::ofstream file(options.file, std::ios::binary);
    file << records;
    file.close();
    if (file)
      return 0;
    std::fprintf(stderr, "hk tune export: %s cannot be written\n", options.file.c_str());
    return 1;
  });
}

// Of a pipe too; not more than a file of records may have.
base::FileResult<std::string> read_records(const std::string& path) {
  const auto file = base::open_file(AT_FDCWD, path, O_RDONLY | O_NOCTTY);
  if (!file)
    return tl::unexpected<base::FileError>(file.error());
  const auto bytes = base::read_all(file->get(), tune::k_max_record_file_bytes, path);
  if (!bytes)
    return tl::unexpected<base::FileError>(bytes.error());
  return std::string(base::as_text(*bytes));
}

int tune_import(const TuneOptions& options) {
  return reporting("tune import", [&] {
    const auto records = read_records(options.file);
    if (!records) {
      std::fprintf(stderr, "hk tune import: %s\n", records.error().message.c_str());
      return 1;
    }
    open(options, HK_TUNE_LOOKUP)
        .import_tuning(*records,
                       HK_TUNING_IMPORT_STORE | (options.replace ? HK_TUNING_IMPORT_REPLACE : HK_TUNING_IMPORT_MERGE));
    // Of the folder, as the next job reads it; replacing leaves other problems' records there.
    const std::string digest = open(options, HK_TUNE_LOOKUP).tuning_digest();
    std::printf(options.json ? "{\"digest\":\"%s\"}\n" : "digest %s\n", digest.c_str());
    return 0;
  });
}

int cache_why(const TuneOptions& options) {
  return reporting("cache why", [&] {
    const std::string state = open(options, HK_TUNE_DEFAULT).cache_state(query_args(options));
    std::printf("%s%s", options.json ? state.c_str() : readable(state).c_str(), options.json ? "\n" : "");
    return 0;
  });
}

using Verb = int (*)(const TuneOptions&);

void run_when_parsed(CLI::App& command, const std::shared_ptr<TuneOptions>& options, Verb verb,
                     std::function<int()>& chosen) {
  command.add_flag("--json", options->json, "One line of JSON");
  command.callback([options, verb, &chosen] { chosen = [options, verb] { return verb(*options); }; });
}

void add_problem_verb(CLI::App& group, const char* help, Verb verb, std::function<int()>& chosen) {
  CLI::App* attention = group.add_subcommand("attention", help);
  const auto options = std::make_shared<TuneOptions>();
  attention->add_option("--dir", options->folder, "The cache folder (HK_CACHE_DIR, else the default)");
  add_attention_problem(*attention, options->problem);
  attention->add_flag("--lse", options->lse, "With the log-sum-exp output, which takes another kernel");
  run_when_parsed(*attention, options, verb, chosen);
}

} // namespace

void add_tune(CLI::App& app, std::function<int()>& chosen) {
  CLI::App* tune = app.add_subcommand("tune", "Measure configurations, and look after the tuning records");
  tune->require_subcommand(1);
  add_problem_verb(*tune, "Measure one problem, whatever the records say, and keep the result", tune_attention, chosen);
  struct RecordVerb {
    const char* name;
    const char* help;
    Verb run;
  };
  for (const RecordVerb& verb :
       {RecordVerb{"show", "List the records that the cache folder holds for the device", tune_show},
        RecordVerb{"export", "Write those records as text, for hk tune import elsewhere", tune_export},
        RecordVerb{"import", "Add the records of such a text to the cache folder, and print the digest",
                   tune_import}}) {
    CLI::App* command = tune->add_subcommand(verb.name, verb.help);
    const auto options = std::make_shared<TuneOptions>();
    command->add_option("--dir", options->folder, "The cache folder (HK_CACHE_DIR, else the default)");
    command->add_option("--device", options->problem.device,
                        "hip:N, cuda:N, sim:mi300x, sim:mi325x, sim:mi355x or null");
    if (verb.run == tune_export)
      command->add_option("FILE", options->file, "Else stdout");
    if (verb.run == tune_import) {
      command->add_option("FILE", options->file, "Text of hk tune export")->required();
      command->add_flag("--replace", options->replace,
                        "The folder's records of the same problems give way, whatever their evidence");
    }
    run_when_parsed(*command, options, verb.run, chosen);
  }
}

void add_cache_why(CLI::App& cache, std::function<int()>& chosen) {
  CLI::App* why = cache.add_subcommand("why", "Say whether a kernel is stored, and what the nearest entry differs in");
  why->require_subcommand(1);
  add_problem_verb(*why, "The kernel of one attention problem", cache_why, chosen);
}

} // namespace hk::command
