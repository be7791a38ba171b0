// A program with instrumentation linked into it, and what is needed to read its profile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sw/instrument/address_map.h"
#include "sw/instrument/bursty/bursty.h"
#include "sw/instrument/edited_program.h"

namespace strobe::instrument {

/// A Site in addresses of the original program.
struct LinkedSite {
  EventKind kind = EventKind::kData;
  uint64_t pc = 0;
  uint64_t target = 0;      // where an edge or a direct call goes; 0: the recorded value says it
  uint64_t after_call = 0;  // in the edited program; 0: the linker discarded it
};

struct InstrumentedProgram {
  std::vector<uint8_t> elf;  // of which nothing is sampled until set_bursts()
  std::vector<LinkedSite> sites;
  AddressMap map;
  BurstyCounts counts;
  std::vector<object::LeftAlone> left_alone;
};

/// The numbers of BurstyCounts, as documents name them.
inline constexpr std::pair<const char*, uint64_t BurstyCounts::*> kCountNames[] = {
    {"functions", &BurstyCounts::functions},
    {"entry_checks", &BurstyCounts::entry_checks},
    {"loop_checks", &BurstyCounts::loop_checks},
    {"boring_loops", &BurstyCounts::boring_loops},
    {"sites", &BurstyCounts::sites},
    {"spills", &BurstyCounts::spills},
    {"bytes_before", &BurstyCounts::bytes_before},
    {"bytes_after", &BurstyCounts::bytes_after}};

/// Edits and links. Throws object::ObjectError: what could not be read, edited or linked; also when
/// the objects give another program than `program.elf`.
/// @param fold  the compiled sw/guest/bursty/fold.c
InstrumentedProgram instrument_program(const LinkedProgram& program,
                                       const std::filesystem::path& fold,
                                       const BurstyOptions& options);

/// The same from the cache, which one process fills while others wait. What decides the result is
/// the program's bytes, the command that linked it, the options, `fold` and this executable.
InstrumentedProgram find_or_instrument(const LinkedProgram& program,
                                       const std::filesystem::path& fold,
                                       const BurstyOptions& options);

/// All but the file itself.
nlohmann::json to_json(const InstrumentedProgram& program);
/// Throws std::runtime_error when the document is not of to_json().
InstrumentedProgram from_json(const nlohmann::json& document);

}  // namespace strobe::instrument
