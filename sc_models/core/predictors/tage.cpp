// TAGE: a bimodal base and tagged tables, which are indexed with global histories of geometrically
// increasing length. The longest match predicts. Source: A. Seznec and P. Michaud, "A case for
// (partially) TAgged GEometric history length branch prediction", JILP 8, 2006. The alternate
// prediction is updated as in A. Seznec, "A 256 Kbits L-TAGE branch predictor", CBP-2, 2006. Path
// history and the loop predictor are left out.
//
// Histories are longer than a word, so the word that the core checkpoints is a position in a ring
// of outcomes. The tables use histories that are folded to index and tag width and updated
// incrementally. The folds are saved with each branch in flight; returning to a branch copies them
// back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sc_models/core/predictors/direction.h"

namespace strobe::core {
namespace {

constexpr int kNone = -1;
constexpr int8_t kMostTaken = 3, kLeastTaken = -4;  // three-bit signed counter
constexpr uint8_t kMostUseful = 3;                  // two bits
constexpr int kUseAltMost = 7, kUseAltLeast = -8;   // four bits
constexpr unsigned kAgingBits = 18;                 // log2 of the branches between two agings
constexpr unsigned kMostTables = kMostTageTables;

uint64_t power_of_two_from(uint64_t at_least) {
  uint64_t size = 1;
  while (size < at_least) size *= 2;
  return size;
}

class Tage final : public DirectionPredictor {
 public:
  Tage(const PredictorParams& params, unsigned in_flight)
      : p_(params.tage),
        tables_(std::make_shared<Tables>(params)),
        base_(tables_->base),
        entries_(tables_->entries.data()),
        records_(power_of_two_from(uint64_t{in_flight} + 1)),
        outcomes_(power_of_two_from(uint64_t{in_flight} + p_.max_history + 1)) {
    for (unsigned i = 0; i < p_.tables; ++i) length_[i] = history_length(p_, i);
  }
  std::unique_ptr<DirectionPredictor> sibling() const override {
    auto other = std::make_unique<Tage>(*this);
    std::fill(other->outcomes_.begin(), other->outcomes_.end(), uint8_t{0});
    other->folds_ = Folds();
    other->position_ = 0;
    return other;
  }

  bool predict(const isa::DecodedInsn&, uint64_t pc, uint64_t& history, uint32_t& index) override {
    index = static_cast<uint32_t>(history & (records_.size() - 1));
    Record& r = records_[index];
    r.folds = folds_;
    r.base = base_.index(pc >> 1);
    r.provider = r.alternate = kNone;
    for (int i = static_cast<int>(p_.tables) - 1; i >= 0; --i) {
      locate(r, static_cast<unsigned>(i), pc >> 1);
      if (entry(r, i).tag != r.tag[i]) continue;
      if (r.provider == kNone) {
        r.provider = static_cast<int8_t>(i);
      } else if (r.alternate == kNone) {
        r.alternate = static_cast<int8_t>(i);
      }
    }
    r.alternate_taken =
        r.alternate == kNone ? base_.taken(r.base) : entry(r, r.alternate).counter >= 0;
    r.provider_taken = r.alternate_taken;
    r.fresh = false;
    if (r.provider != kNone) {
      const Entry& e = entry(r, r.provider);
      r.provider_taken = e.counter >= 0;
      r.fresh = e.useful == 0 && (e.counter == 0 || e.counter == -1);
    }
    r.taken = r.fresh && tables_->use_alternate >= 0 ? r.alternate_taken : r.provider_taken;
    append(history, r.taken);
    return r.taken;
  }

  void append(uint64_t& history, bool taken) override {
    const uint64_t mask = outcomes_.size() - 1;
    outcomes_[history & mask] = taken;
    for (unsigned i = 0; i < p_.tables; ++i) {
      const bool old = outcomes_[(history - length_[i]) & mask] != 0;
      fold(folds_.index[i], p_.table_bits, length_[i], taken, old);
      fold(folds_.tag[i], p_.tag_bits, length_[i], taken, old);
      fold(folds_.tag_again[i], p_.tag_bits - 1, length_[i], taken, old);
    }
    position_ = ++history;
  }

  void restore(uint64_t history) override {
    if (history == position_) return;  // no branch has been predicted after it
    folds_ = records_[history & (records_.size() - 1)].folds;
    position_ = history;
  }

  void train(uint32_t index, bool taken) override {
    const Record& r = records_[index];
    if (r.fresh && r.provider_taken != r.alternate_taken) {
      int& use_alternate = tables_->use_alternate;
      use_alternate += r.alternate_taken == taken ? 1 : -1;
      use_alternate = std::min(std::max(use_alternate, kUseAltLeast), kUseAltMost);
    }
    // A fresh entry that was right does not need a longer history: it was right but not trusted
    // yet.
    const bool learned = r.fresh && r.provider_taken == taken;
    if (r.taken != taken && !learned) allocate(r, taken);
    update(r, taken);
    if ((++tables_->branches & ((uint64_t{1} << kAgingBits) - 1)) == 0) age();
  }

  uint64_t storage_bits() const override {
    const uint64_t tagged = tables_->entries.size() * (3 + 2 + uint64_t{p_.tag_bits});
    return base_.storage_bits() + tagged + p_.max_history + 4 + kAgingBits + 1;
  }

