// The programs of one build find each other in their folder.
#pragma once

#include <filesystem>

namespace strobe {

/// @return the path of `name` in the folder of the executable that runs. It need not be there.
/// @throws std::filesystem::filesystem_error  when /proc cannot be read
std::filesystem::path program_beside(const char* name);

}  // namespace strobe
