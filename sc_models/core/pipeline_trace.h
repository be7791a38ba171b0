// The pipeline view: what became of each instruction, cycle by cycle, as a Kanata 4 log for Konata.
//
// The stages tell the recorder what they do while it is attached; nothing is kept but what is in
// flight. The window is [from, to): an instruction is in the log if it was in flight at some cycle
// of the window, and is followed to its end, which may lie behind the window. Lane 0 holds the
// stages:
//   F   fetched, on its way to decode
//   D   decoded and executed by the hart, waiting for rename
//   Rn  renamed: has a reorder-buffer slot and a reservation station
//   Is  waits in the station for operands or a unit; left out when it does not wait
//   X   in its functional unit; of a load or an atomic: the address
//   M   in the data cache, or waiting for an older store
//   Wb  the result is there; waits for its turn to commit
//   Cm  commits
// An instruction that never retires (wrong path, trap, run at its end) ends as flushed. Arrows go
// from a producer to a consumer that had to wait for it. docs/pipeline-view.md has the reader's
// side; the format: github.com/shioyadan/Konata, docs/kanata-log-format.md.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace strobe::core {

/// "addi x1,x0,5": mnemonic and operands of a 32-bit encoding at `pc`, in the assembler's order,
/// registers by number, targets of branches absolute.
std::string instruction_text(uint32_t insn, uint64_t pc);

class PipelineTrace {
 public:
  /// Where an instruction is that was in flight when the window opened.
  enum class Stage : uint8_t { kFetch, kDecode, kRename, kIssue, kExecute, kMemory, kWriteback };

  /// Writes to `file`. Throws std::runtime_error when that cannot be made.
  PipelineTrace(const std::string& file, uint64_t from, uint64_t to);
  PipelineTrace(const PipelineTrace&) = delete;
  PipelineTrace& operator=(const PipelineTrace&) = delete;

  uint64_t from() const { return from_; }
  /// The window is over and everything of it has ended.
  bool done() const { return now_ >= to_ && alive_ == 0 && ended_.empty(); }
  /// What is still in flight ends here as flushed; once, at the end of the run. Throws
  /// std::runtime_error when the file could not be written.
  void finish();

  // For the pipeline, in the order of cycles; cold, so that their calls stay out of the way when
  // off. `position` is a front-end position, `slot` a reorder-buffer slot or number; rings of
  // powers of two.
  void open(uint64_t cycle, size_t front_size, size_t rob_size);
  void in_front_end(uint64_t position, uint64_t pc, uint32_t insn, Stage stage);
  void in_reorder_buffer(uint64_t slot, uint64_t pc, uint32_t insn, Stage stage);
  /// @param insn  0 where nothing can be executed
  [[gnu::cold]] void fetched(uint64_t cycle, uint64_t position, uint64_t pc, uint32_t insn);
  /// An instruction that the decode engine injects takes `position`: the front entries from there
  /// up to `end` are one further from now on.
  void injected(uint64_t cycle, uint64_t position, uint64_t end, uint64_t pc, uint32_t insn);
  [[gnu::cold]] void decoded(uint64_t cycle, uint64_t position);
  [[gnu::cold]] void renamed(uint64_t cycle, uint64_t position, uint64_t slot);
  [[gnu::cold]] void renamed_on_wrong_path(uint64_t cycle, uint64_t position);
  [[gnu::cold]] void depends(uint64_t consumer, uint64_t producer);
  [[gnu::cold]] void issued(uint64_t cycle, uint64_t slot);
  [[gnu::cold]] void in_memory(uint64_t cycle, uint64_t slot);
  [[gnu::cold]] void completed(uint64_t cycle, uint64_t slot);
  [[gnu::cold]] void committed(uint64_t cycle, uint64_t slot, bool trapped,
                               bool first_of_interrupt);
  [[gnu::cold]] void squashed_front_end(uint64_t cycle, uint64_t first, uint64_t end);
  [[gnu::cold]] void squashed_wrong_path(uint64_t cycle);
  [[gnu::cold]] void squashed_reorder_buffer(uint64_t cycle, uint64_t first, uint64_t end);

 private:
  static constexpr uint64_t kNobody = ~uint64_t{0};
  struct Entry {
    uint64_t id = kNobody;
    bool in_rename = false;
  };
  struct Ended {
    uint64_t id;
    bool flushed;
  };
  struct Waiting {
    uint64_t id, slot;
  };

  Entry& front(uint64_t position) { return front_[position & (front_.size() - 1)]; }
  Entry& rob(uint64_t slot) { return rob_[slot & (rob_.size() - 1)]; }
  void to_cycle(uint64_t cycle);
  void finish_cycle();
  uint64_t introduce(uint64_t pc, uint32_t insn, Stage stage);
  void start(uint64_t id, const char* stage);
  void end(uint64_t id, bool flushed);
  void flush(Entry& entry);
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args);
  void write_out();

  const std::string name_;
  std::ofstream file_;
  fmt::memory_buffer text_;
  const uint64_t from_, to_;
  bool opened_ = false;
  uint64_t now_ = 0;
  uint64_t next_id_ = 0, next_retirement_ = 0, alive_ = 0;
  std::vector<Entry> front_, rob_;
  std::vector<uint64_t> wrong_path_;                   // in the reorder buffer
  std::vector<Waiting> renamed_now_, renamed_before_;  // in this cycle, in the one before
  std::vector<Ended> ended_;                           // committed in this cycle
};

}  // namespace strobe::core
