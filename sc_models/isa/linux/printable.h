// Text of the program for messages and results.
#pragma once

#include <cstddef>
#include <string>

namespace strobe::isa {

/// The first `most` characters of `bytes` or a few more, with "..." if that is not all. Bytes other
/// than printable ASCII are written \xNN: names and paths may hold any byte, but a terminal and
/// JSON may not.
std::string printable(const std::string& bytes, size_t most);

}  // namespace strobe::isa
