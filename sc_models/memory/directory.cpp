#include "sc_models/memory/directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace strobe::memory {
namespace {

constexpr unsigned kMostCaches = 64;
constexpr unsigned kNoCache = kMostCaches;  // no cache keeps its copy

}  // namespace

Directory::Directory(sc_core::sc_module_name name, unsigned caches, unsigned line,
                     const CoherenceParams& params, const Clock& clock)
    : sc_module(name),
      master_socket("master_socket"),
      initiator_socket("initiator_socket"),
      line_(line),
      params_(params),
      clock_(clock),
      cache_sockets_("cache_socket", caches),
      line_buffer_(line) {
  if (caches == 0 || caches > kMostCaches) {
    throw std::invalid_argument(
        fmt::format("{}: expected 1 to {} caches, got {}", this->name(), kMostCaches, caches));
  }
  for (unsigned i = 0; i < caches; ++i) {
    const int id = static_cast<int>(i);
    cache_sockets_[i].register_b_transport(this, &Directory::cache_transport, id);
    cache_sockets_[i].register_transport_dbg(this, &Directory::transport_dbg, id);
    cache_sockets_[i].register_get_direct_mem_ptr(this, &Directory::get_direct_mem_ptr, id);
  }
  master_socket.register_b_transport(this, &Directory::master_transport);
  master_socket.register_transport_dbg(this, &Directory::transport_dbg);
  initiator_socket.register_invalidate_direct_mem_ptr(this, &Directory::invalidate_direct_mem_ptr);
}

void Directory::attach(Cache& cache, Cache::Holds holds) {
  if (snoopers_.size() == cache_sockets_.size()) {
    throw std::invalid_argument(fmt::format("{}: {} is one cache more than the {} it was made for",
                                            name(), cache.name(), cache_sockets_.size()));
  }
  cache.initiator_socket.bind(cache_sockets_[snoopers_.size()]);
  cache.make_coherent(holds);
  snoopers_.push_back(&cache);
}

void Directory::cache_transport(int id, tlm::tlm_generic_payload& payload,
                                sc_core::sc_time& delay) {
  CoherenceRequest& request = *payload.get_extension<CoherenceRequest>();
  const unsigned cache = static_cast<unsigned>(id);
  switch (request.kind) {
    case CoherenceRequest::Kind::kFetch:
    case CoherenceRequest::Kind::kRead:
      if (!read(cache, request, payload, delay)) return;
      break;
    case CoherenceRequest::Kind::kPeek:
      peek(payload, delay);
      return;
    case CoherenceRequest::Kind::kOwn:
      if (!own(cache, payload, delay)) return;
      break;
    case CoherenceRequest::Kind::kUpgrade:
      upgrade(cache, payload, delay);
      break;
    case CoherenceRequest::Kind::kWriteBack:
      below(payload, delay);
      break;
  }
  if (request.replaces) forget(cache, request.replaced);
}

// Returns false, and changes nothing, when neither a cache nor the level below serves the line.
bool Directory::read(unsigned id, CoherenceRequest& request, tlm::tlm_generic_payload& payload,
                     sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  const auto found = entries_.find(address);
  if (found != entries_.end() && found->second.owner != kNoOwner) {
    const uint64_t now = clock_.cycle_at(delay);
    const Snooped owner = share(found->second, address);
    const uint64_t start = std::max(now, owner.ready);
    transfer(payload, delay, start);
    if (owner.modified) write_back(address, start);
  } else if (!below(payload, delay)) {
    return false;
  }
  Entry& entry = entries_[address];
  request.shared = entry.holders != 0 || request.kind == CoherenceRequest::Kind::kFetch;
  entry.holders |= uint64_t{1} << id;
  if (!request.shared) entry.owner = static_cast<int>(id);
  return true;
}

// A read of the owner's line, or of the level below, after which all is as before.
void Directory::peek(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  const auto found = entries_.find(address);
  if (found == entries_.end() || found->second.owner == kNoOwner) {
    below(payload, delay);
    return;
  }
  const auto& owner = *snoopers_[static_cast<size_t>(found->second.owner)];
  transfer(payload, delay, std::max(clock_.cycle_at(delay), owner.peek(address).ready));
}

bool Directory::own(unsigned id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  const uint64_t now = clock_.cycle_at(delay);
  const auto found = entries_.find(address);
  if (found != entries_.end() && found->second.owner != kNoOwner) {
    const Snooped owner = invalidate_others(found->second, id, address);
    transfer(payload, delay, std::max(now, owner.ready));  // modified or not, the requester owns it
  } else {
    if (!below(payload, delay)) return false;
    if (found != entries_.end()) {
      const Snooped sharers = invalidate_others(found->second, id, address);
      const uint64_t alone = std::max(now, sharers.ready) + params_.invalidate_latency;
      delay = clock_.delay_until(std::max(clock_.cycle_at(delay), alone));
    }
  }
  entries_[address] = {uint64_t{1} << id, static_cast<int>(id)};
  return true;
}

