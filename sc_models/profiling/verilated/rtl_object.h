// Finds the shared object of a parameter point, and builds it when there is none.
#pragma once

#include <string>

#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

/// The waveforms that an object can write; each format is a separate library of the same RTL.
enum class WaveFormat { kNone, kVcd, kFst };

/// The format that a file name's ending asks for; kNone for an empty name. Throws
/// std::invalid_argument for any ending but .vcd and .fst.
WaveFormat wave_format(const std::string& file);
/// The format's name for build_point.sh: "none", "vcd" or "fst".
const char* name_of(WaveFormat format);

/// A top module of rtl/ at a parameter point: one shared object.
struct RtlTarget {
  std::string top;         // a module that build_point.sh knows
  std::string parameters;  // "Name=value Name=value", without defaults
  WaveFormat format = WaveFormat::kNone;
};

/// The object's name, e.g. "strobe_profiler_Strata512" or "strobe_dise_default".
std::string name_of(const RtlTarget& target);

/// The point as in file names, e.g. "Strata512_CounterWidth10" or "default", followed by the wave
/// format if there is one.
std::string point_key(const PathParams& params, WaveFormat format = WaveFormat::kNone);

/// Path of the target's shared object, which exists on return. An object of the cache or of the
/// build tree that is damaged, and one whose sources have changed, are built again. Throws
/// std::runtime_error when a build fails or the object in $STROBE_RTL_DIR is damaged or out of
/// date, and files::ForeignFile when another user could have written the cached one.
std::string find_or_build(const RtlTarget& target);
/// The same for the profiling path.
std::string find_or_build_point(const PathParams& params, WaveFormat format = WaveFormat::kNone);

}  // namespace strobe::profiling
