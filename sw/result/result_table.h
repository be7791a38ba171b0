// result.json for people: what `strobe run` prints at its end.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace strobe::result {

/// Plain text, lines of about 100 columns, ends with a newline. `result` is what make_result()
/// gave or a result.json that was read back.
std::string result_table(const nlohmann::json& result);

}  // namespace strobe::result
