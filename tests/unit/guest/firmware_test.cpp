// The built firmware.elf on our hart, with a device of a few lines in place of the profiling path:
// what it does at boot, on the interrupt, at the end, and when something is wrong. Long, because
// all of it is told of one fixture.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "sc_models/isa/elf_file.h"
#include "sc_models/isa/guest_memory.h"
#include "sc_models/isa/hart.h"
#include "sc_models/port/address_map.h"
#include "sw/guest/include/strobe/abi.h"
#include "sw/guest/include/strobe/profile_reader.h"
#include "sw/guest/include/strobe/registers.h"

namespace strobe::guest {
namespace {

using isa::StopReason;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Entry = std::vector<uint64_t>;

// In CAP1 and CAP2: a stratified first level whose sampler is a countdown.
constexpr uint64_t kStratified = uint64_t{1} << STROBE_CAP1_KIND_SHIFT;
constexpr uint64_t kCountdown = uint64_t{2} << STROBE_CAP2_SAMPLER_SHIFT;

struct Message {
  uint64_t pc, value, tag, count;
};

/// Registers that hold what was written, a buffer of messages, and a table to read out.
class Device : public isa::Environment {
 public:
  isa::EcallResult ecall(isa::Hart&) override { return isa::EcallResult::kStop; }
  uint64_t cycle() override { return 0; }
  uint64_t time() override { return 0; }

  bool mmio_read(uint64_t address, unsigned size, uint64_t& value) override {
    if (size != 8 || address < STROBE_PROFILER_BASE) return false;
    ++reads;
    uint64_t offset = address - STROBE_PROFILER_BASE;
    switch (offset) {
      case STROBE_REG_STATUS: {
        bool init = cleared && init_reads > 0;
        if (init) --init_reads;
        // While it is not idle every look finds one more message in the buffer.
        if (!late.empty()) {
          buffer.push_back(late.front());
          late.pop_front();
        }
        value = (init ? STROBE_STATUS_INIT_MASK : 0) |
                (late.empty() ? STROBE_STATUS_IDLE_MASK : 0) |
                buffer.size() << STROBE_STATUS_LEVEL_SHIFT;
        break;
      }
      case STROBE_REG_MSG_PC:
        shown = !buffer.empty();
        value = shown ? buffer.front().pc : 0;
        break;
      case STROBE_REG_MSG_VALUE:
        value = shown ? buffer.front().value : 0;
        break;
      case STROBE_REG_MSG_META: {
        if (!shown) return true;  // MSG_PC showed none: reads 0, takes none
        shown = false;
        Message m = buffer.front();
        buffer.pop_front();
        if (buffer.size() < 2 && hart != nullptr) {
          hart->set_interrupt(Interrupt::kProfiler, false);
        }
        value = m.count | m.tag << STROBE_MSG_META_TAG_SHIFT | STROBE_MSG_META_VALID_MASK;
        break;
      }
      case STROBE_REG_TABLE_DATA:
        // Good from the third cycle after the write; every access takes one.
        value = accesses_since_index >= 2 ? table_data(registers[STROBE_REG_TABLE_INDEX]) : 0xdead;
        break;
      case STROBE_REG_TABLE_PC:
        value = 0x10000 + 4 * (registers[STROBE_REG_TABLE_INDEX] & 0x7fff);
        break;
      case STROBE_REG_TABLE_VALUE:
        value = 7;
        break;
      default:
        value = registers[offset];
    }
    ++accesses_since_index;
    return true;
  }

  bool mmio_write(uint64_t address, unsigned size, uint64_t value) override {
    if (size != 8) return false;
    if (address < STROBE_PROFILER_BASE) {
      host_stores.emplace_back(address - STROBE_HOST_BASE, value);
      hart->request_halt();
      return true;
    }
    uint64_t offset = address - STROBE_PROFILER_BASE;
    registers[offset] = value;
    writes.push_back(offset);
    if (offset == STROBE_REG_TABLE_INDEX) accesses_since_index = 0;
    if (offset == STROBE_REG_CTRL && (value & STROBE_CTRL_CLEAR_MASK) != 0) cleared = true;
    if (offset == STROBE_REG_CTRL && value == STROBE_CTRL_ENABLE_MASK) {
      enabled_while_init = cleared && init_reads > 0;
    }
    return true;
  }

