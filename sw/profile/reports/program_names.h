// Names of program addresses, as the analyses ask for them. Each function may be empty.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sw/profile/counts/profile.h"

namespace strobe::profile {

/// The first address of the function that holds `pc`; `pc` itself where no function is known.
using FunctionOf = std::function<uint64_t(uint64_t pc)>;
/// The line of `pc` as "file.c:12"; an empty string where no line is known.
using LineOf = std::function<std::string(uint64_t pc)>;

struct ProgramNames {
  SymbolOf symbol_of;
  LineOf line_of;

  std::string symbol(uint64_t pc) const { return symbol_of ? symbol_of(pc) : std::string(); }
  std::string line(uint64_t pc) const { return line_of ? line_of(pc) : std::string(); }
};

}  // namespace strobe::profile
