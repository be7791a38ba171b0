// The content address of a Verilated point: everything that decides what the object will be.
#pragma once

#include <string>

#include "sc_models/profiling/path_interface.h"
#include "sc_models/profiling/verilated/rtl_object.h"

namespace strobe::profiling {

/// SHA-256, in hexadecimal, over the RTL sources, the glue and its headers, the recipe, the
/// parameters and the versions of verilator and g++. Throws std::runtime_error when a source or a
/// tool is missing.
std::string hash_of_build(const RtlTarget& target);

}  // namespace strobe::profiling
