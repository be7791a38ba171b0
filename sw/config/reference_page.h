// docs/configuration.md: every key with its type, range, default and meaning.
#pragma once

#include <string>

namespace strobe::config {

std::string reference_page();

}  // namespace strobe::config
