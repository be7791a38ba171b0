// The handlers of the HPS profiles: what they collect, what they do not change, and what they cost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "sw/guest/handlers/fold.h"
#include "sw/guest/include/strobe/profile_reader.h"
#include "sw/guest/include/strobe/trace_reader.h"
#include "sw/profile/reports/call_profiles.h"
#include "sw/profile/streams/stream_profile.h"
#include "tests/unit/guest/handler_call.h"

namespace strobe::guest {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using Entry = std::vector<uint64_t>;

static_assert(STROBE_TAG_CALL_PAIR == profile::kCallPairTag, "as the host's profiles");
static_assert(STROBE_TAG_METHOD == profile::kMethodTag, "as the host's profiles");

constexpr const char* kHandlers[] = {STROBE_DATA_STREAM_SYMBOL, STROBE_BURST_END_SYMBOL,
                                     STROBE_CALL_PAIR_SYMBOL,   STROBE_HOT_METHOD_SYMBOL,
                                     STROBE_SANDBOX_SYMBOL,     STROBE_WATCHPOINT_SYMBOL};

class HandlersTest : public HandlerTest {
 protected:
  TraceReader trace() const {
    return {memory_.data() + address_of(STROBE_TRACE_SYMBOL), sizeof(strobe_reference_trace_t)};
  }
  std::vector<Entry> records() const {
    std::vector<Entry> records;
    trace().for_each(
        [&](uint64_t pc, uint64_t address) {
          records.push_back({pc, address});
        },
        [&] { records.push_back({}); });
    return records;
  }
  /// As the firmware does at boot.
  void start_table() {
    const uint64_t capacity = STROBE_PROFILE_CAPACITY;
    memory_.write(address_of(STROBE_TABLE_SYMBOL), &capacity, sizeof capacity);
  }
  ProfileReader table() const {
    return {memory_.data() + address_of(STROBE_TABLE_SYMBOL), kProfileTableBytes};
  }
  std::vector<Entry> counts() const {
    std::vector<Entry> entries;
    table().for_each([&](uint64_t pc, uint64_t value, unsigned tag, uint64_t count) {
      entries.push_back({pc, value, tag, count});
    });
    return entries;
  }
  void set_word(uint64_t address, uint64_t value) { memory_.write(address, &value, sizeof value); }

