// The associative table's RTL against its reference.
#include <map>
#include <tuple>

#include "associative_points.h"
#include "tb/common/compare.h"
#include "tb/dut/associative_table_dut.h"

namespace strobe::tb {
namespace {

using profiling::AssociativeCounters;
using profiling::AssociativeTable;

template <class V, unsigned kK, unsigned kW, unsigned kIn>
struct Point {
  using Dut = AssociativeTableDut<V>;
  static constexpr unsigned kEntries = kK, kCountWidth = kW, kInCountWidth = kIn;
  static AssociativeTable reference() { return AssociativeTable(kK, kW, kIn); }
};

// Phases of traffic: streaks of one tuple; a set that fits the table; one that is just too large,
// the worst case of LRU; all tuples different; tuples that differ in one bit of one field; a sink
// that stalls; counts of 0, of the maximum and of any size; quiet times in which the table is read.
class Traffic {
 public:
  Traffic(unsigned entries, unsigned in_count_width, uint64_t seed)
      : entries_(entries), max_count_((1u << in_count_width) - 1), random_(seed) {}

  AssociativeTable::Inputs operator()(uint64_t) {
    if (left_-- == 0) new_phase();
    AssociativeTable::Inputs in;
    in.clear = below(random_, 5000) == 0;
    in.valid = chance(random_, offer_);
    if (in.valid) in.in = Message{tuple(), count()};
    in.msg_ready = chance(random_, sink_);
    if (below(random_, 4) == 0) index_ = static_cast<uint32_t>(below(random_, 2 * entries_));
    in.table_index = index_;
    return in;
  }

 private:
  void new_phase() {
    left_ = 1 + below(random_, 600);
    offer_ = below(random_, 3) == 0 ? 100 * below(random_, 2) : below(random_, 101);
    sink_ = below(random_, 3) == 0 ? 100 : below(random_, 101);
    const uint64_t kinds[] = {1, 2, entries_ / 2, entries_, entries_ + 1, 3 * entries_, 1u << 20};
    kinds_ = kinds[below(random_, 7)];
    cyclic_ = below(random_, 3) == 0;
    one_bit_ = below(random_, 4) == 0;
    large_ = below(random_, 3) == 0;
  }
  Tuple tuple() {
    if (cyclic_) {
      pick_ = (pick_ + 1) % kinds_;
    } else if (!chance(random_, 40)) {
      pick_ = below(random_, kinds_);  // otherwise the last one again
    }
    if (!one_bit_) return Tuple{0x10000 + 4 * pick_, pick_ * 0x9E3779B97F4A7C15ull, 3};
    Tuple tuple{0x10000, 7, 3};
    const uint64_t bit = pick_ % 132;
    if (bit < 64) tuple.pc ^= uint64_t{1} << bit;
    if (bit >= 64 && bit < 128) tuple.value ^= uint64_t{1} << (bit - 64);
    if (bit >= 128) tuple.tag = static_cast<uint8_t>(tuple.tag ^ (1u << (bit - 128)));
    return tuple;
  }
  uint32_t count() {
    if (large_) return chance(random_, 90) ? max_count_ : 0;
    return static_cast<uint32_t>(below(random_, max_count_ + 1));
  }

