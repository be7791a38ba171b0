#include "sc_models/isa/linux/threads/threads.h"

#include <algorithm>

#include "sc_models/isa/linux/printable.h"
#include "sc_models/isa/linux/seeded_bytes.h"

namespace strobe::isa {
void ThreadRegisters::save(const HartState& state) {
  std::copy_n(state.x, x.size(), x.begin());
  std::copy_n(state.f, f.size(), f.begin());
  pc = state.pc;
  position = state.dise.position;
  fcsr = state.fcsr;
}

void ThreadRegisters::load(HartState& state) const {
  std::copy_n(x.begin(), x.size(), state.x);
  std::copy_n(f.begin(), f.size(), state.f);
  state.pc = pc;
  state.dise.position = position;
  state.fcsr = fcsr;
  state.reservation = kNoReservation;
}

std::string Thread::printable_name() const {
  constexpr size_t kAll = ~size_t{0};
  return printable(name, kAll);
}

Threads::Threads(const SchedulerOptions& options) : options_(options), random_(options.seed) {
  current_[0] = &start();
  begin_quantum(0);
}

Thread* Threads::find(uint64_t id) const {
  for (const auto& thread : all_) {
    if (thread->id() == id && thread->lives()) return thread.get();
  }
  return nullptr;
}

unsigned Threads::living() const {
  const auto lives = [](const auto& one) { return one->lives(); };
  return static_cast<unsigned>(std::count_if(all_.begin(), all_.end(), lives));
}

unsigned Threads::ready() const {
  const auto is_ready = [](const auto& one) { return one->state == Thread::State::kReady; };
  return static_cast<unsigned>(std::count_if(all_.begin(), all_.end(), is_ready));
}

unsigned Threads::ready_on_hart() const {
  const auto is_ready = [this](const auto& one) {
    return one->state == Thread::State::kReady && hart_of(*one) == hart_;
  };
  return static_cast<unsigned>(std::count_if(all_.begin(), all_.end(), is_ready));
}

Thread& Threads::start() {
  all_.push_back(std::make_unique<Thread>());
  all_.back()->number = started_++;
  return *all_.back();
}

Thread* Threads::next() const {
  for (size_t i = 1; i <= all_.size(); ++i) {
    Thread* const one = all_[(last_[hart_] + i) % all_.size()].get();
    if (one->state == Thread::State::kReady && hart_of(*one) == hart_) return one;
  }
  return nullptr;
}

void Threads::note_instructions(uint64_t instructions) {
  if (!idles()) current().instructions += instructions - since_[hart_];
  since_[hart_] = instructions;
}

void Threads::run(Thread* thread, uint64_t instructions) {
  note_instructions(instructions);
  Thread* const before = current_[hart_];
  if (thread != before) ++switches_;
  if (before != nullptr && before->state == Thread::State::kEnded) {
    if (ended_.size() < kMostShares) {
      ended_.push_back({before->number, before->printable_name(), before->instructions});
    } else {
      ended_.back().instructions += before->instructions;
    }
    const size_t place = place_of(before);
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(place));
    for (size_t& last : last_) last -= last > place || (last == place && place != 0) ? 1 : 0;
  }
  current_[hart_] = thread;
  if (thread != nullptr) last_[hart_] = place_of(thread);
  begin_quantum(instructions);
}

size_t Threads::place_of(const Thread* thread) const {
  const auto is_it = [thread](const auto& one) { return one.get() == thread; };
  return static_cast<size_t>(std::find_if(all_.begin(), all_.end(), is_it) - all_.begin());
}

void Threads::begin_quantum(uint64_t instructions) {
  uint64_t length = options_.quantum;
  if (options_.seed != 0) length = length - length / 2 + next_random(random_) % length;
  quantum_end_[hart_] = instructions + length;
}

void Threads::wait(const Wait& wait) {
  Thread& thread = current();
  thread.wait = wait;
  thread.wait.order = ++waits_;
  thread.state = Thread::State::kWaiting;
}

std::vector<ThreadShare> Threads::shares() const {
  std::vector<ThreadShare> all = ended_;
  for (const auto& one : all_) {
    all.push_back({one->number, one->printable_name(), one->instructions});
  }
  std::sort(all.begin(), all.end(),
            [](const ThreadShare& a, const ThreadShare& b) { return a.number < b.number; });
  return all;
}

}  // namespace strobe::isa
