// The host device: where the firmware tells the simulator that it is done, or cannot go on.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <functional>
#include <systemc>

namespace strobe::platform {

/// What the firmware has stored to the host device (address_map.h, STROBE_HOST_*).
struct HostSignals {
  bool halted = false;
  bool fatal = false;
  /// Takes a store at `offset`; false where there is no register.
  bool store(uint64_t offset);
};

/// The device on the bus of the timing platform; reads are errors.
class HostDevice : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<HostDevice> socket;

  /// `stop` is called after each store, from within b_transport.
  HostDevice(const sc_core::sc_module_name& name, HostSignals& signals, std::function<void()> stop);

 private:
  void b_transport(tlm::tlm_generic_payload& transaction, sc_core::sc_time& delay);

  HostSignals& signals_;
  std::function<void()> stop_;
};

}  // namespace strobe::platform
