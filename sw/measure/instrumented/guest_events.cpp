#include "sw/measure/instrumented/guest_events.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "sc_models/isa/linux/address_space.h"
#include "sw/instrument/bursty/bursty_plan.h"
#include "sw/instrument/bursty/bursty_runtime.h"
#include "sw/profile/reports/call_profiles.h"

namespace strobe {
namespace {

using instrument::EventKind;
using instrument::LinkedSite;

constexpr uint64_t kHalfOfMemory = isa::AddressSpace::kLowestStack / 2;

/// Where mappings go, top down; the heap stays below.
bool is_in_heap(uint64_t address, uint64_t end) {
  return address >= end && address < kHalfOfMemory;
}

}  // namespace

bool keeps_trace(const instrument::BurstyOptions& options) {
  return instrument::records(options, EventKind::kData);
}

GuestEventReader::GuestEventReader(const instrument::InstrumentedProgram& program,
                                   const instrument::BurstyOptions& options,
                                   const isa::ElfFile& edited, uint64_t original_end)
    : program_(program),
      options_(options),
      edited_(edited),
      trace_(keeps_trace(options)),
      edited_end_(edited.end()),
      original_end_(original_end) {
  for (uint32_t i = 0; i < program.sites.size(); ++i) {
    if (program.sites[i].after_call != 0) by_call_[program.sites[i].after_call] = i;
  }
  find_loop_heads();
}

void GuestEventReader::find_loop_heads() {
  for (const LinkedSite& site : program_.sites) {
    if (site.kind == EventKind::kEdge && site.target <= site.pc) loop_heads_[site.pc] = site.target;
  }
}

uint64_t GuestEventReader::symbol(const char* name) const {
  const isa::ElfSymbol* const found = edited_.symbol(name);
  if (found == nullptr) {
    throw std::runtime_error(fmt::format("the instrumented program has no symbol '{}'", name));
  }
  return found->address;
}

template <class T>
std::vector<T> GuestEventReader::array(const platform::MemoryReader& read, uint64_t address,
                                       uint64_t count) const {
  std::vector<T> values(count);
  if (count != 0 && !read(address, values.data(), count * sizeof(T))) {
    throw std::runtime_error(fmt::format("the events at {:#x} cannot be read", address));
  }
  return values;
}

uint64_t GuestEventReader::word(const platform::MemoryReader& read, const char* name) const {
  return array<uint64_t>(read, symbol(name), 1).front();
}

GuestEventReader::State GuestEventReader::state(const platform::MemoryReader& read) const {
  State state;
  const uint64_t buffer = symbol("__strobe_events");
  const uint64_t next = word(read, instrument::kNextEvent);
  const uint64_t bytes = uint64_t{options_.buffer_records} * sizeof(Record);
  const uint64_t kept = word(read, "__strobe_kept");
  if (next < buffer || next - buffer > bytes || (next - buffer) % sizeof(Record) != 0 ||
      kept > options_.trace_records) {
    throw std::runtime_error(
        fmt::format("the events of the instrumented program make no sense: the next one goes to "
                    "{:#x}, with the "
                    "buffer at {:#x}, and {} of {} are kept: the program has written over them",
                    next, buffer, kept, options_.trace_records));
  }
  state.dropped = word(read, "__strobe_dropped");
  state.bursts = word(read, "__strobe_bursts");
  const uint64_t trace = symbol("__strobe_trace");
  if (trace_) {
    state.records = array<Record>(read, trace, kept);
  } else {
    const uint64_t places = options_.trace_records * sizeof(Record) / sizeof(Folded);
    for (const Folded& folded : array<Folded>(read, trace, places)) {
      if (folded.count != 0) state.folded[{folded.event.site, folded.event.value}] += folded.count;
    }
  }
  const std::vector<Record> rest = array<Record>(read, buffer, (next - buffer) / sizeof(Record));
  state.records.insert(state.records.end(), rest.begin(), rest.end());
  return state;
}

GuestEventReader::Counts GuestEventReader::counts_of(const State& state) const {
  Counts counts = state.folded;
  for (const Record& record : state.records)
    ++counts[{record.site, record.site == 0 ? 0 : record.value}];
  counts[{0, 0}] += state.bursts;
  return counts;
}

void GuestEventReader::begin(const platform::MemoryReader& read) {
  const State state = this->state(read);
  dropped_before_ = state.dropped;
  if (trace_) {
    records_before_ = state.records.size();
  } else {
    counts_before_ = counts_of(state);
  }
}

const LinkedSite& GuestEventReader::site(uint64_t recorded) const {
  if (const auto found = by_call_.find(recorded); found != by_call_.end()) {
    return program_.sites[found->second];
  }
  throw std::runtime_error(fmt::format(
      "an event of the instrumented program names {:#x}, which is none of its {} sites: "
      "the program has written over its events",
      recorded, program_.sites.size()));
}

uint64_t GuestEventReader::original_address(uint64_t edited) const {
  if (edited < edited_end_) return program_.map.original_data(edited);
  return is_in_heap(edited, edited_end_) ? edited - edited_end_ + original_end_ : edited;
}

uint64_t GuestEventReader::callee(const LinkedSite& site, uint64_t value) const {
  return site.target != 0 ? site.target : program_.map.original_code(value).value_or(value);
}

void GuestEventReader::add_trace(const std::vector<Record>& records, GuestEvents* events,
                                 Counts* counts) const {
  for (size_t i = records_before_; i < records.size(); ++i) {
    const Record& record = records[i];
    if (record.site == 0) {
      events->references.separate();
      events->burst_events.push_back(0);
      ++events->bursts;
      continue;
    }
    ++events->events;
    // The first ones may be of a burst that began before the region.
    if (!events->burst_events.empty()) ++events->burst_events.back();
    const LinkedSite& at = site(record.site);
    if (at.kind == EventKind::kData) {
      events->references.add({at.pc, original_address(record.value)});
    } else {
      ++(*counts)[{record.site, record.value}];
    }
  }
}

void GuestEventReader::add_profiles(const Counts& counts, GuestEvents* events) const {
  profile::Entries calls, edges, values, methods;
  for (const auto& [event, count] : counts) {
    const LinkedSite& at = site(event.first);
    switch (at.kind) {
      case EventKind::kCall:
        calls.emplace_back(profile::call_pair(at.pc, callee(at, event.second)), count);
        methods.emplace_back(profile::method_entry(callee(at, event.second)), count);
        break;
      case EventKind::kEdge:
        edges.emplace_back(Tuple{at.pc, at.target, 0}, count);
        if (const auto head = loop_heads_.find(at.pc); head != loop_heads_.end()) {
          methods.emplace_back(profile::method_entry(head->second), count);
        }
        break;
      default:
        values.emplace_back(Tuple{at.pc, event.second, 0}, count);
        break;
    }
  }
  events->calls = profile::Profile(std::move(calls));
  events->edges = profile::Profile(std::move(edges));
  events->values = profile::Profile(std::move(values));
  events->methods = profile::Profile(std::move(methods));
}

GuestEvents GuestEventReader::finish(const platform::MemoryReader& read) const {
  const State state = this->state(read);
  GuestEvents events;
  events.dropped = state.dropped - dropped_before_;
  Counts counts;
  if (trace_) {
    add_trace(state.records, &events, &counts);
  } else {
    counts = counts_of(state);
    for (const auto& [event, count] : counts_before_) counts[event] -= count;
    events.bursts = counts[{0, 0}];
    counts.erase({0, 0});
    for (const auto& [event, count] : counts) events.events += count;
  }
  add_profiles(counts, &events);
  return events;
}

}  // namespace strobe
