// Field numbers of pprof's message Profile (github.com/google/pprof, proto/profile.proto).
#pragma once

namespace strobe::answer::pprof {

enum Field {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultType = 14
};

}  // namespace strobe::answer::pprof
