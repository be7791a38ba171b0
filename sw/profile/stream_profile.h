// Profiles of hot data streams, so that those of two runs or samplings can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/hot_streams.h"
#include "sw/profile/profile.h"
#include "sw/profile/reference_trace.h"

namespace strobe::profile {

/// The pcs of a stream's references in order. Addresses differ from run to run; streams with one
/// signature are the same stream (Hirzel and Chilimbi, "Bursty Tracing", FDDO-4 2001, section 5.2).
using AccessSignature = std::vector<uint64_t>;

struct ProfiledStream {
  AccessSignature signature;
  uint64_t heat = 0;      // references, of all streams with the signature
  uint64_t variants = 0;  // how many streams, each with its own addresses
  Reference first;        // of the hottest of them
};

enum class StreamDetector : uint8_t { kSymbols, kSubpaths };

/// Hottest first; of equal heat by signature.
struct StreamProfile {
  StreamDetector detector = StreamDetector::kSubpaths;
  uint64_t references = 0;  // in the trace
  uint64_t dropped = 0;     // beyond its bound
  uint64_t heat_threshold = 0;
  bool threshold_reached = false;  // the streams cover the percentage asked for
  std::vector<ProfiledStream> streams;

  /// References in hot streams.
  uint64_t covered() const;
};

/// @param percent  of the references that the hot streams are to cover together
StreamProfile stream_profile(const ReferenceTrace& trace, StreamDetector detector,
                             StreamLengths lengths = {}, unsigned percent = 90);

/// Sum over the signatures of the smaller of the two contributions, where a stream contributes its
/// heat over the heat of its whole profile; 0 to 1. Two empty profiles are identical: 1; one empty:
/// 0. Equation 5 of "Bursty Tracing"; the "exact overlap" of Chilimbi, PACT 2001.
double exact_overlap(const StreamProfile& a, const StreamProfile& b);

/// The overlap of what the streams are made of: each reference in a stream with the one before it,
/// by pcs, weighted by how often. A stream that one profile has cut elsewhere than the other, or
/// shorter, costs its ends and not the whole.
double overlap(const StreamProfile& a, const StreamProfile& b);

/// The pairs the latter compares: {second pc, first pc}, counted.
Profile successions(const StreamProfile& profile);

}  // namespace strobe::profile
