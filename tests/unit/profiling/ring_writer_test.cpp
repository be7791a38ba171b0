// The reference of the ring writer, compared with values worked out by hand.
#include "sc_models/profiling/reference/message/ring_writer.h"

#include <gtest/gtest.h>

#include <vector>

#include "sc_models/profiling/reference/message/register_map.h"
#include "sc_models/profiling/reference/message/ring_registers.h"

namespace strobe::profiling {
namespace {

constexpr Message kMessage{Tuple{0x1122, 0x3344, 5}, 256};

// One ring of two records at 0x8000, a message always at hand, memory always ready.
RingWriter::Inputs at_hand(bool overwrite = false) {
  RingWriter::Inputs in;
  in.ring = {true, overwrite, 1, 0x8000, 0};
  in.valid = true;
  in.head = kMessage;
  in.mem_ready = true;
  return in;
}

void write_record(RingWriter& writer, const RingWriter::Inputs& in) {
  while (!writer.step(in).pop) {
  }
}

TEST(RingWriter, WritesARecordOfFourWordsInFiveCycles) {
  RingWriter writer;
  const RingWriter::Inputs in = at_hand();
  write_record(writer, in);
  std::vector<uint64_t> addresses, data;
  unsigned cycles = 0;
  for (RingWriter::Outputs out; !out.pop; ++cycles) {
    out = writer.step(in);
    if (!out.mem_valid) continue;
    addresses.push_back(out.mem_addr);
    data.push_back(out.mem_data);
  }
  EXPECT_EQ(cycles, 5u);
  EXPECT_EQ(addresses, (std::vector<uint64_t>{0x8020, 0x8028, 0x8030, 0x8038}));
  EXPECT_EQ(data, (std::vector<uint64_t>{uint64_t{256} << 32 | 1, 0x1122, 0x3344,
                                         uint64_t{0x15000001} << 32 | 256}));
}

TEST(RingWriter, WaitsWhenTheRingIsFullUntilSoftwareMakesRoom) {
  RingWriter writer;
  RingWriter::Inputs in = at_hand();
  write_record(writer, in);
  write_record(writer, in);
  for (unsigned cycle = 0; cycle < 10; ++cycle) EXPECT_FALSE(writer.step(in).mem_valid);
  RingWriter::Outputs out = writer.step({});
  EXPECT_EQ(out.stalls, 10u);
  EXPECT_EQ(out.high_water, 2u);
  EXPECT_EQ(out.prod, 2u);
  in.ring.cons = 1;
  writer.step(in);  // seen one cycle late
  EXPECT_FALSE(writer.step(in).mem_valid);
  out = writer.step(in);
  EXPECT_TRUE(out.mem_valid);
  EXPECT_EQ(out.mem_addr, 0x8000u);
  EXPECT_EQ(out.overwritten, 0u);
}

TEST(RingWriter, WritesOverTheOldestWhenTold) {
  RingWriter writer;
  const RingWriter::Inputs in = at_hand(true);
  for (unsigned record = 0; record < 5; ++record) write_record(writer, in);
  const RingWriter::Outputs out = writer.step({});
  EXPECT_EQ(out.prod, 5u);
  EXPECT_EQ(out.overwritten, 3u);
  EXPECT_EQ(out.high_water, 2u);
  EXPECT_EQ(out.stalls, 0u);
}

TEST(RingWriter, FinishesARecordThatWasBegunWhenItIsDisabled) {
  RingWriter writer;
  RingWriter::Inputs in = at_hand();
  writer.step(in);
  in.ring.enable = false;
  write_record(writer, in);
  for (unsigned cycle = 0; cycle < 10; ++cycle) EXPECT_FALSE(writer.step(in).busy);
  EXPECT_EQ(writer.step(in).prod, 1u);
}

TEST(RingWriter, AWordStaysUntilMemoryTakesIt) {
  RingWriter writer;
  RingWriter::Inputs in = at_hand();
  in.mem_ready = false;
  writer.step(in);
  for (unsigned cycle = 0; cycle < 10; ++cycle) {
    const RingWriter::Outputs out = writer.step(in);
    EXPECT_TRUE(out.mem_valid);
    EXPECT_EQ(out.mem_addr, 0x8000u);
    EXPECT_FALSE(out.pop);
  }
}

TEST(RingWriter, ClearStartsTheNumbersAgain) {
  RingWriter writer;
  RingWriter::Inputs in = at_hand();
  write_record(writer, in);
  writer.step(in);
  in.clear = true;
  writer.step(in);
  const RingWriter::Outputs out = writer.step({});
  EXPECT_EQ(out.prod, 0u);
  EXPECT_FALSE(out.busy);
  in.clear = false;
  writer.step(in);
  EXPECT_EQ(writer.step(in).mem_data, 0u) << "number and total of the first";
}

TEST(RingWriter, AWordThatWasTakenIsInFlightUntilMemoryHasWrittenItThroughAClearToo) {
  RingWriter writer;
  RingWriter::Inputs in = at_hand();
  in.mem_idle = false;
  writer.step(in);
  EXPECT_FALSE(writer.step(in).in_flight);
  in.clear = true;
  in.mem_ready = false;
  EXPECT_TRUE(writer.step(in).in_flight);
  RingWriter::Inputs nothing;
  nothing.mem_idle = false;
  for (unsigned cycle = 0; cycle < 10; ++cycle) EXPECT_TRUE(writer.step(nothing).in_flight);
  nothing.mem_idle = true;
  writer.step(nothing);
  EXPECT_FALSE(writer.step(nothing).in_flight);
}

TEST(RingWriter, AWordTakenInTheCycleOfTheClearIsInFlight) {
  RingWriter writer;
  RingWriter::Inputs in = at_hand();
  writer.step(in);
  in.clear = true;
  writer.step(in);
  EXPECT_TRUE(writer.step({}).in_flight);
}

class RingRegistersTest : public testing::Test {
 protected:
  uint64_t write(uint16_t addr, uint64_t value) {
    RingRegisters::Inputs in;
    in.we = true;
    in.addr = addr;
    in.wdata = value;
    in.writer.prod = prod;
    registers.step(in);
    return registers.read(addr, in.writer).rdata;
  }

