// strobe_rvfi_profiler on a board: a core, a bus master and a memory drive its ports.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "Vattached.h"
#include "sc_models/isa/elf/elf_file.h"
#include "sc_models/profiling/verilated/lane_ports.h"
#include "tb/common/clocked.h"
#include "tests/e2e/process/observed_program.h"

namespace strobe::e2e {

constexpr unsigned kLanes = 4;
constexpr uint64_t kInstructions = 400'000;
constexpr CData kPrivileged = 1;  // AxPROT

/// What a core puts on its RVFI port.
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

/// The edges: opcode classes branch, jump_indirect and return, in any mode.
inline bool is_edge(const RetireRecord& r) {
  return r.trap == 0 && (r.opclass == OpClass::kBranch || r.opclass == OpClass::kJumpIndirect ||
                         r.opclass == OpClass::kReturn);
}

/// The block and the system around it, simulated cycle by cycle: a core that retires up to four
/// instructions, a bus master, and a memory on the second bus.
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

}  // namespace strobe::e2e
