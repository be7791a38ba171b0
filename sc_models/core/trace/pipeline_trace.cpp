#include "sc_models/core/trace/pipeline_trace.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace strobe::core {
namespace {

constexpr size_t kBufferBytes = 1 << 16;

}  // namespace

PipelineTrace::PipelineTrace(const std::string& file, uint64_t from, uint64_t to)
    : name_(file),
      file_(file, std::ios::binary | std::ios::trunc),
      from_(from),
      to_(to),
      id_of_(kNumbers, kNever) {
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

void PipelineTrace::add(const Life& life) {
  // Cm is one cycle long, so that it is seen.
  const uint64_t ended = std::min(life.committed + 1, life.flushed);
  if (std::min(life.fetched, life.decoded) >= to_ || ended <= from_) return;
  if (free_rows_.empty()) {
    free_rows_.push_back(static_cast<uint32_t>(rows_.size()));
    rows_.emplace_back();
  }
  const uint32_t row = free_rows_.back();
  free_rows_.pop_back();
  rows_[row] = {life, kNever, false};
  const uint64_t first = next_order_;
  // An instruction that is not issued in the cycle after rename waits.
  const uint64_t waits = life.issued > life.renamed + 1 ? life.renamed + 1 : kNever;
  const std::pair<uint64_t, const char*> stages[] = {
      {life.fetched, "F"}, {life.decoded, "D"},   {life.renamed, "Rn"},   {waits, "Is"},
      {life.issued, "X"},  {life.in_memory, "M"}, {life.completed, "Wb"}, {life.committed, "Cm"}};
  uint64_t last = 0;
  const char* before = nullptr;  // the stage it is in when the window opens
  for (const auto& [cycle, stage] : stages) {
    if (cycle >= kNever || cycle >= ended || cycle < last) continue;
    last = cycle;
    if (cycle < from_) {
      before = stage;
      continue;
    }
    if (before != nullptr && cycle > from_) push(from_, row, before);
    before = nullptr;
    push(cycle, row, stage);
  }
  if (before != nullptr) push(from_, row, before);
  if (next_order_ == first) {  // gone before it came
    free_rows_.push_back(row);
  } else if (ended < kNever) {
    push(ended, row, nullptr);
  }
}

void PipelineTrace::push(uint64_t cycle, uint32_t row, const char* stage) {
  events_.push({cycle, next_order_++, row, stage});
}

void PipelineTrace::settle(uint64_t cycle) {
  settled_ = std::max(settled_, cycle);
  while (!events_.empty() && events_.top().cycle < cycle) {
    const Event event = events_.top();
    events_.pop();
    write(event);
  }
}

void PipelineTrace::to_cycle(uint64_t cycle) {
  if (now_ == kNever) {
    line("C=\t{}\n", cycle);
  } else if (cycle > now_) {
    line("C\t{}\n", cycle - now_);
  }
  now_ = cycle;
}

void PipelineTrace::write(const Event& event) {
  to_cycle(event.cycle);
  Row& row = rows_[event.row];
  if (event.stage == nullptr) {
    end(row, row.life.committed >= kNever || row.life.trapped);
    free_rows_.push_back(event.row);
    return;
  }
  if (!row.open) begin(row);
  line("S\t{}\t0\t{}\n", row.id, event.stage);
  if (event.cycle == row.life.renamed) {
    for (const uint64_t producer : row.life.producers) {
      const uint64_t id = producer >= kNever ? kNever : id_of_[producer % kNumbers];
      if (id != kNever) line("W\t{}\t{}\t0\n", row.id, id);
    }
  }
  if (event.cycle == row.life.committed) {
    if (row.life.trapped) line("L\t{}\t1\ttrapped\n", row.id);
    if (row.life.first_of_interrupt) line("L\t{}\t1\tfirst of the interrupt handler\n", row.id);
  }
}

void PipelineTrace::begin(Row& row) {
  const Life& life = row.life;
  row.id = next_id_++;
  row.open = true;
  if (life.number < kNever) id_of_[life.number % kNumbers] = row.id;
  line("I\t{}\t{}\t0\n", row.id, row.id);
  line("L\t{}\t0\t{:x}: {}\n", row.id, life.pc,
       life.insn == 0 ? "(not executable)" : instruction_text(life.insn, life.pc));
  if (life.injected) line("L\t{}\t1\tinjected\n", row.id);
}

void PipelineTrace::end(Row& row, bool flushed) {
  line("R\t{}\t{}\t{}\n", row.id, flushed ? 0 : next_retirement_++, flushed ? 1 : 0);
  row.open = false;
}

void PipelineTrace::cut(uint64_t cycle) {
  settle(cycle);
  if (now_ != kNever) to_cycle(std::max(now_, cycle));
  events_ = {};
  std::vector<Row*> open;
  for (Row& row : rows_) {
    if (row.open) open.push_back(&row);
  }
  std::sort(open.begin(), open.end(), [](const Row* a, const Row* b) { return a->id < b->id; });
  for (Row* row : open) end(*row, row->life.committed >= cycle || row->life.trapped);
  rows_.clear();
  free_rows_.clear();
}

void PipelineTrace::finish() {
  cut(std::max(settled_, reached_));
  write_out();
}

}  // namespace strobe::core