  /// The first level holds 10 + index in each entry, with tuples where tuples_from says; position i
  /// of the second level holds i of the tuple whose tag is i.
  uint64_t table_data(uint64_t index) const {
    const bool second = (index & 0x8000) != 0;
    index &= 0x7fff;
    if (second) return index | index << STROBE_TABLE_DATA_TAG_SHIFT | STROBE_TABLE_DATA_TUPLE_MASK;
    return (10 + index) | (index >= tuples_from ? STROBE_TABLE_DATA_TUPLE_MASK : 0);
  }

  isa::Hart* hart = nullptr;
  uint64_t tuples_from = ~uint64_t{0};
  std::map<uint64_t, uint64_t> registers;
  std::vector<uint64_t> writes;
  std::vector<std::pair<uint64_t, uint64_t>> host_stores;
  std::deque<Message> buffer, late;
  bool cleared = false, enabled_while_init = false, shown = false;
  int init_reads = 3, accesses_since_index = 0;
  uint64_t reads = 0;
};

class FirmwareTest : public ::testing::Test {
 protected:
  FirmwareTest()
      : elf_(isa::ElfFile::open(STROBE_BINARY_DIR "/guest/firmware.elf", STROBE_DEVICE_BASE)),
        hart_(memory_, device_) {
    device_.hart = &hart_;
    device_.registers[STROBE_REG_ID] = STROBE_ID_RESET;
    device_.registers[STROBE_REG_CAP0] = uint64_t{4} << STROBE_CAP0_SELECTORS_SHIFT |
                                         uint64_t{256} << STROBE_CAP0_BUFFER_DEPTH_SHIFT;
    device_.registers[STROBE_REG_CAP1] =
        uint64_t{4} << STROBE_CAP1_STRATA_SHIFT | uint64_t{8} << STROBE_CAP1_COUNTER_BITS_SHIFT;
    elf_.load(memory_, /*firmware=*/true);
    boot_.magic = STROBE_ABI_MAGIC;
    boot_.user_entry = kProgram;
    boot_.user_sp = kStack;
    boot_.profiler_active = 1;
    boot_.period = 256;
    boot_.threshold = 0x123456;
    boot_.seed = 0xfedcba9876543210;
    boot_.eviction = 0x80080;
    boot_.watermark = 2;
    boot_.selector_count = 2;
    boot_.selectors[0] = {0x401, 0, ~uint64_t{0}};
    boot_.selectors[1] = {0x813, 0x1000, 0x2000};
    memory_.protect(kProgram, 4096, isa::GuestMemory::kRead | isa::GuestMemory::kExecute,
                    isa::GuestMemory::kRead);
    const uint32_t program[] = {0x00128293, 0xffdff06f};  // 1: addi t0, t0, 1; j 1b
    memory_.write(kProgram, program, sizeof program);
  }

  StopReason start(uint64_t instructions = 20000) {
    memory_.write(elf_.symbol(STROBE_BOOT_BLOCK_SYMBOL)->address, &boot_, sizeof boot_);
    hart_.state().pc = elf_.entry();
    return hart_.run(instructions);
  }

  StopReason finish() {
    hart_.state().pc = elf_.symbol("strobe_firmware_exit")->address;
    hart_.state().mode = PrivilegeMode::kMachine;
    return hart_.run(1000000);
  }

  strobe_boot_block_t boot_block() {
    strobe_boot_block_t block;
    memory_.read(elf_.symbol(STROBE_BOOT_BLOCK_SYMBOL)->address, &block, sizeof block);
    return block;
  }

  /// From now on the messages come through a ring of four records.
  void use_ring(bool overwrite = false) {
    device_.registers[STROBE_REG_CAP1] |= STROBE_CAP1_RING_MASK;
    const strobe_ring_block_t ring = {4, STROBE_RING_BASE, overwrite ? 1u : 0u, 0, 0, 0};
    memory_.write(elf_.symbol(STROBE_RING_BLOCK_SYMBOL)->address, &ring, sizeof ring);
    memory_.protect(STROBE_RING_BASE, 4 * sizeof(strobe_record_t), 0,
                    isa::GuestMemory::kRead | isa::GuestMemory::kWrite);
  }

  /// What the ring writer does with message `number` of `count` events, behind those of `total`.
  void put_record(uint32_t number, uint32_t total, uint64_t value, uint32_t count) {
    const strobe_record_t record = {
        number, total, 0x10000,
        value,  count, uint32_t{STROBE_RECORD_VERSION} << 28 | 1u << 24 | (number & 0xffffff)};
    memory_.write(STROBE_RING_BASE + number % 4 * sizeof record, &record, sizeof record);
  }

