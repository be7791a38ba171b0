#include "sc_models/profiling/device/profiler_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/port/address_map.h"
#include "sc_models/profiling/device/lockstep_path.h"
#include "sc_models/profiling/reference/message/register_block.h"
#include "sc_models/profiling/reference/message/register_map.h"
#include "sc_models/profiling/reference/profiler_path.h"

namespace strobe::profiling {
namespace {

static_assert(ProfilerDevice::kMessagePort == kRegMsgPc &&
              ProfilerDevice::kMessagePort + ProfilerDevice::kMessagePortBytes == kRegMsgMeta + 8);

// After the last access or the last busy cycle the table read-out and the interrupt follow within
// three cycles (docs/blocks/stratified_sampler.md, registers.yaml: TABLE_DATA).
constexpr unsigned kSettleSteps = 3;

// Fills the lane in place, because a lane returned by value would be copied through stores of other
// sizes.
void fill_lane(const RetireRecord& record, RetireLane& lane) {
  lane.valid = true;
  lane.trap = record.trap != 0;
  lane.mispredicted = record.mispredicted != 0;
  lane.in_burst = record.in_burst != 0;
  lane.mode = static_cast<uint8_t>(record.mode);
  lane.insn = record.insn;
  lane.pc_rdata = record.pc_rdata;
  lane.pc_wdata = record.pc_wdata;
  lane.rd_wdata = record.rd_wdata;
  lane.mem_addr = record.mem_addr;
}

bool is_selection_register(uint16_t offset) {
  return offset == kRegCtrl || (offset >= kRegSelCtrl && offset < kRegRingCtrl);
}

bool is_one_register(const tlm::tlm_generic_payload& payload) {
  return payload.get_data_length() == 8 && payload.get_streaming_width() >= 8 &&
         payload.get_address() % 8 == 0;
}

}  // namespace

ProfilerDevice::ProfilerDevice(const sc_core::sc_module_name& name,
                               std::unique_ptr<ProfilerPath> path, InterruptTarget& interrupt,
                               sc_core::sc_time access_delay, bool every_lane)
    : sc_module(name),
      socket("socket"),
      path_(std::move(path)),
      interrupt_(interrupt),
      access_delay_(access_delay),
      every_lane_(every_lane),
      lanes_(path_->params().lanes),
      kinds_(every_lane ? RetireKinds(0xffff, 0xffff) : RetireKinds()),
      unsettled_(kSettleSteps) {
  socket.register_b_transport(this, &ProfilerDevice::b_transport);
  socket.register_transport_dbg(this, &ProfilerDevice::transport_dbg);
}

void ProfilerDevice::retire(uint64_t cycle, const RetireRecord* lanes,
                            const RetireRecord* const* picked, unsigned picks) {
  const RetireRecord* of_thread[kMaxRetireWidth];
  if (thread_) {
    unsigned kept = 0;
    for (unsigned k = 0; k < picks; ++k) {
      if (is_selected_thread(*picked[k])) of_thread[kept++] = picked[k];
    }
    picked = of_thread;
    picks = kept;
  }
  // A settled path does not change without input, so this cycle may be skipped.
  if (picks == 0 && !busy()) return;
  if (picks != 0 && picked[picks - 1] >= lanes + lanes_) {
    throw std::invalid_argument(
        fmt::format("ProfilerDevice: cycle {}: expected at most {} retired lanes, got {}; the path "
                    "needs as many lanes as the core retires",
                    cycle, lanes_, picked[picks - 1] - lanes + 1));
  }
  uint64_t idle = cycle > path_cycle_ ? cycle - path_cycle_ : 0;
  const bool may_flow = picks != 0 && !access_pending_;
  if (idle != 0 && !(flowing_ && may_flow)) {
    pass(idle);
    idle = 0;
  }
  if (may_flow && absorb(idle, picked, picks)) return;
  if (flowing_ && !may_flow && !access_pending_) return pass(1);
  RetireLane* filled[kMaxRetireWidth];
  for (unsigned k = 0; k < picks; ++k) {
    filled[k] = &inputs_.lane[picked[k] - lanes];
    fill_lane(*picked[k], *filled[k]);
  }
  step_pending(picks != 0);
  for (unsigned k = 0; k < picks; ++k) filled[k]->valid = false;
}

/// Lets the path absorb a step that has no visible effect before the next input. Returns false if
/// it cannot.
/// @param idle  cycles that a path in free flow passes before the step
bool ProfilerDevice::absorb(uint64_t idle, const RetireRecord* const* picked, unsigned count) {
  if (every_lane_) return false;
  const unsigned unsettled = path_->absorb(idle, picked, count);
  note_passed(idle);
  if (unsettled == 0) return false;
  flowing_ = true;
  unsettled_ = unsettled;
  ++path_cycle_;
  return true;
}

void ProfilerDevice::warm(const RetireRecord& record) {
  // Only events step the path, because other steps would let its time pass.
  const bool picked = selected_.has(record) && record.injected == 0 && is_selected_thread(record);
  if (access_pending_) warm_settling_ = kSettleSteps;
  if (!picked && warm_settling_ == 0) return;
  if (warm_settling_ != 0) --warm_settling_;
  if (picked) fill_lane(record, inputs_.lane[0]);
  const uint64_t core_time = path_cycle_;
  step_pending(picked);
  path_cycle_ = core_time;
  inputs_.lane[0].valid = false;
}

/// Computes from the selector's registers which instructions it may pick from now on.
void ProfilerDevice::note_selection() {
  selected_ = RetireKinds();
  const bool enabled = (read_register(kRegCtrl) & kCtrlEnable) != 0;
  for (unsigned k = 0; enabled && k < path_->params().selectors; ++k) {
    const auto offset = static_cast<uint16_t>(kRegSelCtrl + k * kSelectorStride);
    const SelectorSlot slot = unpack_slot(read_register(offset));
    if (!slot.enable) continue;
    // The instruction that follows a marker can be found only if every instruction is seen.
    const uint16_t classes = slot.marked ? 0xffff : slot.opclass;
    selected_ = selected_ | RetireKinds(slot.user ? classes : uint16_t{0},
                                        slot.machine ? classes : uint16_t{0});
  }
  kinds_ = every_lane_ ? RetireKinds(0xffff, 0xffff) : selected_;
}

/// Passes cycles that the core did not report, in which nothing retired. They precede a pending
/// access.
void ProfilerDevice::pass(uint64_t cycles) {
  if (flowing_) {
    path_->skip(cycles);
    return note_passed(cycles);
  }
  if (unsettled_ != 0) {
    PathInputs nothing;
    for (; cycles != 0 && unsettled_ != 0; --cycles) step(nothing, false, false);
    if (cycles == 0) return;
  }
  path_->skip(cycles);
  path_cycle_ += cycles;
}

/// Accounts for cycles of a free flow.
void ProfilerDevice::note_passed(uint64_t cycles) {
  unsettled_ -= static_cast<unsigned>(std::min<uint64_t>(unsettled_, cycles));
  path_cycle_ += cycles;
}

/// Passes the cycles of a free flow that the core has not reported, including the current one.
void ProfilerDevice::catch_up() {
  if (!flowing_ || !core_cycle_) return;
  const uint64_t begun = core_cycle_() + 1;
  if (begun > path_cycle_) pass(begun - path_cycle_);
}

/// Makes the step that performs the pending access.
void ProfilerDevice::step_pending(bool lanes) {
  const bool access = access_pending_;
  access_pending_ = false;
  step(inputs_, access, lanes);
  inputs_.reg_re = false;
  inputs_.reg_we = false;
  inputs_.reg_addr = 0;
  inputs_.reg_wdata = 0;
}

PathOutputs ProfilerDevice::step(PathInputs& inputs, bool access, bool lanes) {
  flowing_ = false;
  inputs.mem_ready = memory_ != nullptr && memory_->ready(path_cycle_);
  inputs.mem_idle = memory_ == nullptr || memory_->ready(path_cycle_);
  const PathOutputs out = path_->step(inputs);
  if (out.mem_valid && inputs.mem_ready) memory_->write(path_cycle_, out.mem_addr, out.mem_data);
  ++path_cycle_;
  if (access && inputs.reg_we && is_selection_register(inputs.reg_addr)) note_selection();
  if (access || !out.idle) {
    unsettled_ = kSettleSteps;
  } else if (unsettled_ != 0) {
    --unsettled_;
  }
  if (lanes)
    unsettled_ = std::max(unsettled_, 1u);  // the next cycle shows whether one was selected
  if (out.irq != irq_) {
    irq_ = out.irq;
    interrupt_.set_interrupt(Interrupt::kProfiler, irq_);
  }
  return out;
}

std::string ProfilerDevice::dump_state() {
  catch_up();
  return fmt::format(
      "{} events, {} dropped, {} messages in the buffer, {} stall cycles, interrupt {}", events(),
      dropped(), level(), stalls(), irq_ ? "high" : "low");
}

void ProfilerDevice::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  payload.set_dmi_allowed(false);
  payload.set_response_status(access(payload));
  delay += access_delay_;
}