 private:
  struct Entry {
    uint16_t tag = 0;
    int8_t counter = 0;
    uint8_t useful = 0;
  };
  // What the harts of a core share.
  struct Tables {
    explicit Tables(const PredictorParams& params)
        : base(params.table_bits), entries(size_t{params.tage.tables} << params.tage.table_bits) {}
    TwoBitCounters base;
    std::vector<Entry> entries;  // table by table
    int use_alternate = 0;
    uint32_t random = 0xace1;
    uint64_t branches = 0;
    bool clear_high = false;
  };
  struct Folds {
    uint16_t index[kMostTables] = {}, tag[kMostTables] = {}, tag_again[kMostTables] = {};
  };
  struct Record {  // a branch in flight
    Folds folds;   // the folds before the branch
    uint16_t index[kMostTables] = {}, tag[kMostTables] = {};
    uint32_t base = 0;
    int8_t provider = kNone, alternate = kNone;
    bool provider_taken = false, alternate_taken = false, taken = false;
    bool fresh = false;  // the provider is newly allocated: weak, and never useful yet
  };

  // Lengths are geometric: min_history * (max_history / min_history)^(i / (tables - 1)).
  static unsigned history_length(const TageParams& p, unsigned i) {
    if (p.tables == 1) return p.max_history;
    const double ratio = static_cast<double>(p.max_history) / p.min_history;
    return static_cast<unsigned>(
        std::lround(p.min_history * std::pow(ratio, i / static_cast<double>(p.tables - 1))));
  }

  static uint16_t low_bits(uint64_t value, unsigned bits) {
    return static_cast<uint16_t>(value & ((uint64_t{1} << bits) - 1));
  }

  // Updates a history of `length` outcomes that is folded to `width` bits: the outcome of age a is
  // xored into bit a % width.
  static void fold(uint16_t& value, unsigned width, unsigned length, bool newest, bool oldest) {
    uint32_t next = uint32_t{value} << 1 | uint32_t{newest};
    next ^= uint32_t{oldest} << length % width;
    next ^= next >> width;
    value = low_bits(next, width);
  }

  void locate(Record& r, unsigned i, uint64_t address) const {
    r.index[i] = low_bits(
        address ^ address >> (p_.table_bits - i % p_.table_bits) ^ folds_.index[i], p_.table_bits);
    r.tag[i] = low_bits(address ^ folds_.tag[i] ^ uint64_t{folds_.tag_again[i]} << 1, p_.tag_bits);
  }
  Entry& entry(const Record& r, int table) {
    return entries_[(static_cast<size_t>(table) << p_.table_bits) + r.index[table]];
  }

  // After a misprediction, allocates one entry that is not useful in a table with a longer history.
  // The search starts at the first such table, or sometimes at the next one, so that short
  // histories do not take all allocations.
  void allocate(const Record& r, bool taken) {
    const int tables = static_cast<int>(p_.tables);
    const int first = r.provider + 1;
    uint32_t& random = tables_->random;
    random = random >> 1 ^ ((random & 1u) != 0 ? 0xb400u : 0u);  // 16-bit LFSR
    const int start = first + ((random & 3) == 0 && first + 1 < tables ? 1 : 0);
    for (int i = start; i < tables; ++i) {
      Entry& e = entry(r, i);
      if (e.useful != 0) continue;
      e = {r.tag[i], static_cast<int8_t>(taken ? 0 : -1), 0};
      return;
    }
    for (int i = first; i < tables; ++i) {
      if (entry(r, i).useful > 0) --entry(r, i).useful;
    }
  }

  void update(const Record& r, bool taken) {
    if (r.provider == kNone) {
      base_.train(r.base, taken);
      return;
    }
    Entry& e = entry(r, r.provider);
    if (e.tag != r.tag[r.provider]) return;  // another branch has taken the entry
    if (e.useful == 0) {  // the entry may be replaced soon: keep the alternate up to date
      if (r.alternate == kNone) {
        base_.train(r.base, taken);
      } else if (entry(r, r.alternate).tag == r.tag[r.alternate]) {
        count(entry(r, r.alternate).counter, taken);
      }
    }
    count(e.counter, taken);
    if (r.provider_taken == r.alternate_taken) return;
    if (r.provider_taken == taken) {
      if (e.useful < kMostUseful) ++e.useful;
    } else if (e.useful > 0) {
      --e.useful;
    }
  }

  static void count(int8_t& counter, bool taken) {
    if (taken && counter < kMostTaken) ++counter;
    if (!taken && counter > kLeastTaken) --counter;
  }

  // Clears one bit of every usefulness counter, the high and the low one in turn.
  void age() {
    tables_->clear_high = !tables_->clear_high;
    const uint8_t kept = tables_->clear_high ? 1 : 2;
    for (Entry& e : tables_->entries) e.useful &= kept;
  }

  const TageParams p_;
  unsigned length_[kMostTables] = {};
  std::shared_ptr<Tables> tables_;
  TwoBitCounters base_;  // the tables' own, found without a detour
  Entry* entries_;       // likewise
  std::vector<Record> records_;
  std::vector<uint8_t> outcomes_;
  Folds folds_;
  uint64_t position_ = 0;  // the position that folds_ belongs to
};

}  // namespace

std::unique_ptr<DirectionPredictor> make_tage(const PredictorParams& params, unsigned in_flight) {
  const TageParams& p = params.tage;
  if (p.tables < 1 || p.tables > kMostTables || p.table_bits < 1 || p.table_bits > 15 ||
      p.tag_bits < 2 || p.tag_bits > 15 || p.min_history < 1 || p.max_history < p.min_history ||
      p.max_history > 1024) {
    throw std::invalid_argument(
        fmt::format("predictor.tage: tables must be 1 to {}, table_bits 1 to 15, tag_bits 2 to 15, "
                    "min_history at least 1, max_history from min_history to 1024; got {}, {}, {}, "
                    "{}, {}",
                    kMostTables, p.tables, p.table_bits, p.tag_bits, p.min_history, p.max_history));
  }
  return std::make_unique<Tage>(params, in_flight);
}

}  // namespace strobe::core
