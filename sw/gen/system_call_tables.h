// The tables of system calls in docs/linux-proxy.md.
#pragma once

#include <string>
#include <vector>

#include "sc_models/isa/linux/calls/call_answer.h"

namespace strobe::gen {

/// One heading and one table for each group of calls. Calls of a group with the same answer share a
/// row, or several when their names do not fit into one. The answers of calls that work come first.
std::string system_call_tables(const std::vector<isa::CallAnswer>& answers);

}  // namespace strobe::gen
