#include "sw/profile/streams/stream_profile.h"

#include <algorithm>
#include <map>

#include "sw/profile/accuracy/metrics.h"
#include "sw/profile/streams/cover.h"

namespace strobe::profile {

uint64_t StreamProfile::covered() const {
  uint64_t covered = 0;
  for (const ProfiledStream& stream : streams) covered += stream.heat;
  return covered;
}

StreamProfile stream_profile(const ReferenceTrace& trace, StreamDetector detector,
                             StreamLengths lengths, unsigned percent) {
  const Grammar grammar = trace.grammar();
  const auto covering = detector == StreamDetector::kSymbols ? symbols_covering : subpaths_covering;
  const Threshold threshold = covering(grammar, lengths, trace.references(), percent);

  StreamProfile result{detector,       trace.references(), trace.dropped(),
                       threshold.heat, threshold.reached,  {}};
  std::map<AccessSignature, ProfiledStream> by_signature;
  for (const HotStream& stream : threshold.streams) {
    AccessSignature signature;
    for (const uint32_t terminal : stream.terminals) {
      signature.push_back(trace.reference(terminal).pc);
    }
    ProfiledStream& profiled = by_signature[signature];
    if (profiled.variants++ == 0) profiled.first = trace.reference(stream.terminals.front());
    profiled.heat += stream.heat();
  }
  for (auto& [signature, profiled] : by_signature) {
    profiled.signature = signature;
    result.streams.push_back(std::move(profiled));
  }
  std::stable_sort(
      result.streams.begin(), result.streams.end(),
      [](const ProfiledStream& a, const ProfiledStream& b) { return a.heat > b.heat; });
  return result;
}

double exact_overlap(const StreamProfile& a, const StreamProfile& b) {
  // Makes a profile of tuples from the heats, with one tuple for each signature that occurs in
  // either profile.
  std::map<AccessSignature, uint64_t> number;
  const auto as_tuples = [&number](const StreamProfile& profile) {
    Entries entries;
    for (const ProfiledStream& stream : profile.streams) {
      const uint64_t fresh = number.size();
      const uint64_t known = number.insert({stream.signature, fresh}).first->second;
      entries.push_back({Tuple{known, 0, 0}, stream.heat});
    }
    return Profile(std::move(entries));
  };
  const Profile tuples = as_tuples(a);
  return overlap(tuples, as_tuples(b));
}

Profile successions(const StreamProfile& profile) {
  Entries entries;
  for (const ProfiledStream& stream : profile.streams) {
    const uint64_t occurrences = stream.heat / stream.signature.size();
    for (size_t i = 1; i < stream.signature.size(); ++i) {
      entries.push_back({Tuple{stream.signature[i], stream.signature[i - 1], 0}, occurrences});
    }
  }
  return Profile(std::move(entries));
}

double overlap(const StreamProfile& a, const StreamProfile& b) {
  return overlap(successions(a), successions(b));
}

}  // namespace strobe::profile
