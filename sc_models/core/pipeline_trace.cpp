#include "sc_models/core/pipeline_trace.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace strobe::core {
namespace {

constexpr size_t kBufferBytes = 1 << 16;
const char* const kStageNames[] = {"F", "D", "Rn", "Is", "X", "M", "Wb"};

}  // namespace

PipelineTrace::PipelineTrace(const std::string& file, uint64_t from, uint64_t to)
    : name_(file), file_(file, std::ios::binary | std::ios::trunc), from_(from), to_(to) {
  line("Kanata\t0004\n");
  write_out();
}

template <typename... Args>
void PipelineTrace::line(fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  if (text_.size() >= kBufferBytes) write_out();
}

void PipelineTrace::write_out() {
  file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  file_.flush();
  text_.clear();
  if (!file_) throw std::runtime_error(fmt::format("cannot write the pipeline log to {}", name_));
}

void PipelineTrace::open(uint64_t cycle, size_t front_size, size_t rob_size) {
  front_.assign(front_size, {});
  rob_.assign(rob_size, {});
  now_ = cycle;
  opened_ = true;
  line("C=\t{}\n", cycle);
}

void PipelineTrace::in_front_end(uint64_t position, uint64_t pc, uint32_t insn, Stage stage) {
  front(position).id = introduce(pc, insn, stage);
}

void PipelineTrace::in_reorder_buffer(uint64_t slot, uint64_t pc, uint32_t insn, Stage stage) {
  rob(slot).id = introduce(pc, insn, stage);
}

void PipelineTrace::fetched(uint64_t cycle, uint64_t position, uint64_t pc, uint32_t insn) {
  front(position).id = kNobody;
  if (cycle >= to_) return;
  to_cycle(cycle);
  front(position).id = introduce(pc, insn, Stage::kFetch);
}

uint64_t PipelineTrace::introduce(uint64_t pc, uint32_t insn, Stage stage) {
  const uint64_t id = next_id_++;
  ++alive_;
  line("I\t{}\t{}\t0\n", id, id);
  line("L\t{}\t0\t{:x}: {}\n", id, pc, insn == 0 ? "(not executable)" : instruction_text(insn, pc));
  start(id, kStageNames[static_cast<size_t>(stage)]);
  return id;
}

void PipelineTrace::injected(uint64_t cycle, uint64_t position, uint64_t end, uint64_t pc,
                             uint32_t insn) {
  for (uint64_t to = end; to > position; --to) front(to) = front(to - 1);
  front(position).id = kNobody;
  if (cycle >= to_) return;
  to_cycle(cycle);
  front(position).id = introduce(pc, insn, Stage::kDecode);
  line("L\t{}\t1\tinjected\n", front(position).id);
}

void PipelineTrace::decoded(uint64_t cycle, uint64_t position) {
  to_cycle(cycle);
  start(front(position).id, "D");
}

void PipelineTrace::renamed(uint64_t cycle, uint64_t position, uint64_t slot) {
  to_cycle(cycle);
  rob(slot) = front(position);
  front(position) = {};
  if (rob(slot).id == kNobody) return;
  start(rob(slot).id, "Rn");
  rob(slot).in_rename = true;
  renamed_now_.push_back({rob(slot).id, slot});
}

void PipelineTrace::renamed_on_wrong_path(uint64_t cycle, uint64_t position) {
  to_cycle(cycle);
  const uint64_t id = front(position).id;
  front(position) = {};
  if (id == kNobody) return;
  start(id, "Rn");
  wrong_path_.push_back(id);
}

void PipelineTrace::depends(uint64_t consumer, uint64_t producer) {
  const uint64_t from = rob(producer).id, to = rob(consumer).id;
  if (from != kNobody && to != kNobody) line("W\t{}\t{}\t0\n", to, from);
}

void PipelineTrace::issued(uint64_t cycle, uint64_t slot) {
  to_cycle(cycle);
  rob(slot).in_rename = false;
  start(rob(slot).id, "X");
}

void PipelineTrace::in_memory(uint64_t cycle, uint64_t slot) {
  to_cycle(cycle);
  start(rob(slot).id, "M");
}

void PipelineTrace::completed(uint64_t cycle, uint64_t slot) {
  to_cycle(cycle);
  start(rob(slot).id, "Wb");
}

void PipelineTrace::committed(uint64_t cycle, uint64_t slot, bool trapped,
                              bool first_of_interrupt) {
  to_cycle(cycle);
  const uint64_t id = rob(slot).id;
  rob(slot) = {};
  if (id == kNobody) return;
  start(id, "Cm");
  if (trapped) line("L\t{}\t1\ttrapped\n", id);
  if (first_of_interrupt) line("L\t{}\t1\tfirst of the interrupt handler\n", id);
  ended_.push_back({id, trapped});  // in the cycle after, so that Cm is seen
}

void PipelineTrace::squashed_front_end(uint64_t cycle, uint64_t first, uint64_t end) {
  to_cycle(cycle);
  for (uint64_t position = first; position < end; ++position) flush(front(position));
}

void PipelineTrace::squashed_wrong_path(uint64_t cycle) {
  to_cycle(cycle);
  for (const uint64_t id : wrong_path_) end(id, true);
  wrong_path_.clear();
}

void PipelineTrace::squashed_reorder_buffer(uint64_t cycle, uint64_t first, uint64_t end) {
  to_cycle(cycle);
  for (uint64_t number = first; number < end; ++number) flush(rob(number));
}

void PipelineTrace::flush(Entry& entry) {
  if (entry.id != kNobody) end(entry.id, true);
  entry = {};
}

void PipelineTrace::start(uint64_t id, const char* stage) {
  if (id != kNobody) line("S\t{}\t0\t{}\n", id, stage);
}

void PipelineTrace::end(uint64_t id, bool flushed) {
  line("R\t{}\t{}\t{}\n", id, flushed ? 0 : next_retirement_++, flushed ? 1 : 0);
  --alive_;
}

// Cycles in which nothing happens are passed in one step, but not those that owe a line.
void PipelineTrace::to_cycle(uint64_t cycle) {
  while (now_ < cycle && !done()) {
    finish_cycle();
    const bool next_owes = !ended_.empty() || !renamed_before_.empty();
    const uint64_t next = next_owes ? now_ + 1 : cycle;
    line("C\t{}\n", next - now_);
    now_ = next;
    for (const Ended& one : ended_) end(one.id, one.flushed);
    ended_.clear();
  }
}

// Whoever was renamed in the cycle before and was not issued in this one waits.
void PipelineTrace::finish_cycle() {
  for (const Waiting& one : renamed_before_) {
    Entry& entry = rob(one.slot);
    if (entry.id != one.id || !entry.in_rename) continue;
    entry.in_rename = false;
    start(one.id, "Is");
  }
  renamed_before_.clear();
  renamed_before_.swap(renamed_now_);
}

void PipelineTrace::finish() {
  if (opened_) {
    to_cycle(now_ + 1);
    squashed_wrong_path(now_);
    for (std::vector<Entry>* ring : {&front_, &rob_}) {
      std::sort(ring->begin(), ring->end(),
                [](const Entry& a, const Entry& b) { return a.id < b.id; });
      for (Entry& entry : *ring) flush(entry);
    }
  }
  write_out();
}

}  // namespace strobe::core
