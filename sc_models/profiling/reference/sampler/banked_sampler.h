// The banked stratified sampler, cycle by cycle: hashes, bank router, strata of each bank, message
// merge. docs/blocks/bank_router.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/profiling/reference/hash/hash_pipeline.h"
#include "sc_models/profiling/reference/sampler/bank_router.h"
#include "sc_models/profiling/reference/sampler/message_merge.h"
#include "sc_models/profiling/reference/sampler/stratified_sampler.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// The seed of one bank's random numbers, made from the path's seed.
constexpr uint64_t bank_seed(uint64_t seed, uint64_t bank) {
  constexpr uint64_t kBankSeed = 0xD1342543DE82EF95;  // strobe_pkg::BankSeed
  return seed ^ (bank * kBankSeed);
}

/// Several tuples a cycle into one table of strata, which is divided into banks.
class BankedSampler {
 public:
  /// @param params  of the whole sampler; each bank has strata / banks strata
  /// @param lanes   tuples of a group, 1 to 8
  /// @param banks   a power of two, 1 to 8, at most the number of strata
  /// Throws std::invalid_argument for a parameter out of range.
  BankedSampler(const SamplerParams& params, unsigned lanes, unsigned banks);
  /// The sampler of a path with these parameters.
  explicit BankedSampler(const PathParams& params)
      : BankedSampler(sampler_params(params), params.lanes, params.banks) {}

  bool ready(bool /*msg_ready*/) const { return ready(); }
  bool ready() const {
    return hash_stages_.has_stages() ? hash_stages_.ready(router_ready()) : router_ready();
  }
  bool msg_valid() const { return banks_[merge_.turn()].msg_valid(); }
  const Message& message() const { return banks_[merge_.turn()].message(); }
  bool init() const;
  bool idle() const;
  uint32_t table_data(uint32_t table_index) const {
    return banks_[table_index % banks_.size()].table_data();
  }
  TableEntry table(uint32_t table_index) const { return entry_of_count(table_data(table_index)); }
  /// Sum of the counts that all strata hold.
  uint64_t residue() const;

  /// The edge. `group` is what is offered; it is empty when nothing is or the sampler is not ready.
  void advance(const TupleGroup& group, const SamplingRate& rate, bool msg_ready,
               uint32_t table_index);
  void advance(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
               uint32_t table_index) {
    advance(group, rates.sampling, msg_ready, table_index);
  }
  /// The edge of a cycle in which the sampler is idle and no tuple is offered: only the tables are
  /// read.
  void advance_idle(uint32_t table_index);
  /// True when another idle cycle with this index changes nothing.
  bool settled(uint32_t table_index) const;
  void clear(uint64_t seed);

 private:
  std::array<bool, kMaxBanks> bank_ready() const;
  bool router_ready() const { return router_.outputs(bank_ready().data()).ready; }
  void advance_router(const TupleGroup& group, const SamplingRate& rate, bool msg_ready,
                      uint32_t table_index);
  uint32_t row(uint32_t index) const { return index / static_cast<uint32_t>(banks_.size()); }

  Hash hash_;
  HashPipeline hash_stages_;
  BankRouter router_;
  std::vector<StratifiedSampler> banks_;
  MessageMerge merge_;
  uint32_t period_ = 1;  // the banks see it one cycle late
};

}  // namespace strobe::profiling
