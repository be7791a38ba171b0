// The names opcode classes have in configurations, productions and results.
#pragma once

#include <array>
#include <string_view>

#include "sc_models/port/retire.h"

namespace strobe {

inline constexpr std::array<std::string_view, kOpClassCount> kOpClassNames = {
    "alu",           "mul",  "div",           "load",   "store", "amo",         "branch", "jump",
    "jump_indirect", "call", "call_indirect", "return", "fp",    "fp_div_sqrt", "system", "fence"};

}  // namespace strobe
