// SPDX-License-Identifier: Apache-2.0
// The strata of a stratified sampler H[X_r]_n behind its hash (ISCA 2001, sections 3.1 to 3.5,
// Figure 5), where X is periodic, random, a random countdown or counted random: a whole sampler, or
// one bank of a banked one. A tuple comes with its stratum.
//
// docs/blocks/stratified_sampler.md is the contract. Three stages that move together:
//
//     accept: draw, read state ─▶ stage 1: state arrives ─▶ stage 2: rule X, write ─▶ message register
//
// The rules are strobe_rule_*.sv. The RAM is asked in the cycle of acceptance, so that its access time
// and the rule are in stages of their own. What stage 2 writes and what it has just written is
// forwarded to stage 1, so tuples of one stratum may follow each other back to back. One random number a tuple, so a stall changes no outcome.
// Nothing moves while a message waits for msg_ready_i. Priority: clear > initialisation > advance;
// a table read-out uses the read port only in cycles in which the pipeline does not.
`include "strobe_assert.svh"

module strobe_strata #(
    parameter int Sampler = strobe_pkg::SamplerPeriodic,
    parameter int Strata = 2048,
    parameter int CounterWidth = 8,
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth,
    parameter int Bank = 0  // 1: ready_o is from a flip-flop, and 0 while there is a message;
                            // the period is that of the cycle before
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // r; 0 counts as 1. At most 2^CounterWidth, for a countdown 2^(CounterWidth-1): the registers see
    // to it. The random samplers draw with probability (threshold + 1) / 2^32; a clear loads the seed.
    input logic [strobe_pkg::PeriodWidth-1:0]    period_i,
    input logic [strobe_pkg::ThresholdWidth-1:0] threshold_i,
    input logic [strobe_pkg::SeedWidth-1:0]      seed_i,

    input  logic                              valid_i,
    input  logic [TupleWidth-1:0]             tuple_i,
    input  logic [strobe_pkg::IndexWidth-1:0] index_i,
    output logic                              ready_o,

    output logic                  msg_valid_o,
    output logic [TupleWidth-1:0] msg_tuple_o,
    output logic [CounterWidth:0] msg_count_o,
    input  logic                  msg_ready_i,

    input  logic [15:0]             table_index_i,
    output logic [CounterWidth-1:0] table_data_o,

    output logic init_o,
    output logic idle_o
);
  `STROBE_REQUIRE(StrataSampler, Sampler >= 0 && Sampler < strobe_pkg::Samplers,
                  "strobe_strata: Sampler must be one of strobe_pkg::Sampler*")
  `STROBE_REQUIRE(StrataEntries, Strata >= 1 && Strata <= strobe_pkg::MaxStrata &&
                  (Strata & (Strata - 1)) == 0,
                  "strobe_strata: Strata must be a power of two from 1 to 4096")
  `STROBE_REQUIRE(StrataBank, Bank == 0 || Bank == 1, "strobe_strata: Bank must be 0 or 1")
  `STROBE_REQUIRE(StrataCounter, CounterWidth >= 1 &&
                  CounterWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_strata: CounterWidth must be 1 to 12")
  `STROBE_REQUIRE(StrataTuple, TupleWidth >= 1, "strobe_strata: TupleWidth must be at least 1")

  // A random sampler has no state: to it all strata are one, and there is no table.
  localparam int Entries = Sampler == strobe_pkg::SamplerRandom ? 1 : Strata;
  localparam int IndexBits = $clog2(Entries);
  localparam int IndexWidth = IndexBits > 0 ? IndexBits : 1;
  localparam logic [IndexWidth-1:0] LastIndex = IndexWidth'(Entries - 1);

  logic advance, accept;
  assign advance = !msg_valid_o || msg_ready_i;
  assign accept  = valid_i && ready_o;

  // Initialisation: one entry a cycle.
  logic init_q;
  logic [IndexWidth-1:0] init_index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (clear_i) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (init_q) begin
      init_q <= init_index_q != LastIndex;
      init_index_q <= init_index_q + IndexWidth'(1);
    end
  end
  assign init_o = init_q;

  // Which stages hold something.
  logic s1_valid_q, s2_valid_q, msg_valid_q, emit;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (clear_i) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (advance) begin
      s1_valid_q  <= accept;
      s2_valid_q  <= s1_valid_q;
      msg_valid_q <= emit;
    end
  end

  // A bank is ready when nothing is in the message register. In a flip-flop of its own: the message's
  // valid bit drives the whole message.
  if (Bank == 1) begin : gen_ready_of_bank
    logic ready_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ready_q <= 1'b0;
      else if (clear_i) ready_q <= 1'b0;
      else if (init_q) ready_q <= init_index_q == LastIndex;
      else if (advance) ready_q <= !emit;
    end
    assign ready_o = ready_q;
    `STROBE_ASSERT(StrataBankIsReadyWithoutMessage, ready_q == (!msg_valid_q && !init_q))
  end else begin : gen_ready
    assign ready_o = advance && !init_o;
  end

  // Stage 1: the tuple and its index; the RAM gives the state. Where stage 2 wrote in the cycle of
  // acceptance, the RAM's word is an old one.
  logic [IndexWidth-1:0] index, s1_index_q, s2_index_q, written_index_q;
  logic [TupleWidth-1:0] s1_tuple_q;
  logic written_q;
  logic [CounterWidth-1:0] ram_rdata, next, written_state_q, s1_state;
  assign index = IndexWidth'(index_i & strobe_pkg::IndexWidth'(Entries - 1));
  always_ff @(posedge clk_i) begin
    if (accept) begin
      s1_index_q <= index;
      s1_tuple_q <= tuple_i;
    end
    if (advance) begin
      written_q <= s2_valid_q;
      written_index_q <= s2_index_q;
      written_state_q <= next;
    end
  end
  assign s1_state = written_q && s1_index_q == written_index_q ? written_state_q : ram_rdata;

  // Stage 2: the state, unless stage 2 is about to change it, and the draw of the tuple.
  logic [TupleWidth-1:0] s2_tuple_q;
  logic s1_advance, due;
  logic [CounterWidth-1:0] held_q;
  logic [CounterWidth:0] count;
  assign s1_advance = advance && s1_valid_q;
  assign emit = s2_valid_q && due;
  always_ff @(posedge clk_i) begin
    if (s1_advance) begin
      s2_index_q <= s1_index_q;
      s2_tuple_q <= s1_tuple_q;
      held_q <= s2_valid_q && s1_index_q == s2_index_q ? next : s1_state;
    end
  end

  // Chance: the number of the generator belongs to the next tuple.
  logic [31:0] random;
  if (Sampler == strobe_pkg::SamplerPeriodic) begin : gen_not_random
    logic unused_seed;
    assign random = '0;
    assign unused_seed = ^{random, seed_i};
  end else begin : gen_random
    strobe_lfsr u_lfsr (
        .clk_i,
        .rst_ni,
        .clear_i,
        .seed_i,
        .step_i(accept),
        .random_o(random)
    );
  end

  logic hit;  // the tuple in stage 2 is drawn
  if (Sampler == strobe_pkg::SamplerRandom || Sampler == strobe_pkg::SamplerCountedRandom)
  begin : gen_hit
    strobe_draw_hit u_draw (
        .clk_i,
        .accept_i(accept),
        .advance_i(s1_advance),
        .random_i(random),
        .threshold_i,
        .hit_o(hit)
    );
  end else begin : gen_no_hit
    logic unused_hit;
    assign hit = 1'b0;
    assign unused_hit = ^{hit, random, threshold_i};
  end

  // A bank has a copy of the period: one register drives too much for a sum in every bank.
  logic [strobe_pkg::PeriodWidth-1:0] period;
  if (Bank == 1) begin : gen_period_of_bank
    logic [strobe_pkg::PeriodWidth-1:0] period_q;
    always_ff @(posedge clk_i) period_q <= period_i;
    assign period = period_q;
  end else begin : gen_period
    assign period = period_i;
  end

  // The rule.
  if (Sampler == strobe_pkg::SamplerPeriodic) begin : gen_periodic
    strobe_rule_periodic #(
        .Width(CounterWidth)
    ) u_rule (
        .state_i(held_q),
        .period_i(period),
        .emit_o(due),
        .count_o(count),
        .state_o(next)
    );
  end
  if (Sampler == strobe_pkg::SamplerRandom) begin : gen_random_rule
    logic unused_held;
    assign unused_held = ^held_q;
    assign next = '0;
    strobe_rule_random #(
        .Width(CounterWidth)
    ) u_rule (
        .hit_i(hit),
        .period_i(period),
        .emit_o(due),
        .count_o(count)
    );
  end
  if (Sampler == strobe_pkg::SamplerCountdown) begin : gen_countdown
    logic [CounterWidth-1:0] restart;
    strobe_draw_restart #(
        .Width(CounterWidth)
    ) u_draw (
        .clk_i,
        .accept_i(accept),
        .advance_i(s1_advance),
        .random_i(random[31-:strobe_pkg::DrawWidth]),
        .period_i(period),
        .restart_o(restart)
    );
    strobe_rule_countdown #(
        .Width(CounterWidth)
    ) u_rule (
        .state_i(held_q),
        .restart_i(restart),
        .period_i(period),
        .emit_o(due),
        .count_o(count),
        .state_o(next)
    );
  end
  if (Sampler == strobe_pkg::SamplerCountedRandom) begin : gen_counted_random
    logic unused_period;
    assign unused_period = ^period;
    strobe_rule_counted_random #(
        .Width(CounterWidth)
    ) u_rule (
        .state_i(held_q),
        .hit_i(hit),
        .emit_o(due),
        .count_o(count),
        .state_o(next)
    );
  end

  // Message register. It takes every tuple of stage 2; its valid bit says whether a message is due.
  logic [TupleWidth-1:0] msg_tuple_q;
  logic [CounterWidth:0] msg_count_q;
  always_ff @(posedge clk_i) begin
    if (advance) begin
      msg_tuple_q <= s2_tuple_q;
      msg_count_q <= count;
    end
  end
  assign msg_valid_o = msg_valid_q;
  assign msg_tuple_o = msg_tuple_q;
  assign msg_count_o = msg_count_q;

  // Table read-out through the idle read port: read in t, in table_data_o from t+2 on.
  logic empty, table_read, table_read_q;
  logic [CounterWidth-1:0] table_data_q;
  assign empty = !s1_valid_q && !s2_valid_q && !msg_valid_q;
  assign table_read = empty && !init_q && !accept;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      table_read_q <= 1'b0;
      table_data_q <= '0;
    end else if (clear_i) begin
      table_read_q <= 1'b0;
      table_data_q <= '0;
    end else begin
      table_read_q <= table_read;
      if (table_read_q) table_data_q <= ram_rdata;
    end
  end
  assign table_data_o = table_data_q;
  assign idle_o = empty && !init_q;

  // The table.
  localparam logic [15:0] TableMask = 16'(Entries - 1);
  logic table_write;
  logic [IndexWidth-1:0] table_waddr, table_raddr;
  assign table_write = init_q || (advance && s2_valid_q);
  assign table_waddr = init_q ? init_index_q : s2_index_q;
  assign table_raddr = valid_i ? index : IndexWidth'(table_index_i & TableMask);
  if (Sampler == strobe_pkg::SamplerRandom) begin : gen_no_table
    logic unused_table;
    assign unused_table = ^{table_write, table_waddr, table_raddr};
    assign ram_rdata = '0;
  end else begin : gen_table
    strobe_ram_1r1w #(
        .Width(CounterWidth),
        .Depth(Entries)
    ) u_table (
        .clk_i,
        .we_i(table_write),
        .waddr_i(table_waddr),
        .wdata_i(init_q ? '0 : next),
        .re_i(accept || table_read),
        .raddr_i(table_raddr),
        .rdata_o(ram_rdata)
    );
  end

  `STROBE_ASSERT(StrataInitialisesOnlyWhenEmpty, !init_q || empty)
  `STROBE_ASSERT(StrataReadsForOneUser, !(valid_i && table_read))
  `STROBE_ASSERT(StrataMessageCountsSomething, !msg_valid_q || msg_count_q != '0)
endmodule
