// Does every difference between two decode engines end the run, and does the error name its place?
#include "sc_models/profiling/device/lockstep_decode.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "sc_models/profiling/reference/dise/dise_map.h"

namespace strobe::profiling {
namespace {

using ::testing::HasSubstr;

/// An engine that is right but for one of its answers.
class AlteredEngine final : public DiseEngine {
 public:
  enum Fault { kNothing, kReplaced, kInstruction, kValue, kRestore, kWrite };
  explicit AlteredEngine(Fault fault) : DiseEngine(DiseParams{}), fault_(fault) {}

  DecodeDecision decode(const DecodeLane* lanes, unsigned count, uint8_t slot) override {
    DecodeDecision decision = DiseEngine::decode(lanes, count, slot);
    if (fault_ == kReplaced) decision.replaced = !decision.replaced;
    return decision;
  }
  void restore(DecodeCheckpoint checkpoint) override {
    if (fault_ != kRestore) DiseEngine::restore(checkpoint);
  }
  InstantiatedInstruction instantiate(const DecodeLane& trigger, uint16_t entry) override {
    InstantiatedInstruction made = DiseEngine::instantiate(trigger, entry);
    if (fault_ == kInstruction) made.insn ^= 1u << 20;
    if (fault_ == kValue) ++made.value;
    return made;
  }
  void write(uint32_t offset, uint64_t value) override {
    DiseEngine::write(offset, fault_ == kWrite && offset == kDiseCounter ? value + 1 : value);
  }

 private:
  Fault fault_;
};

/// The error of a few calls and a squash; empty if there is none.
std::string error_with(AlteredEngine::Fault fault) {
  LockstepDecode engine(std::make_unique<AlteredEngine>(fault),
                        std::make_unique<DiseEngine>(DiseParams{}), [] { return 77; });
  try {
    engine.write(kDisePatternIndex, 0);
    engine.write(kDisePatternWord, 0);  // any word
    engine.write(kDisePatternKind, uint64_t{1} << 21 | 0xffff);
    engine.write(kDisePatternCondition, 0xffff);
    engine.write(kDisePatternOps, 1);  // inc_1
    engine.write(kDiseCtrl, kDiseCtrlEnable);
    engine.write(kDiseCounter, 5);
    DecodeLane lane;
    lane.pc = 0x10400;
    lane.insn = 0x00000013;
    engine.decode(&lane, 1, 0);
    engine.decode(&lane, 1, 1);
    engine.restore({0, 0});
    engine.instantiate(lane, 0);
  } catch (const LockstepError& error) {
    return error.what();
  }
  return "";
}

TEST(LockstepDecode, SaysNothingWhileBothAgree) {
  EXPECT_EQ(error_with(AlteredEngine::kNothing), "");
}

TEST(LockstepDecode, NamesCyclePcSignalAndBothValues) {
  EXPECT_EQ(error_with(AlteredEngine::kReplaced),
            "lockstep: cycle 77, pc 0x10400: strobe_dise decode: replaced: rtl 0x1, model 0x0");
}

TEST(LockstepDecode, ComparesEveryAnswerAndTheStateBehindIt) {
  EXPECT_THAT(error_with(AlteredEngine::kInstruction), HasSubstr("instantiate: insn"));
  EXPECT_THAT(error_with(AlteredEngine::kValue), HasSubstr("instantiate: value"));
  EXPECT_THAT(error_with(AlteredEngine::kRestore), HasSubstr("counter: rtl 0x7, model 0x6"));
  EXPECT_THAT(error_with(AlteredEngine::kWrite), HasSubstr("counter: rtl 0x7, model 0x6"));
}

}  // namespace
}  // namespace strobe::profiling
