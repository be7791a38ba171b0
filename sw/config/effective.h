// The effective configuration: every value, where it came from, as YAML that loads again.
#pragma once

#include <string>
#include <vector>

#include "sw/config/load.h"
#include "sw/config/reader.h"

namespace strobe::config {

/// `derived` is `read.configuration` after derive().
void show_effective(const ReadResult& read, const RunConfig& derived, LoadResult* result);

/// A text as a YAML scalar, quoted when it would not read back as the same text.
std::string yaml_text(const std::string& value);

/// A number that reads back as the same double.
std::string yaml_real(double value);

}  // namespace strobe::config
