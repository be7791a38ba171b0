#include "sc_models/memory/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace strobe::memory {
namespace {

bool power_of_two(uint64_t n) { return n != 0 && (n & (n - 1)) == 0; }

}  // namespace

Cache::Cache(sc_core::sc_module_name name, const CacheParams& params, const Clock& clock)
    : sc_module(name),
      target_socket("target_socket"),
      initiator_socket("initiator_socket"),
      params_(params),
      clock_(clock),
      registers_(params.mshrs),
      line_buffer_(params.line),
      prefetcher_(params),
      warm_directly_(params.prefetch != Prefetch::kStride) {
  const uint64_t row = uint64_t{params.line} * params.ways;
  if (!power_of_two(params.line) || params.line < 8 || params.ways == 0 || params.size % row != 0 ||
      !power_of_two(params.size / row) || params.latency == 0 || params.mshrs == 0) {
    throw std::invalid_argument(fmt::format(
        "{}: size / (ways * line) and line must be powers of two, line at least 8, ways, latency "
        "and mshrs at least 1; got size {}, ways {}, line {}, latency {}, mshrs {}",
        this->name(), params.size, params.ways, params.line, params.latency, params.mshrs));
  }
  while ((1u << line_bits_) < params.line) ++line_bits_;
  set_mask_ = params.size / row - 1;
  lines_.assign(params.size / params.line, Line{kInvalid, 0});
  target_socket.register_b_transport(this, &Cache::b_transport);
  target_socket.register_transport_dbg(this, &Cache::transport_dbg);
  target_socket.register_get_direct_mem_ptr(this, &Cache::get_direct_mem_ptr);
  initiator_socket.register_invalidate_direct_mem_ptr(this, &Cache::invalidate_direct_mem_ptr);
}

uint64_t Cache::access(uint64_t address, AccessKind kind, uint64_t now) {
  const uint64_t number = address >> line_bits_;
  const bool write = kind == AccessKind::kStore;
  Line& newest = lines_[(number & set_mask_) * params_.ways];
  const uint64_t hit_at = now + params_.latency;
  if ((newest.tag | kDirty) == (number << kFlagBits | kDirty) && newest.ready <= hit_at &&
      !prefetcher_.on()) {  // the same as demand() would do
    newest.tag |= uint64_t{write};
    write ? ++counters_.writes : ++counters_.reads;
    return hit_at;
  }
  return access_others(address, kind, now);
}

// An access that is not a plain hit in the most recently used way.
uint64_t Cache::access_others(uint64_t address, AccessKind kind, uint64_t now) {
  const uint64_t number = address >> line_bits_;
  const uint64_t done = kind == AccessKind::kNonTemporalLoad
                            ? read_through(number, now)
                            : touch(number, kind == AccessKind::kStore, false, now);
  if (done == kRefused) {
    SC_REPORT_ERROR("/strobe/memory/cache",
                    fmt::format("{}: no memory at {:#x}; the level below answered with an address "
                                "error at cycle {}",
                                name(), address, now)
                        .c_str());
  }
  return done;
}

// A read that changes no line of this cache or another. As demand(): 0 when it has to be repeated.
uint64_t Cache::read_through(uint64_t number, uint64_t now) {
  const uint64_t hit_at = now + params_.latency;
  const size_t place = find(number);
  const bool held = place != lines_.size();
  uint64_t ready = held ? lines_[place].ready : coherent_ ? outstanding(number, false, now) : 0;
  if (held || ready != 0) {
    ++counters_.reads;
    if (ready > hit_at) ++counters_.merged;
    return std::max(hit_at, ready);
  }
  if (registers_.full(now)) {
    ++counters_.mshr_stalls;
    return 0;
  }
  CoherenceRequest request;
  request.kind = CoherenceRequest::Kind::kPeek;
  ready = ask(tlm::TLM_READ_COMMAND, number, request, hit_at);
  if (ready == kRefused) return kRefused;
  registers_.take({now, ready, number, false});
  ++counters_.reads;
  ++counters_.misses;
  return ready;
}

uint64_t Cache::touch(uint64_t number, bool write, bool whole_line, uint64_t now) {
  const uint64_t done = demand(number, write, whole_line, now);
  if (!prefetcher_.on() || whole_line || done == 0 || done == kRefused) return done;
  const int64_t distance = prefetcher_.distance(number, fresh_);
  if (distance == 0) return done;
  for (unsigned i = 1; i <= prefetcher_.degree(); ++i) {
    prefetch(number + static_cast<uint64_t>(distance * i), now);
  }
  return done;
}

