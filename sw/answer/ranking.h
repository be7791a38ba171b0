// Where a program's events and cycles are: its functions, lines, call sites or loads, the largest
// first, by one profile or by several side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sw/answer/run_profile.h"

namespace strobe::answer {

enum class By { kFunction, kLine, kCall, kLoad };

/// "function", "line", "call", "load", in the order of By.
extern const std::vector<std::string> kByNames;

/// The one with a name of kByNames.
By by_of(const std::string& name);

/// The kinds of events that have such rows; empty: all.
const std::vector<std::string>& kinds_for(By by);

/// One profile of a ranking. The run must outlive it.
struct Column {
  const RunProfile* run = nullptr;
  const Series* series = nullptr;
};

struct Cell {
  uint64_t count = 0;  // in the parts of its series
  double share = 0;    // this part of the series
  /// Half of the width of the share's 95 % confidence interval (Wilson), as if the samples had been
  /// independent; 0 where every event was counted.
  double half_width = 0;
};

struct Row {
  std::string name;  // functions of one name are one row, and so on
  std::string note;  // a load's most frequent value in the first column
  std::vector<Cell> cells;
};

struct Ranking {
  By by = By::kFunction;
  std::vector<Column> columns;
  std::vector<Row> rows;  // by the share in the first column, then in the next, then by name
};

/// Throws AnswerError for lines of a program that has none or is not found.
Ranking rank(By by, const std::vector<Column>& columns);

/// Whether the shares in two columns differ by more than chance explains, with 95 % confidence. Of
/// two columns in which every event was counted, none does: there was no chance.
bool differ(const Cell& a, const Cell& b);

/// Half of the width of Wilson's 95 % interval for a share that was seen in that many samples.
double wilson_half_width(double share, uint64_t samples);

/// Prints the columns' profiles and the `most` largest rows.
void print_ranking(const Ranking& ranking, size_t most);

}  // namespace strobe::answer
