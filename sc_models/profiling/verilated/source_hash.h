// Identifies the sources of a Verilated point: the content address of one to build, over everything
// that decides what the object will be, and whether a built one still matches its sources.
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

/// Says why an object of build_point.sh does not match its sources: one sentence with the first
/// source that changed, by the list beside it (OBJECT.sources), or that there is no list. Empty
/// when it matches. Paths in the list are absolute or, in an installation, relative to
/// files::source_directory().
std::string changed_source(const std::filesystem::path& object);

}  // namespace strobe::profiling
