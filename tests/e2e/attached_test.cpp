// The profiler beside a foreign core (docs/integration.md): RVFI in any channel order, compressed
// instructions as fetched, AXI4-Lite with delays. What it reports of a program is what `strobe run`
// reports.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include "Vattached.h"
#include "sc_models/isa/elf_file.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/clocked.h"
#include "tests/e2e/observed_program.h"
#include "tests/e2e/strobe_process.h"

namespace strobe::e2e {
namespace {

constexpr unsigned kLanes = 4;
constexpr uint64_t kInstructions = 400'000;
constexpr uint16_t kCtrl = 0x18, kStatus = 0x20, kIntrEnable = 0x30, kPeriod = 0x48,
                   kWatermark = 0x50, kEvents = 0x58, kDropped = 0x60, kMsgPc = 0x80,
                   kMsgValue = 0x88, kMsgMeta = 0x90, kSelCtrl = 0x100, kRingCtrl = 0x200,
                   kRingBase = 0x210, kRingProd = 0x218;
// The edges of user mode with tag 3: opcode classes branch, jump_indirect and return, the next pc
// as value.
constexpr uint64_t kEdges = 0x0940'0313;
constexpr uint64_t kBase = 0x8000;
constexpr CData kPrivileged = 1;  // AxPROT

using Counts = std::map<std::tuple<unsigned, uint64_t, uint64_t>, uint64_t>;  // by tag, pc, value

// What a core puts on its RVFI port.
struct RvfiTrace {
  RvfiTrace() = default;
  explicit RvfiTrace(const std::string& elf) {
    isa::ElfFile::open(elf, uint64_t{1} << 31).load(memory, false);
    run_observed(elf, {"tiny"}, *this, kInstructions);
  }

  std::vector<RetireRecord> records;
  isa::GuestMemory memory;
  void record(const RetireRecord& r) { records.push_back(r); }
  /// The instruction as fetched.
  uint32_t insn(const RetireRecord& r) const {
    uint32_t bits = 0;
    memory.read(r.pc_rdata, &bits, r.length);
    return bits;
  }
};

// As kEdges picks them, in any mode.
bool is_edge(const RetireRecord& r) {
  return r.trap == 0 && (r.opclass == OpClass::kBranch || r.opclass == OpClass::kJumpIndirect ||
                         r.opclass == OpClass::kReturn);
}

// The block with what a system puts around it, a cycle at a time: a core that retires up to four
// instructions, a bus master, a memory behind the second bus.
class Board {
 public:
  explicit Board(const RvfiTrace& trace) : trace_(trace) {
    Vattached& top = block_.top();
    top.s_axi_awvalid_i = top.s_axi_wvalid_i = top.s_axi_bready_i = 0;
    top.s_axi_arvalid_i = top.s_axi_rready_i = 0;
    top.s_axi_awprot_i = top.s_axi_arprot_i = kPrivileged;
    top.profile_en_i = 1;
    top.m_axi_bvalid_i = 0;
    top.retire_mispredicted_i = 0;
  }

  /// AxPROT of the accesses from now on.
  void set_prot(CData prot) { block_.top().s_axi_awprot_i = block_.top().s_axi_arprot_i = prot; }
  /// The cycles that begin with a multiple of so many instructions retired change whether there is
  /// permission to profile; 0: there always is.
  void change_permission_every(uint64_t instructions) { permission_ = instructions; }
  /// The core begins to retire.
  void start() { running_ = true; }
  /// Memory takes and answers nothing from now on, or does again.
  void stall_memory(bool stalled) { memory_stalled_ = stalled; }
  bool done() const { return next_ == trace_.records.size(); }
  uint64_t permitted_edges() const { return permitted_edges_; }
  bool irq() { return block_.top().irq_o != 0; }
  const std::vector<std::pair<uint64_t, uint64_t>>& written() const { return written_; }

  void cycle() {
    retire();
    answer_memory();
    block_.settle();
    const bool answered = take_memory();
    Vattached& top = block_.top();
    handshakes_ = {top.s_axi_awready_o != 0, top.s_axi_wready_o != 0, top.s_axi_bvalid_o != 0,
                   top.s_axi_arready_o != 0, top.s_axi_rvalid_o != 0};
    resp_ = top.s_axi_bvalid_o != 0 ? top.s_axi_bresp_o : top.s_axi_rresp_o;
    rdata_ = top.s_axi_rdata_o;
    block_.edge();
    if (answered) top.m_axi_bvalid_i = 0;
  }

