// Where the shared object of a parameter point is; builds it when it is nowhere.
#pragma once

#include <string>

#include "sc_models/port/path_interface.h"

namespace strobe::profiling {

/// What an object can write beside being a path; each is a separate library of the same RTL.
enum class WaveFormat { kNone, kVcd, kFst };

/// By the ending of a file's name; kNone for the empty one. Throws std::invalid_argument for any
/// other ending than .vcd and .fst.
WaveFormat wave_format(const std::string& file);
/// As build_point.sh takes it: "none", "vcd" or "fst".
const char* name_of(WaveFormat format);

/// A top of rtl/ at a parameter point: one shared object.
struct RtlTarget {
  std::string top;         // a module that build_point.sh knows
  std::string parameters;  // "Name=value Name=value": those that are not the default
  WaveFormat format = WaveFormat::kNone;
};

/// Its name, e.g. "strobe_profiler_Strata512" or "strobe_dise_default".
std::string name_of(const RtlTarget& target);

/// The point as it appears in file names, e.g. "Strata512_CounterWidth10" or "default", with the
/// wave format behind it if there is one.
std::string point_key(const PathParams& params, WaveFormat format = WaveFormat::kNone);

/// Path of the target's shared object, which exists on return. One of the cache that is not what
/// was built is built again, and so is one of the build tree whose sources have changed. Throws
/// std::runtime_error when a build fails or the object in $STROBE_RTL_DIR is out of date,
/// files::ForeignFile when another user could have written the one of the cache.
std::string find_or_build(const RtlTarget& target);
/// The same of the profiling path.
std::string find_or_build_point(const PathParams& params, WaveFormat format = WaveFormat::kNone);

}  // namespace strobe::profiling
