// The compressor, cycle by cycle (ISCA 2001, section 3). docs/blocks/compressor.md
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "sc_models/port/path_params.h"
#include "sc_models/profiling/reference/sampler/associative_table.h"
#include "sc_models/profiling/reference/sampler/compressor_rates.h"
#include "sc_models/profiling/reference/sampler/first_level_generated.h"
#include "sc_models/profiling/reference/sampler/table_entry.h"
#include "sc_models/profiling/reference/selection/tuple_queue.h"

namespace strobe::profiling {

/// A first level of any kind and, if the parameters ask for it, an associative table downstream of
/// it as second level.
class Compressor {
 public:
  static constexpr uint32_t kSecondLevel = 0x8000;  ///< bit of a table index for the second level

  /// Throws std::invalid_argument when a parameter is out of range or two parameters exclude each
  /// other.
  explicit Compressor(const PathParams& params);

  bool ready(bool msg_ready) const {
    const bool first_ready = second_ ? second_->ready() : msg_ready;
    return visit([&](const auto& first) { return first.ready(first_ready); });
  }
  bool msg_valid() const { return second_ ? second_->msg_valid() : first_valid(); }
  /// Valid only while msg_valid().
  const Message& message() const { return second_ ? second_->message() : first_message(); }
  bool init() const;
  bool idle() const {
    return visit([](const auto& first) { return first.idle(); }) && (!second_ || second_->idle());
  }
  /// The entry that the last read-out found, as a read with this index shows it.
  TableEntry table(uint32_t table_index) const;
  /// Sum of the counts that both levels hold.
  uint64_t residue() const;

  /// The edge alone. `group` is what is offered; it is empty when nothing is or the compressor is
  /// not ready.
  void advance(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
               uint32_t table_index) {
    auto* const sampler = std::get_if<StratifiedSampler>(&first_);
    if (sampler == nullptr || second_) {
      advance_levels(group, rates, msg_ready, table_index);
    } else {
      sampler->advance(group.only(), rates.sampling, msg_ready, table_index);
    }
  }
  /// The edge of a cycle in which the compressor is idle and no tuple is offered: only the tables
  /// are read.
  void advance_idle(uint32_t table_index);
  /// The stratified sampler, if it is the whole compressor and counts every tuple two cycles after
  /// its arrival; otherwise nullptr.
  StratifiedSampler* only_sampler() {
    auto* const sampler = second_ ? nullptr : std::get_if<StratifiedSampler>(&first_);
    return sampler == nullptr || sampler->has_hash_stages() ? nullptr : sampler;
  }
  /// True when another idle cycle with this index changes nothing.
  bool settled(uint32_t table_index) const;
  void clear(uint64_t seed);

 private:
  void advance_levels(const TupleGroup& group, const CompressorRates& rates, bool msg_ready,
                      uint32_t table_index);
  template <class Call>
  auto visit(Call call) const -> decltype(call(std::declval<const StratifiedSampler&>())) {
    // The default path comes before the switch.
    if (const auto* sampler = std::get_if<StratifiedSampler>(&first_)) return call(*sampler);
    return std::visit(call, first_);
  }
  bool first_valid() const {
    return visit([](const auto& first) { return first.msg_valid(); });
  }
  const Message& first_message() const {
    return visit([](const auto& first) -> const Message& { return first.message(); });
  }

  FirstLevelBlock first_;
  std::optional<AssociativeTable> second_;
};

}  // namespace strobe::profiling
