// The decode engine in the pipeline: the cost of its sequences, and that its state follows the
// right path.
#include <gtest/gtest.h>

#include "sc_models/profiling/reference/dise/dise_engine.h"
#include "tests/timing/core/machine.h"
#include "tests/unit/dise/productions.h"

namespace strobe::test {
namespace {

using namespace profiling;

constexpr uint16_t kLoads = class_bit(OpClass::kLoad);
constexpr uint32_t kDret = 0x8c000073;
constexpr uint32_t kCsrwiD2 = 0x7c20d073;  // d2 = 1

// d<number> = d<number> + 1
constexpr uint64_t count(unsigned number) {
  return plain(addi(number, number, 1), From::kDise, From::kDise);
}

class EditedMachine : public Machine {
 public:
  explicit EditedMachine(const core::CoreParams& params,
                         const core::ExpansionParams& expansion = core::ExpansionParams())
      : Machine(params) {
    hart.attach(engine);
    pipeline.set_decode_engine(engine, expansion);
    hart.state().x[10] = kData;
    hart.state().mtvec = kHandler;
  }
  void replace(uint16_t classes, std::vector<uint64_t> entries) {
    entries.back() |= kLastEntry;
    load_replacements(engine, 0, entries);
    write_pattern(engine, 0, replaced_at(production(classes, kAlways, 0), 0));
    enable();
  }
  void enable() { hart.write_engine(kDiseCtrl, kDiseCtrlEnable); }
  uint64_t d(unsigned number) const { return hart.state().x[32 + number]; }
  uint64_t last_cycle() const { return commits.back().cycle; }

