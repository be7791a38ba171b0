// How far two harts that are placed in program order are from two that are moved cycle by cycle.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "tests/timing/core/threads/stepped_harts.h"
#include "tests/timing/core/threads/two_harts.h"

namespace strobe::test {
namespace {

constexpr size_t kInstructions = 4000, kFirstMeasured = 200, kLastMeasured = 3200;

/// What a program is made of, in per cent; the rest are adds.
struct Mix {
  const char* name;
  unsigned multiplications, near_loads, far_loads;
  unsigned distance;  // an operand is one of the last so many results
};

struct Generated {
  std::vector<uint32_t> words;
  std::vector<SteppedInsn> stepped;
};

constexpr unsigned kNear = 2, kFar = 40;  // cycles of the data cache

// Registers 5 to 20 are written in turn; x2 is the base of near loads, x3 of far ones.
Generated generate(const Mix& mix, unsigned seed, const core::CoreParams& params) {
  std::mt19937 random(seed);
  Generated out;
  const auto reg = [](size_t i) { return static_cast<uint8_t>(5 + i % 16); };
  for (size_t i = 0; i < kInstructions; ++i) {
    const auto operand = [&] { return reg(i + 16 - 1 - random() % mix.distance); };
    SteppedInsn insn;
    insn.dst = reg(i);
    const unsigned kind = random() % 100;
    if (kind < mix.near_loads + mix.far_loads) {
      const bool far = kind >= mix.near_loads;
      insn.unit = core::kMemUnit;
      insn.latency = params.mem.latency + (far ? kFar : kNear);
      out.words.push_back(ld(insn.dst, far ? 3 : 2, 0));
    } else {
      insn.src[0] = operand();
      insn.src[1] = operand();
      const bool product = kind < mix.near_loads + mix.far_loads + mix.multiplications;
      if (product) {
        insn.unit = core::kMulUnit;
        insn.latency = params.mul.latency;
      }
      out.words.push_back(product ? mul(insn.dst, insn.src[0], insn.src[1])
                                  : add(insn.dst, insn.src[0], insn.src[1]));
    }
    out.stepped.push_back(insn);
  }
  return out;
}

const Mix kMixes[] = {{"wide", 0, 10, 0, 16},     {"chains", 10, 10, 0, 3},
                      {"products", 40, 10, 0, 8}, {"loads", 5, 60, 0, 12},
                      {"misses", 5, 15, 10, 8},   {"rare misses", 10, 15, 1, 6}};

core::CoreParams compared_core() {
  core::CoreParams params = two_threads();
  params.load_queue = 2 * params.rob;  // never full
  return params;
}

struct Measured {
  double cycles[2];
};

Measured placed(const core::CoreParams& params, const Generated* programs) {
  TwoHarts two(params);
  two.dcache.answer = [](const ScriptedPort::Access& a) {
    return a.cycle + (a.address == TwoHarts::kData ? kNear : kFar);
  };
  for (const unsigned hart : {1u, 0u}) {
    two.harts[hart].hart.state().x[2] = TwoHarts::kData;
    two.harts[hart].hart.state().x[3] = TwoHarts::kData + 4096;
    if (!programs[hart].words.empty()) two.start(hart, programs[hart].words);
  }
  two.run();
  Measured out = {};
  for (const unsigned hart : {0u, 1u}) {
    const auto& commits = two.harts[hart].commits;
    if (commits.size() <= kLastMeasured) continue;
    out.cycles[hart] =
        static_cast<double>(commits[kLastMeasured].cycle - commits[kFirstMeasured].cycle);
  }
  return out;
}

Measured stepped(const core::CoreParams& params, const Generated* programs) {
  SteppedHarts two(params, programs[0].stepped, programs[1].stepped);
  two.run();
  Measured out = {};
  for (const unsigned hart : {0u, 1u}) {
    if (programs[hart].stepped.empty()) continue;
    out.cycles[hart] = static_cast<double>(two.life(hart, kLastMeasured).committed -
                                           two.life(hart, kFirstMeasured).committed);
  }
  return out;
}

TEST(PlacedHarts, OfWhichOneIsOffTakeTheCyclesOfSteppedOnes) {
  const core::CoreParams params = compared_core();
  for (const Mix& mix : kMixes) {
    for (unsigned seed = 0; seed < 3; ++seed) {
      const Generated programs[2] = {generate(mix, seed, params), {}};
      EXPECT_EQ(placed(params, programs).cycles[0], stepped(params, programs).cycles[0])
          << mix.name << ", seed " << seed;
    }
  }
}

// Every mix beside every other: the deviation of each hart's cycles, and of the mean of both.
TEST(PlacedHarts, AreCloseToSteppedOnes) {
  const core::CoreParams params = compared_core();
  double sum = 0, largest = 0, largest_of_both = 0;
  unsigned count = 0;
  for (const Mix& first : kMixes) {
    for (const Mix& second : kMixes) {
      const Generated programs[2] = {generate(first, 1, params), generate(second, 2, params)};
      const Measured p = placed(params, programs), s = stepped(params, programs);
      double both = 0;
      for (const unsigned hart : {0u, 1u}) {
        if (p.cycles[hart] == 0) continue;  // it had not come so far when hart 0 ended
        const double deviation = p.cycles[hart] / s.cycles[hart] - 1;
        EXPECT_LT(std::abs(deviation), 0.08)
            << "hart " << hart << " of " << first.name << " and " << second.name << ": placed "
            << p.cycles[hart] << ", stepped " << s.cycles[hart] << " cycles";
        sum += std::abs(deviation);
        largest = std::max(largest, std::abs(deviation));
        both += deviation;
        ++count;
      }
      if (p.cycles[1] != 0) largest_of_both = std::max(largest_of_both, std::abs(both / 2));
    }
  }
  std::printf("deviation of a hart: mean %.2f %%, largest %.1f %%; of the mean of both: %.1f %%\n",
              100 * sum / count, 100 * largest, 100 * largest_of_both);
  EXPECT_GT(count, 50u);
  EXPECT_LT(sum / count, 0.02);
  EXPECT_LT(largest_of_both, 0.04);
}

}  // namespace
}  // namespace strobe::test
