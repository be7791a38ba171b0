// The only interface between the host program and a Verilated shared object.
//
// Each parameter point is a shared object of its own that exports only this factory. So any number
// of points and of Verilator runtimes can be in one process.
#pragma once

#include "sc_models/port/path_interface.h"
#include "sc_models/profiling/verilated/pipelined_engine.h"

namespace strobe::profiling {

/// Raised when ProfilerPath, its inputs or its outputs change. An object of another version is not
/// used.
inline constexpr unsigned kRtlAbiVersion = 7;

/// The exported symbol. It makes a model in its reset state, which the caller owns, or returns null
/// when the versions differ. `wave_file` is empty for an object without tracing; otherwise the
/// waveforms of the cycles [from, to) are written to it. Throws std::runtime_error when they cannot
/// be written.
inline constexpr char kRtlFactoryName[] = "strobe_rtl_make_path";
using RtlFactory = ProfilerPath* (*)(unsigned abi_version, const char* wave_file, uint64_t from,
                                     uint64_t to);

/// The same for a decode engine, which writes no waveforms; the version is that of PipelinedEngine.
inline constexpr unsigned kDiseAbiVersion = 3;
inline constexpr char kDiseFactoryName[] = "strobe_rtl_make_engine";
using DiseFactory = PipelinedEngine* (*)(unsigned abi_version);

}  // namespace strobe::profiling