  DiseEngine engine{DiseParams()};
};

core::CoreParams each_predictor(const std::string& kind) {
  core::CoreParams params;
  params.predictor.kind = kind;
  return params;
}

// Independent adds around one load at `place` of them.
std::vector<uint32_t> adds_and_a_load(unsigned adds, unsigned place) {
  std::vector<uint32_t> words;
  for (unsigned i = 0; i < adds; ++i) {
    if (i == place) words.push_back(ld(6, 10, 0));
    words.push_back(addi(20 + i % 8, 0, 1));
  }
  return words;
}

TEST(Expansion, CommitsTheSequenceInTheTriggersPlace) {
  EditedMachine m(plain_core());
  m.replace(kLoads, {count(0), the_trigger(), count(1)});
  m.run(adds_and_a_load(40, 20));
  ASSERT_EQ(m.commits.size(), 43u);
  std::vector<unsigned> injected;
  for (size_t i = 0; i < m.commits.size(); ++i) {
    if (m.commits[i].record.injected != 0) injected.push_back(static_cast<unsigned>(i));
  }
  EXPECT_EQ(injected, (std::vector<unsigned>{20, 22}));
  EXPECT_EQ(m.commits[21].record.insn, ld(6, 10, 0));
  EXPECT_EQ(m.d(0), 1u);
  EXPECT_EQ(m.d(1), 1u);
  EXPECT_EQ(m.pipeline.stats().user, 41u);
  EXPECT_EQ(m.pipeline.stats().injected, 2u);
  EXPECT_EQ(m.pipeline.stats().expansions, 1u);
  EXPECT_EQ(m.pipeline.user_committed(), m.hart.user_instructions());
}

// The trigger's cycle is the one in which it would have been decoded.
TEST(Expansion, CostsStallCyclesAndTheSlotsOfItsInstructions) {
  const auto cycles = [](unsigned stall, std::vector<uint64_t> entries) {
    EditedMachine m(plain_core(), {stall, false});
    m.replace(kLoads, std::move(entries));
    m.run(adds_and_a_load(100, 48));
    return m.last_cycle();
  };
  Machine bare(plain_core());
  bare.hart.state().x[10] = Machine::kData;
  bare.run(adds_and_a_load(100, 48));
  const uint64_t without = bare.commits.back().cycle;
  const std::vector<uint64_t> itself = {the_trigger()};
  EXPECT_EQ(cycles(0, itself), without);
  for (const unsigned stall : {1u, 2u, 7u}) EXPECT_EQ(cycles(stall, itself), without + stall);
  // Eight more instructions on a machine of width four: two more cycles.
  std::vector<uint64_t> eight(8, plain(addi(28, 0, 1)));
  eight.push_back(the_trigger());
  EXPECT_EQ(cycles(0, eight), without + 2);
  EXPECT_EQ(cycles(1, eight), without + 3);
}

TEST(Expansion, OfNullProductionsCostsNothing) {
  for (const char* kind : {"perfect", "static", "gshare"}) {
    std::vector<uint32_t> loop = {addi(5, 0, 200), addi(7, 7, 3), ld(6, 10, 0),
                                  addi(5, 5, -1),  beq(5, 0, 8),  jal(0, -16)};
    Machine bare(each_predictor(kind));
    bare.hart.state().x[10] = Machine::kData;
    bare.run(loop);
    EditedMachine m(each_predictor(kind));
    load_patterns(m.engine, framework());
    set_thresholds(m.engine, 10, 3);
    m.enable();
    m.run(loop);
    EXPECT_EQ(m.last_cycle(), bare.commits.back().cycle) << kind;
    EXPECT_EQ(m.commits.size(), bare.commits.size()) << kind;
  }
}

TEST(Expansion, RegistersOfASequenceAreRenamedWithTheOthers) {
  core::CoreParams params = plain_core();
  params.alu.latency = 10;
  EditedMachine m(params);
  m.replace(kLoads, {count(0), count(0), count(0), the_trigger()});
  m.run({ld(6, 10, 0)});
  ASSERT_EQ(m.commits.size(), 4u);
  EXPECT_EQ(m.commits[1].cycle - m.commits[0].cycle, 10u);
  EXPECT_EQ(m.commits[2].cycle - m.commits[1].cycle, 10u);
}

TEST(Expansion, AHandlerIsFetchedFromItsAddressAndReturns) {
  for (const char* kind : {"perfect", "static", "gshare"}) {
    EditedMachine m(each_predictor(kind));
    m.load({kCsrwiD2, kDret}, Machine::kHandler);
    m.replace(kLoads, {count(0), dcall(Machine::kHandler), the_trigger(), count(1)});
    m.run(adds_and_a_load(40, 20));
    EXPECT_EQ(m.d(0), 1u) << kind;
    EXPECT_EQ(m.d(1), 1u) << kind;
    EXPECT_EQ(m.d(2), 1u) << kind;
    ASSERT_EQ(m.commits.size(), 46u) << kind;
    EXPECT_EQ(m.commits[21].record.pc_wdata, Machine::kHandler) << kind;
    EXPECT_EQ(m.commits[22].record.pc_rdata, Machine::kHandler) << kind;
    EXPECT_EQ(m.commits[22].record.mode, PrivilegeMode::kMachine) << kind;
    EXPECT_EQ(m.commits[24].record.insn, ld(6, 10, 0)) << kind;
    EXPECT_EQ(m.pipeline.stats().machine, 2u) << kind;
    EXPECT_TRUE(m.icache.touched_line(Machine::kHandler)) << kind;
    for (size_t i = 0; i < m.commits.size(); ++i) {
      EXPECT_EQ(m.commits[i].record.order, i) << kind;
    }
  }
}

// Decode redirects fetch in its own cycle, to the handler and back, as it does for a misfetched
// jump.
TEST(Expansion, ACallAndItsReturnCostARefillEach) {
  for (const unsigned stages : {2u, 7u, 12u}) {
    core::CoreParams params = plain_core();
    params.front_end_stages = stages;
    EditedMachine m(params, {0, false});
    m.load({kDret}, Machine::kHandler);
    m.replace(kLoads, {dcall(Machine::kHandler), count(1), the_trigger()});
    m.run(adds_and_a_load(40, 20));
    EXPECT_EQ(m.commits[21].cycle - m.commits[20].cycle, stages - 1) << stages;
    EXPECT_EQ(m.commits[22].cycle - m.commits[21].cycle, stages - 1) << stages;
  }
}

// The trigger of a dcall is fetched twice. Were its call twice on the return stack, each return of
// the caller would be mispredicted.
TEST(Expansion, ACallThatHasAHandlerIsOnTheReturnStackOnce) {
  const std::vector<uint32_t> nested = {
      addi(9, 0, 50), jal(0, 24),                                     // to the loop
      addi(11, 1, 0), jal(1, 12),     addi(1, 11, 0), jalr(0, 1, 0),  // g calls f
      jalr(0, 1, 0),                                                  // f
      jal(1, -20),    addi(9, 9, -1), beq(9, 0, 8),   jal(0, -12)};   // the loop calls g
  const auto mispredicted = [&](bool handler) {
    EditedMachine m(each_predictor("gshare"));
    m.load({kDret}, Machine::kHandler);
    if (handler) {
      m.replace(class_bit(OpClass::kCall), {dcall(Machine::kHandler), the_trigger()});
    }
    m.run(nested);
    EXPECT_EQ(m.pipeline.stats().expansions, handler ? 100u : 0u);
    return m.pipeline.stats().mispredicted;
  };
  EXPECT_EQ(mispredicted(true), mispredicted(false));
  EXPECT_LT(mispredicted(false), 30u);
}

TEST(Expansion, ARandomBranchThatIsTakenCostsNoFlush) {
  const auto cycles = [](uint64_t state) {
    EditedMachine m(plain_core(), {0, false});
    m.replace(kLoads,
              {count(2), random_branch(6, 3), the_trigger() | kLastEntry, count(3), the_trigger()});
    m.hart.write_engine(kDiseRandom, state);
    m.run(adds_and_a_load(40, 20));
    EXPECT_EQ(m.d(3), state == 0x2d118 ? 1u : 0u);
    EXPECT_EQ(m.pipeline.stats().mispredicted, 0u);
    EXPECT_EQ(m.hart.user_instructions(), 41u);
    return m.last_cycle();
  };
  const uint64_t taken = cycles(0x2d118), not_taken = cycles(0x2d110);
  EXPECT_GE(taken, not_taken + 2);  // the group it goes to leaves 3 cycles later, not 1
  EXPECT_LE(taken, not_taken + 3);
}

TEST(Expansion, ADiseBranchNotTakenCostsNoFlushAndATakenOneDoes) {
  const auto cycles = [](uint64_t d1) {
    EditedMachine m(plain_core(), {0, false});
    m.hart.state().x[32 + 1] = d1;
    const uint32_t bne_d0_d1 = beq(0, 1, 0) | 1u << 12;
    m.replace(kLoads, {count(2), dise_branch(bne_d0_d1, 3), the_trigger() | kLastEntry, count(3),
                       the_trigger()});
    m.run(adds_and_a_load(40, 20));
    EXPECT_EQ(m.d(3), d1 != 0 ? 1u : 0u);
    EXPECT_EQ(m.pipeline.stats().mispredicted, d1 != 0 ? 1u : 0u);
    EXPECT_EQ(m.hart.user_instructions(), 41u);
    EXPECT_EQ(m.commits.back().record.pc_rdata, Machine::kCode + 4 * 40);
    return m.last_cycle();
  };
  EXPECT_GT(cycles(1), cycles(0) + plain_core().front_end_stages);
}

TEST(Expansion, AnInterruptInASequenceResumesThere) {
  for (uint64_t at = 30; at < 60; ++at) {
    EditedMachine m(plain_core());
    m.load({addi(9, 9, 1), mret()}, Machine::kHandler);
    m.replace(kLoads, {count(0), count(0), count(0), count(0), the_trigger(), count(1)});
    m.hart.state().mie = 1u << 16;
    m.on_cycle = [&](uint64_t cycle) {
      m.hart.set_interrupt(Interrupt::kProfiler, cycle >= at && m.hart.state().x[9] == 0);
    };
    std::vector<uint32_t> loads(20, ld(6, 10, 0));
    m.run(loads);
    EXPECT_EQ(m.hart.state().x[9], 1u);
    EXPECT_EQ(m.d(0), 80u);
    EXPECT_EQ(m.d(1), 20u);
    EXPECT_EQ(m.pipeline.user_committed(), 20u);
    EXPECT_EQ(m.pipeline.stats().injected, 100u);
  }
}

// A branch whose direction the predictor cannot know, with an event on either side of it.
std::vector<uint32_t> unpredictable_loop(unsigned rounds) {
  return {addi(5, 0, static_cast<int>(rounds)), addi(11, 0, 77),
          // x11 = x11 * 5 + 7; the bit 4 decides
          add(12, 11, 11), add(12, 12, 12), add(11, 11, 12), addi(11, 11, 7),
          i_type(0x13, 7, 13, 11, 16), beq(13, 0, 12), jal(1, 4), jal(1, 4),
          // the other side
          jal(1, 4), addi(5, 5, -1), beq(5, 0, 8), jal(0, -44)};
}

struct Counted {
  uint64_t counter, wrong_path;
};

Counted count_calls(bool leak, unsigned rounds) {
  EditedMachine m(each_predictor("gshare"), {1, leak});
  write_pattern(m.engine, 0, production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement)));
  m.enable();
  m.run(unpredictable_loop(rounds));
  uint64_t calls = 0;
  for (const Commit& c : m.commits) calls += c.record.opclass == OpClass::kCall ? 1 : 0;
  return {m.engine.state().counter[0] - calls, m.pipeline.stats().wrong_path_fetched};
}

