#include "sc_models/profiling/device/lockstep_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "sc_models/profiling/reference/profiler_path.h"
#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {
namespace {

/// A path that is right but for what `change` does to its outputs.
class AlteredPath final : public ProfilerPath {
 public:
  using Change = std::function<void(uint64_t cycle, uint16_t addr, PathOutputs& out)>;
  explicit AlteredPath(Change change)
      : path_(make_reference_path(PathParams{})), change_(std::move(change)) {}
  PathOutputs step(const PathInputs& inputs) override {
    PathOutputs out = path_->step(inputs);
    change_(cycle_++, inputs.reg_addr, out);
    return out;
  }
  PathOutputs peek(uint16_t addr) override { return path_->peek(addr); }
  void skip(uint64_t cycles) override {
    path_->skip(cycles);
    cycle_ += cycles;
  }
  void reset() override { path_->reset(); }
  const PathParams& params() const override { return path_->params(); }

 private:
  std::unique_ptr<ProfilerPath> path_;
  Change change_;
  uint64_t cycle_ = 0;
};

/// The text of the error that 5000 cycles of loads give with this change; empty if there is none.
std::string error_with(const AlteredPath::Change& change) {
  LockstepPath path(std::make_unique<AlteredPath>(change), make_reference_path(PathParams{}));
  try {
    start(path, 2);
    for (uint64_t i = 0; i < 2000; ++i) {
      PathInputs in;
      in.lane[0] = load_lane(0x1000, i % 7);
      path.step(in);
    }
  } catch (const LockstepError& error) {
    return error.what();
  }
  return "";
}

TEST(LockstepPath, EqualPathsRunWithoutAnError) {
  EXPECT_EQ(error_with([](uint64_t, uint16_t, PathOutputs&) {}), "");
}

TEST(LockstepPath, ADifferenceNamesCycleSignalAndBothValues) {
  EXPECT_EQ(error_with([](uint64_t cycle, uint16_t addr, PathOutputs& out) {
              if (cycle >= 100 && addr == kRegId) out.reg_rdata ^= 1;
            }),
            "lockstep: cycle 144: strobe_profiler.reg_rdata: rtl 0x2000042525452, model "
            "0x2000042525453 (reg_addr 0x0)");
}

TEST(LockstepPath, EachOutputIsCompared) {
  const auto at_100 = [](auto change) {
    return [change](uint64_t cycle, uint16_t, PathOutputs& out) {
      if (cycle == 100) change(out);
    };
  };
  const std::string prefix = "lockstep: cycle 100: strobe_profiler.";
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.reg_rdata = ~out.reg_rdata; })),
              testing::StartsWith(prefix + "reg_rdata: rtl 0x"));
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.reg_error = !out.reg_error; })),
              testing::StartsWith(prefix + "reg_error: rtl 0x"));
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.irq = !out.irq; })),
              testing::StartsWith(prefix + "irq: rtl 0x1, model 0x0"));
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.idle = !out.idle; })),
              testing::StartsWith(prefix + "idle: rtl 0x1, model 0x0"));
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.mem_valid = true; })),
              testing::StartsWith(prefix + "mem_valid: rtl 0x1, model 0x0"));
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.mem_addr = 8; })),
              testing::StartsWith(prefix + "mem_addr: rtl 0x8, model 0x0"));
  EXPECT_THAT(error_with(at_100([](PathOutputs& out) { out.mem_data = 8; })),
              testing::StartsWith(prefix + "mem_data: rtl 0x8, model 0x0"));
}

TEST(LockstepPath, ACounterThatNobodyReadsIsComparedWithinOneWalkOverTheRegisters) {
  EXPECT_THAT(error_with([](uint64_t, uint16_t addr, PathOutputs& out) {
                if (addr == kRegEvents && out.reg_rdata > 10) ++out.reg_rdata;
              }),
              testing::HasSubstr("(reg_addr 0x58)"));
}

TEST(LockstepPath, TheCallersAddressIsAnsweredThoughAnotherOneIsCompared) {
  LockstepPath path(make_reference_path(PathParams{}), make_reference_path(PathParams{}));
  PathInputs in;
  in.reg_addr = kRegPeriod;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(path.step(in).reg_rdata, 256u);
}

TEST(LockstepPath, CyclesThatWereSkippedCount) {
  LockstepPath path(std::make_unique<AlteredPath>([](uint64_t cycle, uint16_t, PathOutputs& out) {
                      if (cycle == 10000) out.irq = true;
                    }),
                    make_reference_path(PathParams{}));
  run_until_idle(path);
  for (int i = 0; i < 3; ++i) path.step(PathInputs{});
  path.skip(10000 - 2048 - 1 - 3);
  try {
    path.step(PathInputs{});
    FAIL() << "no exception";
  } catch (const LockstepError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("lockstep: cycle 10000: strobe_profiler.irq"));
  }
}

TEST(LockstepPath, PathsWithDifferentParametersAreRefused) {
  PathParams other;
  other.strata = 1024;
  EXPECT_THROW(LockstepPath(make_reference_path(other), make_reference_path(PathParams{})),
               std::invalid_argument);
}

}  // namespace
}  // namespace strobe::profiling
