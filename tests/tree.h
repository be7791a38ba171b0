// Where the sources and the build are. Only tree.cpp depends on the checkout's name, so a compiler
// cache finds the tests of another checkout.
#pragma once

#include <string>

/// A file of the sources, by its path from the top; "" is the top itself with a slash.
std::string in_source(const std::string& path);
/// A file of the build tree, by its path from its top; "" is the top itself with a slash.
std::string in_build(const std::string& path);
