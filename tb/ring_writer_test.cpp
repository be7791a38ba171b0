// The ring writer's RTL compared with its reference, and with what a reader of the ring must see.
#include "ring_writer_points.h"
#include "tb/common/compare.h"
#include "tb/dut/ring_writer_dut.h"

namespace strobe::tb {
namespace {

using profiling::RingConfig;
using profiling::RingWriter;

// A buffer of random messages upstream of the writer; memory and software of changing speed
// downstream. The ring changes only while the writer is disabled and between two records.
class Traffic {
 public:
  Traffic(unsigned count_width, uint64_t seed) : count_width_(count_width), random_(seed) {}

  RingWriter::Inputs operator()(uint64_t) {
    const RingWriter::Outputs now = shadow_.outputs(ring_, in_.head, false);
    if (left_-- == 0) {
      left_ = 1 + below(random_, 600);
      arrive_ = below(random_, 101);
      ready_ = below(random_, 5) == 0 ? 0 : below(random_, 101);
      release_ = below(random_, 4) == 0 ? 0 : below(random_, 30);
      enable_ = chance(random_, 85);
    }
    if (!ring_.enable && !now.busy) {
      ring_.overwrite = chance(random_, 30);
      ring_.log2_entries =
          static_cast<unsigned>(chance(random_, 80) ? below(random_, 5) : below(random_, 17));
      ring_.base = (random_() >> 24 << 24) & ~((uint64_t{32} << ring_.log2_entries) - 1);
    }
    ring_.enable = enable_;
    if (chance(random_, release_)) {
      ring_.cons += static_cast<uint32_t>(below(random_, now.prod - ring_.cons + uint64_t{1}));
    }
    if (below(random_, 20000) == 0) ring_.cons = static_cast<uint32_t>(random_());  // a mistake
    if (!in_.valid && chance(random_, arrive_)) {
      in_.valid = true;
      in_.head = Message{Tuple{random_(), random_(), static_cast<uint8_t>(below(random_, 16))},
                         static_cast<uint32_t>(random_() >> (64 - count_width_))};
    }
    in_.clear = below(random_, 5000) == 0;
    in_.mem_ready = chance(random_, ready_);
    in_.mem_idle = chance(random_, ready_);
    in_.ring = ring_;
    const RingWriter::Inputs given = in_;
    const bool popped = shadow_.step(in_).pop;
    if (popped || in_.clear) {
      in_.valid = false;
      in_.head = Message{};
    }
    if (given.clear) ring_.cons = 0;
    return given;
  }

