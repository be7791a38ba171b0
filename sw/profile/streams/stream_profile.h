// Profiles of hot data streams, in a form in which those of two runs or samplings can be compared.
#pragma once

#include <cstdint>
#include <vector>

#include "sw/profile/counts/profile.h"
#include "sw/profile/streams/hot_streams.h"
#include "sw/profile/streams/reference_trace.h"

namespace strobe::profile {

/// The pcs of a stream's references in order. Addresses differ from run to run, so streams with the
/// same signature count as the same stream (Hirzel and Chilimbi, "Bursty Tracing", FDDO-4 2001,
/// section 5.2).
using AccessSignature = std::vector<uint64_t>;

struct ProfiledStream {
  AccessSignature signature;
  uint64_t heat = 0;      // in references, of all streams with the signature
  uint64_t variants = 0;  // the number of streams, each with its own addresses
  Reference first;        // the first reference of the hottest of them
};

enum class StreamDetector : uint8_t { kSymbols, kSubpaths };

/// The streams are sorted with the hottest first; those of equal heat are ordered by signature.
struct StreamProfile {
  StreamDetector detector = StreamDetector::kSubpaths;
  uint64_t references = 0;  // those in the trace
  uint64_t dropped = 0;     // those beyond the bound of the trace
  uint64_t heat_threshold = 0;
  bool threshold_reached = false;  // whether the streams cover the percentage asked for
  std::vector<ProfiledStream> streams;

  /// The references in hot streams.
  uint64_t covered() const;
};

/// @param percent  the share of the references that the hot streams are to cover together
StreamProfile stream_profile(const ReferenceTrace& trace, StreamDetector detector,
                             StreamLengths lengths = {}, unsigned percent = 90);

/// The sum over the signatures of the smaller of the two contributions, 0 to 1; a stream
/// contributes its heat divided by the heat of its whole profile. Two empty profiles are identical:
/// 1; one empty: 0. This is equation 5 of "Bursty Tracing" and the "exact overlap" of Chilimbi,
/// PACT 2001.
double exact_overlap(const StreamProfile& a, const StreamProfile& b);

/// The overlap of the successions in the streams: each reference with the one before it, by pcs,
/// weighted by how often it occurs. A stream that one profile cuts elsewhere than the other, or has
/// shorter, loses only its ends and not the whole.
double overlap(const StreamProfile& a, const StreamProfile& b);

/// The pairs that overlap() compares: {second pc, first pc}, counted.
Profile successions(const StreamProfile& profile);

}  // namespace strobe::profile
