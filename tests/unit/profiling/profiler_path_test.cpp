#include "sc_models/profiling/reference/profiler_path.h"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {
namespace {

// The composition as the page words it, out of the blocks' documented interfaces, with every block
// stepped in every cycle: a second reading of what ReferencePath does with their other functions.
class PlainPath {
 public:
  explicit PlainPath(const PathParams& params)
      : params_(params),
        registers_(params),
        selector_(params.selectors),
        queue_(params.lanes, params.queue_depth),
        sampler_(SamplerParams{SamplerKind::kPeriodic, HashKind::kPaper, params.strata,
                               params.counter_width}),
        buffer_(params.buffer_depth) {}

  PathOutputs step(const PathInputs& in) {
    const RegisterBlock::Config config = registers_.config();
    const TupleQueue::Outputs queue = queue_.outputs();
    const MessageBuffer::Outputs buffer = buffer_.outputs();
    const StratifiedSampler::Outputs sampler = sampler_.outputs(buffer.ready);

    RegisterBlock::Inputs registers;
    registers.re = in.reg_re;
    registers.we = in.reg_we;
    registers.addr = in.reg_addr;
    registers.wdata = in.reg_wdata;
    RegisterBlock::Hardware& hw = registers.hardware;
    for (const bool lane : queue.arrived) hw.selected += lane ? 1 : 0;
    hw.init = sampler.init;
    hw.idle = queue.empty && sampler.idle && !buffer.arriving;
    hw.msg_valid = buffer.valid;
    hw.stall = sampler.msg_valid && !buffer.ready;
    hw.drop = queue.drop;
    hw.dropped = queue.dropped;
    hw.level = buffer.level;
    hw.high_water = buffer.high_water;
    hw.table.held.count = config.table_index & Compressor::kSecondLevel ? 0 : sampler.table_data;
    hw.head = buffer.head;
    const RegisterBlock::Outputs access = registers_.step(registers);

    Selector::Inputs selector;
    selector.clear = config.clear;
    selector.enable = config.enable;
    for (unsigned i = 0; i < kMaxSelectors; ++i) selector.slots[i] = config.slots[i];
    selector.lanes = params_.lanes;
    for (unsigned i = 0; i < kMaxRetireWidth; ++i) selector.lane[i] = in.lane[i];
    const Selector::Outputs selected = selector_.step(selector);

    TupleQueue::Inputs to_queue;
    to_queue.clear = config.clear;
    to_queue.ready = sampler.ready;
    for (unsigned i = 0; i < kMaxRetireWidth; ++i) {
      to_queue.valid[i] = selected.valid[i];
      to_queue.tuple[i] = selected.tuple[i];
    }
    queue_.step(to_queue);
    sampler_.step({config.clear, queue.valid[0], queue.head[0], config.rates.sampling, config.seed,
                   buffer.ready, config.table_index});
    buffer_.step({config.clear, sampler.msg_valid, sampler.message, access.pop});
    return {access.rdata, access.error, access.irq, hw.idle};
  }