uint64_t Cache::demand(uint64_t number, bool write, bool whole_line, uint64_t now) {
  Line* set = &lines_[(number & set_mask_) * params_.ways];
  for (unsigned way = 0; way < params_.ways; ++way) {
    if (set[way].tag >> kFlagBits != number) continue;
    if (write && (set[way].tag & kShared) != 0) return upgrade(set, way, now);
    write ? ++counters_.writes : ++counters_.reads;
    const Line hit = set[way];
    for (; way > 0; --way) set[way] = set[way - 1];
    set[0] = {(hit.tag & ~kPrefetched) | (write ? kDirty : 0), hit.ready};
    const uint64_t done = now + params_.latency;
    fresh_ = (hit.tag & kPrefetched) != 0;
    if (fresh_) {
      ++counters_.prefetches_used;
      if (hit.ready > done) ++counters_.prefetches_late;
    }
    if (hit.ready <= done) return done;
    ++counters_.merged;
    return hit.ready;
  }
  return miss(set, number, write, whole_line, now);
}

uint64_t Cache::miss(Line* set, uint64_t number, bool write, bool whole_line, uint64_t now) {
  if (coherent_) {
    if (const uint64_t ready = outstanding(number, write, now); ready != 0) {
      write ? ++counters_.writes : ++counters_.reads;
      ++counters_.merged;
      fresh_ = false;
      return ready;
    }
  }
  const unsigned victim = victim_of(set, now);
  if (victim == params_.ways) {
    ++counters_.set_stalls;
    return 0;
  }
  const uint64_t old = set[victim].tag;
  Fetched line{now + params_.latency, kDirty};
  // A line that is written as a whole needs no data from the level below, but a coherent line must
  // be owned.
  if (!whole_line || coherent_) {
    if (registers_.full(now)) {
      ++counters_.mshr_stalls;
      return 0;
    }
    line = fetch_line(number, write, old, now + params_.latency);
    if (line.ready == kRefused) return kRefused;
    registers_.take({now, line.ready, number, write});
  }
  write ? ++counters_.writes : ++counters_.reads;
  ++counters_.misses;
  insert(set, victim, number << kFlagBits | line.flags, line.ready);
  if (old != kInvalid && (old & kDirty) != 0) write_back(old >> kFlagBits, now + params_.latency);
  fresh_ = true;
  return line.ready;
}

// The least recently used way whose line is not in flight; `ways` when all lines are in flight.
unsigned Cache::victim_of(const Line* set, uint64_t now) const {
  for (unsigned way = params_.ways; way-- > 0;) {
    if (set[way].tag == kInvalid || set[way].ready <= now) return way;
  }
  return params_.ways;
}

// Prefetches a line. The prefetch is dropped when no miss register or way is free, or when the
// level below refuses the line.
void Cache::prefetch(uint64_t number, uint64_t now) {
  Line* set = &lines_[(number & set_mask_) * params_.ways];
  for (unsigned way = 0; way < params_.ways; ++way) {
    if (set[way].tag >> kFlagBits == number) return;
  }
  const unsigned victim = victim_of(set, now);
  if (victim == params_.ways || registers_.full(now)) return;
  const uint64_t old = set[victim].tag;
  const Fetched line = fetch_line(number, false, old, now + params_.latency);
  if (line.ready == kRefused) return;
  registers_.take({now, line.ready, number, false});
  ++counters_.prefetches;
  insert(set, victim, number << kFlagBits | kPrefetched | line.flags, line.ready);
  if (old != kInvalid && (old & kDirty) != 0) write_back(old >> kFlagBits, now + params_.latency);
}

void Cache::insert(Line* set, unsigned victim, uint64_t tag, uint64_t ready) {
  for (unsigned way = victim; way > 0; --way) set[way] = set[way - 1];
  set[0] = {tag, ready};
}

// The cycle at which an access that was refused can be accepted.
uint64_t Cache::retry_cycle(uint64_t number, uint64_t now) const {
  const Line* set = &lines_[(number & set_mask_) * params_.ways];
  uint64_t way_free = kInvalid;
  for (unsigned way = 0; way < params_.ways; ++way) {
    way_free = std::min(way_free, set[way].tag == kInvalid ? 0 : set[way].ready);
  }
  const uint64_t register_free = registers_.full(now) ? registers_.next_free(now) : now;
  return std::max({way_free, register_free, now + 1});
}

Cache::Fetched Cache::fetch_line(uint64_t number, bool write, uint64_t replaced_tag, uint64_t now) {
  using Kind = CoherenceRequest::Kind;
  CoherenceRequest request;
  request.kind = write ? Kind::kOwn : holds_ == Holds::kData ? Kind::kRead : Kind::kFetch;
  request.replaces = replaced_tag != kInvalid;
  request.replaced = replaced_tag >> kFlagBits << line_bits_;
  const uint64_t ready = ask(tlm::TLM_READ_COMMAND, number, request, now);
  return {ready, (write ? kDirty : 0) | (request.shared ? kShared : 0)};
}

