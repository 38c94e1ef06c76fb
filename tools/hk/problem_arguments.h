#pragma once
// The command line options that describe one attention problem, shared by run, tune and cache why.

#include <CLI/CLI.hpp>

#include "attention_options.h"

namespace hk::command {

// options must live until the command has run.
void add_attention_problem(CLI::App& command, AttentionOptions& options);

// As add_option for a number: an empty text is refused, which CLI11 would take for 0.
template <typename Number>
CLI::Option* add_number(CLI::App& command, const char* name, Number& number, const char* help) {
  const CLI::Validator not_empty(
      [](const std::string& value) { return value.empty() ? "the value is empty where a number is wanted" : ""; }, "");
  return command.add_option(name, number, help)->check(not_empty)->capture_default_str();
}

} // namespace hk::command
