// SPDX-License-Identifier: Apache-2.0
// The strata of a stratified sampler H[X_r]_n without its hash (ISCA 2001, sections 3.1 to 3.5,
// Figure 5), where X is periodic, random, a random countdown or counted random: a whole sampler, or
// one bank of a banked one. A tuple comes with its stratum.
//
// docs/blocks/stratified_sampler.md is the contract. The pipeline with the table of strata is
// strobe_sampler_pipeline; the rules that it applies in stage 2 are strobe_rule_*.sv. Each accepted
// tuple takes one random number, so a stall changes no outcome.
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

    // r; 0 counts as 1. The registers keep it at most 2^CounterWidth, for a countdown
    // 2^(CounterWidth-1). The random samplers draw with probability (threshold + 1) / 2^32; a clear
    // loads the seed.
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
  `STROBE_REQUIRE(StrataSampler, Sampler >= 0 && Sampler < strobe_pkg::SamplerChoices,
                  "strobe_strata: Sampler must be one of strobe_pkg::Sampler*")
  `STROBE_REQUIRE(StrataEntries, Strata >= 1 && Strata <= strobe_pkg::MaxStrata &&
                  (Strata & (Strata - 1)) == 0,
                  "strobe_strata: Strata must be a power of two from 1 to 4096")
  `STROBE_REQUIRE(StrataBank, Bank == 0 || Bank == 1, "strobe_strata: Bank must be 0 or 1")
  `STROBE_REQUIRE(StrataCounter, CounterWidth >= 1 &&
                  CounterWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_strata: CounterWidth must be 1 to 12")
  `STROBE_REQUIRE(StrataTuple, TupleWidth >= 1, "strobe_strata: TupleWidth must be at least 1")

  // A random sampler has no state, so it has no table and one stratum.
  localparam int HasTable = Sampler == strobe_pkg::SamplerRandom ? 0 : 1;
  logic accept, s1_advance, due;
  logic [CounterWidth-1:0] state, next_state, table_word;
  logic [CounterWidth:0] count;
  logic unused_table_read;
  strobe_sampler_pipeline #(
      .Entries(HasTable == 1 ? Strata : 1),
      .WordWidth(CounterWidth),
      .CountWidth(CounterWidth + 1),
      .TableWidth(CounterWidth),
      .TupleWidth(TupleWidth),
      .Table(HasTable),
      .Bank(Bank)
  ) u_pipeline (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .tuple_i,
      .index_i,
      .ready_o,
      .accept_o(accept),
      .s1_advance_o(s1_advance),
      .word_o(state),
      .word_i(next_state),
      .due_i(due),
      .count_i(count),
      .msg_valid_o,
      .msg_tuple_o,
      .msg_count_o,
      .msg_ready_i,
      .table_index_i,
      .table_read_o(unused_table_read),
      .table_word_o(table_word),
      .table_data_i(table_word),
      .table_data_o,
      .init_o,
      .idle_o
  );

  // The generator's number belongs to the next tuple that is accepted.
  logic [31:0] random;
  if (Sampler == strobe_pkg::SamplerPeriodic) begin : gen_not_random
    logic unused_seed;
    assign random = '0;
    assign unused_seed = ^{random, seed_i, accept};
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
    assign unused_hit = ^{hit, random, threshold_i, s1_advance};
  end

  // A bank has a copy of the period, because one register would drive the adders of all banks.
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
        .state_i(state),
        .period_i(period),
        .emit_o(due),
        .count_o(count),
        .state_o(next_state)
    );
  end
  if (Sampler == strobe_pkg::SamplerRandom) begin : gen_random_rule
    logic unused_state;
    assign unused_state = ^state;
    assign next_state = '0;
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
        .state_i(state),
        .restart_i(restart),
        .period_i(period),
        .emit_o(due),
        .count_o(count),
        .state_o(next_state)
    );
  end
  if (Sampler == strobe_pkg::SamplerCountedRandom) begin : gen_counted_random
    logic unused_period;
    assign unused_period = ^period;
    strobe_rule_counted_random #(
        .Width(CounterWidth)
    ) u_rule (
        .state_i(state),
        .hit_i(hit),
        .emit_o(due),
        .count_o(count),
        .state_o(next_state)
    );
  end

  `STROBE_ASSERT(StrataMessageCountsSomething, !msg_valid_o || msg_count_o != '0)
endmodule