tlm::tlm_response_status ProfilerDevice::access(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (!is_one_register(payload)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_address() >= STROBE_PROFILER_SIZE) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  catch_up();
  if (access_pending_) step_pending(false);
  const auto offset = static_cast<uint16_t>(payload.get_address());
  const PathOutputs now = path_->peek(offset);
  if (now.reg_error) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  inputs_.reg_addr = offset;
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), &now.reg_rdata, 8);
    inputs_.reg_re = true;
  } else {
    std::memcpy(&inputs_.reg_wdata, payload.get_data_ptr(), 8);
    inputs_.reg_we = true;
  }
  access_pending_ = true;
  return tlm::TLM_OK_RESPONSE;
}

unsigned ProfilerDevice::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() || !is_one_register(payload) ||
      payload.get_address() >= STROBE_PROFILER_SIZE) {
    return 0;
  }
  catch_up();
  const PathOutputs now = path_->peek(static_cast<uint16_t>(payload.get_address()));
  if (now.reg_error) return 0;
  std::memcpy(payload.get_data_ptr(), &now.reg_rdata, 8);
  return 8;
}

uint64_t ProfilerDevice::events() const { return read_register(kRegEvents); }
uint64_t ProfilerDevice::dropped() const { return read_register(kRegDropped); }
uint64_t ProfilerDevice::high_water() const { return read_register(kRegHighWater); }
uint64_t ProfilerDevice::stalls() const { return read_register(kRegStalls); }
uint64_t ProfilerDevice::level() const { return read_register(kRegStatus) >> kStatusLevelShift; }

