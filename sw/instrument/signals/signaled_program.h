// A program with software signals linked into it, and what their identifiers mean.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sw/instrument/address_map.h"
#include "sw/instrument/edited_program.h"
#include "sw/instrument/signals/signals.h"

namespace strobe::instrument {

/// A SignalMethod and a SignalLoop in addresses of the original program; 0 when the linker
/// discarded the function.
struct LinkedMethod {
  uint64_t pc = 0;  // its entry
  std::string name;
};
struct LinkedLoop {
  uint64_t pc = 0;      // the header's first instruction
  uint32_t method = 0;  // the identifier of its function
};

/// Identifier n of the method word is methods[n - 1], that of the loop word loops[n - 1]; 0 is
/// none. The words are the symbols kMethodSignal and kLoopSignal of `elf`.
struct SignaledProgram {
  std::vector<uint8_t> elf;
  std::vector<LinkedMethod> methods;
  std::vector<LinkedLoop> loops;
  AddressMap map;
  SignalsCounts counts;
  std::vector<object::LeftAlone> left_alone;
};

/// The numbers of SignalsCounts, as documents name them.
inline constexpr std::pair<const char*, uint64_t SignalsCounts::*> kSignalsCountNames[] = {
    {"functions", &SignalsCounts::functions},       {"loops", &SignalsCounts::loops},
    {"entries", &SignalsCounts::entries},           {"returns", &SignalsCounts::returns},
    {"back_edges", &SignalsCounts::back_edges},     {"spills", &SignalsCounts::spills},
    {"bytes_before", &SignalsCounts::bytes_before}, {"bytes_after", &SignalsCounts::bytes_after}};

/// Edits and links. Throws object::ObjectError: what could not be read, edited or linked; when the
/// objects give another program than `program.elf`, or have signals already.
SignaledProgram make_signaled_program(const LinkedProgram& program, const SignalsOptions& options);

/// The same from the cache (kept_program.h).
SignaledProgram find_or_signal(const LinkedProgram& program, const SignalsOptions& options);

/// All but the file itself.
nlohmann::json to_json(const SignaledProgram& program);
/// Throws std::runtime_error when the document is not of to_json().
SignaledProgram signaled_program_from_json(const nlohmann::json& document);

}  // namespace strobe::instrument
