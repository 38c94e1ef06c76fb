#pragma once
// Tables for people: the candidates of one problem, and the tuning records of a device.

#include <string>

namespace hk::command {

// From the JSON of hk_attention_describe: one line per candidate and the reason of the choice. Empty if the problem has
// not been measured.
std::string candidate_table(const std::string& description);

// From a text of hk_tuning_export: one line per record.
std::string record_table(const std::string& records);
// The same as a JSON array.
std::string record_json(const std::string& records);

} // namespace hk::command