 private:
  unsigned count_width_;
  Random random_;
  RingWriter shadow_;  // says which head the writer popped
  RingConfig ring_;
  RingWriter::Inputs in_;
  uint64_t left_ = 0, arrive_ = 0, ready_ = 0, release_ = 0;
  bool enable_ = false;
};

void compare(const RingWriter::Outputs& rtl, const RingWriter::Outputs& reference, Difference& d) {
  d.check("pop", rtl.pop, reference.pop);
  d.check("mem_valid", rtl.mem_valid, reference.mem_valid);
  d.check("mem_addr", rtl.mem_addr, reference.mem_addr);
  d.check("mem_data", rtl.mem_data, reference.mem_data);
  d.check("busy", rtl.busy, reference.busy);
  d.check("in_flight", rtl.in_flight, reference.in_flight);
  d.check("prod", rtl.prod, reference.prod);
  d.check("overwritten", rtl.overwritten, reference.overwritten);
  d.check("high_water", rtl.high_water, reference.high_water);
  d.check("stalls", rtl.stalls, reference.stalls);
}

template <class V, unsigned kCountWidth, class Mutate = Unchanged>
std::string run(Mutate mutate = {}) {
  RingWriterDut<V> rtl;
  RingWriter reference;
  return first_difference(rtl, reference, bench_cycles(), Traffic(kCountWidth, bench_seed()),
                          compare, mutate);
}

#define STROBE_EQUALS(model, ...) \
  TEST(RingWriterRtl, EqualsTheReference_##model) { EXPECT_EQ((run<V##model, __VA_ARGS__>()), ""); }
STROBE_POINTS_ring_writer(STROBE_EQUALS)

    TEST(RingWriterRtl, IsToldApartFromAWriterThatForgetsOneClear) {
  const auto forget = [](RingWriter::Inputs& in, uint64_t) { in.clear = false; };
  EXPECT_NE((run<Vring_writer_c32, 32>(forget)), "");
}

TEST(RingWriterRtl, IsToldApartFromAMemoryThatWritesAtOnce) {
  const auto at_once = [](RingWriter::Inputs& in, uint64_t) { in.mem_idle = true; };
  EXPECT_NE((run<Vring_writer_c32, 32>(at_once)), "");
}

TEST(RingWriterRtl, IsToldApartFromARingOfTwiceTheLength) {
  const auto longer = [](RingWriter::Inputs& in, uint64_t) {
    if (in.ring.log2_entries < 16) ++in.ring.log2_entries;
  };
  EXPECT_NE((run<Vring_writer_c32, 32>(longer)), "");
}

// Software as docs/blocks/ring_writer.md describes it, on a memory that takes the words. Numbered
// messages must come out whole and in order; the number and the total of the next record say what
// is missing.
class Reader {
 public:
  static constexpr unsigned kLog2Entries = 3, kEntries = 1u << kLog2Entries;

  void write(uint64_t addr, uint64_t data) { memory_[addr / 8] = data; }

  /// Takes the next record. False if there is none.
  bool read() {
    const uint64_t* record = memory_ + next_ % kEntries * 4;
    if (record[3] >> 60 != 1) return false;  // nothing was written there
    const auto number = static_cast<uint32_t>(record[0]);
    if (((number ^ record[3] >> 32) & 0xffffff) != 0) return false;  // an incomplete record
    const auto ahead = static_cast<int32_t>(number - next_);
    if (ahead < 0) return false;
    if (ahead > 0) {  // overtaken by the writer; the oldest complete record
      next_ = number - kEntries + 1;
      return read();
    }
    const auto total = static_cast<uint32_t>(record[0] >> 32);
    lost_ += number - expected_;
    lost_counts_ += total - total_;
    EXPECT_EQ(record[1], number) << "pc";
    EXPECT_EQ(record[2], ~uint64_t{number}) << "value";
    EXPECT_EQ(record[3] >> 56 & 15, number % 16) << "tag";
    EXPECT_EQ(record[3] & 0xffffffff, number % 100) << "count";
    expected_ = ++next_;
    total_ = total + static_cast<uint32_t>(record[3]);
    counts_ += static_cast<uint32_t>(record[3]);
    ++messages_;
    return true;
  }

  uint32_t next() const { return next_; }
  uint64_t messages() const { return messages_; }
  uint64_t counts() const { return counts_; }
  uint64_t lost() const { return lost_; }  // in messages
  uint64_t lost_counts() const { return lost_counts_; }

 private:
  uint64_t memory_[kEntries * 4] = {};
  uint32_t next_ = 0;      // number of the next record
  uint32_t expected_ = 0;  // number after the last record taken
  uint32_t total_ = 0;     // sum of counts up to there
  uint64_t messages_ = 0, counts_ = 0, lost_ = 0, lost_counts_ = 0;
};

struct Outcome {
  RingWriter::Outputs writer;  // after the run
  uint64_t sent = 0, counts = 0;
  Reader reader;
};

// Sends numbered messages through the writer to a reader that is active an eighth of the time.
Outcome read_ring(bool overwrite) {
  Outcome outcome;
  RingWriterDut<Vring_writer_c32> rtl;
  Random random(bench_seed());
  RingWriter::Inputs in;
  in.ring = {true, overwrite, Reader::kLog2Entries, 0, 0};
  uint64_t& sent = outcome.sent;
  for (uint64_t cycle = 0;; ++cycle) {
    if (cycle == bench_cycles()) in.ring.enable = false;
    if (!in.ring.enable && !outcome.writer.busy) break;
    in.valid = true;
    in.head = Message{Tuple{sent, ~sent, static_cast<uint8_t>(sent % 16)},
                      static_cast<uint32_t>(sent % 100)};
    in.mem_ready = chance(random, 70);
    const RingWriter::Outputs now = rtl.step(in);
    if (now.mem_valid && in.mem_ready) outcome.reader.write(now.mem_addr, now.mem_data);
    if (now.pop) outcome.counts += sent++ % 100;
    outcome.writer = now;
    outcome.writer.busy = now.busy && !now.pop;
    if (cycle / 100 % 8 == 0 && outcome.reader.read()) in.ring.cons = outcome.reader.next();
  }
  while (outcome.reader.read()) {
  }
  return outcome;
}

TEST(RingWriterRtl, LosesNothingWhenItWaitsForSoftware) {
  const Outcome outcome = read_ring(false);
  EXPECT_GT(outcome.sent, bench_cycles() / 200);
  EXPECT_GT(outcome.writer.stalls, bench_cycles() / 4);
  EXPECT_EQ(outcome.writer.overwritten, 0u);
  EXPECT_EQ(outcome.writer.high_water, Reader::kEntries);
  EXPECT_EQ(outcome.reader.messages(), outcome.sent);
  EXPECT_EQ(outcome.reader.lost(), 0u);
  EXPECT_EQ(outcome.reader.counts(), outcome.counts);
}

TEST(RingWriterRtl, TellsSoftwareExactlyWhatItOverwrote) {
  const Outcome outcome = read_ring(true);
  EXPECT_EQ(outcome.writer.stalls, 0u);
  EXPECT_GT(outcome.reader.messages(), bench_cycles() / 200);
  EXPECT_GT(outcome.reader.lost(), bench_cycles() / 20);
  EXPECT_LE(outcome.reader.lost(), outcome.writer.overwritten);
  EXPECT_EQ(outcome.reader.messages() + outcome.reader.lost(), outcome.sent);
  EXPECT_EQ(outcome.reader.counts() + outcome.reader.lost_counts(), outcome.counts);
}

}  // namespace
}  // namespace strobe::tb
