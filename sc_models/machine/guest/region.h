// Where the region of interest begins and ends, as addresses of the program at hand.
#pragma once

#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/isa/hart/hart.h"
#include "sc_models/machine/config/run_config.h"

namespace strobe::platform {

/// The points of the region that the program does not have: a symbol it lacks, or one that is no
/// code. Empty: all is well.
text::Diagnostics check_region(const config::WorkloadConfig& workload, const isa::ElfFile& program);

/// The stop point of a checked point; StopPoint() of one that is not given. Throws
/// std::runtime_error with the diagnostic's text when it was not checked and is wrong.
isa::StopPoint stop_point(const config::RegionPoint& point, const isa::ElfFile& program);

/// Makes `hart` stop where the region ends. An instruction it is about to execute does not count:
/// from a symbol to the same symbol is once around.
void set_region_end(isa::Hart& hart, isa::StopPoint end);

/// The sentence for a run that ended before the region began (`verb` "began") or ended ("ended").
/// @param passes  how often the point was passed
std::string never_reached(const config::RegionPoint& point, const char* verb, uint64_t passes);

/// The sentence for a run that ended between the region's beginning point and its first counted
/// instruction.
std::string ended_before(const config::WorkloadConfig& workload, bool reached_end,
                         uint64_t instructions);

}  // namespace strobe::platform
