// What a user does about a file that could not be written.
#pragma once

#include <string>

namespace strobe::files {

/// By the errno of the failure, such as "make room there".
std::string advice_for(int error);

}  // namespace strobe::files
