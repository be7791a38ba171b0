// What happens to a process that makes a system call which the filter refuses.
#pragma once

#include <string>

namespace strobe::confine {

/// Makes SIGSYS end the process, from now on, with a sentence that names the call.
/// @param name_of  returns the name of a system call by its number; empty: there is none
void end_at_refused_calls(std::string (*name_of)(int number));

}  // namespace strobe::confine
