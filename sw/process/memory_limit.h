// Memory of the host: how much this process may take, and what is said when there is no more.
#pragma once

#include <cstdint>
#include <string>

namespace strobe {

/// From now on this process and its children get at most `bytes` beside what they have and beside
/// the window of a guest's memory; beyond that an allocation throws std::bad_alloc. 0 changes
/// nothing.
void limit_memory(uint64_t bytes);

/// The sentence for a std::bad_alloc.
std::string out_of_memory();

}  // namespace strobe
