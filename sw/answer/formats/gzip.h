// A text as the contents of a .gz file.
#pragma once

#include <string>

namespace strobe::answer {

/// Without a name or a time in its header, so that equal texts give equal bytes. Throws
/// std::runtime_error when zlib fails.
std::string gzip(const std::string& text);

/// The text in a .gz file, up to `most` bytes of it and one more if it has more. Throws
/// std::runtime_error, which says what was expected, when the bytes are damaged.
std::string gunzip(const std::string& bytes, size_t most);

}  // namespace strobe::answer
