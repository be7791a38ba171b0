// The samplers of ISCA 2001, figure 3, that need more than a period: with the counter component C,
// and random ones behind the hash.
#pragma once

#include <cstdint>
#include <vector>

#include "sc_models/profiling/observers/observer.h"
#include "sc_models/profiling/reference/xorshift.h"

namespace strobe::profiling {

/// n random samplers, each with a generator of its own, behind the hash: H[R_r]_n and, where
/// `counted` says so, H[CR_r]_n, whose messages count the tuples of the stratum since its last
/// message (section 3.3). CR_r itself is the case of one stratum.
class SplitRandomSampler final : public Observer {
 public:
  SplitRandomSampler(const char* kind, const ObserverParams& params, unsigned strata, bool counted);
  uint64_t residue() const override;
  uint64_t storage_bits() const override;

 private:
  struct Stratum {
    Xorshift64Star random{1};
    uint32_t since = 0;  // tuples since the last message
  };

  void sample(TupleBatch& batch, std::vector<Message>& messages) override;

  uint32_t period_;
  uint64_t threshold_;
  bool counted_;
  std::vector<Stratum> strata_;
};

}  // namespace strobe::profiling