  uint64_t size_of(const std::string& handler) const {
    return elf_.symbol(handler)->size + elf_.symbol(handler + "_body")->size;
  }
};

TEST_F(HandlersTest, TheDataStreamHandlerAppendsReferencesAndEndsOfBursts) {
  call(STROBE_DATA_STREAM_SYMBOL, 0x10400, 0x7fff0008);
  call(STROBE_DATA_STREAM_SYMBOL, 0x10404, 0);
  call(STROBE_BURST_END_SYMBOL, 0x10408, 0x10000);
  call(STROBE_DATA_STREAM_SYMBOL, 0x10400, 0x7fff0010);
  EXPECT_THAT(records(), ElementsAre(Entry{0x10400, 0x7fff0008}, Entry{0x10404, 0}, Entry{},
                                     Entry{0x10400, 0x7fff0010}));
  EXPECT_EQ(trace().dropped(), 0u);
}

TEST_F(HandlersTest, AFullTraceDropsReferencesAndCountsThem) {
  const uint64_t at = address_of(STROBE_TRACE_SYMBOL);
  set_word(at, STROBE_TRACE_CAPACITY - 1);
  call(STROBE_DATA_STREAM_SYMBOL, 0x10400, 1);
  const uint64_t behind = at + sizeof(strobe_reference_trace_t);
  const auto after = read<uint64_t>(behind);
  call(STROBE_DATA_STREAM_SYMBOL, 0x10400, 2);
  call(STROBE_BURST_END_SYMBOL);
  EXPECT_EQ(trace().used(), uint64_t{STROBE_TRACE_CAPACITY});
  EXPECT_EQ(trace().dropped(), 2u);
  EXPECT_EQ(records().back(), (Entry{0x10400, 1}));
  EXPECT_EQ(read<uint64_t>(behind), after);
}

TEST_F(HandlersTest, TheCallPairHandlerCountsCallsBySiteAndCallee) {
  start_table();
  for (int i = 0; i < 3; ++i) call(STROBE_CALL_PAIR_SYMBOL, 0x10400, 0x10800);
  call(STROBE_CALL_PAIR_SYMBOL, 0x10404, 0x10800);
  call(STROBE_CALL_PAIR_SYMBOL, 0x10400, 0x10900);
  EXPECT_THAT(counts(), UnorderedElementsAre(Entry{0x10400, 0x10800, STROBE_TAG_CALL_PAIR, 3},
                                             Entry{0x10404, 0x10800, STROBE_TAG_CALL_PAIR, 1},
                                             Entry{0x10400, 0x10900, STROBE_TAG_CALL_PAIR, 1}));
}

TEST_F(HandlersTest, TheHotMethodHandlerCountsTargetsWhereverTheyComeFrom) {
  start_table();
  call(STROBE_HOT_METHOD_SYMBOL, 0x10400, 0x10800);
  call(STROBE_HOT_METHOD_SYMBOL, 0x10404, 0x10800);
  call(STROBE_HOT_METHOD_SYMBOL, 0x10404, 0x10810);
  EXPECT_THAT(counts(), UnorderedElementsAre(Entry{0x10800, 0, STROBE_TAG_METHOD, 2},
                                             Entry{0x10810, 0, STROBE_TAG_METHOD, 1}));
}

TEST_F(HandlersTest, TheStoreHandlersCountStoresByPlaceAndAddress) {
  start_table();
  call(STROBE_SANDBOX_SYMBOL, 0x10400, 0x7fff0008);
  for (int i = 0; i < 2; ++i) call(STROBE_WATCHPOINT_SYMBOL, 0x10404, 0x20000);
  EXPECT_THAT(counts(), UnorderedElementsAre(Entry{0x10400, 0x7fff0008, STROBE_TAG_SANDBOX, 1},
                                             Entry{0x10404, 0x20000, STROBE_TAG_WATCHPOINT, 2}));
}

TEST_F(HandlersTest, AFullTableLosesNewPairsAndCountsThem) {
  start_table();
  set_word(address_of(STROBE_TABLE_SYMBOL) + offsetof(strobe_profile_table_t, used), kMaxUsed);
  call(STROBE_CALL_PAIR_SYMBOL, 0x10400, 0x10800);
  call(STROBE_HOT_METHOD_SYMBOL, 0x10400, 0x10800);
  EXPECT_EQ(table().lost_messages(), 2u);
  EXPECT_EQ(table().lost_count(), 2u);
}

TEST_F(HandlersTest, AHandlerLeavesEverythingOfTheProgramAsItWas) {
  start_table();
  constexpr uint64_t kStack = 0x70000000;
  memory_.protect(kStack - 4096, 8192, 3, 3);
  std::vector<uint8_t> stack(8192);
  std::mt19937_64 random(3);
  for (uint8_t& byte : stack) byte = static_cast<uint8_t>(random());
  memory_.write(kStack - 4096, stack.data(), stack.size());
  isa::HartState& state = hart_.state();
  for (int r = 1; r < 32; ++r) state.x[r] = random();
  for (int r = 0; r < 32; ++r) state.f[r] = random();
  state.x[2] = kStack;
  state.fcsr = 0x21;
  state.mscratch = 0x1234;
  state.mepc = 0x5678;
  const isa::HartState before = state;
  // One bucket for several pairs, so that the slow part of the fold runs too; then a full table and
  // a full trace.
  std::vector<std::pair<uint64_t, uint64_t>> events = {{0x10400, 0x10800}, {0x10400, 0x10800}};
  const uint64_t slot = first_slot(0x10400, 0x10800);
  for (uint64_t callee = 0x10802; events.size() < 4; callee += 2) {
    if (first_slot(0x10400, callee) == slot) events.push_back({0x10400, callee});
  }
  for (const bool full : {false, true}) {
    if (full) {
      set_word(address_of(STROBE_TABLE_SYMBOL) + offsetof(strobe_profile_table_t, used), kMaxUsed);
      set_word(address_of(STROBE_TRACE_SYMBOL), STROBE_TRACE_CAPACITY);
      events.push_back({0x20000, 0x30000});
    }
    for (const char* handler : kHandlers) {
      for (const auto& [pc, target] : events) {
        call(handler, pc, target);
        for (int r = 1; r < 32; ++r) ASSERT_EQ(state.x[r], before.x[r]) << handler << " x" << r;
        ASSERT_EQ(std::memcmp(state.f, before.f, sizeof before.f), 0) << handler;
        ASSERT_EQ(state.fcsr, before.fcsr);
        ASSERT_EQ(state.mscratch, before.mscratch);
        ASSERT_EQ(dise_register(7), address_of(STROBE_HANDLER_STACK_SYMBOL)) << handler;
      }
    }
  }
  EXPECT_EQ(table().lost_messages(), 4u);
  EXPECT_EQ(trace().dropped(), 2 * events.size());
  std::vector<uint8_t> after(stack.size());
  memory_.read(kStack - 4096, after.data(), after.size());
  EXPECT_EQ(after, stack);
}

TEST_F(HandlersTest, AHandlerKeepsWithinAQuarterOfItsStack) {
  start_table();
  const uint64_t top = address_of(STROBE_HANDLER_STACK_SYMBOL);
  const uint64_t bottom = address_of("strobe_stack_top");
  ASSERT_EQ(top - bottom, 1024u);
  const std::vector<uint8_t> untouched(768, 0xa5);
  memory_.write(bottom, untouched.data(), untouched.size());
  for (const char* handler : kHandlers) call(handler, 0x10400, 0x10800);
  std::vector<uint8_t> after(untouched.size());
  memory_.read(bottom, after.data(), after.size());
  EXPECT_EQ(after, untouched);
}

TEST_F(HandlersTest, AHandlerIsAFewHundredBytesAndHalfAHundredInstructions) {
  start_table();
  // An event of its own for each, which has its own entry where it is looked for first.
  auto event = [this, pc = uint64_t{0x10400}](const char* handler) mutable {
    pc += 4;
    call(handler, pc, pc + 0x400);  // makes the entry
    return call(handler, pc, pc + 0x400);
  };
  const isa::ElfSymbol* slow =
      elf_.symbol("_ZN6strobe5guest22fold_beyond_first_slotER22strobe_profile_table_tmmmmm");
  ASSERT_NE(slow, nullptr);
  std::cout << "what both counting handlers share: " << slow->size << " bytes\n";
  EXPECT_LE(slow->size, 200u);
  for (const char* handler : kHandlers) {
    const uint64_t instructions = event(handler);
    std::cout << handler << ": " << size_of(handler) << " bytes, " << instructions
              << " instructions an event\n";
    EXPECT_GE(size_of(handler), 64u) << handler;
    EXPECT_LE(size_of(handler), 200u) << handler;
    EXPECT_LE(instructions, handler == std::string(STROBE_DATA_STREAM_SYMBOL) ? 36u : 58u)
        << handler;
  }
}

TEST_F(HandlersTest, TheTraceInGuestMemoryGivesTheHotStreamsOfTheReferences) {
  for (int burst = 0; burst < 12; ++burst) {
    for (uint64_t node = 0; node < 5; ++node) {
      call(STROBE_DATA_STREAM_SYMBOL, 0x10400 + 4 * node, 0x50000 + 64 * node);
    }
    call(STROBE_BURST_END_SYMBOL);
  }
  profile::ReferenceTrace references;
  trace().for_each(
      [&](uint64_t pc, uint64_t address) {
        references.add({pc, address});
      },
      [&] { references.separate(); });
  const profile::StreamProfile streams =
      profile::stream_profile(references, profile::StreamDetector::kSubpaths, {2, 40});
  ASSERT_EQ(streams.streams.size(), 1u);
  EXPECT_THAT(streams.streams[0].signature,
              ElementsAre(0x10400, 0x10404, 0x10408, 0x1040c, 0x10410));
  EXPECT_EQ(streams.streams[0].heat, 60u);
}

TEST(TraceReader, RefusesAnImageThatCannotBeATrace) {
  const auto image = std::make_unique<strobe_reference_trace_t>();
  const auto message = [&](uint64_t size) -> std::string {
    try {
      TraceReader(image.get(), size);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(sizeof *image), "");
  EXPECT_EQ(message(100), "the reference trace in guest memory is damaged: expected an image of " +
                              std::to_string(sizeof *image) + " bytes, got 100");
  image->used = STROBE_TRACE_CAPACITY + 1;
  EXPECT_EQ(message(sizeof *image),
            "the reference trace in guest memory is damaged: expected at most 1048576 records, got "
            "1048577");
}

}  // namespace
}  // namespace strobe::guest
