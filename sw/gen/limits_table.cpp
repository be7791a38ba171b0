#include "sw/gen/limits_table.h"

#include <fmt/format.h>

#include "sw/gen/words.h"
#include "sw/text/limits.h"

namespace strobe::gen {
std::string limits_table() {
  std::string table = "| input | at most | needed | by |\n|---|---|---|---|\n";
  for (const text::Limit* limit : text::limits::kAll) {
    table += fmt::format("| {} | {} {} | {} | {} |\n", limit->input, grouped(limit->most),
                         limit->what, grouped(limit->need), limit->source);
  }
  return table;
}

}  // namespace strobe::gen