  /// @return the response: 0 OKAY, 2 SLVERR
  unsigned write(uint16_t address, uint64_t data, unsigned strobes = 0xff) {
    Vattached& top = block_.top();
    bool address_done = false, data_done = false;
    while (!address_done || !data_done) {
      top.s_axi_awvalid_i = !address_done && (top.s_axi_awvalid_i || chance(60));
      top.s_axi_awaddr_i = address;
      top.s_axi_wvalid_i = !data_done && (top.s_axi_wvalid_i || chance(60));
      top.s_axi_wdata_i = data;
      top.s_axi_wstrb_i = static_cast<CData>(strobes);
      cycle();
      address_done |= top.s_axi_awvalid_i && handshakes_.aw;
      data_done |= top.s_axi_wvalid_i && handshakes_.w;
      if (address_done) top.s_axi_awvalid_i = 0;
      if (data_done) top.s_axi_wvalid_i = 0;
    }
    return wait(top.s_axi_bready_i, handshakes_.b);
  }

  uint64_t read(uint16_t address, unsigned* response = nullptr) {
    Vattached& top = block_.top();
    top.s_axi_arvalid_i = 1;
    top.s_axi_araddr_i = address;
    do {
      cycle();
    } while (!handshakes_.ar);
    top.s_axi_arvalid_i = 0;
    const unsigned got = wait(top.s_axi_rready_i, handshakes_.r);
    if (response != nullptr) *response = got;
    return rdata_;
  }

 private:
  struct Handshakes {
    bool aw, w, b, ar, r;
  };

  bool chance(unsigned percent) { return random_() % 100 < percent; }

  unsigned wait(CData& ready, const bool& valid) {
    for (;;) {
      ready = chance(50);
      cycle();
      if (ready && valid) break;
    }
    ready = 0;
    return resp_;
  }

  // Up to four instructions, on channels in any order.
  void retire() {
    Vattached& top = block_.top();
    unsigned channels[kLanes] = {0, 1, 2, 3};
    std::shuffle(channels, channels + kLanes, random_);
    const uint64_t count = running_ ? random_() % (kLanes + 1) : 0;
    top.profile_en_i = permission_ == 0 || next_ / permission_ % 2 == 0;
    unsigned valid = 0, trap = 0, mode = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
      const unsigned channel = channels[k];
      RetireRecord r;
      r.pc_rdata = r.pc_wdata = random_();  // a channel that is not valid holds anything
      uint32_t insn = static_cast<uint32_t>(random_());
      if (k < count && !done()) {
        r = trace_.records[next_];
        r.order = next_++;
        if (top.profile_en_i != 0 && is_edge(r)) ++permitted_edges_;
        insn = trace_.insn(r);
        valid |= 1u << channel;
      }
      trap |= static_cast<unsigned>(r.trap) << channel;
      mode |= static_cast<unsigned>(r.mode) << (2 * channel);
      profiling::set_lane(top.rvfi_order_i, channel, r.order);
      profiling::set_lane(top.rvfi_insn_i, channel, insn);
      profiling::set_lane(top.rvfi_pc_rdata_i, channel, r.pc_rdata);
      profiling::set_lane(top.rvfi_pc_wdata_i, channel, r.pc_wdata);
      profiling::set_lane(top.rvfi_rd_wdata_i, channel, r.rd_wdata);
      profiling::set_lane(top.rvfi_mem_addr_i, channel, r.mem_addr);
    }
    top.rvfi_valid_i = static_cast<CData>(valid);
    top.rvfi_trap_i = static_cast<CData>(trap);
    top.rvfi_mode_i = static_cast<CData>(mode);
  }

  // A memory that is slow with each of its channels.
  void answer_memory() {
    Vattached& top = block_.top();
    top.m_axi_awready_i = chance(40) && !memory_stalled_;
    top.m_axi_wready_i = chance(40) && !memory_stalled_;
    top.m_axi_bvalid_i = top.m_axi_bvalid_i || (unanswered_ > 0 && chance(30) && !memory_stalled_);
    top.m_axi_bresp_i = 0;
  }
  bool take_memory() {
    Vattached& top = block_.top();
    if (top.m_axi_awvalid_o && top.m_axi_awready_i) addresses_.push_back(top.m_axi_awaddr_o);
    if (top.m_axi_wvalid_o && top.m_axi_wready_i) data_.push_back(top.m_axi_wdata_o);
    const bool answered = top.m_axi_bvalid_i && top.m_axi_bready_o;
    if (answered) --unanswered_;
    if (!addresses_.empty() && !data_.empty()) {
      written_.emplace_back(addresses_.front(), data_.front());
      addresses_.pop_front();
      data_.pop_front();
      ++unanswered_;
    }
    return answered;
  }

  const RvfiTrace& trace_;
  size_t next_ = 0;
  uint64_t permission_ = 0, permitted_edges_ = 0;
  bool running_ = false;
  bool memory_stalled_ = false;
  std::mt19937_64 random_{7};
  tb::Clocked<Vattached> block_;
  Handshakes handshakes_{};
  unsigned resp_ = 0;
  uint64_t rdata_ = 0;
  std::deque<uint64_t> addresses_, data_;
  unsigned unanswered_ = 0;
  std::vector<std::pair<uint64_t, uint64_t>> written_;
};

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

// Of so few instructions, the messages all find room in the buffer.
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
