// Which sources a Verilated point is of: the content address of one that is to be built, everything
// that decides what the object will be, and whether one that was built is of them still.
#pragma once

#include <filesystem>
#include <string>

#include "sc_models/port/path_interface.h"
#include "sc_models/profiling/verilated/rtl_object.h"

namespace strobe::profiling {

/// SHA-256, in hexadecimal, over the RTL sources, the glue and its headers, and the recipe: the
/// same for every point that is built of them. Throws std::runtime_error when a source is missing.
std::string hash_of_sources();

/// SHA-256, in hexadecimal, over the sources, the parameters and the versions of verilator and g++.
/// Throws std::runtime_error when a source or a tool is missing.
std::string hash_of_build(const RtlTarget& target);

/// What an object that build_point.sh made is not made of any more: one sentence with the first
/// source that has changed since, by the list beside it (OBJECT.sources), or that there is no list.
/// Empty: it is of its sources as they are.
std::string changed_source(const std::filesystem::path& object);

}  // namespace strobe::profiling