std::optional<uint64_t> ProfilerDevice::queued() const {
  const ProfilerPath* path = path_.get();
  if (const auto* both = dynamic_cast<const LockstepPath*>(path)) path = &both->model();
  const auto* const blocks = dynamic_cast<const ReferencePath*>(path);
  if (blocks == nullptr) return std::nullopt;
  return blocks->queued();
}

uint64_t ProfilerDevice::ring_high_water() const { return read_register(kRegRingHighWater); }
uint64_t ProfilerDevice::ring_stalls() const { return read_register(kRegRingStalls); }

uint64_t ProfilerDevice::access_now(bool write, uint16_t offset, uint64_t value) {
  PathInputs inputs;
  inputs.reg_re = !write;
  inputs.reg_we = write;
  inputs.reg_addr = offset;
  inputs.reg_wdata = value;
  return step(inputs, true, false).reg_rdata;
}

Leftovers ProfilerDevice::read_out() {
  catch_up();
  if (access_pending_) step_pending(false);
  access_now(true, kRegCtrl, 0);
  Leftovers left;
  PathInputs nothing;
  // Each round empties the buffer first, so that the sampler can make progress and the loop ends.
  while (unsettled_ != 0 || level() != 0) {
    if (level() == 0) {
      step(nothing, false, false);
      continue;
    }
    Message message;
    message.tuple.pc = access_now(false, kRegMsgPc, 0);
    message.tuple.value = read_register(kRegMsgValue);
    const uint64_t meta = access_now(false, kRegMsgMeta, 0);
    if ((meta & kMetaValid) == 0) continue;  // it is on its way to the head
    message.tuple.tag = static_cast<uint8_t>((meta >> kMetaTagShift) & 15);
    message.count = static_cast<uint32_t>(meta);
    left.messages.push_back(message);
  }
  for (unsigned stratum = 0; stratum < path_->params().strata; ++stratum) {
    access_now(true, kRegTableIndex, stratum);
    for (unsigned i = 1; i < kSettleSteps; ++i) step(nothing, false, false);
    left.residue += read_register(kRegTableData);
  }
  return left;
}

}  // namespace strobe::profiling
