// Functional units: count, latency and interval of each kind are the configured ones.
#include <gtest/gtest.h>

#include "tests/timing/core/machine.h"

namespace strobe::test {
namespace {

constexpr uint32_t fp_type(uint32_t funct7, uint32_t rd, uint32_t rs1, uint32_t rs2) {
  return funct7 << 25 | rs2 << 20 | rs1 << 15 | rd << 7 | 0x53;
}

struct Kind {
  const char* name;
  core::UnitParams core::CoreParams::*unit;
  uint32_t dependent, independent;
  unsigned beyond;  // cycles from the unit's result to the next dependent operation
};

// gtest names the parameter in what it prints.
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

const Kind kKinds[] = {
    {"alu", &core::CoreParams::alu, addi(1, 1, 1), addi(1, 2, 1), 0},
    {"mul", &core::CoreParams::mul, mul(1, 1, 1), mul(1, 2, 3), 0},
    {"div", &core::CoreParams::div, div(1, 1, 1), div(1, 2, 3), 0},
    {"fp", &core::CoreParams::fp, fp_type(0x01, 1, 1, 1), fp_type(0x01, 1, 2, 3), 0},
    {"fp_div", &core::CoreParams::fp_div, fp_type(0x0d, 1, 1, 1), fp_type(0x0d, 1, 2, 3), 0},
    {"mem", &core::CoreParams::mem, ld(1, 1, 0), ld(1, 2, 0), 1},  // a hit in the data cache
};

class Units : public testing::TestWithParam<Kind> {
 protected:
  core::CoreParams params_ = plain_core();
  core::UnitParams& unit() { return params_.*GetParam().unit; }
  // Cycles in which a hundred of these instructions commit, in the middle of two hundred.
  uint64_t cycles_of_hundred(uint32_t word) {
    Machine machine(params_);
    machine.hart.state().mstatus |= uint64_t{3} << 13;  // floating point is on
    for (unsigned i = 1; i < 32; ++i) machine.hart.state().x[i] = Machine::kData;
    const uint64_t self = Machine::kData;
    machine.memory.write(Machine::kData, &self, 8);
    EXPECT_EQ(machine.run(std::vector<uint32_t>(200, word)), core::CoreStop::kHart);
    return machine.commit_cycle(140) - machine.commit_cycle(40);
  }
};

TEST_P(Units, DependentOperationsAreOneLatencyApart) {
  for (const unsigned latency : {1u, 2u, 11u, 12u, 13u}) {
    unit() = {1, latency, 1};
    EXPECT_EQ(cycles_of_hundred(GetParam().dependent), 100u * (latency + GetParam().beyond))
        << "latency " << latency;
  }
}

TEST_P(Units, IndependentOperationsOfOneUnitAreOneIntervalApart) {
  for (const unsigned interval : {1u, 2u, 11u, 12u, 13u}) {
    unit() = {1, 12, interval};
    EXPECT_EQ(cycles_of_hundred(GetParam().independent), 100u * interval)
        << "interval " << interval;
  }
}

TEST_P(Units, ThroughputIsTheirNumberInEachInterval) {
  for (const unsigned count : {1u, 2u, 4u, 5u}) {
    unit() = {count, 1, 10};
    EXPECT_EQ(cycles_of_hundred(GetParam().independent), 100u * 10 / count) << "count " << count;
  }
}

INSTANTIATE_TEST_SUITE_P(OfEveryKind, Units, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace strobe::test
