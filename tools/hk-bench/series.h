#pragma once
// Repeated measurements of one quantity, and their row in the report.

#include <string>
#include <vector>

namespace hk::bench {

struct Series {
  std::string name;
  std::string unit;
  double limit = 0; // what the median must not exceed; 0: no limit is set
  std::vector<double> values;

  [[nodiscard]] double median() const;
  // Prints the row; true if the limit is kept.
  [[nodiscard]] bool print() const;
};

void print_header();
void print_machine();

} // namespace hk::bench
