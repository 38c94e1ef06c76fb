#pragma once
// The options of `hk tune`, and `hk cache why`: what the library knows about the choice and the entry of one kernel.

#include <functional>

#include <CLI/CLI.hpp>

namespace hk::command {

// Adds the verbs attention, show, export and import; parsing one sets `chosen`.
void add_tune(CLI::App& app, std::function<int()>& chosen);

// Adds the verb why below `hk cache`.
void add_cache_why(CLI::App& cache, std::function<int()>& chosen);

} // namespace hk::command
