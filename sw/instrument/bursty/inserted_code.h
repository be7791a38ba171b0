// The instructions that bursty tracing puts into a section: counting a check down, recording an
// event, with the registers that are free there.
#pragma once

#include <cstdint>
#include <optional>

#include "sw/instrument/bursty/bursty_runtime.h"
#include "sw/object/analysis/code.h"
#include "sw/object/analysis/registers.h"
#include "sw/object/edit/editor.h"
#include "sw/object/edit/encode.h"
#include "sw/object/file/object_file.h"

namespace strobe::instrument {

/// A register for new code. When its old value is still wanted, a frame of the stack keeps it.
struct Scratch {
  unsigned reg = 0;
  bool pushed = false;
};

/// The event to record: {site, base + offset}; `low` is the relocation of the offset, if it has
/// one.
struct EventValue {
  unsigned base = object::kZero;
  int32_t offset = 0;
  std::optional<object::Relocation> low = std::nullopt;
};

/// The address of a load, store or atomic as an event of its copy in `section`, which is `shift`
/// bytes after the instruction. The copy's relocations are read there, because an index of the
/// instruction is one of the object as it was.
EventValue address_of(const object::Instruction& access, const object::Section& section,
                      uint32_t shift);

class InsertedCode {
 public:
  /// For one section of an object, whose global symbols are `globals`.
  InsertedCode(object::ObjectFile* file, Globals* globals, uint32_t section);

  /// A new label, to be placed by a snippet or at `offset`.
  uint32_t label(uint32_t offset = 0);

  Scratch take(object::Registers live);
  void restore(object::Snippet* code, const Scratch& scratch);

  /// nCheck - 1 in the register and in memory. Two threads that count at once may count one check,
  /// and go below 0: the check is slow from 0 down.
  object::Snippet count_down(const Scratch& scratch);
  /// Calls the rest of the check. To stay in the checking copy, or change to it, it goes on at the
  /// label; else after this code.
  void slow_check(object::Snippet* code, const Scratch& scratch, uint32_t checking);
  /// Appends the event to the buffer by a call of the runtime. @param after_call  the label after
  /// it
  object::Snippet event(object::Registers live, const EventValue& value, uint32_t* after_call);

  /// The runtime's routines that were called, and places without a free register.
  const Routines& used() const { return used_; }
  uint64_t spills() const { return spills_; }

 private:
  void save(object::Snippet* code, const Scratch& scratch);
  /// @param pushed  how far sp is from where the value expects it
  static void put_value(object::Snippet* code, unsigned reg, const EventValue& value,
                        int32_t pushed);

  object::ObjectFile* file_;
  Globals* globals_;
  uint32_t section_;
  Routines used_;
  uint64_t spills_ = 0;
};

}  // namespace strobe::instrument
