// Stubs in one place of a section, and the routines that they call. A stub is
//
//     stub:   the branch, to taken            its condition
//             jal   t0, counts_not_taken
//             j     the instruction after the branch
//     taken:  jal   t0, counts_taken
//             j     the branch's target
//             strobe_stub_t                   8-byte aligned
//
// and a routine
//
//             lui   addend, ...               -2^31, and 2^12 more when taken
//             ld    word, count(t0)           of the stub's data
//             add   word, word, addend
//             sd    word, count(t0)
//             bltz  word, unhook              the last execution to be recorded
//             jr    t0
//
// so that stub and routine together execute nine instructions; the paper has nine to ten. The stub
// of an indirect jump calls a routine that counts the target first, in an array after the stub's
// data, and then jumps as the original does. Registers that are wanted are pushed before the branch
// and popped before the jumps. Where t0 is wanted, ra is the link, if it is not.
//
// Threads share the words. Two that count at once may lose an execution; every store is of a whole
// word, so no word gets a value that neither has written.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "sw/instrument/snippets.h"
#include "sw/object/analysis/registers.h"
#include "sw/object/edit/editor.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {

/// Where a stub goes on, and what it is found by: symbols of the object.
struct StubSymbols {
  uint32_t target = 0, next = 0;
  int64_t target_addend = 0;
  uint32_t code = 0, data = 0;  // new labels, which the stub defines
};

class Island {
 public:
  /// Adds to one section of an object, whose global symbols are `globals`.
  Island(object::ObjectFile* file, Globals* globals, uint32_t section);

  bool empty() const { return stubs_.bytes.empty(); }
  uint32_t bytes() const { return stubs_.size(); }
  /// Whether a stub would move sp, to save registers, where the branch compares it.
  static bool moves_compared_sp(uint32_t word, object::Registers live);
  /// A stub for the branch `word`, of four bytes. @param live  registers whose values are wanted
  /// @return how many of them it saves
  unsigned add_stub(uint32_t word, object::Registers live, const StubSymbols& symbols);
  /// A stub for the jump to the address in register `target`. @param targets  room in its array
  unsigned add_jump_stub(unsigned target, object::Registers live, uint32_t targets, uint32_t code,
                         uint32_t data);
  /// The stubs, aligned, and their routines. @param jumped_over  whether control would fall into it
  object::Snippet finish(bool jumped_over);

 private:
  /// The registers that code of a stub uses, and those of them that it saves first.
  struct Scratch {
    unsigned link = 0, addend = 0, word = 0;
    std::vector<unsigned> pushed;
    /// Instructions that push them, or pop them.
    uint32_t saving() const {
      return pushed.empty() ? 0 : static_cast<uint32_t>(pushed.size() + 1);
    }
  };
  /// A routine, by what differs between two. `distance`: from its link to the stub's data.
  struct Routine {
    bool taken = false;
    unsigned link = 0, addend = 0, word = 0;
    int32_t distance = 0;
    unsigned target = 0;  // the register of an indirect jump; 0 for a branch
    bool operator<(const Routine& other) const {
      return std::tie(taken, link, addend, word, distance, target) <
             std::tie(other.taken, other.link, other.addend, other.word, other.distance,
                      other.target);
    }
  };

  /// @param used  registers that may not be saved and used, either
  static Scratch take(object::Registers live, object::Registers used);
  /// The call of a routine, and after it the registers as they were.
  void add_call_of(const Routine& routine, const Scratch& scratch);
  void add_search(const Routine& routine, object::Snippet* code);
  void add_routine(const Routine& routine, uint32_t label, object::Snippet* code);
  uint32_t label() { return file_->add_label(section_, 0); }

  object::ObjectFile* file_;
  Globals* globals_;
  uint32_t section_;
  object::Snippet stubs_;
  std::map<Routine, uint32_t> routines_;  // their labels
};

}  // namespace strobe::instrument
