// Whether a run is to be simulated whole although its mode is sampled.
#pragma once

#include <memory>
#include <string>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"

namespace strobe {

/// Why the region has too few units for mode sampled: one sentence. Empty: it has enough, ends in
/// the start that is measured whole, or its length is not known before the run. Where the run file
/// does not say how long it is, a process of its own executes it, without timing and only as far as
/// mode sampled needs, unless the program may write files. That takes some hundredths of a second
/// beside the way to the region.
/// @param confined  the process gives up what it does not need of the host (sw/confine)
std::string why_exact_instead(const config::RunConfig& configuration,
                              const std::shared_ptr<const isa::ElfFile>& program, bool confined);

}  // namespace strobe
