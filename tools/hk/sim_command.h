#pragma once
// The options of `hk sim`.

#include <functional>

#include <CLI/CLI.hpp>

namespace hk::command {

// Adds the verb; parsing it sets `chosen`.
void add_sim(CLI::App& app, std::function<int()>& chosen);

} // namespace hk::command
