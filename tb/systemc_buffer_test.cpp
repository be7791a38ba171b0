// The message buffer in a SystemC test bench: a producer, the Verilated block, a consumer, a clock.
//
// The RTL of message_buffer_test, connected by signals as in a system-level model. The block
// samples its inputs at the rising edge and drives its outputs at the falling edge, so that what
// the other modules see at a rising edge does not depend on the order of the processes.
// clang-format off: a plain C++ Verilated model must be included before SystemC; otherwise its
// header takes itself for a SystemC one.
#include "Vbuffer_d256.h"
// clang-format on
#include <algorithm>
#include <systemc>

#include "tb/clocked.h"
#include "tb/compare.h"
#include "tb/tuple_lanes.h"

namespace strobe::tb {
namespace {

struct BufferModule : sc_core::sc_module {
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> valid_in{"valid_in"}, pop{"pop"};
  sc_core::sc_in<uint64_t> pc_in{"pc_in"};
  sc_core::sc_out<bool> ready{"ready"}, valid_out{"valid_out"};
  sc_core::sc_out<uint64_t> pc_out{"pc_out"};
  sc_core::sc_out<unsigned> level{"level"};

  explicit BufferModule(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(BufferModule);
    SC_METHOD(rise);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(fall);
    sensitive << clk.neg();
    block_.top().clear_i = 0;
  }

 private:
  void rise() {
    Vbuffer_d256& top = block_.top();
    top.valid_i = valid_in;
    top.pop_i = pop;
    set_tuple(top.tuple_i, Tuple{pc_in, ~pc_in.read(), 0});
    top.count_i = static_cast<uint32_t>(pc_in.read());
    block_.settle();
    block_.edge();
  }
  void fall() {
    block_.settle();
    Vbuffer_d256& top = block_.top();
    ready = top.ready_o != 0;
    valid_out = top.valid_o != 0;
    pc_out = get_tuple(top.tuple_o).pc;
    level = top.level_o;
  }

  Clocked<Vbuffer_d256> block_;
};

// Offers messages at random, numbered in the order in which they are taken.
struct Producer : sc_core::sc_module {
  sc_core::sc_in<bool> clk{"clk"}, ready{"ready"};
  sc_core::sc_out<bool> valid{"valid"};
  sc_core::sc_out<uint64_t> pc{"pc"};

  Producer(sc_core::sc_module_name name, uint64_t seed) : sc_module(name), random_(seed) {
    SC_HAS_PROCESS(Producer);
    SC_METHOD(cycle);
    sensitive << clk.pos();
    dont_initialize();
  }
  uint64_t sent = 0;

 private:
  void cycle() {
    if (valid && ready) ++sent;
    if (left_-- == 0) {
      left_ = below(random_, 2000);
      rate_ = below(random_, 101);
    }
    valid = chance(random_, rate_);
    pc = sent + 1;
  }

  Random random_;
  uint64_t left_ = 0, rate_ = 0;
};

// Pops at random and expects the messages in order, none lost and none doubled.
struct Consumer : sc_core::sc_module {
  sc_core::sc_in<bool> clk{"clk"}, valid{"valid"};
  sc_core::sc_in<uint64_t> pc{"pc"};
  sc_core::sc_in<unsigned> level{"level"};
  sc_core::sc_out<bool> pop{"pop"};

  Consumer(sc_core::sc_module_name name, uint64_t seed) : sc_module(name), random_(seed) {
    SC_HAS_PROCESS(Consumer);
    SC_METHOD(cycle);
    sensitive << clk.pos();
    dont_initialize();
  }
  uint64_t received = 0, out_of_order = 0;
  unsigned highest_level = 0;

 private:
  void cycle() {
    if (valid && pop) {
      ++received;
      out_of_order += pc != received;
    }
    highest_level = std::max(highest_level, level.read());
    if (left_-- == 0) {
      left_ = below(random_, 2000);
      rate_ = below(random_, 101);
    }
    pop = chance(random_, rate_);
  }

  Random random_;
  uint64_t left_ = 0, rate_ = 0;
};

TEST(MessageBufferInSystemC, DeliversEveryMessageOnceAndInOrder) {
  const uint64_t seed = bench_seed();
  sc_core::sc_clock clk("clk", sc_core::sc_time(10, sc_core::SC_NS));
  sc_core::sc_signal<bool> valid_in("valid_in"), ready("ready"), valid_out("valid_out"), pop("pop");
  sc_core::sc_signal<uint64_t> pc_in("pc_in"), pc_out("pc_out");
  sc_core::sc_signal<unsigned> level("level");

  BufferModule buffer("buffer");
  buffer.clk(clk);
  buffer.valid_in(valid_in);
  buffer.pop(pop);
  buffer.pc_in(pc_in);
  buffer.ready(ready);
  buffer.valid_out(valid_out);
  buffer.pc_out(pc_out);
  buffer.level(level);

  Producer producer("producer", seed);
  producer.clk(clk);
  producer.ready(ready);
  producer.valid(valid_in);
  producer.pc(pc_in);

  Consumer consumer("consumer", seed + 1);
  consumer.clk(clk);
  consumer.valid(valid_out);
  consumer.pc(pc_out);
  consumer.level(level);
  consumer.pop(pop);

  sc_core::sc_start(sc_core::sc_time(10.0 * static_cast<double>(bench_cycles()), sc_core::SC_NS));

  EXPECT_EQ(consumer.out_of_order, 0u);
  EXPECT_GT(consumer.received, bench_cycles() / 10);
  EXPECT_EQ(consumer.highest_level, 256u) << "the bench never filled the buffer";
  EXPECT_LE(producer.sent - consumer.received, 256u + 1u);
}

}  // namespace
}  // namespace strobe::tb
