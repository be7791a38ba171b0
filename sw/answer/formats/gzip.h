// A text as the contents of a .gz file.
#pragma once

#include <string>

namespace strobe::answer {

/// Without a name or a time in its header, so that equal texts give equal bytes. Throws
/// std::runtime_error when zlib fails.
std::string gzip(const std::string& text);

/// The text in a .gz file. Throws std::runtime_error, which says what was expected, when the bytes
/// are damaged or hold more than `most`.
std::string gunzip(const std::string& bytes, size_t most);

}  // namespace strobe::answer