  /// Lets the service thread run.
  void serve(uint64_t instructions = 2000) {
    if (hart_.state().pc < STROBE_FIRMWARE_BASE) {
      hart_.state().pc = elf_.symbol(STROBE_SERVICE_SYMBOL)->address;
      hart_.state().mode = PrivilegeMode::kMachine;
    }
    ASSERT_EQ(hart_.run(instructions), StopReason::kBudget);
  }

  strobe_ring_block_t ring_block() {
    strobe_ring_block_t block;
    memory_.read(elf_.symbol(STROBE_RING_BLOCK_SYMBOL)->address, &block, sizeof block);
    return block;
  }

  std::vector<Entry> profile() {
    std::vector<Entry> entries;
    const uint8_t* table = memory_.data() + elf_.symbol(STROBE_TABLE_SYMBOL)->address;
    ProfileReader(table, kProfileTableBytes)
        .for_each([&entries](uint64_t pc, uint64_t value, unsigned tag, uint64_t count) {
          entries.push_back({pc, value, tag, count});
        });
    return entries;
  }

  static constexpr uint64_t kProgram = 0x10000, kStack = 0x70000000;

  isa::GuestMemory memory_;
  Device device_;
  isa::ElfFile elf_;
  isa::Hart hart_;
  strobe_boot_block_t boot_ = {};
};

TEST_F(FirmwareTest, StartsTheProgramInUserModeWithItsStackAndClearRegisters) {
  ASSERT_EQ(start(), StopReason::kBudget);
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  EXPECT_EQ(hart_.state().x[2], kStack);
  for (int r : {1, 3, 4, 6, 8, 10, 17, 31}) EXPECT_EQ(hart_.state().x[r], 0u) << "x" << r;
  EXPECT_GT(hart_.state().x[5], 100u);
  EXPECT_EQ(hart_.state().mcounteren, 7u);
  EXPECT_NE(hart_.state().mstatus & 3u << 13, 0u);
  EXPECT_EQ(boot_block().status, uint64_t{STROBE_STATUS_RUNNING});
}

TEST_F(FirmwareTest, ProgramsTheDeviceClearsItAndEnablesItOnlyWhenItIsReady) {
  ASSERT_EQ(start(), StopReason::kBudget);
  EXPECT_EQ(device_.registers[STROBE_REG_PERIOD], 256u);
  EXPECT_EQ(device_.registers[STROBE_REG_THRESHOLD], 0x123456u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEED], 0xfedcba9876543210u);
  EXPECT_EQ(device_.registers[STROBE_REG_EVICTION], 0x80080u);
  EXPECT_EQ(device_.registers[STROBE_REG_WATERMARK], 2u);
  EXPECT_EQ(device_.registers[STROBE_REG_INTR_ENABLE], STROBE_INTR_ENABLE_WATERMARK_MASK);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_CTRL], 0x401u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_CTRL + STROBE_REG_SEL_CTRL_STRIDE], 0x813u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_PC_LO + STROBE_REG_SEL_PC_LO_STRIDE], 0x1000u);
  EXPECT_EQ(device_.registers[STROBE_REG_SEL_PC_HI + STROBE_REG_SEL_PC_HI_STRIDE], 0x2000u);
  EXPECT_EQ(device_.registers[STROBE_REG_CTRL], STROBE_CTRL_ENABLE_MASK);
  EXPECT_TRUE(device_.cleared);
  EXPECT_FALSE(device_.enabled_while_init);
}

TEST_F(FirmwareTest, TheClearComesAfterTheSeedItLoads) {
  ASSERT_EQ(start(), StopReason::kBudget);
  const auto first = [this](uint64_t offset) {
    return std::find(device_.writes.begin(), device_.writes.end(), offset);
  };
  EXPECT_LT(first(STROBE_REG_SEED), first(STROBE_REG_CTRL));
  EXPECT_LT(first(STROBE_REG_CTRL), device_.writes.end());
}

TEST_F(FirmwareTest, LeavesTheDeviceAloneInTheBaselineRun) {
  boot_.profiler_active = 0;
  ASSERT_EQ(start(), StopReason::kBudget);
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_EQ(device_.reads, 0u);
  EXPECT_TRUE(device_.writes.empty());
  EXPECT_EQ(boot_block().status, uint64_t{STROBE_STATUS_DONE});
}

