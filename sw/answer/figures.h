// The figures of several runs side by side.
#pragma once

#include <vector>

#include "sw/answer/ranking.h"

namespace strobe::answer {

/// Throws AnswerError when the profiles do not count the same kind of event.
void expect_same_events(const std::vector<Column>& columns);

/// Prints instructions, cycles, instructions a cycle and measured overhead of each column's run,
/// and how much they are above those of the first.
void print_figures(const std::vector<Column>& columns);

}  // namespace strobe::answer
