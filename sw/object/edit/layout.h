// The instructions of one section of code after an edit: where each is to be, branches and jumps
// that reach, and what refers to the section.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sw/object/analysis/code.h"
#include "sw/object/edit/snippet.h"
#include "sw/object/file/object_file.h"

namespace strobe::object {

/// Where an instruction of the section went.
struct Moved {
  uint32_t from = 0, to = 0;
};

/// Where the places of a section went. What begins no instruction keeps its distance to the
/// beginning of the one that it is in, and what is outside the section to the nearer end.
class PlaceMap {
 public:
  explicit PlaceMap(uint64_t old_size) : new_(old_size + 1, kNone) {}

  void set(uint32_t old, uint32_t place) { new_[old] = place; }
  /// The last place at or before `old` that set() was told of, or 0. `old` may be negative.
  uint64_t anchor_of(uint64_t old) const;
  uint64_t operator()(uint64_t old) const;

 private:
  std::vector<uint32_t> new_;
};

/// When branches and jumps reach their targets. What is appended to a section that is edited again
/// leaves all before it where it is.
enum class Reach : uint8_t { kNow, kWithTheNextEdit };

class Layout {
 public:
  /// `code` describes the section as it is; both outlive the layout.
  Layout(ObjectFile* file, const Code& code);

  /// Fragments are instructions, or the data between them. The next one has this number.
  uint32_t size() const { return static_cast<uint32_t>(fragments_.size()); }
  void append(const Snippet& snippet);
  /// An instruction of the section. `relocations` count from its first byte.
  void append(const Instruction& instruction, const std::vector<Relocation>& relocations);
  /// The labels of an old offset stand before the fragment, which may be one to come.
  void put_labels(uint32_t fragment, uint32_t old);
  /// The fragment takes the place of the instruction at an old offset.
  void stand_for(uint32_t fragment, uint32_t old);

  /// Lays the fragments out and puts them into the section; symbols and relocations of the object
  /// follow. @return where each instruction went, by `from`. Throws ObjectError as Editor::apply().
  std::vector<Moved> write(Reach reach);

 private:
  struct Fragment {
    uint32_t from = kNone;       // offset before the edit; kNone of what is new
    uint32_t labels_at = kNone;  // the old offset whose labels stand here
    uint32_t to = 0;             // offset after it
    uint32_t next = kNone;
    uint32_t begin = 0, size = 0;                   // in bytes_
    uint32_t relocation = 0, relocation_count = 0;  // in relocations_, counted from its first byte
    uint32_t branch = kNone;  // in relocations_: which one is a branch or jump
  };
  /// Where jumps that do not reach their targets can be handed on: between two functions.
  struct Island {
    uint32_t before = 0;   // the fragment with which the second one begins
    uint32_t after = 0;    // the fragment after which a jump is inserted
    uint32_t place = 0;    // where it is
    bool entered = false;  // control would fall into it
  };

  uint32_t add_fragment(const uint8_t* bytes, uint32_t size);
  void add_relocation(uint32_t fragment, const Relocation& relocation);
  void put(uint32_t instruction);
  /// Calls `each(fragment, its number)` in their order.
  template <class Each>
  void for_fragments(Each each) {
    for (uint32_t i = fragments_.empty() ? kNone : 0; i != kNone; i = fragments_[i].next) {
      each(fragments_[i], i);
    }
  }

  void relax();
  void place();
  bool lengthen();
  void lengthen(Fragment* fragment, Relocation* relocation);
  std::optional<int64_t> distance_of(const Fragment& fragment) const;
  std::vector<uint32_t> far_jumps();
  std::vector<Island> islands();
  void bridge(uint32_t fragment, std::vector<Island>* islands);
  uint32_t hop(const Relocation& target, Island* island);
  uint32_t insert(uint32_t after, Fragment fragment);
  uint32_t insert_jump(uint32_t after, uint32_t symbol, int64_t addend);
  bool falls_through(const Fragment& fragment) const;
  [[noreturn]] void refuse(uint32_t fragment, int64_t distance);

  void move_advances();
  void follow();
  void follow(Relocation* relocation);
  void follow_low_halves();
  void move_symbols();
  uint32_t define(uint32_t place);

  ObjectFile* file_;
  const Code& code_;
  uint32_t section_;
  std::vector<Fragment> fragments_;  // linked in their order
  std::vector<uint8_t> bytes_;
  std::vector<Relocation> relocations_;
  std::vector<std::pair<uint32_t, uint32_t>> defines_, ends_;  // {fragment, symbol}
  std::vector<uint32_t> defined_;                              // by symbol: where; kNone elsewhere
  PlaceMap places_;
  /// The labels of islands' jumps: by the island's `before`, their target and its addend.
  std::map<std::tuple<uint32_t, uint32_t, int64_t>, uint32_t> hops_;
};

}  // namespace strobe::object