TEST_F(FirmwareTest, TheInterruptFoldsTheBufferAndLeavesTheProgramAsItWas) {
  ASSERT_EQ(start(), StopReason::kBudget);
  for (unsigned r = 6; r < 32; ++r) hart_.state().x[r] = r * 0x0101010101010101;
  isa::HartState before = hart_.state();
  device_.buffer = {{0x10000, 7, 1, 256}, {0x10004, 8, 0, 200}, {0x10000, 7, 1, 256}};
  hart_.set_interrupt(Interrupt::kProfiler, true);
  ASSERT_EQ(hart_.run(1000), StopReason::kBudget);
  EXPECT_TRUE(device_.buffer.empty());
  EXPECT_THAT(profile(),
              UnorderedElementsAre(Entry{0x10000, 7, 1, 512}, Entry{0x10004, 8, 0, 200}));
  EXPECT_EQ(boot_block().interrupts, 1u);
  EXPECT_EQ(boot_block().messages, 3u);
  EXPECT_EQ(hart_.state().mode, PrivilegeMode::kUser);
  for (int r = 1; r < 32; ++r) {
    if (r == 5) continue;  // the program counts in t0
    EXPECT_EQ(hart_.state().x[r], before.x[r]) << "x" << r;
  }
  EXPECT_GT(hart_.state().x[5], before.x[5]);
}

TEST_F(FirmwareTest, AMessageCostsThreeRegisterReads) {
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.buffer.assign(100, {0x10000, 7, 1, 256});
  uint64_t before = device_.reads;
  hart_.set_interrupt(Interrupt::kProfiler, true);
  hart_.run(10000);
  EXPECT_EQ(device_.reads - before, 1 + 3 * 100u);
}

TEST_F(FirmwareTest, AMessageCostsAtMost30InstructionsAndAnInterrupt110) {
  ASSERT_EQ(start(), StopReason::kBudget);
  auto cost_of = [this](size_t messages) {
    device_.buffer.assign(messages, {0x10000, 7, 1, 256});
    uint64_t machine = hart_.instructions() - hart_.user_instructions();
    hart_.set_interrupt(Interrupt::kProfiler, true);
    hart_.run(20000);
    return hart_.instructions() - hart_.user_instructions() - machine;
  };
  cost_of(2);  // makes the entry
  uint64_t few = cost_of(2), many = cost_of(102);
  uint64_t message = (many - few) / 100, interrupt = few - 2 * message;
  std::cout << message << " instructions a message, " << interrupt << " an interrupt\n";
  EXPECT_LE(message, 30u);
  EXPECT_LE(interrupt, 110u);
}

TEST_F(FirmwareTest, TheEndDrainsWhatIsStillOnItsWayAndAddsUpTheTable) {
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.buffer = {{0x10000, 1, 0, 256}};
  device_.late = {{0x10000, 1, 0, 1}, {0x10000, 2, 0, 2}, {0x10000, 3, 0, 3}};
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10000, 1, 0, 257}, Entry{0x10000, 2, 0, 2},
                                              Entry{0x10000, 3, 0, 3}));
  strobe_boot_block_t boot = boot_block();
  EXPECT_EQ(boot.status, uint64_t{STROBE_STATUS_DONE});
  EXPECT_EQ(boot.messages, 4u);
  EXPECT_EQ(boot.final_messages, 4u);
  EXPECT_EQ(boot.residue, 10u + 11 + 12 + 13);
  EXPECT_EQ(device_.registers[STROBE_REG_CTRL], 0u);
  EXPECT_THAT(device_.host_stores, ElementsAre(std::make_pair(uint64_t{STROBE_HOST_HALT},
                                                              uint64_t{STROBE_STATUS_DONE})));
}

TEST_F(FirmwareTest, EntriesThatKnowTheirTuplesAreTheLastMessages) {
  device_.registers[STROBE_REG_CAP2] = uint64_t{4} << STROBE_CAP2_SECOND_ENTRIES_SHIFT;
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.buffer = {{0x10004, 7, 1, 256}};
  ASSERT_EQ(finish(), StopReason::kHalted);
  // The entry of count 0 is none.
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10004, 7, 1, 257}, Entry{0x10008, 7, 2, 2},
                                              Entry{0x1000c, 7, 3, 3}));
  EXPECT_EQ(boot_block().messages, 4u);
  EXPECT_EQ(boot_block().final_messages, 4u);
  EXPECT_EQ(boot_block().residue, 10u + 11 + 12 + 13);
}