void Directory::upgrade(unsigned id, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  ++counters_.upgrades;
  const uint64_t address = payload.get_address();
  const uint64_t now = clock_.cycle_at(delay);
  Entry& entry = entries_[address];
  const Snooped sharers = invalidate_others(entry, id, address);
  entry.owner = static_cast<int>(id);
  delay = clock_.delay_until(std::max(now, sharers.ready) + params_.invalidate_latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

// Every line that the access touches is first fetched from its owner or taken from its holders.
void Directory::master_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t now = clock_.cycle_at(delay);
  const uint64_t end = payload.get_address() + payload.get_data_length();
  uint64_t settled = now;
  for (uint64_t address = payload.get_address() / line_ * line_; address < end; address += line_) {
    const auto found = entries_.find(address);
    if (found == entries_.end()) continue;
    const bool owned = found->second.owner != kNoOwner;
    if (!owned && !payload.is_write()) continue;
    const Snooped snooped = payload.is_write() ? invalidate_others(found->second, kNoCache, address)
                                               : share(found->second, address);
    const uint64_t start = std::max(now, snooped.ready);
    if (snooped.modified) write_back(address, start);
    settled =
        std::max(settled, start + (owned ? params_.transfer_latency : params_.invalidate_latency));
    if (payload.is_write()) entries_.erase(found);
  }
  delay = clock_.delay_until(settled);
  below(payload, delay);
  payload.set_dmi_allowed(false);
}

bool Directory::below(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  initiator_socket->b_transport(payload, delay);
  return payload.is_response_ok();
}

// Transfers a line from another cache, which gives it up at `start`. The bytes come from the level
// below.
void Directory::transfer(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                         uint64_t start) {
  ++counters_.transfers;
  initiator_socket->transport_dbg(payload);
  delay = clock_.delay_until(start + params_.transfer_latency);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

Directory::Snooped Directory::share(Entry& entry, uint64_t address) {
  const SnoopPort::Answer answer = snoopers_[static_cast<size_t>(entry.owner)]->share(address);
  entry.owner = kNoOwner;
  return {answer.ready, answer.modified};
}

Directory::Snooped Directory::invalidate_others(Entry& entry, unsigned keep, uint64_t address) {
  Snooped all;
  for (unsigned i = 0; i < snoopers_.size(); ++i) {
    if (i == keep || (entry.holders >> i & 1) == 0) continue;
    const SnoopPort::Answer answer = snoopers_[i]->invalidate(address);
    ++counters_.invalidations;
    all.ready = std::max(all.ready, answer.ready);
    all.modified |= answer.modified;
    entry.holders &= ~(uint64_t{1} << i);
  }
  return all;
}

void Directory::write_back(uint64_t address, uint64_t now) {
  ++counters_.writebacks;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(address);
  payload.set_data_ptr(line_buffer_.data());
  payload.set_data_length(line_);
  payload.set_streaming_width(line_);
  initiator_socket->transport_dbg(payload);
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  sc_core::sc_time delay = clock_.delay_until(now);
  initiator_socket->b_transport(payload, delay);
}

void Directory::forget(unsigned id, uint64_t address) {
  const auto found = entries_.find(address);
  found->second.holders &= ~(uint64_t{1} << id);
  found->second.owner = kNoOwner;
  if (found->second.holders == 0) entries_.erase(found);
}

unsigned Directory::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  return initiator_socket->transport_dbg(payload);
}

// Caches get DMI, which they use to read. Other masters get none, because the directory must see
// their writes.
bool Directory::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return initiator_socket->get_direct_mem_ptr(payload, dmi);
}

void Directory::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  for (auto& socket : cache_sockets_) socket->invalidate_direct_mem_ptr(start, end);
}

std::map<std::string, uint64_t> Directory::statistics() const {
  return {{"transfers", counters_.transfers},
          {"invalidations", counters_.invalidations},
          {"upgrades", counters_.upgrades},
          {"writebacks", counters_.writebacks}};
}

std::string Directory::dump_state() const {
  const auto owned = std::count_if(entries_.begin(), entries_.end(),
                                   [](const auto& line) { return line.second.owner != kNoOwner; });
  return fmt::format("{}: {} lines in {} caches, {} of them owned\n", name(), entries_.size(),
                     snoopers_.size(), owned);
}

}  // namespace strobe::memory
