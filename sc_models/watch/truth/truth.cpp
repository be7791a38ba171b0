#include "sc_models/watch/truth/truth.h"

namespace strobe::truth {

Truth::Truth(const core::ReorderBuffer& rob, const SamplerParams& samplers)
    : rob_(rob), period_(samplers.period), attribution_(rob) {
  if (samplers.period != 0) samplers_.emplace(rob, samplers.period, samplers.seed);
}

void Truth::begin(uint64_t cycle) {
  phase_ = Phase::kRegion;
  begin_ = cycle;
  attribution_.begin(cycle);
  if (samplers_) samplers_->begin(cycle);
}

void Truth::cycle(uint64_t cycle, unsigned count) {
  if (phase_ == Phase::kAfter) return;
  attribution_.commit(cycle, count,
                      [this](const RetireRecord& record, uint64_t from, uint64_t cycles,
                             uint64_t parts) { attribute(record, from, cycles, parts); });
  if (phase_ == Phase::kBefore) return;
  for (uint64_t number = rob_.head() - count; number < rob_.head(); ++number) {
    follow(rob_.record(number));
  }
  if (samplers_) samplers_->cycle(cycle, count);
}

void Truth::end(uint64_t cycle) {
  attribution_.end(cycle, [this](const RetireRecord& record, uint64_t from, uint64_t cycles,
                                 uint64_t parts) { attribute(record, from, cycles, parts); });
  phase_ = Phase::kAfter;
  end_ = cycle;
}

void Truth::attribute(const RetireRecord& record, uint64_t from, uint64_t cycles, uint64_t parts) {
  const bool machine = record.mode == PrivilegeMode::kMachine;
  (machine ? machine_ : program_[record.pc_rdata].parts) += cycles * parts;
  if (samplers_) samplers_->attribute(record, from, cycles, parts);
}

/// Notes how control went on after an instruction of the program. A call is taken to return.
void Truth::follow(const RetireRecord& record) {
  if (record.mode == PrivilegeMode::kMachine || (record.trap | record.injected) != 0) return;
  const OpClass opclass = record.opclass;
  if (opclass == OpClass::kReturn) return;
  const bool call = opclass == OpClass::kCall || opclass == OpClass::kCallIndirect;
  Place& place = program_[record.pc_rdata];
  if (call || record.pc_wdata == record.pc_rdata + record.length) {
    place.length = record.length;
    return;
  }
  if (place.target == record.pc_wdata) return;
  if (place.target != 0 && jumps_.size() < kMostJumps) {
    jumps_.insert({record.pc_rdata, place.target});
  }
  place.target = record.pc_wdata;
}

platform::TimeParts Truth::parts_of(uint64_t cycles, const Samplers::Samples* samples) const {
  return {cycles, samples != nullptr ? *samples : Samplers::Samples()};
}

void Truth::fill_in(platform::TruthOutcome* outcome) const {
  std::set<profile::ExecutedJump> jumps = jumps_;
  const CodeMap<Samplers::Samples>* const samples = samplers_ ? &samplers_->program() : nullptr;
  program_.for_each([&](uint64_t pc, const Place& place) {
    if (place.target != 0) jumps.insert({pc, place.target});
    if (place.parts == 0) return;
    outcome->instructions.push_back({pc, place.length});
    outcome->parts.push_back(
        parts_of(place.parts, samples != nullptr ? samples->find(pc) : nullptr));
  });
  outcome->jumps.assign(jumps.begin(), jumps.end());
  outcome->machine = parts_of(machine_, samplers_ ? &samplers_->machine() : nullptr);
  outcome->beyond =
      parts_of(program_.beyond().parts, samples != nullptr ? &samples->beyond() : nullptr);
  outcome->cycles = end_ - begin_;
  outcome->period = period_;
}

}  // namespace strobe::truth
