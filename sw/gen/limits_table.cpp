#include "sw/gen/limits_table.h"

#include <fmt/format.h>

#include "sw/gen/words.h"
#include "sw/text/needs.h"

namespace strobe::gen {
std::string limits_table() {
  std::string table = "| input | at most | needed | by |\n|---|---|---|---|\n";
  for (const text::limits::Need& need : text::limits::kNeeds) {
    const text::Limit* const limit = need.limit;
    table += fmt::format("| {} | {} {} | {} | {} |\n", limit->input, grouped(limit->most),
                         limit->what, grouped(need.most), need.source);
  }
  return table;
}

}  // namespace strobe::gen
