// A profiling device between an initiator, an interrupt line and a core that counts cycles.
#pragma once

#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "sc_models/profiling/accelerated/accelerated_path.h"
#include "sc_models/profiling/device/profiler_device.h"
#include "tests/unit/profiling/path_driver.h"

namespace strobe::profiling {

inline PathParams small() {
  PathParams params;
  params.queue_depth = 16;
  params.strata = 16;
  params.buffer_depth = 8;
  return params;
}

class Line : public InterruptTarget {
 public:
  void set_interrupt(Interrupt line, bool level) override {
    EXPECT_EQ(line, Interrupt::kProfiler);
    changes.push_back(level);
  }
  bool interrupt_level(Interrupt) const override { return !changes.empty() && changes.back(); }
  std::vector<bool> changes;
};

/// What a core does that has looked at kinds().
inline void retire(ProfilerDevice& device, uint64_t cycle,
                   const std::vector<RetireRecord>& records) {
  std::vector<const RetireRecord*> picked;
  for (const RetireRecord& record : records) {
    if (device.kinds().has(record) && record.injected == 0) picked.push_back(&record);
  }
  device.retire(cycle, records.data(), picked.data(), static_cast<unsigned>(picked.size()));
}

class Initiator : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Initiator> socket{"socket"};
  SC_HAS_PROCESS(Initiator);
  explicit Initiator(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
  std::function<void()> body;

 private:
  void run() {
    if (body) body();
  }
};

/// A device with an initiator on its socket and a core that counts cycles.
class Bench {
 public:
  explicit Bench(std::unique_ptr<ProfilerPath> path = make_accelerated_path(small()),
                 bool every_lane = false)
      : device(sc_core::sc_gen_unique_name("profiler"), std::move(path), line,
               sc_core::sc_time(2, sc_core::SC_NS), every_lane) {
    initiator.socket.bind(device.socket);
  }

  tlm::tlm_response_status transport(tlm::tlm_command command, uint64_t address, uint64_t& data,
                                     unsigned length = 8) {
    tlm::tlm_generic_payload payload;
    prepare(payload, command, address, data, length);
    initiator.socket->b_transport(payload, delay);
    EXPECT_FALSE(payload.is_dmi_allowed());
    return payload.get_response_status();
  }
  unsigned debug(tlm::tlm_command command, uint64_t address, uint64_t& data, unsigned length = 8) {
    tlm::tlm_generic_payload payload;
    prepare(payload, command, address, data, length);
    return initiator.socket->transport_dbg(payload);
  }
  uint64_t read(uint64_t address) {
    uint64_t data = 0;
    EXPECT_EQ(transport(tlm::TLM_READ_COMMAND, address, data), tlm::TLM_OK_RESPONSE);
    return data;
  }
  void write(uint64_t address, uint64_t data) {
    EXPECT_EQ(transport(tlm::TLM_WRITE_COMMAND, address, data), tlm::TLM_OK_RESPONSE);
  }

  /// One core cycle, in which these loads retire.
  void cycle(const std::vector<RetireRecord>& records = {}) { retire(device, now++, records); }
  /// Cycles as a core makes them: reported only while the device is busy.
  void cycles(uint64_t count) {
    for (; count != 0; --count) {
      if (device.busy()) {
        cycle();
      } else {
        ++now;
      }
    }
  }
  void start(uint32_t period) {
    cycles(40);
    for (const auto& [address, data] : std::vector<std::pair<uint64_t, uint64_t>>{
             {kRegPeriod, period}, {kRegSelCtrl, kSelectUserLoads}, {kRegCtrl, kCtrlEnable}}) {
      write(address, data);
      cycle();
    }
  }

  Line line;
  ProfilerDevice device;
  Initiator initiator{sc_core::sc_gen_unique_name("core")};
  sc_core::sc_time delay;
  uint64_t now = 0;

 private:
  static void prepare(tlm::tlm_generic_payload& payload, tlm::tlm_command command, uint64_t address,
                      uint64_t& data, unsigned length) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
    payload.set_data_length(length);
    payload.set_streaming_width(length);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
};

inline RetireRecord load(uint64_t value, uint64_t pc = 0x1000) {
  RetireRecord record;
  record.insn = kLoadInsn;
  record.opclass = OpClass::kLoad;
  record.mode = PrivilegeMode::kUser;
  record.pc_rdata = pc;
  record.rd_wdata = value;
  return record;
}

}  // namespace strobe::profiling
