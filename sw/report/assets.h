// The files that make up a page, as they were when the program was built.
#pragma once

#include <string_view>

namespace strobe::report {

/// The contents of a file. @param name  the name of a file of sw/report/page or of the charts'
/// library. Throws std::out_of_range for another name.
std::string_view asset(std::string_view name);

}  // namespace strobe::report
