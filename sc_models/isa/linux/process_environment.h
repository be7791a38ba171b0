// The world of a hart that runs one Linux process without timing: its proxy is the operating
// system, and there are no devices.
#pragma once

#include <cstdint>

#include "sc_models/isa/hart/hart.h"
#include "sc_models/isa/linux/process.h"

namespace strobe::isa {

class ProcessEnvironment : public Environment {
 public:
  explicit ProcessEnvironment(LinuxProcess& process) : process_(process) {}

  EcallResult ecall(Hart& hart) override { return process_.ecall(hart); }
  EcallResult preempt(Hart& hart) override { return process_.preempt(hart); }
  EcallResult exception(Hart& hart, Cause cause, uint64_t tval) override {
    return process_.exception(hart, cause, tval);
  }
  bool mmio_read(uint64_t, unsigned, uint64_t&) override { return false; }
  bool mmio_write(uint64_t, unsigned, uint64_t) override { return false; }
  uint64_t cycle() override { return 0; }
  uint64_t time() override { return 0; }

 protected:
  LinuxProcess& process() { return process_; }

 private:
  LinuxProcess& process_;
};

}  // namespace strobe::isa
