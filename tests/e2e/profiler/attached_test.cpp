// The profiler attached to a foreign core (docs/integration.md): RVFI with the channels in any
// order, compressed instructions as they were fetched, AXI4-Lite with delays. Its report of a
// program must equal that of `strobe run`.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/e2e/process/strobe_process.h"
#include "tests/e2e/profiler/attached_board.h"

namespace strobe::e2e {
namespace {

constexpr uint16_t kCtrl = 0x18, kStatus = 0x20, kIntrEnable = 0x30, kPeriod = 0x48,
                   kWatermark = 0x50, kEvents = 0x58, kDropped = 0x60, kMsgPc = 0x80,
                   kMsgValue = 0x88, kMsgMeta = 0x90, kSelCtrl = 0x100, kRingCtrl = 0x200,
                   kRingBase = 0x210, kRingProd = 0x218;
// The edges of user mode with tag 3: opcode classes branch, jump_indirect and return, the next pc
// as value.
constexpr uint64_t kEdges = 0x0940'0313;
constexpr uint64_t kBase = 0x8000;

using Counts = std::map<std::tuple<unsigned, uint64_t, uint64_t>, uint64_t>;  // by tag, pc, value

struct Report {
  uint64_t events = 0, messages = 0, counts = 0;
  Counts profile;
};

// What the platform says of the same instructions.
Report platform_report(const std::string& elf) {
  const ScratchDirectory scratch;
  const auto file = scratch.write("run.yaml", run_file(elf, "[tiny]",
                                                       "[{ name: p, kind: stratified, selectors: "
                                                       "[{ profile: edge, tag: 3 }] }]"));
  const auto out = scratch.path() / "out";
  const ProcessResult process =
      strobe({"run", file.string(), "--out", out.string(), "--set", "mode=functional", "--set",
              "workload.roi.run=" + std::to_string(kInstructions)});
  EXPECT_EQ(process.exit_code, 0) << process.err;
  const nlohmann::json p = read_json(out / "result.json").at("profilers").at(0);
  Report report{p.at("events"), p.at("messages"), p.at("message_counts"), {}};
  std::istringstream rows(read_file(out / "profile.p.csv"));
  std::string row, tag, pc, value, count;
  std::getline(rows, row);
  while (std::getline(rows, row)) {
    std::istringstream fields(row);
    std::getline(fields, tag, ',');
    std::getline(fields, pc, ',');
    std::getline(fields, value, ',');
    std::getline(fields, count, ',');
    report
        .profile[{std::stoul(tag), std::stoull(pc, nullptr, 16), std::stoull(value, nullptr, 16)}] =
        std::stoull(count);
  }
  return report;
}

void expect_equal(const Report& attached, const Report& platform) {
  EXPECT_GT(platform.messages, 100u);
  EXPECT_EQ(attached.events, platform.events);
  EXPECT_EQ(attached.messages, platform.messages);
  EXPECT_EQ(attached.counts, platform.counts);
  EXPECT_EQ(attached.profile, platform.profile);
}

void add(Report& report, unsigned tag, uint64_t pc, uint64_t value, uint64_t count) {
  ++report.messages;
  report.counts += count;
  report.profile[{tag, pc, value}] += count;
}

// What a driver does in the interrupt, and at the end: MSG_META takes the message that MSG_PC
// showed, or says that it showed none.
void drain(Board& board, Report& report) {
  for (;;) {
    const uint64_t pc = board.read(kMsgPc), value = board.read(kMsgValue);
    const uint64_t meta = board.read(kMsgMeta);
    if (meta >> 63 == 0) return;
    add(report, meta >> 32 & 15, pc, value, meta & 0xffffffff);
  }
}

void begin(Board& board) {
  board.write(kCtrl, 1);
  while ((board.read(kStatus) & 1) != 0) {  // the counters are being zeroed
  }
  board.start();
}

void stop(Board& board, Report& report) {
  board.write(kCtrl, 0);
  while ((board.read(kStatus) & 2) == 0) {
  }
  report.events = board.read(kEvents);
  EXPECT_EQ(board.read(kDropped), 0u);
}

TEST(Attached, TheMessagesAreThoseOfThePlatform) {
  const std::string elf = workload("paths");
  const RvfiTrace trace(elf);
  Board board(trace);
  board.write(kSelCtrl, kEdges);
  board.write(kWatermark, 8);
  board.write(kIntrEnable, 1);
  begin(board);
  Report report;
  while (!board.done()) {
    board.cycle();
    if (board.irq()) drain(board, report);
  }
  stop(board, report);
  drain(board, report);
  expect_equal(report, platform_report(elf));
}

// The begin of a program as if all of it ran in one mode.
struct TraceInMode : RvfiTrace {
  explicit TraceInMode(unsigned mode) : RvfiTrace(workload("paths")) {
    records.resize(40'000);
    for (RetireRecord& r : records) r.mode = static_cast<PrivilegeMode>(mode);
  }
};

// The messages of so few instructions all find room in the buffer.
uint64_t events_of(Board& board, uint64_t ctrl) {
  board.write(kSelCtrl, ctrl);
  begin(board);
  while (!board.done()) board.cycle();
  Report report;
  stop(board, report);
  return report.events;
}

TEST(Attached, EachModeIsSelectedByItsBitAndNoOther) {
  constexpr unsigned kReserved = 2;
  const std::map<unsigned, uint64_t> bits{{0, 1u << 4}, {1, 1u << 3}, {kReserved, 0}, {3, 1u << 5}};
  constexpr uint64_t kAllModes = 0x38, kNoMode = kEdges & ~kAllModes;
  for (const auto& [mode, bit] : bits) {
    const TraceInMode trace(mode);
    const auto edges =
        static_cast<uint64_t>(std::count_if(trace.records.begin(), trace.records.end(), is_edge));
    ASSERT_GT(edges, 1000u);
    const auto events =
        [&](uint64_t ctrl) {  // one block at a time: Verilator has one context a thread
          Board board(trace);
          return events_of(board, ctrl);
        };
    EXPECT_EQ(events(kNoMode | bit), bit == 0 ? 0 : edges) << "mode " << mode;
    EXPECT_EQ(events(kNoMode | (kAllModes & ~bit)), 0u) << "mode " << mode;
  }
}

TEST(Attached, WhatRetiresWithoutPermissionIsNotSelected) {
  const TraceInMode trace(0);
  Board board(trace);
  board.change_permission_every(777);
  const uint64_t events = events_of(board, kEdges);
  EXPECT_EQ(events, board.permitted_edges());
  EXPECT_GT(events, 1000u);
}

// The bits of AxPROT beside `privileged`, secure and instruction, decide nothing.
TEST(Attached, AnAccessThatIsNotPrivilegedIsRefusedAndChangesNothing) {
  const TraceInMode trace(0);
  Board board(trace);
  board.write(kPeriod, 1);
  board.write(kSelCtrl, kEdges);
  begin(board);
  while (!board.done() && board.read(kStatus) >> 16 == 0) {
  }
  ASSERT_FALSE(board.done());
  board.write(kCtrl, 0);
  while ((board.read(kStatus) & 2) == 0) {
  }
  const uint64_t level = board.read(kStatus) >> 16;
  unsigned response = 0;
  for (const CData prot : {CData{0}, CData{2}, CData{4}, CData{6}}) {
    board.set_prot(prot);
    for (const uint16_t address : {uint16_t{0}, kCtrl, kMsgPc, kMsgMeta, kRingBase}) {
      EXPECT_EQ(board.read(address, &response), 0u) << address;
      EXPECT_EQ(response, 2u) << address;
      EXPECT_EQ(board.write(address, 1), 2u) << address;
    }
  }
  for (const CData prot : {CData{1}, CData{3}, CData{5}, CData{7}}) {
    board.set_prot(prot);
    EXPECT_EQ(board.read(kCtrl, &response), 0u) << "not enabled";
    EXPECT_EQ(response, 0u);
    EXPECT_EQ(board.read(kRingBase), 0u);
    EXPECT_EQ(board.read(kStatus) >> 16, level) << "no message is gone";
  }
}

// About as many messages as the bus can take, so that many rounds end with an empty buffer in which
// one arrives.
TEST(Attached, MessagesThatArriveDuringTheDrainAreWhole) {
  const RvfiTrace trace(workload("paths"));
  std::set<std::pair<uint64_t, uint64_t>> edges;
  for (const RetireRecord& r : trace.records) edges.emplace(r.pc_rdata, r.pc_wdata);
  Board board(trace);
  board.write(kSelCtrl, kEdges);
  board.write(kPeriod, 16);
  begin(board);
  Report report;
  while (!board.done()) drain(board, report);
  stop(board, report);
  drain(board, report);
  EXPECT_GT(report.messages, 1000u);
  EXPECT_EQ(report.counts, 16 * report.messages);
  for (const auto& [tuple, count] : report.profile) {
    const auto& [tag, pc, value] = tuple;
    EXPECT_EQ(tag, 3u);
    EXPECT_EQ(edges.count({pc, value}), 1u) << "no edge of the program: " << pc << " to " << value;
  }
}

TEST(Attached, AfterAClearItIsNotIdleUntilMemoryHasWrittenTheLastWord) {
  const RvfiTrace trace(workload("paths"));
  Board board(trace);
  board.write(kSelCtrl, kEdges);
  board.write(kPeriod, 1);
  board.write(kRingBase, kBase);
  board.write(kRingCtrl, 1);
  begin(board);
  while (board.written().size() < 10) board.cycle();
  board.stall_memory(true);
  for (int n = 0; n < 50; ++n) board.cycle();  // a word has been taken
  board.write(kCtrl, 2);
  for (int n = 0; n < 5000; ++n) board.cycle();  // the table is zeroed again
  EXPECT_EQ(board.read(kStatus) & 3, 0u) << "neither initialising nor idle";
  const size_t before = board.written().size();
  board.stall_memory(false);
  while ((board.read(kStatus) & 2) == 0) {
  }
  const size_t after = board.written().size();
  EXPECT_LE(after, before + 1) << "the word that was under way";
  for (int n = 0; n < 500; ++n) board.cycle();
  EXPECT_EQ(board.written().size(), after) << "software may have zeroed the ring by now";
}

TEST(Attached, TheRingInMemoryHoldsThem) {
  const std::string elf = workload("paths");
  const RvfiTrace trace(elf);
  Board board(trace);
  board.write(kSelCtrl, kEdges);
  board.write(kRingBase, kBase);
  board.write(kRingCtrl, 1);
  begin(board);
  while (!board.done()) board.cycle();
  Report report;
  stop(board, report);
  const uint64_t records = board.read(kRingProd);
  for (int n = 0; n < 200; ++n) board.cycle();  // the last word is on its way
  ASSERT_EQ(board.written().size(), 4 * records);
  for (uint64_t n = 0; n < records; ++n) {
    const auto* word = &board.written()[4 * n];
    for (unsigned k = 0; k < 4; ++k) EXPECT_EQ(word[k].first, kBase + 32 * n + 8 * k);
    add(report, word[3].second >> 56 & 15, word[1].second, word[2].second,
        word[3].second & 0xffffffff);
  }
  expect_equal(report, platform_report(elf));
}

TEST(Attached, TheBusRefusesWhatIsNoRegisterAndHalfAWrite) {
  const RvfiTrace trace;
  Board board(trace);
  unsigned response = 0;
  EXPECT_EQ(board.read(0, &response) & 0xffffffff, 0x42525453u);  // ID
  EXPECT_EQ(response, 0u);
  board.read(0xff8, &response);
  EXPECT_EQ(response, 2u);
  EXPECT_EQ(board.write(0xff8, 1), 2u);
  EXPECT_EQ(board.write(kWatermark, 5), 0u);
  EXPECT_EQ(board.write(kWatermark, 9, 0x0f), 2u);
  EXPECT_EQ(board.read(kWatermark), 5u);
}

}  // namespace
}  // namespace strobe::e2e
