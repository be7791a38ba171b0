// Changes one section of code: what is inserted, replaced and appended is collected first, then
// laid out at once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/edit/layout.h"
#include "sw/object/edit/snippet.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Where an insertion stands to the labels of its place.
enum class Place : uint8_t {
  kBeforeLabels,  // only what falls through from the instruction before executes it
  kAfterLabels,   // all that reaches the instruction executes it first
};

class Editor {
 public:
  /// `code` describes the section as it is; both outlive the editor.
  Editor(ObjectFile* file, const Code& code) : file_(file), code_(code) {}

  /// Before the instruction at `offset`, or at the end of the section. Insertions of one place
  /// stand in the order of the calls. Throws std::invalid_argument when no instruction begins
  /// there, or one that must follow the one before it.
  void insert(uint32_t offset, Place place, const Snippet& snippet);
  /// In place of the instruction at `offset`, whose relocation goes with it. Labels stay before it.
  void replace(uint32_t offset, const Snippet& snippet);
  /// The branch, jump or direct call at `offset` goes to `symbol`.
  void redirect(uint32_t offset, uint32_t symbol);

  /// Lays the section out. Symbols and relocations of the whole object follow; a branch that
  /// does not reach its target becomes a longer one, and a jump that does not is handed on between
  /// two functions. @return where each instruction went, by `from`. Throws ObjectError when a
  /// function of more than 1 MiB is in between.
  std::vector<Moved> apply(Reach reach = Reach::kNow);

 private:
  /// Those of an instruction, counted from its first byte. @param next  the first one
  std::vector<Relocation> relocations_of(const Instruction& instruction, size_t* next) const;

  ObjectFile* file_;
  const Code& code_;
  std::map<uint32_t, std::vector<Snippet>> before_labels_, after_labels_;
  std::map<uint32_t, Snippet> replaced_;
  std::map<uint32_t, uint32_t> redirected_;
};

}  // namespace strobe::object