TEST_F(FirmwareTest, AFirstLevelWithTuplesLeavesNoResidue) {
  device_.tuples_from = 0;
  ASSERT_EQ(start(), StopReason::kBudget);
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10000, 7, 0, 10}, Entry{0x10004, 7, 0, 11},
                                              Entry{0x10008, 7, 0, 12}, Entry{0x1000c, 7, 0, 13}));
  EXPECT_EQ(boot_block().messages, 4u);
  EXPECT_EQ(boot_block().residue, 0u);
}

TEST_F(FirmwareTest, ACountdownHoldsNoResidue) {
  device_.registers[STROBE_REG_CAP1] |= kStratified;
  device_.registers[STROBE_REG_CAP2] = kCountdown;
  boot_.period = 128;
  ASSERT_EQ(start(), StopReason::kBudget);
  ASSERT_EQ(finish(), StopReason::kHalted);
  EXPECT_EQ(boot_block().residue, 0u);
}

TEST_F(FirmwareTest, ProgramsTheRingAndLeavesTheInterruptOff) {
  use_ring(/*overwrite=*/true);
  ASSERT_EQ(start(), StopReason::kBudget);
  EXPECT_EQ(device_.registers[STROBE_REG_RING_CONFIG], 2u | STROBE_RING_CONFIG_OVERWRITE_MASK);
  EXPECT_EQ(device_.registers[STROBE_REG_RING_BASE], uint64_t{STROBE_RING_BASE});
  EXPECT_EQ(device_.registers[STROBE_REG_RING_CTRL], STROBE_RING_CTRL_ENABLE_MASK);
  EXPECT_EQ(device_.registers[STROBE_REG_INTR_ENABLE], 0u);
}

TEST_F(FirmwareTest, DoesNotAskForARingOfADeviceWithoutOne) {
  use_ring();
  device_.registers[STROBE_REG_CAP1] &= ~STROBE_CAP1_RING_MASK;
  ASSERT_EQ(start(), StopReason::kHalted);
  EXPECT_EQ(boot_block().status, uint64_t{STROBE_STATUS_BAD_CAPABILITY});
  EXPECT_TRUE(device_.writes.empty());
}

TEST_F(FirmwareTest, TheEndWaitsForTheServiceThread) {
  use_ring();
  ASSERT_EQ(start(), StopReason::kBudget);
  device_.registers[STROBE_REG_RING_PROD] = 3;
  device_.registers[STROBE_REG_RING_CONS] = 2;
  ASSERT_EQ(finish(), StopReason::kBudget) << "it waits";
  device_.registers[STROBE_REG_RING_CONS] = 3;
  ASSERT_EQ(hart_.run(1000000), StopReason::kHalted);
  EXPECT_EQ(boot_block().residue, 10u + 11 + 12 + 13);
}

TEST_F(FirmwareTest, TheServiceThreadFoldsRecordsAndSaysHowFarItIs) {
  use_ring();
  ASSERT_EQ(start(), StopReason::kBudget);
  serve();
  EXPECT_EQ(device_.registers.count(STROBE_REG_RING_CONS), 0u) << "nothing to say yet";
  uint32_t total = 0;
  for (uint32_t number = 0; number < 10; ++number) {
    put_record(number, total, number % 2, 256 + number);
    total += 256 + number;
    serve();
    EXPECT_EQ(device_.registers[STROBE_REG_RING_CONS], number + 1);
  }
  EXPECT_THAT(profile(), UnorderedElementsAre(Entry{0x10000, 0, 1, 5 * 256 + 20},
                                              Entry{0x10000, 1, 1, 5 * 256 + 25}));
  EXPECT_EQ(ring_block().messages, 10u);
  EXPECT_EQ(ring_block().lost_messages, 0u);
}

TEST_F(FirmwareTest, TheServiceThreadTakesNoRecordBeforeItIsWhole) {
  use_ring();
  ASSERT_EQ(start(), StopReason::kBudget);
  put_record(0, 0, 7, 256);
  const uint64_t stamp = STROBE_RING_BASE + offsetof(strobe_record_t, stamp);
  const uint32_t not_yet = 0;
  memory_.write(stamp, &not_yet, sizeof not_yet);
  serve();
  EXPECT_TRUE(profile().empty());
  // Being written over: the first word is of the next round already.
  put_record(0, 0, 7, 256);
  const uint32_t next_round = 4;
  memory_.write(STROBE_RING_BASE, &next_round, sizeof next_round);
  serve();
  EXPECT_TRUE(profile().empty());
}

