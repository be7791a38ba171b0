// The answer that the results of a sweep give to the question of its file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sw/explore/store/database.h"

namespace strobe::report {

struct Answer {
  std::string ask;
  std::string sentence;           // the whole answer, with what limits it
  std::optional<int64_t> design;  // the row of the design that answers; none: no design qualifies
};

/// Runs the query of the sweep file over the results in its database; none: the file asks nothing.
/// Only a design answers that has every point done and violates no constraint of the file.
std::optional<Answer> answer_of(explore::Database& database);

}  // namespace strobe::report