// A transaction of one line with the level below. Returns the cycle of the answer, or kRefused.
uint64_t Cache::ask(tlm::tlm_command command, uint64_t number, CoherenceRequest& request,
                    uint64_t now) {
  sc_core::sc_time delay = clock_.delay_until(now);
  payload_.set_command(command);
  payload_.set_address(number << line_bits_);
  payload_.set_data_ptr(line_buffer_.data());
  payload_.set_data_length(params_.line);
  payload_.set_streaming_width(params_.line);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  const bool says_why = coherent_ || request.kind == CoherenceRequest::Kind::kPeek;
  if (says_why) payload_.set_extension(&request);
  initiator_socket->b_transport(payload_, delay);
  if (says_why) payload_.clear_extension(&request);
  return payload_.is_response_ok() ? clock_.cycle_at(delay) : kRefused;
}

// The bytes below are already correct. The write-back reads them and writes them again, so that any
// TLM memory can be the level below.
void Cache::write_back(uint64_t number, uint64_t now) {
  ++counters_.writebacks;
  move(tlm::TLM_READ_COMMAND, number << line_bits_, line_buffer_.data(), params_.line);
  CoherenceRequest request;
  request.kind = CoherenceRequest::Kind::kWriteBack;
  ask(tlm::TLM_WRITE_COMMAND, number, request, now);
}

bool Cache::direct(uint64_t address, unsigned length) {
  const auto covers = [&] {
    return dmi_valid_ && address >= dmi_.get_start_address() &&
           address + length - 1 <= dmi_.get_end_address() && dmi_.is_read_write_allowed();
  };
  if (covers()) return true;
  tlm::tlm_generic_payload ask;
  ask.set_command(tlm::TLM_WRITE_COMMAND);
  ask.set_address(address);
  dmi_.init();
  dmi_valid_ = initiator_socket->get_direct_mem_ptr(ask, dmi_);
  return covers();
}

bool Cache::move(tlm::tlm_command command, uint64_t address, unsigned char* data, unsigned length) {
  // A write goes through the memory itself, which informs decode caches of changed code.
  if (command == tlm::TLM_READ_COMMAND && direct(address, length)) {
    std::memcpy(data, dmi_.get_dmi_ptr() + (address - dmi_.get_start_address()), length);
    return true;
  }
  tlm::tlm_generic_payload debug;
  debug.set_command(command);
  debug.set_address(address);
  debug.set_data_ptr(data);
  debug.set_data_length(length);
  debug.set_streaming_width(length);
  return initiator_socket->transport_dbg(debug) == length;
}

void Cache::b_transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  const bool write = payload.is_write();
  if (payload.get_byte_enable_ptr() != nullptr) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  if (length == 0 || payload.get_streaming_width() < length) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (!write && !payload.is_read()) {
    payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  const auto* request = payload.get_extension<CoherenceRequest>();
  const bool peeks = request != nullptr && request->kind == CoherenceRequest::Kind::kPeek;
  const uint64_t now = clock_.cycle_at(delay);
  uint64_t done = now;
  const uint64_t last = (address + length - 1) >> line_bits_;
  for (uint64_t number = address >> line_bits_; number <= last; ++number) {
    const bool whole_line =
        write && address <= number << line_bits_ && address + length >= (number + 1) << line_bits_;
    uint64_t at = now;
    uint64_t answer;
    while ((answer = peeks ? read_through(number, at) : touch(number, write, whole_line, at)) ==
           0) {
      at = retry_cycle(number, at);
    }
    if (answer == kRefused) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    done = std::max(done, answer);
  }
  if (!move(payload.get_command(), address, payload.get_data_ptr(), length)) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  delay = clock_.delay_until(done);
  payload.set_dmi_allowed(true);
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned Cache::transport_dbg(int, tlm::tlm_generic_payload& payload) {
  return initiator_socket->transport_dbg(payload);
}

bool Cache::get_direct_mem_ptr(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return initiator_socket->get_direct_mem_ptr(payload, dmi);
}

void Cache::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  dmi_valid_ = false;
  for (unsigned i = 0; i < target_socket.size(); ++i) {
    target_socket[static_cast<int>(i)]->invalidate_direct_mem_ptr(start, end);
  }
}

std::map<std::string, uint64_t> Cache::statistics() const {
  return {{"accesses", counters_.reads + counters_.writes},
          {"reads", counters_.reads},
          {"writes", counters_.writes},
          {"misses", counters_.misses},
          {"merged", counters_.merged},
          {"writebacks", counters_.writebacks},
          {"prefetches", counters_.prefetches},
          {"prefetches_used", counters_.prefetches_used},
          {"prefetches_late", counters_.prefetches_late},
          {"mshr_stalls", counters_.mshr_stalls},
          {"set_stalls", counters_.set_stalls}};
}

std::string Cache::dump_state(uint64_t now) const {
  std::string text = fmt::format("{}: {} miss registers", name(), params_.mshrs);
  for (const MissRegisters::Entry& entry : registers_.entries()) {
    if (entry.until <= now) continue;
    text +=
        fmt::format("\n  line {:#x} arrives at cycle {}", entry.line << line_bits_, entry.until);
  }
  return text + "\n";
}

}  // namespace strobe::memory