TEST_F(FirmwareTest, TheServiceThreadCountsWhatWasWrittenOver) {
  use_ring(/*overwrite=*/true);
  ASSERT_EQ(start(), StopReason::kBudget);
  put_record(0, 0, 0, 100);
  serve();
  // 1 to 5 of 100 events each come and go; of 6 to 9, which are there, it leaves the oldest.
  for (uint32_t number = 6; number < 10; ++number) put_record(number, 100 * number, 1, 100);
  serve();
  EXPECT_THAT(profile(),
              UnorderedElementsAre(Entry{0x10000, 0, 1, 100}, Entry{0x10000, 1, 1, 300}));
  EXPECT_EQ(ring_block().messages, 4u);
  EXPECT_EQ(ring_block().lost_messages, 6u);
  EXPECT_EQ(ring_block().lost_count, 600u);
  EXPECT_EQ(device_.registers[STROBE_REG_RING_CONS], 10u);
}

struct Refusal {
  const char* name;
  void (*change)(strobe_boot_block_t& boot, Device& device);
  strobe_firmware_status_t status;
};

class FirmwareRefusalTest : public FirmwareTest, public ::testing::WithParamInterface<Refusal> {};

TEST_P(FirmwareRefusalTest, HaltsWithItsStatusAndDoesNotStartTheProgram) {
  GetParam().change(boot_, device_);
  ASSERT_EQ(start(), StopReason::kHalted);
  EXPECT_EQ(boot_block().status, uint64_t{GetParam().status});
  EXPECT_EQ(hart_.user_instructions(), 0u);
  EXPECT_TRUE(device_.writes.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Each, FirmwareRefusalTest,
    ::testing::Values(
        Refusal{"AnotherDevice",
                [](strobe_boot_block_t&, Device& d) { d.registers[STROBE_REG_ID] ^= 1; },
                STROBE_STATUS_NO_DEVICE},
        Refusal{"AnotherMajorVersion",
                [](strobe_boot_block_t&, Device& d) {
                  d.registers[STROBE_REG_ID] += uint64_t{1} << STROBE_ID_MAJOR_SHIFT;
                },
                STROBE_STATUS_NO_DEVICE},
        Refusal{"MoreSelectorsThanThereAre",
                [](strobe_boot_block_t& b, Device&) { b.selector_count = 5; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"APeriodBeyondTheCounters", [](strobe_boot_block_t& b, Device&) { b.period = 257; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"APeriodOfZero", [](strobe_boot_block_t& b, Device&) { b.period = 0; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"ACountdownFromBeyondTheCounters",
                [](strobe_boot_block_t& b, Device& d) {
                  d.registers[STROBE_REG_CAP1] |= kStratified;
                  d.registers[STROBE_REG_CAP2] = kCountdown;
                  b.period = 129;
                },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"AWatermarkTheBufferNeverReaches",
                [](strobe_boot_block_t& b, Device&) { b.watermark = 257; },
                STROBE_STATUS_BAD_CAPABILITY},
        Refusal{"AnotherBootBlock", [](strobe_boot_block_t& b, Device&) { b.magic += 1; },
                STROBE_STATUS_BAD_BOOT_BLOCK}),
    [](const auto& refusal) { return refusal.param.name; });

TEST_F(FirmwareTest, AnExceptionOfTheProgramIsReportedWithCausePcAndAddress) {
  const uint32_t load = 0x0002b303;  // ld t1, 0(t0), t0 = 0
  memory_.write(kProgram, &load, sizeof load);
  ASSERT_EQ(start(), StopReason::kHalted);
  strobe_boot_block_t boot = boot_block();
  EXPECT_EQ(boot.status, uint64_t{STROBE_STATUS_FATAL});
  EXPECT_EQ(boot.fatal_cause, static_cast<uint64_t>(isa::Cause::kLoadFault));
  EXPECT_EQ(boot.fatal_epc, kProgram);
  EXPECT_EQ(boot.fatal_tval, 0u);
  EXPECT_THAT(device_.host_stores,
              ElementsAre(std::make_pair(uint64_t{STROBE_HOST_FATAL},
                                         static_cast<uint64_t>(isa::Cause::kLoadFault))));
}

}  // namespace
}  // namespace strobe::guest
