// The production set of a run: assembled, its handlers found in the firmware.
#pragma once

#include <memory>
#include <vector>

#include "sc_models/isa/elf_file.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/profiling/reference/dise_engine.h"
#include "sw/config/run_config.h"
#include "sw/dise/image.h"

namespace strobe::platform {

/// What is wrong with the production files, or with the handlers they name.
config::Diagnostics check_productions(const config::DecodeConfig& decode);

/// The writes that load the production set into its engine.
/// Throws std::runtime_error with what check_productions() says.
std::vector<dise::RegisterWrite> production_writes(const config::DecodeConfig& decode,
                                                   const isa::ElfFile& firmware);

/// The engine of the run.
std::unique_ptr<DecodeEngine> make_decode_engine(const config::RunConfig& configuration);

}  // namespace strobe::platform
