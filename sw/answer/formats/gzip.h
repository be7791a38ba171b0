// A text as the contents of a .gz file.
#pragma once

#include <string>

namespace strobe::answer {

/// Without a name or a time in its header, so that equal texts give equal bytes. Throws
/// std::runtime_error when zlib fails.
std::string gzip(const std::string& text);

}  // namespace strobe::answer
