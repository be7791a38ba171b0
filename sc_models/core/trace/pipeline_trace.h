// The pipeline view: what became of each instruction, cycle by cycle, as a Kanata 4 log for Konata.
//
// The pipeline knows all the cycles of an instruction when it places it, and hands them over as one
// Life; the log wants them cycle by cycle, so lines wait here until nothing earlier can come. The
// window is [from, to): an instruction is in the log if it was in flight at some cycle
// of the window, and is followed to its end, which may lie after the window. Lane 0 holds the
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
#include <queue>
#include <string>
#include <vector>

namespace strobe::core {

/// "addi x1,x0,5": mnemonic and operands of a 32-bit encoding at `pc`, in the assembler's order,
/// registers by number, targets of branches absolute.
std::string instruction_text(uint32_t insn, uint64_t pc);

class PipelineTrace {
 public:
  static constexpr uint64_t kNever = uint64_t{1} << 62;  // and later: it does not happen
  /// Instructions in flight at once, at most: numbers are told apart modulo this.
  static constexpr uint64_t kNumbers = 4096;

  /// What becomes of an instruction; cycles, those of the stages it does not reach are kNever.
  struct Life {
    uint64_t pc = 0;
    uint32_t insn = 0;         // 0 where nothing can be executed
    uint64_t number = kNever;  // by which others name it as a producer
    uint64_t fetched = kNever, decoded = kNever, renamed = kNever, issued = kNever,
             in_memory = kNever, completed = kNever, committed = kNever, flushed = kNever;
    uint64_t producers[4] = {kNever, kNever, kNever, kNever};  // numbers it waits for
    bool trapped = false, first_of_interrupt = false, injected = false;
  };

  /// Writes to `file`. Throws std::runtime_error when that cannot be made.
  PipelineTrace(const std::string& file, uint64_t from, uint64_t to);
  PipelineTrace(const PipelineTrace&) = delete;
  PipelineTrace& operator=(const PipelineTrace&) = delete;

  /// An instruction that ends before this cycle is not shown.
  uint64_t from() const { return from_; }
  /// The window is over and everything of it has ended.
  bool done() const { return settled_ >= to_ && events_.empty(); }
  /// What is still in flight ends here as flushed; once, at the end of the run. Throws
  /// std::runtime_error when the file could not be written.
  void finish();

  [[gnu::cold]] void add(const Life& life);
  /// Nothing that happens before `cycle` will be added any more.
  [[gnu::cold]] void settle(uint64_t cycle);
  /// The run has come to this cycle: what happens before it is shown even if the run ends here.
  void reach(uint64_t cycle) { reached_ = cycle; }
  /// From `cycle` on nothing happens as it was foretold: what is in flight is flushed.
  [[gnu::cold]] void cut(uint64_t cycle);

 private:
  struct Row {
    Life life;
    uint64_t id = kNever;
    bool open = false;  // it has begun and has not ended
  };
  struct Event {
    uint64_t cycle, order;
    uint32_t row;
    const char* stage;  // that begins; null: the row ends
    bool operator>(const Event& other) const {
      return cycle != other.cycle ? cycle > other.cycle : order > other.order;
    }
  };

  void push(uint64_t cycle, uint32_t row, const char* stage);
  void write(const Event& event);
  void begin(Row& row);
  void end(Row& row, bool flushed);
  void to_cycle(uint64_t cycle);
  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args);
  void write_out();

  const std::string name_;
  std::ofstream file_;
  fmt::memory_buffer text_;
  const uint64_t from_, to_;
  uint64_t now_ = kNever;  // the last line's; kNever: none yet
  uint64_t settled_ = 0, reached_ = 0;
  uint64_t next_id_ = 0, next_retirement_ = 0, next_order_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
  std::vector<Row> rows_;
  std::vector<uint32_t> free_rows_;
  std::vector<uint64_t> id_of_;  // by number
};

}  // namespace strobe::core
