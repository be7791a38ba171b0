// The production set of a run: assembled, its handlers found in the firmware.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/machine/config/run_config.h"
#include "sc_models/machine/outcome/outcome.h"
#include "sc_models/port/decode_engine.h"
#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sw/dise/assemble.h"
#include "sw/dise/image/image.h"

namespace strobe::platform {

/// What is wrong with the production files, with the handlers they name, or with an active profiler
/// beside them.
text::Diagnostics check_productions(const config::RunConfig& configuration);

struct ProductionSet {
  std::vector<dise::SourceFile> files;       // as they were read
  std::vector<dise::RegisterWrite> writes;   // that load it into its engine
  std::vector<HandlerOutcome> handlers;      // that it calls, by name
  std::map<std::string, uint8_t> registers;  // the numbers of those it names
};

/// Throws std::runtime_error with what check_productions() says.
ProductionSet production_set(const config::RunConfig& configuration, const isa::ElfFile& firmware);

/// The engine of the run. @param now  the cycle, for the error of a lockstep engine
/// Throws std::runtime_error when an RTL point has to be Verilated and that fails.
std::unique_ptr<DecodeEngine> make_decode_engine(const config::RunConfig& configuration,
                                                 const std::function<uint64_t()>& now);

}  // namespace strobe::platform