TEST(Speculation, RestoreLeavesExactlyWhatCommitted) {
  const Counted counted = count_calls(false, 500);
  EXPECT_GT(counted.wrong_path, 100u);
  EXPECT_EQ(counted.counter, 0u);
}

TEST(Speculation, LeakKeepsWhatTheWrongPathCounted) {
  EXPECT_GT(count_calls(true, 500).counter, 20u);
}

TEST(Speculation, ARestoreAfterSoftwareHasWrittenACounterKeepsWhatItWrote) {
  EditedMachine m(each_predictor("gshare"));
  write_pattern(m.engine, 0, production(kCalls, kAlways, on_counter(1, CounterOp::kIncrement)));
  m.enable();
  m.hart.write_engine(kDiseCounter, 1000);
  m.run(unpredictable_loop(100));
  uint64_t calls = 0;
  for (const Commit& c : m.commits) calls += c.record.opclass == OpClass::kCall ? 1 : 0;
  EXPECT_EQ(m.engine.state().counter[0], 1000 + calls);
}

// Every trigger of the loop expands, on unpredictable paths, and the program does not notice.
TEST(Expansion, IsNotSeenByTheProgram) {
  for (const char* kind : {"perfect", "static", "gshare"}) {
    Machine bare(each_predictor(kind));
    bare.run(unpredictable_loop(300));
    EditedMachine m(each_predictor(kind));
    m.load({addi(0, 0, 0), kDret}, Machine::kHandler);
    m.replace(kCalls | kBranches,
              {value_load(3, 0), dcall(Machine::kHandler), count(4), the_trigger()});
    m.run(unpredictable_loop(300));
    for (unsigned r = 1; r < 32; ++r) {
      if (r != 10) {
        EXPECT_EQ(m.hart.state().x[r], bare.hart.state().x[r]) << kind << " x" << r;
      }
    }
    EXPECT_EQ(m.pipeline.user_committed(), bare.pipeline.user_committed()) << kind;
    std::vector<uint64_t> pcs, bare_pcs;
    for (const Commit& c : m.commits) {
      const bool own = c.record.injected == 0 && c.record.mode == PrivilegeMode::kUser;
      if (own) pcs.push_back(c.record.pc_rdata);
    }
    for (const Commit& c : bare.commits) bare_pcs.push_back(c.record.pc_rdata);
    EXPECT_EQ(pcs, bare_pcs) << kind;
    EXPECT_EQ(m.d(4), m.pipeline.stats().expansions) << kind;
    EXPECT_GT(m.d(4), 900u) << kind;
  }
}

TEST(Expansion, EveryCycleHasAClassAndTheSequencesHaveTheirs) {
  EditedMachine m(each_predictor("gshare"));
  m.load({addi(0, 0, 0), kDret}, Machine::kHandler);
  m.replace(kCalls, {count(4), dcall(Machine::kHandler), the_trigger()});
  m.run(unpredictable_loop(300));
  const core::PipelineStats& stats = m.pipeline.stats();
  uint64_t sum = 0;
  for (const uint64_t cycles : stats.cpi) sum += cycles;
  EXPECT_EQ(sum, stats.cycles);
  EXPECT_GT(stats.cpi[static_cast<unsigned>(core::CpiClass::kExpansion)], 300u);
  EXPECT_GT(stats.cpi[static_cast<unsigned>(core::CpiClass::kHandler)], 300u);
}

}  // namespace
}  // namespace strobe::test
