#pragma once
// The command line options that describe one attention problem, shared by run, tune and cache why.

#include <map>
#include <string>

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

// One of a few words. CLI11's transformers would take the numbers behind the words too, and show them in the help.
// value and choices must live until the command line is read.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const char* name, Value& value, const std::map<std::string, Value>& choices,
                        const char* help) {
  const auto choose = [name, &value, &choices](const std::string& word) {
    const auto found = choices.find(word);
    if (found != choices.end()) {
      value = found->second;
      return;
    }
    std::string known;
    for (const auto& [choice, number] : choices)
      known += (known.empty() ? "" : ", ") + choice;
    throw CLI::ValidationError(name, "'" + word + "' is none of " + known);
  };
  return command.add_option_function<std::string>(name, choose, help);
}

} // namespace hk::command
