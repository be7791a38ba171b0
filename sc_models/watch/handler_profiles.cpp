#include "sc_models/watch/handler_profiles.h"

#include <algorithm>
#include <utility>

#include "sw/guest/include/strobe/handlers_abi.h"

namespace strobe::platform {
namespace {

constexpr uint16_t kReferences =
    class_bit(OpClass::kLoad) | class_bit(OpClass::kStore) | class_bit(OpClass::kAmo);
constexpr uint16_t kCalls = class_bit(OpClass::kCall) | class_bit(OpClass::kCallIndirect);
constexpr uint16_t kMethodEvents = kCalls | class_bit(OpClass::kBranch);

}  // namespace

HandlerProfiles::HandlerProfiles(const ProductionSet& productions, bool exhaustive)
    : productions_(productions),
      streams_(calls(STROBE_DATA_STREAM_SYMBOL)),
      call_pairs_(calls(STROBE_CALL_PAIR_SYMBOL)),
      methods_(calls(STROBE_HOT_METHOD_SYMBOL)),
      sandbox_(calls(STROBE_SANDBOX_SYMBOL)),
      watchpoint_(calls(STROBE_WATCHPOINT_SYMBOL)) {
  if (!exhaustive) return;
  if (streams_) opclasses_ |= kReferences;
  if (call_pairs_) opclasses_ |= kCalls;
  if (methods_) opclasses_ |= kMethodEvents;
}

bool HandlerProfiles::calls(const char* handler) const {
  return std::any_of(productions_.handlers.begin(), productions_.handlers.end(),
                     [handler](const HandlerOutcome& called) { return called.name == handler; });
}

void HandlerProfiles::begin_region(const GuestImage& image, const GuestImage::Reader& read) {
  if (streams_) {
    image.references(read, [this](const guest::TraceReader& trace) {
      records_before_ = trace.used();
      dropped_before_ = trace.dropped();
    });
  }
  GuestImage::Table table = image.table(read);
  counts_before_ = profile::Profile(std::move(table.counts));
  lost_before_ = table.lost;
}

HandlersOutcome HandlerProfiles::finish(const GuestImage& image, const GuestImage::Reader& read,
                                        const isa::HartState& state) const {
  HandlersOutcome outcome;
  outcome.handlers = productions_.handlers;
  for (const auto& [name, number] : productions_.registers) {
    outcome.registers[name] = state.x[32 + number];
  }
  if (streams_) outcome.streams = collected_streams(image, read);
  GuestImage::Table table = image.table(read);
  outcome.lost = table.lost - lost_before_;
  const profile::Profile counts(std::move(table.counts));
  if (call_pairs_) {
    outcome.call_pairs = {collected(counts, STROBE_TAG_CALL_PAIR), observed_calls_.call_pairs()};
  }
  if (methods_) {
    outcome.methods = {collected(counts, STROBE_TAG_METHOD), observed_calls_.methods()};
  }
  if (sandbox_) outcome.sandbox = collected(counts, STROBE_TAG_SANDBOX);
  if (watchpoint_) outcome.watchpoint = collected(counts, STROBE_TAG_WATCHPOINT);
  return outcome;
}

StreamsOutcome HandlerProfiles::collected_streams(const GuestImage& image,
                                                  const GuestImage::Reader& read) const {
  StreamsOutcome streams;
  streams.exhaustive = observed_streams_.trace();
  image.references(read, [&](const guest::TraceReader& trace) {
    streams.dropped = trace.dropped() - dropped_before_;
    uint64_t record = 0;
    trace.for_each(
        [&](uint64_t pc, uint64_t address) {
          if (record++ >= records_before_) streams.collected.add({pc, address});
        },
        [&] {
          if (record++ < records_before_) return;
          streams.collected.separate();
          ++streams.bursts;
        });
  });
  return streams;
}

profile::Profile HandlerProfiles::collected(const profile::Profile& table, uint8_t tag) const {
  profile::Entries entries = table.with_tag(tag).entries();
  for (auto& [tuple, count] : entries) count -= counts_before_.count(tuple);
  return profile::Profile(std::move(entries));
}

}  // namespace strobe::platform
