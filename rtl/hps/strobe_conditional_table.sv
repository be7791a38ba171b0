// SPDX-License-Identifier: Apache-2.0
// Conditional table: holds the conditions and micro-operations of the productions, and prepares what each
// instruction of a bundle does under the present flags.
//
// docs/blocks/dise.md, "The loop". rows_o is prepared one cycle before the loop, for the bundle whose hits
// came in the last cycle with advance_i; step j is at [StepBits*j +: StepBits]. After the flags change
// (changed_i) it is prepared again in two cycles with stale_o: first the conditions under the new flags, then
// the rows. Meanwhile the loop waits and advance_i is 0.
// may_stop_o belongs to rows_o, and may_stop_next_o is its value in the next cycle: some entry that fits
// replaces or sets a counter. It is 1 wherever a row stops; it may be 1 where none does, because it does not
// depend on which entries supply an operation.
// Conditions and operations are stored as masks over all entries. They and the control copies are written
// only while no bundle is in flight.
`include "strobe_assert.svh"

module strobe_conditional_table #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int Counters = 2,
    parameter int CounterWidth = 20,
    parameter int FlagTiming = 0
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                        write_condition_i,
    input logic                        write_ops_i,
    input logic [$clog2(Patterns)-1:0] index_i,
    input logic [63:0]                 wdata_i,

    input logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_i,

    input logic [(1<<(2*Counters))-1:0] state_i,    // the flags, one-hot
    input logic                         changed_i,  // the flags differ from the next cycle on

    input logic                      advance_i,
    input logic [Patterns*Lanes-1:0] hits_i,
    input logic [Patterns-1:0]       replaces_i,

    output logic                      stale_o,
    output logic                      may_stop_o,
    output logic                      may_stop_next_o,
    output logic [Patterns*Lanes-1:0] replacing_o,  // one-hot for each lane: the entry that replaces it
    output logic [Lanes*(FlagTiming+1)*(strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*Counters)-1:0] rows_o
);
  `STROBE_REQUIRE(ConditionalLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_conditional_table: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(ConditionalCounters, Counters >= 1 && Counters <= strobe_dise_pkg::MaxCounters,
                  "strobe_conditional_table: Counters must be 1 to 3")
  localparam int States = 1 << (2 * Counters);
  localparam int Steps = FlagTiming + 1;
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * Counters;

  logic [Patterns*States-1:0] conditions_q;
  logic [Counters*Patterns-1:0] inc_q, dec_q, set_q, minus_one_q, one_q;
  logic [3*Counters*Patterns-1:0] register_q;
  for (genvar e = 0; e < Patterns; e++) begin : gen_entry
    always_ff @(posedge clk_i) begin
      if (write_condition_i && index_i == $clog2(Patterns)'(e)) begin
        for (int f = 0; f < States; f++) conditions_q[Patterns*f+e] <= wdata_i[f];
      end
      if (write_ops_i && index_i == $clog2(Patterns)'(e)) begin
        for (int n = 0; n < Counters; n++) begin
          inc_q[Patterns*n+e] <= wdata_i[5*n+:2] == strobe_dise_pkg::OpInc;
          dec_q[Patterns*n+e] <= wdata_i[5*n+:2] == strobe_dise_pkg::OpDec;
          set_q[Patterns*n+e] <= wdata_i[5*n+:2] == strobe_dise_pkg::OpSet;
          for (int b = 0; b < 3; b++) register_q[Patterns*(3*n+b)+e] <= wdata_i[5*n+2+b];
        end
      end
    end
  end

  // Whether an entry's set writes -1 or 1. Registered, because the control copies are stable while it is
  // used.
  logic [strobe_dise_pkg::DiseRegisters-1:0] copy_is_minus_one, copy_is_one;
  for (genvar r = 0; r < strobe_dise_pkg::DiseRegisters; r++) begin : gen_copy
    assign copy_is_minus_one[r] = copies_i[CounterWidth*r+:CounterWidth] == '1;
    assign copy_is_one[r] = copies_i[CounterWidth*r+:CounterWidth] == CounterWidth'(1);
  end
  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    for (genvar e = 0; e < Patterns; e++) begin : gen_entry
      logic [2:0] register;
      assign register = {
        register_q[Patterns*(3*n+2)+e], register_q[Patterns*(3*n+1)+e], register_q[Patterns*3*n+e]
      };
      always_ff @(posedge clk_i) begin
        minus_one_q[Patterns*n+e] <= set_q[Patterns*n+e] && copy_is_minus_one[register];
        one_q[Patterns*n+e] <= set_q[Patterns*n+e] && copy_is_one[register];
      end
    end
  end

  // The entries whose condition holds: condition_q for the bundle that arrives, again_q for the bundle whose
  // rows are prepared again.
  logic [1:0] stale_q;  // bit 0: conditions, bit 1: rows
  logic either_stale_q;
  logic [Patterns-1:0] condition, condition_q, again_q;
  strobe_onehot_mux #(
      .Width (Patterns),
      .Inputs(States)
  ) u_condition (
      .data_i  (conditions_q),
      .select_i(state_i),
      .data_o  (condition)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      stale_q <= '0;
      either_stale_q <= 1'b0;
    end else begin
      stale_q <= {stale_q[0], changed_i};
      either_stale_q <= stale_q[0] || changed_i;
    end
  end
  always_ff @(posedge clk_i) begin
    condition_q <= stale_q[0] ? '0 : condition;
    again_q <= stale_q[0] ? condition : '0;
  end
  assign stale_o = either_stale_q;

  logic [Patterns-1:0] stopping;
  logic [Lanes-1:0] may_stop;
  logic may_stop_q;
  always_comb begin
    stopping = replaces_i;
    for (int n = 0; n < Counters; n++) stopping |= set_q[Patterns*n+:Patterns];
  end
  assign may_stop_next_o = advance_i || stale_q[1] ? may_stop != '0 : may_stop_q;
  assign may_stop_o = may_stop_q;
  always_ff @(posedge clk_i) may_stop_q <= may_stop_next_o;

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [Patterns-1:0] hits, hits_q, fit, replacing, replacing_q;
    logic [Steps*StepBits-1:0] steps, steps_q;
    assign hits = hits_i[Patterns*k+:Patterns];
    assign fit = (hits & condition_q) | (hits_q & again_q);
    assign may_stop[k] = (fit & stopping) != '0;
    strobe_condition_mask #(
        .Patterns  (Patterns),
        .Counters  (Counters),
        .FlagTiming(FlagTiming)
    ) u_mask (
        .fit_i      (fit),
        .replaces_i,
        .inc_i      (inc_q),
        .dec_i      (dec_q),
        .set_i      (set_q),
        .register_i (register_q),
        .minus_one_i(minus_one_q),
        .one_i      (one_q),
        .replacing_o(replacing),
        .steps_o    (steps)
    );
    always_ff @(posedge clk_i) begin
      if (advance_i) hits_q <= hits;
      if (advance_i || stale_q[1]) begin
        replacing_q <= replacing;
        steps_q <= steps;
      end
    end
    assign replacing_o[Patterns*k+:Patterns] = replacing_q;
    assign rows_o[StepBits*Steps*k+:StepBits*Steps] = steps_q;
  end

  `STROBE_ASSERT(ConditionalWaitsForItsRows, !stale_o || !(advance_i || changed_i))

  logic unused_wdata;
  assign unused_wdata = ^wdata_i;
endmodule