 private:
  PathParams params_;
  RegisterBlock registers_;
  Selector selector_;
  TupleQueue queue_;
  StratifiedSampler sampler_;
  MessageBuffer buffer_;
};

PathInputs loads(unsigned count, RandomSource& random) {
  PathInputs inputs;
  for (unsigned k = 0; k < count; ++k) {
    inputs.lane[k] = load_lane(0x1000 + 4 * random.below(8), random.below(3));
  }
  return inputs;
}

TEST(ReferencePath, EqualsThePlainCompositionCycleByCycleOnRandomInputs) {
  RandomSource random(test_seed());
  ReferencePath path(small_path());
  PlainPath plain(small_path());
  bool dense = true;
  for (unsigned cycle = 0; cycle < 300000; ++cycle) {
    if (random.one_in(100)) dense = !dense;
    const PathInputs in = random_inputs(random, dense);
    const PathOutputs peeked = path.peek(in.reg_addr);
    const PathOutputs got = path.step(in), expected = plain.step(in);
    ASSERT_EQ(got.reg_rdata, expected.reg_rdata) << "cycle " << cycle << " addr " << in.reg_addr;
    ASSERT_EQ(got.reg_error, expected.reg_error) << "cycle " << cycle;
    ASSERT_EQ(got.irq, expected.irq) << "cycle " << cycle;
    ASSERT_EQ(got.idle, expected.idle) << "cycle " << cycle;
    ASSERT_EQ(peeked.reg_rdata, got.reg_rdata) << "cycle " << cycle;
    ASSERT_EQ(peeked.irq, got.irq) << "cycle " << cycle;
  }
}

TEST(ReferencePath, EventsAreMessagesPlusCountersPlusDroppedAfterAMillionTuples) {
  RandomSource random(test_seed());
  PathParams params = small_path();
  params.buffer_depth = 16;
  ReferencePath path(params);
  start(path, 11);
  uint64_t reported = 0;
  while (peek(path, kRegEvents) < 1000000) {
    path.step(loads(random.one_in(3) ? static_cast<unsigned>(random.below(5)) : 0, random));
    if (random.one_in(200)) reported += drain(path);
    if (random.one_in(50000)) write(path, kRegPeriod, 1 + random.below(16));
  }
  write(path, kRegCtrl, 0);
  while (!path.step(PathInputs{}).idle) reported += drain(path);
  reported += drain(path);
  EXPECT_EQ(peek(path, kRegEvents), reported + path.residue() + peek(path, kRegDropped));
  EXPECT_GT(peek(path, kRegDropped), 0u);
  EXPECT_GT(peek(path, kRegStalls), 0u);
  EXPECT_EQ(peek(path, kRegHighWater), 16u);
}

TEST(ReferencePath, TheTableReadOutSumsToTheResidue) {
  RandomSource random(test_seed());
  ReferencePath path(small_path());
  start(path, 16);
  for (int i = 0; i < 7; ++i) path.step(loads(4, random));
  run_until_idle(path);
  drain(path);
  uint64_t sum = 0;
  for (unsigned stratum = 0; stratum < 16; ++stratum) {
    write(path, kRegTableIndex, stratum);
    path.step(PathInputs{});
    path.step(PathInputs{});
    sum += peek(path, kRegTableData);
  }
  EXPECT_GT(sum, 0u);
  EXPECT_EQ(sum, path.residue());
}

TEST(ReferencePath, ARetiredLoadIsAMessageInTheBufferEightCyclesLaterAndItsHeadInTen) {
  ReferencePath path(small_path());
  start(path, 1);
  PathInputs in;
  in.lane[0] = load_lane(0x1234, 99);
  // t: matched; t+1, t+2: the queue's store; t+3: its front; t+4: its head; t+5, t+6: stages; t+7:
  // message register; t+8: the buffer's store; t+9: next to the head.
  path.step(in);
  for (uint64_t i = 1; i <= 9; ++i) {
    EXPECT_EQ(peek(path, kRegMsgPc), 0u) << i;
    EXPECT_EQ(peek(path, kRegEvents), i >= 2 ? 1u : 0u) << i;
    EXPECT_EQ(peek(path, kRegStatus), uint64_t{i >= 8} << kStatusLevelShift) << i;
    EXPECT_FALSE(path.step(PathInputs{}).idle) << i;
  }
  EXPECT_EQ(read(path, kRegMsgPc), 0x1234u);
  EXPECT_EQ(peek(path, kRegMsgValue), 99u);
  EXPECT_EQ(peek(path, kRegMsgMeta), kMetaValid | 1);
  EXPECT_TRUE(path.peek(0).idle);
}

TEST(ReferencePath, ADroppedRowIsAnEventAndSetsTheInterruptsCauseBesideIt) {
  ReferencePath path(small_path());
  start(path, 1);
  RandomSource random(1);
  for (int cycle = 0; cycle < 3; ++cycle) path.step(loads(4, random));
  // Two rows are in the store when the third comes.
  EXPECT_EQ(peek(path, kRegEvents), 8u);
  EXPECT_EQ(peek(path, kRegIntrState), 0u);
  path.step(PathInputs{});
  EXPECT_EQ(peek(path, kRegEvents), 12u);
  EXPECT_EQ(peek(path, kRegDropped), 4u);
  EXPECT_EQ(peek(path, kRegIntrState), kIntrDrop);
}

TEST(ReferencePath, TheInterruptIsHighWhileTheLevelIsAtTheWatermark) {
  ReferencePath path(small_path());
  start(path, 1);
  write(path, kRegWatermark, 2);
  write(path, kRegIntrEnable, 1);
  RandomSource random(1);
  path.step(loads(1, random));
  run_until_idle(path);
  EXPECT_FALSE(path.peek(0).irq);
  path.step(loads(1, random));
  run_until_idle(path);
  EXPECT_TRUE(path.peek(0).irq);
  take(path);
  EXPECT_EQ(peek(path, kRegIntrState), 0u);
  EXPECT_TRUE(path.peek(0).irq) << "from a flip-flop, a cycle later";
  path.step(PathInputs{});
  EXPECT_FALSE(path.peek(0).irq);
}

TEST(ReferencePath, AFullBufferHoldsMessagesAndLosesNone) {
  ReferencePath path(small_path());
  start(path, 1);
  RandomSource random(1);
  path.step(loads(4, random));
  path.step(loads(4, random));
  for (int i = 0; i < 100; ++i) path.step(PathInputs{});
  EXPECT_EQ(peek(path, kRegStatus), uint64_t{4} << 16);  // full, not idle
  EXPECT_GT(peek(path, kRegStalls), 50u);
  uint64_t messages = 0;
  while (peek(path, kRegStatus) != kStatusIdle) messages += take(path) >> 63;
  EXPECT_EQ(messages, 8u);
  EXPECT_EQ(peek(path, kRegDropped), 0u);
}

TEST(ReferencePath, ClearEmptiesEverythingAndInitialisesTheTable) {
  ReferencePath path(small_path());
  start(path, 16);
  RandomSource random(1);
  for (int i = 0; i < 20; ++i) path.step(loads(4, random));
  write(path, kRegCtrl, kCtrlClear | kCtrlEnable);
  path.step(PathInputs{});
  EXPECT_EQ(peek(path, kRegStatus), kStatusInit);
  EXPECT_EQ(peek(path, kRegEvents), 0u);
  EXPECT_EQ(peek(path, kRegDropped), 0u);
  EXPECT_EQ(peek(path, kRegHighWater), 0u);
  for (int i = 0; i < 16; ++i) path.step(PathInputs{});
  EXPECT_EQ(peek(path, kRegStatus), kStatusIdle);
  EXPECT_EQ(path.residue(), 0u);
  EXPECT_EQ(peek(path, kRegPeriod), 16u);
}

TEST(ReferencePath, ResetGivesTheStateOfANewPath) {
  ReferencePath path(small_path());
  start(path, 3);
  RandomSource random(1);
  path.step(loads(4, random));
  path.reset();
  ReferencePath fresh(small_path());
  for (uint16_t addr = 0; addr < 0x200; addr = static_cast<uint16_t>(addr + 8)) {
    EXPECT_EQ(peek(path, addr), peek(fresh, addr)) << addr;
  }
  EXPECT_EQ(path.peek(0).idle, fresh.peek(0).idle);
}

TEST(ReferencePath, EachParameterOutOfRangeIsRefusedByName) {
  const struct {
    unsigned PathParams::*field;
    unsigned value;
    const char* message;
  } rows[] = {
      {&PathParams::lanes, 9, "profiling path: lanes must be 1 to 8, got 9"},
      {&PathParams::selectors, 0, "profiling path: selectors must be 1 to 8, got 0"},
      {&PathParams::queue_depth, 3,
       "profiling path: queue_depth must be a power of two from 8 (two_rows(lanes)) to 1024, got "
       "3"},
      {&PathParams::strata, 8192,
       "profiling path: strata must be a power of two from 1 to 4096, got 8192"},
      {&PathParams::counter_width, 13, "profiling path: counter_width must be 1 to 12, got 13"},
      {&PathParams::buffer_depth, 0,
       "profiling path: buffer_depth must be a power of two from 2 to 4096, got 0"},
      {&PathParams::ways, 4, "profiling path: ways must be 2 with compressor stratified, got 4"},
  };
  for (const auto& row : rows) {
    PathParams params;
    params.*row.field = row.value;
    try {
      make_reference_path(params);
      ADD_FAILURE() << "no exception: " << row.message;
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), row.message);
    }
  }
}

}  // namespace
}  // namespace strobe::profiling
