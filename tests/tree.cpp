#include "tests/tree.h"

std::string in_source(const std::string& path) { return STROBE_SOURCE_DIR "/" + path; }
std::string in_build(const std::string& path) { return STROBE_BINARY_DIR "/" + path; }
