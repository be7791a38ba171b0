// The table of limits in docs/security.md.
#pragma once

#include <string>

namespace strobe::gen {

/// A row for each limit of sw/text/limits.h.
std::string limits_table();

}  // namespace strobe::gen
