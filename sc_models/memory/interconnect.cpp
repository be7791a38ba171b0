#include "sc_models/memory/interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace strobe::memory {

Interconnect::Interconnect(sc_core::sc_module_name name, unsigned initiators,
                           std::vector<AddressRange> ranges, unsigned latency, const Clock& clock)
    : sc_module(name),
      target_sockets("target_socket", initiators),
      initiator_sockets("initiator_socket", ranges.size()),
      ranges_(std::move(ranges)),
      latency_(latency),
      clock_(clock),
      taken_(ranges_.size(), Reservations(1)) {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].size == 0) {
      throw std::invalid_argument(fmt::format("{}: range {} is empty", this->name(), i));
    }
    for (size_t j = 0; j < i; ++j) {
      const AddressRange& a = ranges_[j];
      const AddressRange& b = ranges_[i];
      if (a.base < b.base + b.size && b.base < a.base + a.size) {
        throw std::invalid_argument(
            fmt::format("{}: range {} ({:#x}, {:#x} bytes) overlaps range {} ({:#x}, {:#x} bytes)",
                        this->name(), i, b.base, b.size, j, a.base, a.size));
      }
    }
  }
  for (unsigned i = 0; i < target_sockets.size(); ++i) {
    const int id = static_cast<int>(i);
    target_sockets[i].register_b_transport(this, &Interconnect::b_transport, id);
    target_sockets[i].register_transport_dbg(this, &Interconnect::transport_dbg, id);
    target_sockets[i].register_get_direct_mem_ptr(this, &Interconnect::get_direct_mem_ptr, id);
  }
  for (unsigned i = 0; i < initiator_sockets.size(); ++i) {
    initiator_sockets[i].register_invalidate_direct_mem_ptr(
        this, &Interconnect::invalidate_direct_mem_ptr, static_cast<int>(i));
  }
}

int Interconnect::route(uint64_t address, uint64_t length) const {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    if (ranges_[i].contains(address, length)) return static_cast<int>(i);
  }
  return -1;
}

void Interconnect::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const int target = route(payload.get_address(), payload.get_data_length());
  if (target < 0) {
    ++address_errors_;
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  ++transactions_;
  const uint64_t arrival = clock_.cycle_at(delay) + latency_;
  const uint64_t start = taken_[static_cast<size_t>(target)].take(arrival);
  wait_cycles_ += start - arrival;
  delay = clock_.delay_until(start);
  const uint64_t address = payload.get_address();
  payload.set_address(address - ranges_[static_cast<size_t>(target)].base);
  initiator_sockets[static_cast<size_t>(target)]->b_transport(payload, delay);
  payload.set_address(address);
  delay += clock_.time_of(latency_);
}

unsigned Interconnect::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  const int target = route(address, payload.get_data_length());
  if (target < 0) return 0;
  payload.set_address(address - ranges_[static_cast<size_t>(target)].base);
  const unsigned moved = initiator_sockets[static_cast<size_t>(target)]->transport_dbg(payload);
  payload.set_address(address);
  return moved;
}

bool Interconnect::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const uint64_t address = payload.get_address();
  const int target = route(address, 1);
  if (target < 0) return false;
  const AddressRange& range = ranges_[static_cast<size_t>(target)];
  payload.set_address(address - range.base);
  const bool granted =
      initiator_sockets[static_cast<size_t>(target)]->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  if (!granted) return false;
  // The target may offer more than its window; other targets own those addresses here.
  dmi.set_end_address(std::min<uint64_t>(dmi.get_end_address(), range.size - 1) + range.base);
  dmi.set_start_address(dmi.get_start_address() + range.base);
  return true;
}

void Interconnect::invalidate_direct_mem_ptr(int id, sc_dt::uint64 start, sc_dt::uint64 end) {
  const AddressRange& range = ranges_[static_cast<size_t>(id)];
  const uint64_t last = std::min<uint64_t>(end, range.size - 1) + range.base;
  for (auto& socket : target_sockets) socket->invalidate_direct_mem_ptr(start + range.base, last);
}

std::map<std::string, uint64_t> Interconnect::statistics() const {
  return {{"transactions", transactions_},
          {"wait_cycles", wait_cycles_},
          {"address_errors", address_errors_}};
}

void Interconnect::reset_statistics() { transactions_ = wait_cycles_ = address_errors_ = 0; }

std::string Interconnect::dump_state(uint64_t now) const {
  std::string text = fmt::format("{}: {} targets", name(), ranges_.size());
  for (size_t i = 0; i < ranges_.size(); ++i) {
    if (taken_[i].until() <= now) continue;
    text += fmt::format("\n  target at {:#x} is taken until cycle {}", ranges_[i].base,
                        taken_[i].until());
  }
  return text + "\n";
}

}  // namespace strobe::memory