  RingRegisters registers;
  uint32_t prod = 0;
};

TEST_F(RingRegistersTest, SoftwareIsDoneWithNoMoreThanThereIs) {
  prod = 5;
  EXPECT_EQ(write(kRegRingCons, 6), 0u) << "refused";
  EXPECT_EQ(write(kRegRingCons, 3), 3u);
  EXPECT_EQ(write(kRegRingCons, 2), 3u) << "back";
  EXPECT_EQ(write(kRegRingCons, 5), 5u);
  EXPECT_EQ(write(kRegRingCons, 0xffffffff), 5u);
}

TEST_F(RingRegistersTest, TheNumbersGoRoundThroughZero) {
  prod = 0xfffffffe;
  EXPECT_EQ(write(kRegRingCons, 0xfffffffe), 0xfffffffeu);
  prod = 3;
  EXPECT_EQ(write(kRegRingCons, 4), 0xfffffffeu);
  EXPECT_EQ(write(kRegRingCons, 0x7'0000'0001), 1u) << "a 64-bit count of software's";
}

TEST_F(RingRegistersTest, TheBaseIsAMultipleOfTheLengthWhicheverIsWrittenLast) {
  write(kRegRingConfig, 2);  // 128 bytes
  EXPECT_EQ(write(kRegRingBase, 0x40e0), 0x4080u);
  EXPECT_EQ(registers.config().base, 0x4080u);
  write(kRegRingConfig, 4);
  EXPECT_EQ(registers.config().base, 0x4000u);
  write(kRegRingConfig, 0);
  EXPECT_EQ(registers.config().base, 0x40e0u);
}

TEST_F(RingRegistersTest, ALengthThatIsTooLargeIsTheLargest) {
  for (const unsigned log2_entries : {17u, 31u, 32u, 64u, 128u, 255u}) {
    EXPECT_EQ(write(kRegRingConfig, log2_entries), 16u) << log2_entries;
  }
}

}  // namespace
}  // namespace strobe::profiling
