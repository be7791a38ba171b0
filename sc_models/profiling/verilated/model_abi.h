// The one door between the host program and a Verilated shared object.
//
// Each parameter point is a shared object of its own; it exports only this factory, so any number
// of points and of Verilator runtimes can live in one process.
#pragma once

#include "sc_models/port/path_interface.h"
#include "sc_models/profiling/verilated/pipelined_engine.h"

namespace strobe::profiling {

/// Raised whenever ProfilerPath, its inputs or its outputs change shape. An object with another
/// version is not used.
inline constexpr unsigned kRtlAbiVersion = 7;

/// Exported symbol: makes a model after reset; the caller owns it. Null when the versions differ.
/// `wave_file` is empty in an object without tracing; else the waveforms of the cycles [from, to)
/// go there, and std::runtime_error says when they cannot.
inline constexpr char kRtlFactoryName[] = "strobe_rtl_make_path";
using RtlFactory = ProfilerPath* (*)(unsigned abi_version, const char* wave_file, uint64_t from,
                                     uint64_t to);

/// The same of a decode engine, which writes no waveforms; the version is that of PipelinedEngine.
inline constexpr unsigned kDiseAbiVersion = 3;
inline constexpr char kDiseFactoryName[] = "strobe_rtl_make_engine";
using DiseFactory = PipelinedEngine* (*)(unsigned abi_version);

}  // namespace strobe::profiling
