// The files a page is made of, as they were when the program was built.
#pragma once

#include <string_view>

namespace strobe::report {

/// @param name  of a file of sw/report/page or of the charts' library. Throws std::out_of_range.
std::string_view asset(std::string_view name);

}  // namespace strobe::report
