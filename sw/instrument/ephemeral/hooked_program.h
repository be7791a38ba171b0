// A program with ephemeral instrumentation linked into it: its stubs, the map of its addresses, and
// what a run is told in its file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <utility>
#include <vector>

#include "sw/instrument/address_map.h"
#include "sw/instrument/edited_program.h"
#include "sw/instrument/ephemeral/ephemeral.h"

namespace strobe::instrument {

/// Bytes of a page whose branches are hooked together by hook_pages().
inline constexpr uint64_t kHookedPage = 4096;

/// A Hook in addresses.
struct HookedBranch {
  uint64_t pc = 0, target = 0, next = 0;    // in the original program; a jump has no target or next
  uint64_t branch = 0, code = 0, data = 0;  // in the edited one: the branch and its stub
  uint32_t targets = 0;                     // as Hook::targets
  bool first = true;                        // no other branch of its page dominates it
  bool is_jump() const { return targets != 0; }           // or call
  uint64_t page() const { return branch / kHookedPage; }  // in the edited program
};

struct HookedProgram {
  std::vector<uint8_t> elf;  // of which nothing is recorded until hook_all() or hook_pages()
  std::vector<HookedBranch> branches;
  AddressMap map;
  EphemeralCounts counts;
  std::vector<object::LeftAlone> left_alone;
};

/// The numbers of EphemeralCounts, as documents name them.
inline constexpr std::pair<const char*, uint64_t EphemeralCounts::*> kEphemeralCountNames[] = {
    {"functions", &EphemeralCounts::functions},
    {"branches", &EphemeralCounts::branches},
    {"jumps", &EphemeralCounts::jumps},
    {"islands", &EphemeralCounts::islands},
    {"expanded", &EphemeralCounts::expanded},
    {"spills", &EphemeralCounts::spills},
    {"bytes_before", &EphemeralCounts::bytes_before},
    {"bytes_after", &EphemeralCounts::bytes_after}};

/// Edits and links. Throws object::ObjectError: what could not be read, edited or linked; when the
/// objects give another program than `program.elf`; when the program changes its own code; when a
/// branch is too far from its stub.
/// @param runtime  the compiled sw/guest/ephemeral/unhook.c
HookedProgram make_hooked_program(const LinkedProgram& program,
                                  const std::filesystem::path& runtime,
                                  const EphemeralOptions& options);

/// The same from the cache (kept_program.h).
HookedProgram find_or_hook(const LinkedProgram& program, const std::filesystem::path& runtime,
                           const EphemeralOptions& options);

/// Makes the program's code writable and hooks every branch, for `persistence` executions each.
/// Throws std::invalid_argument when that is 0 or above STROBE_TAKEN_MASK; object::ObjectError when
/// the file is another than the branches' program.
void hook_all(HookedProgram* program, uint64_t persistence);

/// The same, but in the file only branches are hooked that may be the first of their page to be
/// executed. That first execution, which is recorded, hooks all branches of the page.
void hook_pages(HookedProgram* program, uint64_t persistence);

/// All but the file itself.
nlohmann::json to_json(const HookedProgram& program);
/// Throws std::runtime_error when the document is not of to_json().
HookedProgram hooked_program_from_json(const nlohmann::json& document);

}  // namespace strobe::instrument
