// Changes one section of code: what is inserted, replaced and appended is collected first, then
// laid out at once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Code to put somewhere. Offsets count from its first byte; `labels` are symbols that it defines.
struct Snippet {
  std::vector<uint8_t> bytes;
  std::vector<Relocation> relocations;
  std::vector<std::pair<uint32_t, uint32_t>> labels;  // symbol, offset
  std::vector<uint32_t> starts;                       // offsets of its instructions, or of its data
  std::vector<std::pair<uint32_t, uint32_t>> ends;    // symbol whose size ends there, offset

  uint32_t size() const { return static_cast<uint32_t>(bytes.size()); }
  /// Appends one instruction of four bytes, with a relocation if `type` is not 0.
  void add(uint32_t instruction, uint32_t type = 0, uint32_t symbol = 0, int64_t addend = 0);
  /// Appends another snippet.
  void add(const Snippet& other);
};

/// Where an insertion stands to the labels of its place.
enum class Place : uint8_t {
  kBeforeLabels,  // only what falls through from the instruction before executes it
  kAfterLabels,   // all that reaches the instruction executes it first
};

/// Where an instruction of the section went.
struct Moved {
  uint32_t from = 0, to = 0;
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
  /// does not reach its target becomes a longer one. @return where each instruction went, by
  /// `from`. Throws ObjectError when a jump cannot reach its target.
  std::vector<Moved> apply();

 private:
  struct Piece;  // one instruction, old or new, of the result
  std::vector<Piece> pieces() const;
  void append(const Snippet& snippet, std::vector<Piece>* pieces) const;
  void lay_out(std::vector<Piece>* pieces);
  void move_advances(const std::vector<uint32_t>& new_place);

  ObjectFile* file_;
  const Code& code_;
  std::map<uint32_t, std::vector<Snippet>> before_labels_, after_labels_;
  std::map<uint32_t, Snippet> replaced_;
  std::map<uint32_t, uint32_t> redirected_;
};

}  // namespace strobe::object
