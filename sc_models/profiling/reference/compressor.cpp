#include "sc_models/profiling/reference/compressor.h"

#include "sc_models/profiling/reference/check.h"

namespace strobe::profiling {
namespace {

template <class... Calls>
struct Overloaded : Calls... {
  using Calls::operator()...;
};
template <class... Calls>
Overloaded(Calls...) -> Overloaded<Calls...>;

}  // namespace

Compressor::First Compressor::make_first(const PathParams& params) {
  check_range("Compressor: compressor", params.compressor, 0, 2);
  check_range("Compressor: sampler", params.sampler, 0, kSamplerNames.size() - 1);
  check_range("Compressor: hash", params.hash, 0, kHashNames.size() - 1);
  const auto hash = static_cast<HashKind>(params.hash);
  const CompressorKind kind = params.kind();
  if (kind != CompressorKind::kStratified) {
    check_range("Compressor: banks of one that is not stratified", params.banks, 1, 1);
  }
  if (kind == CompressorKind::kAssociative) {
    check_range("Compressor: second_entries after an associative table", params.second_entries, 0,
                0);
    return AssociativeTable(params.strata, params.counter_width, 1);
  }
  if (kind == CompressorKind::kTagged) {
    return TaggedSampler(TaggedShape{params.strata, params.ways, params.tag_bits,
                                     params.counter_width, params.miss_width, hash});
  }
  const SamplerParams sampler{static_cast<SamplerKind>(params.sampler), hash, params.strata,
                              params.counter_width};
  if (params.banks > 1) return BankedSampler(sampler, params.lanes, params.banks);
  return StratifiedSampler(sampler);
}

Compressor::Compressor(const PathParams& params) : first_(make_first(params)) {
  if (params.second_entries != 0) {
    second_.emplace(params.second_entries, params.second_width, params.counter_width + 1);
  }
}

bool Compressor::init() const {
  return std::visit(Overloaded{[](const AssociativeTable&) { return false; },
                               [](const auto& first) { return first.init(); }},
                    first_);
}

TableEntry Compressor::table(uint32_t table_index) const {
  if ((table_index & kSecondLevel) != 0) return second_ ? second_->table() : TableEntry{};
  const uint32_t count = std::visit(
      Overloaded{[](const AssociativeTable&) { return uint32_t{0}; },
                 [&](const BankedSampler& first) { return first.table_data(table_index); },
                 [](const auto& first) { return first.table_data(); }},
      first_);
  const auto* table = std::get_if<AssociativeTable>(&first_);
  return table != nullptr ? table->table() : TableEntry{false, Message{Tuple{}, count}};
}

uint64_t Compressor::residue() const {
  const uint64_t first =
      std::visit(Overloaded{[](const BankedSampler& sampler) { return sampler.residue(); },
                            [](const auto& sampler) { return sampler.counters().residue(); }},
                 first_);
  return first + (second_ ? second_->counters().residue() : 0);
}

void Compressor::advance_levels(const TupleGroup& group, const CompressorRates& rates,
                                bool msg_ready, uint32_t table_index) {
  bool first_ready = msg_ready;
  if (second_) {
    first_ready = second_->ready();
    second_->advance(first_valid() ? &first_message() : nullptr, msg_ready, table_index);
  }
  std::visit(Overloaded{[&](StratifiedSampler& sampler) {
                          sampler.advance(group.only(), rates.sampling, first_ready, table_index);
                        },
                        [&](BankedSampler& sampler) {
                          sampler.advance(group, rates.sampling, first_ready, table_index);
                        },
                        [&](TaggedSampler& sampler) {
                          sampler.advance(group.only(), rates.tagged(), first_ready, table_index);
                        },
                        [&](AssociativeTable& table) {
                          const Message one{group.count == 0 ? Tuple{} : *group.tuple[0], 1};
                          table.advance(group.count == 0 ? nullptr : &one, first_ready,
                                        table_index);
                        }},
             first_);
}

void Compressor::advance_idle(uint32_t table_index) {
  if (second_) second_->advance(nullptr, true, table_index);
  std::visit(
      Overloaded{[&](StratifiedSampler& sampler) { sampler.advance_idle(table_index); },
                 [&](BankedSampler& sampler) { sampler.advance_idle(table_index); },
                 [&](TaggedSampler& sampler) { sampler.advance(nullptr, {}, true, table_index); },
                 [&](AssociativeTable& table) { table.advance(nullptr, true, table_index); }},
      first_);
}

bool Compressor::settled(uint32_t table_index) const {
  return visit([&](const auto& first) { return first.settled(table_index); }) &&
         (!second_ || second_->settled(table_index));
}

void Compressor::clear(uint64_t seed) {
  std::visit(Overloaded{[&](StratifiedSampler& sampler) { sampler.clear(seed); },
                        [&](BankedSampler& sampler) { sampler.clear(seed); },
                        [](auto& unseeded) { unseeded.clear(); }},
             first_);
  if (second_) second_->clear();
}

}  // namespace strobe::profiling
