// What the manifest of a run says of its inputs: of the bytes that the run has read.
#pragma once

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/machine/outcome/run_hooks.h"
#include "sw/result/manifest.h"

namespace strobe {

/// The executable that runs, of which the file may have been replaced.
result::InputFile this_executable();

/// Warns of what shows before the first instruction: extensions of the ISA that the core
/// lacks, and debug information that cannot be read.
void warn_of_program(const isa::ElfFile& program);

/// All but the command. To be called from RunHooks::loaded: later the files may be others.
result::ManifestInput manifest_input(const config::RunConfig& configuration,
                                     const platform::RunInputs& inputs);

}  // namespace strobe