  unsigned entries_, max_count_;
  Random random_;
  uint64_t left_ = 0, offer_ = 0, sink_ = 0, kinds_ = 1, pick_ = 0;
  bool cyclic_ = false, one_bit_ = false, large_ = false;
  uint32_t index_ = 0;
};

void compare(const AssociativeTable::Outputs& rtl, const AssociativeTable::Outputs& reference,
             Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  d.check("msg_valid", rtl.msg_valid, reference.msg_valid);
  d.check_tuple("message", rtl.message.tuple, reference.message.tuple);
  d.check("message.count", rtl.message.count, reference.message.count);
  d.check("idle", rtl.idle, reference.idle);
  d.check("table_valid", rtl.table_valid, reference.table_valid);
  d.check_tuple("table", rtl.table.tuple, reference.table.tuple);
  d.check("table.count", rtl.table.count, reference.table.count);
}

template <class P, class Mutate = Unchanged>
std::string run(AssociativeTable& reference, Mutate mutate = {}) {
  typename P::Dut rtl;
  return first_difference(rtl, reference, bench_cycles(),
                          Traffic(P::kEntries, P::kInCountWidth, bench_seed()), compare, mutate);
}

template <class P>
class AssociativeTableRtl : public testing::Test {};
#define STROBE_POINT(model, entries, count_width, in_count_width) \
  , Point<V##model, entries, count_width, in_count_width>
using Points = Types<void STROBE_POINTS_associative(STROBE_POINT)>;
#undef STROBE_POINT
struct PointName {
  template <class P>
  static std::string GetName(int) {
    return fmt::format("k{}w{}i{}", P::kEntries, P::kCountWidth, P::kInCountWidth);
  }
};
TYPED_TEST_SUITE(AssociativeTableRtl, Points, PointName);

TYPED_TEST(AssociativeTableRtl, EqualsTheReferenceAndEveryRuleIsUsed) {
  AssociativeTable reference = TypeParam::reference();
  ASSERT_EQ(run<TypeParam>(reference), "");
  const auto& applied = reference.counters().applied();
  EXPECT_GT(applied[AssociativeCounters::kA1], 0u);
  // A count of 13 bits needs long streaks to wrap 24 bits.
  EXPECT_EQ(applied[AssociativeCounters::kA2] == 0, TypeParam::kCountWidth == 24);
  EXPECT_GT(applied[AssociativeCounters::kA3], 0u);
  EXPECT_GT(applied[AssociativeCounters::kA4], 0u);
}

// Through the ports alone: the count that went in with each tuple is in its messages or is read out
// of the table.
TYPED_TEST(AssociativeTableRtl, LosesNoCountOfAnyTuple) {
  typename TypeParam::Dut rtl;
  Traffic traffic(TypeParam::kEntries, TypeParam::kInCountWidth, bench_seed() + 1);
  using Key = std::tuple<uint64_t, uint64_t, uint8_t>;
  const auto key = [](const Tuple& tuple) { return Key(tuple.pc, tuple.value, tuple.tag); };
  std::map<Key, int64_t> open;
  const auto step = [&](const AssociativeTable::Inputs& in) {
    const AssociativeTable::Outputs out = rtl.step(in);
    EXPECT_FALSE(rtl.init());
    if (in.clear) {
      open.clear();
      return out;
    }
    if (in.valid && out.ready) open[key(in.in.tuple)] += in.in.count;
    if (out.msg_valid && in.msg_ready) open[key(out.message.tuple)] -= out.message.count;
    return out;
  };
  for (int round = 0; round < 20; ++round) {
    for (int cycle = 0; cycle < 2000; ++cycle) step(traffic(0));
    if (round == 10) {  // a reset in mid-stream; then as at the start
      rtl.reset();
      open.clear();
    }
    AssociativeTable::Inputs drain;
    drain.msg_ready = true;
    for (int cycle = 0; cycle < 5; ++cycle) step(drain);
    std::map<Key, int64_t> residue;
    for (unsigned index = 0; index < TypeParam::kEntries; ++index) {
      drain.table_index = index;
      ASSERT_TRUE(step(drain).idle);
      const AssociativeTable::Outputs out = step(drain);
      if (!out.table_valid) continue;
      const bool first = residue.emplace(key(out.table.tuple), out.table.count).second;
      ASSERT_TRUE(first) << "a tuple is in the table twice";
    }
    for (const auto& [tuple, count] : open) ASSERT_EQ(count, residue[tuple]);
  }
}

using Default = Point<Vassociative_k16_w16_i9, 16, 16, 9>;
using Small = Point<Vassociative_k4_w3_i3, 4, 3, 3>;

TEST(AssociativeTableBench, SeesACountOneLargerOnce) {
  AssociativeTable reference = Small::reference();
  const auto larger = [](AssociativeTable::Inputs& in, uint64_t cycle) {
    if (cycle >= 5000 && cycle < 5100 && in.in.count == 3) in.in.count = 4;
  };
  EXPECT_NE(run<Small>(reference, larger), "");
}

TEST(AssociativeTableBench, SeesOneEntryMore) {
  AssociativeTable reference(8, 3, 3);
  EXPECT_NE(run<Small>(reference), "");
}

TEST(AssociativeTableBench, SeesABitOfTheTupleThatIsNotCompared) {
  AssociativeTable reference = Default::reference();
  const auto blind = [](AssociativeTable::Inputs& in, uint64_t) {
    in.in.tuple.value &= ~(uint64_t{1} << 63);
  };
  EXPECT_NE(run<Default>(reference, blind), "");
}

}  // namespace
}  // namespace strobe::tb
