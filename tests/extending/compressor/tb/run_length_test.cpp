// The run-length compressor's RTL against its reference.
#include "sc_models/profiling/reference/sampler/run_length.h"

#include "run_length_points.h"
#include "tb/common/clocked.h"
#include "tb/common/compare.h"
#include "tb/common/tuple_lanes.h"

namespace strobe::tb {
namespace {

using profiling::PathParams;
using profiling::RunLength;

template <class V>
class RunLengthDut {
 public:
  RunLength::Outputs step(const RunLength::Inputs& in) {
    V& top = block_.top();
    top.clear_i = in.clear;
    top.valid_i = in.valid;
    set_tuple(top.tuple_i, in.tuple);
    top.longest_run_i = static_cast<SData>(in.rates.settings.longest_run);
    top.msg_ready_i = in.msg_ready;
    top.table_index_i = static_cast<SData>(in.table_index);
    block_.settle();
    RunLength::Outputs out;
    out.ready = top.ready_o != 0;
    out.msg_valid = top.msg_valid_o != 0;
    if (out.msg_valid) out.message = Message{get_tuple(top.msg_tuple_o), top.msg_count_o};
    out.idle = top.idle_o != 0;
    out.table = {top.table_valid_o != 0, Message{get_tuple(top.table_tuple_o), top.table_count_o}};
    block_.edge();
    return out;
  }

 private:
  Clocked<V> block_;
};

// Streaks of one tuple, tuples that share a run, all different; a sink that stalls; limits of every
// size, 0 and the largest included.
class Traffic {
 public:
  Traffic(unsigned runs, uint64_t seed) : runs_(runs), random_(seed) {}

  RunLength::Inputs operator()(uint64_t) {
    if (left_-- == 0) {
      left_ = 1 + below(random_, 600);
      offer_ = below(random_, 101);
      sink_ = below(random_, 3) == 0 ? 100 : below(random_, 101);
      again_ = below(random_, 101);
      kinds_ = 1 + below(random_, 3 * runs_);
      longest_ = static_cast<uint32_t>(below(random_, 4) == 0 ? 8191 : below(random_, 40));
    }
    RunLength::Inputs in;
    in.clear = below(random_, 3000) == 0;
    in.valid = chance(random_, offer_);
    if (!chance(random_, again_)) pick_ = below(random_, kinds_);
    in.tuple = Tuple{0x1000 + 2 * pick_, pick_ * 0x9E3779B97F4A7C15ull, 5};
    in.rates.settings.longest_run = longest_;
    in.msg_ready = chance(random_, sink_);
    if (below(random_, 4) == 0) index_ = static_cast<uint32_t>(below(random_, 2 * runs_));
    in.table_index = index_;
    return in;
  }

 private:
  unsigned runs_;
  Random random_;
  uint64_t left_ = 0, offer_ = 0, sink_ = 0, again_ = 0, kinds_ = 1, pick_ = 0;
  uint32_t longest_ = 8191, index_ = 0;
};

void compare(const RunLength::Outputs& rtl, const RunLength::Outputs& reference, Difference& d) {
  d.check("ready", rtl.ready, reference.ready);
  d.check("msg_valid", rtl.msg_valid, reference.msg_valid);
  d.check_tuple("message", rtl.message.tuple, reference.message.tuple);
  d.check("message.count", rtl.message.count, reference.message.count);
  d.check("idle", rtl.idle, reference.idle);
  d.check("table.known", rtl.table.known, reference.table.known);
  d.check_tuple("table", rtl.table.held.tuple, reference.table.held.tuple);
  d.check("table.count", rtl.table.held.count, reference.table.held.count);
}

PathParams params_of(unsigned runs, unsigned width, unsigned shift) {
  PathParams params;
  params.strata = runs;
  params.counter_width = width;
  params.index_shift = shift;
  return params;
}

template <class V, class Mutate = Unchanged>
std::string run(unsigned runs, unsigned width, unsigned shift, Mutate mutate = {}) {
  RunLengthDut<V> rtl;
  RunLength reference(params_of(runs, width, shift));
  return first_difference(rtl, reference, bench_cycles(), Traffic(runs, bench_seed()), compare,
                          mutate);
}

#define STROBE_POINT(model, runs, width, shift)       \
  TEST(RunLengthRtl, model##EqualsTheReference) {     \
    EXPECT_EQ(run<V##model>(runs, width, shift), ""); \
  }
STROBE_POINTS_run_length(STROBE_POINT)
#undef STROBE_POINT

    TEST(RunLengthRtl, IsToldApartFromAnotherLimit) {
  const auto longer = [](RunLength::Inputs& in, uint64_t) { ++in.rates.settings.longest_run; };
  EXPECT_NE((run<Vrun_length_k4_c8_s1>(4, 8, 1, longer)), "");
}

}  // namespace
}  // namespace strobe::tb
