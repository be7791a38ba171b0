#include "sc_models/profiling/device/lockstep_decode.h"

#include <sstream>
#include <utility>

#include "sc_models/profiling/reference/dise/dise_map.h"

namespace strobe::profiling {
namespace {

constexpr unsigned kCounters = 3;  // counters that an engine does not have read 0

}  // namespace

LockstepDecode::LockstepDecode(std::unique_ptr<DecodeEngine> rtl,
                               std::unique_ptr<DecodeEngine> model, std::function<uint64_t()> now)
    : rtl_(std::move(rtl)), model_(std::move(model)), now_(std::move(now)) {}

DecodeDecision LockstepDecode::decode(const DecodeLane* lanes, unsigned count, uint8_t slot) {
  pc_ = lanes[0].pc;
  const DecodeDecision rtl = rtl_->decode(lanes, count, slot);
  const DecodeDecision model = model_->decode(lanes, count, slot);
  compare("decode: consumed", rtl.consumed, model.consumed);
  compare("decode: replaced", rtl.replaced, model.replaced);
  compare("decode: entry", rtl.entry, model.entry);
  compare("decode: in_burst", rtl.in_burst, model.in_burst);
  compare_state();
  return rtl;
}

void LockstepDecode::restore(DecodeCheckpoint checkpoint) {
  rtl_->restore(checkpoint);
  model_->restore(checkpoint);
  compare_state();
}

InstantiatedInstruction LockstepDecode::instantiate(const DecodeLane& trigger, uint16_t entry) {
  pc_ = trigger.pc;
  const InstantiatedInstruction rtl = rtl_->instantiate(trigger, entry);
  const InstantiatedInstruction model = model_->instantiate(trigger, entry);
  const auto dise = [](const InstantiatedInstruction& made) {
    return uint64_t{made.dise_rs2} << 2 | uint64_t{made.dise_rs1} << 1 | uint64_t{made.dise_rd};
  };
  compare("instantiate: kind", static_cast<uint64_t>(rtl.kind), static_cast<uint64_t>(model.kind));
  compare("instantiate: insn", rtl.insn, model.insn);
  compare("instantiate: dise", dise(rtl), dise(model));
  compare("instantiate: last", rtl.last, model.last);
  compare("instantiate: go_to", rtl.go_to, model.go_to);
  compare("instantiate: value", rtl.value, model.value);
  return rtl;
}

uint64_t LockstepDecode::read(uint32_t offset) {
  const uint64_t rtl = rtl_->read(offset);
  compare("read", rtl, model_->read(offset));
  return rtl;
}

void LockstepDecode::write(uint32_t offset, uint64_t value) {
  rtl_->write(offset, value);
  model_->write(offset, value);
}

void LockstepDecode::compare_state() {
  compare("flags", rtl_->read(kDiseStatus), model_->read(kDiseStatus));
  for (unsigned n = 0; n < kCounters; ++n) {
    const uint32_t offset = kDiseCounter + 8 * n;
    compare("counter", rtl_->read(offset), model_->read(offset));
  }
  compare("burst", rtl_->burst(), model_->burst());
}

void LockstepDecode::compare(const char* what, uint64_t rtl, uint64_t model) const {
  if (rtl == model) return;
  std::ostringstream text;
  text << "lockstep: cycle " << now_() << ", pc 0x" << std::hex << pc_ << ": strobe_dise " << what
       << ": rtl 0x" << rtl << ", model 0x" << model;
  throw LockstepError(text.str());
}

}  // namespace strobe::profiling
