#pragma once
// Repeated measurements of one quantity, and their row in the report.

#include <string>
#include <vector>

namespace hk::bench {

struct Series {
  std::string name;
  std::string unit;
  double limit = 0; // for the median; 0: no limit is set
  std::vector<double> values;
  bool more_is_better = false; // then the median must reach the limit, else it must not exceed it

  [[nodiscard]] double median() const;
  // Prints the row; true if the limit is kept.
  [[nodiscard]] bool print() const;
};

void print_header();
void print_machine();

} // namespace hk::bench
