// `issue: in_order`: each instruction issues with its predecessor or after it, and nothing else
// differs. The golden cycles are those of issue, counted from that of the first instruction, on a
// core of width 4 with 4 ALUs, 2 memory units, a multiplier of 3 cycles and a divider of 20. Four
// instructions are fetched a cycle, so instruction 4 can issue one cycle after instruction 0.
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tests/timing/core/machine.h"
#include "tests/timing/core/trace/kanata_log.h"

namespace strobe::test {
namespace {

using core::Issue;
using Cycles = std::vector<uint64_t>;

constexpr uint64_t kNever = ~uint64_t{0};
constexpr unsigned kMiss = 20;

/// What a program does on a core; one entry for each instruction that commits.
struct Ran {
  Cycles issued, completed, committed;
  uint64_t cycles = 0;
};

/// x2 points to 1 KB of which each eight bytes point to its start, x13 to the middle of it; other
/// registers hold their number. `answer` decides when the data cache is done; empty: after a cycle.
Ran run_on(core::CoreParams params, Issue issue, const std::vector<uint32_t>& program,
           const std::function<uint64_t(const ScriptedPort::Access&)>& answer = {}) {
  params.issue = issue;
  Machine machine(params);
  for (unsigned i = 0; i < 32; ++i) machine.hart.state().x[i] = i;
  machine.hart.state().x[2] = Machine::kData;
  machine.hart.state().x[13] = Machine::kData + 512;
  for (uint64_t i = 0; i < 128; ++i) {
    const uint64_t start = Machine::kData;
    machine.memory.write(Machine::kData + 8 * i, &start, 8);
  }
  machine.dcache.answer = answer;
  Recorder recorder;
  machine.pipeline.set_trace(&recorder.trace);
  EXPECT_EQ(machine.run(program), core::CoreStop::kHart);
  Ran ran;
  for (const KanataInsn& insn : recorder.finish().insns) {
    if (insn.flushed) continue;
    ran.issued.push_back(insn.begin("X"));
    ran.completed.push_back(insn.begin("Wb"));
    ran.committed.push_back(insn.begin("Cm"));
  }
  const core::PipelineStats& stats = machine.pipeline.stats();
  ran.cycles = stats.cycles;
  EXPECT_EQ(std::accumulate(std::begin(stats.cpi), std::end(stats.cpi), uint64_t{0}), stats.cycles);
  return ran;
}

uint64_t missed(const ScriptedPort::Access& access) { return access.cycle + kMiss; }

/// From the first one's.
Cycles issue_cycles(Issue issue, const std::vector<uint32_t>& program,
                    const core::CoreParams& params = plain_core(),
                    const std::function<uint64_t(const ScriptedPort::Access&)>& answer = {}) {
  Cycles cycles = run_on(params, issue, program, answer).issued;
  const uint64_t first = cycles.front();
  for (uint64_t& cycle : cycles) cycle -= first;
  return cycles;
}

TEST(InOrder, AnInstructionThatWaitsForAnOperandHoldsUpTheYoungerOnes) {
  const std::vector<uint32_t> program = {
      mul(3, 4, 5),    // issues in 0, its result is there in 3
      add(6, 3, 3),    // waits for it
      addi(7, 8, 1),   // waits for nothing
      addi(9, 8, 1),   // waits for nothing
      addi(10, 8, 1),  // fetched a cycle later; the fourth of cycle 3
      addi(11, 8, 1),  // cycle 3 is full
  };
  EXPECT_EQ(issue_cycles(Issue::kInOrder, program), (Cycles{0, 3, 3, 3, 3, 4}));
  EXPECT_EQ(issue_cycles(Issue::kOutOfOrder, program), (Cycles{0, 3, 0, 0, 1, 1}));
}

TEST(InOrder, ALoadHoldsUpItsFirstUseAndNotTheInstructionsBeforeThat) {
  const std::vector<uint32_t> program = {
      ld(3, 2, 0),    // issues in 0, has its address in 1 and its data in 21
      addi(4, 5, 1),  // three others issue with it, one of them a second load
      addi(6, 5, 1),  ld(7, 2, 8),   addi(8, 5, 1),  // fetched a cycle later
      add(9, 3, 5),                                  // the first use of the load
      addi(10, 5, 1), add(11, 7, 5),  // the use of the second load, whose data is there as well
  };
  EXPECT_EQ(issue_cycles(Issue::kInOrder, program, plain_core(), missed),
            (Cycles{0, 0, 0, 0, 1, 21, 21, 21}));
  EXPECT_EQ(issue_cycles(Issue::kOutOfOrder, program, plain_core(), missed),
            (Cycles{0, 0, 0, 0, 1, 21, 1, 21}));
}

TEST(InOrder, InstructionsCompleteOutOfOrderAndCommitInOrder) {
  const Ran ran =
      run_on(plain_core(), Issue::kInOrder, {ld(3, 2, 0), addi(4, 5, 1), addi(6, 4, 1)}, missed);
  EXPECT_EQ(ran.completed[0], ran.issued[0] + 1 + kMiss);
  EXPECT_EQ(ran.completed[1], ran.issued[0] + 1);
  EXPECT_EQ(ran.completed[2], ran.issued[0] + 2);
  EXPECT_EQ(ran.committed, Cycles(3, ran.completed[0] + 1));
}

TEST(InOrder, AnInstructionThatWaitsForAUnitHoldsUpTheYoungerOnes) {
  const std::vector<uint32_t> program = {
      div(3, 4, 5),  // issues in 0; the divider takes the next operation in 20
      div(6, 7, 8), addi(9, 10, 1)};
  EXPECT_EQ(issue_cycles(Issue::kInOrder, program), (Cycles{0, 20, 20}));
  EXPECT_EQ(issue_cycles(Issue::kOutOfOrder, program), (Cycles{0, 20, 0}));
  core::CoreParams one_alu = plain_core();
  one_alu.alu.count = 1;
  const std::vector<uint32_t> adds = {addi(3, 4, 1), addi(5, 4, 1), mul(6, 4, 7)};
  EXPECT_EQ(issue_cycles(Issue::kInOrder, adds, one_alu), (Cycles{0, 1, 1}));
  EXPECT_EQ(issue_cycles(Issue::kOutOfOrder, adds, one_alu), (Cycles{0, 1, 0}));
}

TEST(InOrder, IssueWidthInstructionsIssueInACycle) {
  core::CoreParams params = plain_core();
  const std::vector<uint32_t> program(12, addi(3, 4, 1));
  // Each writes the same register, so each result has a cycle of its own.
  EXPECT_EQ(issue_cycles(Issue::kInOrder, program, params),
            (Cycles{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  std::vector<uint32_t> others;
  for (unsigned i = 0; i < 12; ++i) others.push_back(addi(3 + i, 20, 1));
  for (const unsigned width : {1u, 2u, 4u}) {
    params.issue_width = width;
    Cycles expected;
    for (uint64_t i = 0; i < 12; ++i) expected.push_back(i / width);
    EXPECT_EQ(issue_cycles(Issue::kInOrder, others, params), expected) << width;
  }
}

TEST(InOrder, AResultIsThereLaterThanTheOlderOneOfTheSameRegister) {
  // A product is there in 3, so a sum of one cycle may issue in 3, and a load, which takes a cycle
  // for its address and one for its data, in 2.
  EXPECT_EQ(issue_cycles(Issue::kInOrder, {mul(3, 4, 5), addi(3, 6, 1)}), (Cycles{0, 3}));
  EXPECT_EQ(issue_cycles(Issue::kInOrder, {mul(3, 4, 5), ld(3, 2, 0)}), (Cycles{0, 2}));
  EXPECT_EQ(issue_cycles(Issue::kInOrder, {addi(3, 6, 1), mul(3, 4, 5)}), (Cycles{0, 0}));
  // A load that misses has its data in 21.
  EXPECT_EQ(issue_cycles(Issue::kInOrder, {ld(3, 2, 0), addi(3, 6, 1)}, plain_core(), missed),
            (Cycles{0, 21}));
  // Register 0 is none, and neither stores nor branches write one.
  EXPECT_EQ(issue_cycles(Issue::kInOrder, {mul(0, 4, 5), addi(0, 6, 1), sd(4, 2, 0), beq(1, 6, 8)}),
            (Cycles{0, 0, 0, 0}));
  EXPECT_EQ(issue_cycles(Issue::kOutOfOrder, {mul(3, 4, 5), addi(3, 6, 1)}), (Cycles{0, 0}));
}

TEST(InOrder, AMispredictedBranchIsFoundOutWhenItHasIssuedInOrder) {
  core::CoreParams params = plain_core();
  const std::vector<uint32_t> program = {
      mul(3, 4, 5),   add(6, 3, 3),  // issues in 3
      beq(0, 0, 12),                 // taken, predicted not taken; needs nothing that is not there
      addi(7, 8, 1),                 // the wrong path, which does not issue
      addi(9, 8, 1),                 // the wrong path
      addi(10, 8, 1),                // the target
  };
  // The branch issues in 3 and completes in 4, in which the target is fetched. It is decoded
  // front_end_stages - 1 cycles later, renamed a cycle after that, and issues a cycle after rename.
  for (const unsigned stages : {2u, 4u, 7u}) {
    params.front_end_stages = stages;
    EXPECT_EQ(issue_cycles(Issue::kInOrder, program, params), (Cycles{0, 3, 3, 4 + stages + 1}));
    EXPECT_EQ(issue_cycles(Issue::kOutOfOrder, program, params), (Cycles{0, 3, 0, 1 + stages + 1}));
  }
}

/// Instructions whose operands, branches and addresses are drawn; registers 3 to 12 are computed.
/// Stores go to the second half of the data, and loads to all of it.
std::vector<uint32_t> random_program(std::mt19937& random) {
  const auto any = [&](unsigned count) { return static_cast<uint32_t>(random() % count); };
  const auto computed = [&] { return 3 + any(10); };
  std::vector<uint32_t> program;
  while (program.size() < 120) {
    const int offset = static_cast<int>(8 * any(128));
    const int stored = static_cast<int>(512 + 8 * any(4));
    switch (any(10)) {
      case 0:
        program.push_back(mul(computed(), computed(), computed()));
        break;
      case 1:
        program.push_back(div(computed(), computed(), computed()));
        break;
      case 2:
        program.push_back(ld(computed(), 2, offset));
        break;
      case 3:
        program.push_back(sd(computed(), 2, stored));
        break;
      case 4:
        program.push_back(sb(computed(), 2, stored + static_cast<int>(any(8))));
        break;
      case 7:
        program.push_back(ld(computed(), 2, stored));
        break;
      case 5:
        program.push_back(amoadd(computed(), 13, computed()));
        break;
      case 6:
        program.push_back(beq(computed(), computed(), static_cast<int>(4 + 4 * any(3))));
        break;
      default:
        program.push_back(add(computed(), computed(), computed()));
        break;
    }
  }
  program.insert(program.end(), 3, nop());  // where the last branch may lead
  return program;
}

core::CoreParams random_core(std::mt19937& random) {
  core::CoreParams params = plain_core();
  const auto one_of = [&](std::initializer_list<unsigned> values) {
    return values.begin()[random() % values.size()];
  };
  params.issue_width = one_of({1, 2, 4});
  params.alu.count = one_of({1, 2, 4});
  params.mul = {1, one_of({1, 3, 12}), one_of({1, 8})};
  params.rob = one_of({8, 32, 128});
  params.reservation_stations = one_of({4, 8, 80});
  params.load_queue = one_of({4, 32});
  params.store_queue = one_of({4, 32});
  return params;
}

// The data cache answers by address only, it is as fast as forwarding where stores go, and the
// predictor learns nothing: then no instruction can gain from waiting.
TEST(InOrder, NoInstructionIssuesBeforeItsPredecessorAndNoneSoonerThanOutOfOrder) {
  unsigned later = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const core::CoreParams params = random_core(random);
    const std::vector<uint32_t> program = random_program(random);
    const auto answer = [](const ScriptedPort::Access& a) {
      const bool misses = a.address < Machine::kData + 512 && a.address / 8 % 3 == 0;
      return a.cycle + (misses ? kMiss : 1);
    };
    const Ran in_order = run_on(params, Issue::kInOrder, program, answer);
    const Ran out_of_order = run_on(params, Issue::kOutOfOrder, program, answer);
    ASSERT_EQ(in_order.issued.size(), out_of_order.issued.size()) << seed;
    ASSERT_GT(in_order.issued.size(), 30u) << seed;
    for (size_t i = 0; i < in_order.issued.size(); ++i) {
      ASSERT_NE(in_order.issued[i], kNever) << seed << ", " << i;
      ASSERT_GE(in_order.issued[i], in_order.issued[i == 0 ? 0 : i - 1]) << seed << ", " << i;
      ASSERT_GE(in_order.issued[i], out_of_order.issued[i]) << seed << ", " << i;
      ASSERT_GE(in_order.committed[i], out_of_order.committed[i]) << seed << ", " << i;
    }
    ASSERT_GE(in_order.cycles, out_of_order.cycles) << seed;
    later += in_order.cycles > out_of_order.cycles ? 1 : 0;
  }
  EXPECT_GT(later, 80u) << "the order of issue was not put to the test";
}

TEST(InOrder, AChainOfDependencesTakesAsLongAsOutOfOrder) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::vector<uint32_t> program;
    uint32_t last = 2;  // the register with the result of the last instruction
    for (unsigned i = 0; i < 100; ++i) {
      const auto next = static_cast<uint32_t>(3 + random() % 20);
      // Each keeps the value, which is where the data lies.
      const uint32_t words[] = {addi(next, last, 0), mul(next, last, 1), div(next, last, 1),
                                ld(next, last, 8 * static_cast<int>(random() % 16))};
      program.push_back(words[random() % std::size(words)]);
      last = next;
    }
    const Ran in_order = run_on(plain_core(), Issue::kInOrder, program, missed);
    const Ran out_of_order = run_on(plain_core(), Issue::kOutOfOrder, program, missed);
    ASSERT_EQ(in_order.issued, out_of_order.issued) << seed;
    ASSERT_EQ(in_order.committed, out_of_order.committed) << seed;
  }
}

}  // namespace
}  // namespace strobe::test
