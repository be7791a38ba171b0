#include "sc_models/profiling/reference/sampler/compressor.h"

#include "sc_models/port/path_check.h"

namespace strobe::profiling {
namespace {

/// Throws std::invalid_argument unless each parameter is in its range.
const PathParams& checked(const PathParams& params) {
  check_path(params);
  return params;
}

}  // namespace

Compressor::Compressor(const PathParams& params) : first_(make_first_level_block(checked(params))) {
  if (params.second_entries != 0) {
    second_.emplace(params.second_entries, params.second_width, params.counter_width + 1);
  }
}

bool Compressor::init() const {
  return visit([](const auto& first) { return first.init(); });
}

TableEntry Compressor::table(uint32_t table_index) const {
  if ((table_index & kSecondLevel) != 0) return second_ ? second_->table() : TableEntry{};
  return visit([&](const auto& first) { return first.table(table_index); });
}

uint64_t Compressor::residue() const {
  return visit([](const auto& first) { return first.residue(); }) +
         (second_ ? second_->residue() : 0);
}

void Compressor::advance_levels(const TupleGroup& group, const CompressorRates& rates,
                                bool msg_ready, uint32_t table_index) {
  bool first_ready = msg_ready;
  if (second_) {
    first_ready = second_->ready();
    second_->advance(first_valid() ? &first_message() : nullptr, msg_ready, table_index);
  }
  std::visit([&](auto& first) { first.advance(group, rates, first_ready, table_index); }, first_);
}

void Compressor::advance_idle(uint32_t table_index) {
  if (second_) second_->advance_idle(table_index);
  std::visit([&](auto& first) { first.advance_idle(table_index); }, first_);
}

bool Compressor::settled(uint32_t table_index) const {
  return visit([&](const auto& first) { return first.settled(table_index); }) &&
         (!second_ || second_->settled(table_index));
}

void Compressor::clear(uint64_t seed) {
  std::visit([&](auto& first) { first.clear(seed); }, first_);
  if (second_) second_->clear();
}

}  // namespace strobe::profiling
