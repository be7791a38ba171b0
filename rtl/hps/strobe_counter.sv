// SPDX-License-Identifier: Apache-2.0
// One counter of the bank. A pass of several steps counts it or sets it; at the start of each cycle it is
// known whether the next inc overflows and whether the next dec gives zero.
//
// docs/blocks/dise.md, "The loop". The value is stored one pass late: base_q is the value before the last
// pass; inc_q, dec_q and set_q are what that pass did.
// near_o = 1 says that the value may be close to 0. The caller then allows at most one inc or dec in a pass,
// so both outputs follow from that step and a few comparisons of the base. While near_o is 0 a pass may count
// by Steps either way and stays more than one away from 0: near_o is 1 whenever the value two cycles ago was
// within 3 * Steps + 2 of 0, and in the two cycles after a set or a load.
// Priority: clear > load > pass. clear_i arrives late and passes only the last gate before a flip-flop.
`include "strobe_assert.svh"

module strobe_counter #(
    parameter int Steps = 4,
    parameter int Lanes = 4,
    parameter int Width = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [strobe_dise_pkg::DiseRegisters*Width-1:0] copies_i,

    input logic             clear_i,
    input logic             load_i,
    input logic [Width-1:0] load_value_i,

    // A pass: the steps that count up and down, and the set that ends it.
    input logic [Steps-1:0] inc_i,
    input logic [Steps-1:0] dec_i,
    input logic             set_i,
    input logic [2:0]       set_register_i,
    input logic             set_minus_one_i,
    input logic             set_one_i,

    output logic near_o,
    output logic near_next_o,  // early; 0: near_o is 0 in the next cycle, unless set_i is 1
    output logic minus_one_o,  // the next inc overflows
    output logic one_o,        // the next dec gives zero
    output logic [Width-1:0] value_o,
    output logic [Width-1:0] base_o,  // early; the value, unless the last cycle had a pass
    // The value after each lane of the last pass. lane_set_i has the lanes for which the set counts.
    input  logic [Lanes-1:0]       lane_set_i,
    output logic [Width*Lanes-1:0] lane_value_o
);
  `STROBE_REQUIRE(CounterSteps, Steps >= Lanes && Steps <= 2 * strobe_dise_pkg::MaxLanes && Steps % Lanes == 0,
                  "strobe_counter: Steps must be Lanes or 2 * Lanes, at most 8")
  `STROBE_REQUIRE(CounterBits, Width >= 8 && Width <= 32, "strobe_counter: Width must be 8 to 32")
  localparam int NearBits = $clog2(3 * Steps + 3);  // near: -2^NearBits to 2^NearBits - 1
  localparam int SumBits = 5;

  logic [Width-1:0] base_q, copy, moved_to;
  logic [Steps-1:0] inc_q, dec_q;
  logic set_q, near_q, minus_one_q, one_q;
  logic [2:0] register_q;
  assign copy = copies_i[Width*register_q+:Width];

  // base_q plus the steps up to a lane. The low bits are added; the carry selects the high bits as they are,
  // one more or one less, which are ready before it.
  localparam int High = Width - SumBits;
  logic [High-1:0] high, more, less;
  assign high = base_q[Width-1:SumBits];
  strobe_increment #(
      .Width(High)
  ) u_more (
      .value_i(high),
      .value_o(more)
  );
  logic [High-1:0] not_less;  // high - 1 is ~(~high + 1)
  strobe_increment #(
      .Width(High)
  ) u_less (
      .value_i(~high),
      .value_o(not_less)
  );
  assign less = ~not_less;
  // The low bits plus each number of steps; an extra top bit says that the sum left their range.
  logic [(2*Steps+1)*(SumBits+1)-1:0] lows;
  for (genvar n = -Steps; n <= Steps; n++) begin : gen_low
    assign lows[(SumBits+1)*(Steps+n)+:SumBits+1] = {1'b0, base_q[SumBits-1:0]} + (SumBits + 1)'(n);
  end
  // Steps are applied in pairs, padded to an even number: +2, +1, -1, -2.
  localparam int Pairs = (Steps + 1) / 2;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Upto = Steps / Lanes * (l + 1);
    logic [2*Pairs-1:0] inc, dec;
    logic [2*Steps:0] moved;  // one-hot: bit Steps + n says that the steps up to the lane add n
    logic [SumBits:0] low;
    logic up;
    assign inc = (2 * Pairs)'(inc_q[Upto-1:0]);
    assign dec = (2 * Pairs)'(dec_q[Upto-1:0]);
    always_comb begin
      moved = '0;
      moved[Steps] = 1'b1;
      for (int p = 0; p < Pairs; p++) begin
        moved = ((moved << 2) & {(2 * Steps + 1) {inc[2*p] && inc[2*p+1]}}) |
                ((moved << 1) & {(2 * Steps + 1) {(inc[2*p] && !inc[2*p+1] && !dec[2*p+1]) ||
                                                  (inc[2*p+1] && !inc[2*p] && !dec[2*p])}}) |
                (moved & {(2 * Steps + 1) {inc[2*p] == dec[2*p+1] && dec[2*p] == inc[2*p+1]}}) |
                ((moved >> 1) & {(2 * Steps + 1) {(dec[2*p] && !inc[2*p+1] && !dec[2*p+1]) ||
                                                  (dec[2*p+1] && !inc[2*p] && !dec[2*p])}}) |
                ((moved >> 2) & {(2 * Steps + 1) {dec[2*p] && dec[2*p+1]}});
      end
    end
    strobe_onehot_mux #(
        .Width (SumBits + 1),
        .Inputs(2 * Steps + 1)
    ) u_low (
        .data_i  (lows),
        .select_i(moved),
        .data_o  (low)
    );
    assign up = moved[2*Steps:Steps] != '0;
    assign lane_value_o[Width*l+:Width] = lane_set_i[l] ? copy :
        {!low[SumBits] ? high : up ? more : less, low[SumBits-1:0]};
    if (l == Lanes - 1) begin : gen_last
      assign moved_to = {!low[SumBits] ? high : up ? more : less, low[SumBits-1:0]};
    end
  end
  assign value_o = set_q ? copy : moved_to;

  // is[2 + v]: the value is v, for v from -2 to 2; exact only where the last pass made at most one step.
  // base_is[3 + v]: the base is v; all seven share the comparison of the high bits.
  logic all_zero, all_one;
  assign all_zero = base_q[Width-1:2] == '0;
  assign all_one  = base_q[Width-1:2] == '1;
  logic [6:0] base_is;
  logic [4:0] is, copy_is;
  always_comb begin
    for (int v = 0; v <= 3; v++) base_is[3+v] = all_zero && base_q[1:0] == 2'(v);
    for (int v = -3; v <= -1; v++) base_is[3+v] = all_one && base_q[1:0] == 2'(v);
  end
  // Each copy is compared before the register's number selects one.
  always_comb begin
    copy_is = '0;
    for (int r = 0; r < strobe_dise_pkg::DiseRegisters; r++) begin
      for (int v = -2; v <= 2; v++) begin
        if (register_q == 3'(r)) copy_is[2+v] = copy_is[2+v] || copies_i[Width*r+:Width] == Width'(v);
      end
    end
  end
  assign is = set_q ? copy_is : |inc_q ? base_is[4:0] : |dec_q ? base_is[6:2] : base_is[5:1];

  logic base_near;
  assign base_near = base_q[Width-1:NearBits] == '0 || base_q[Width-1:NearBits] == '1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      base_q <= '0;
      inc_q <= '0;
      dec_q <= '0;
      set_q <= 1'b0;
      near_q <= 1'b1;
      minus_one_q <= 1'b0;
      one_q <= 1'b0;
    end else if (clear_i || load_i) begin
      base_q <= clear_i ? '0 : load_value_i;
      inc_q <= '0;
      dec_q <= '0;
      set_q <= 1'b0;
      near_q <= 1'b1;
      minus_one_q <= !clear_i && load_value_i == '1;
      one_q <= !clear_i && load_value_i == Width'(1);
    end else begin
      base_q <= value_o;
      inc_q <= inc_i;
      dec_q <= dec_i;
      set_q <= set_i;
      near_q <= base_near || set_q || set_i;
      minus_one_q <= set_i ? set_minus_one_i : near_q && (|inc_i ? is[0] : |dec_i ? is[2] : is[1]);
      one_q <= set_i ? set_one_i : near_q && (|inc_i ? is[2] : |dec_i ? is[4] : is[3]);
    end
  end
  always_ff @(posedge clk_i) register_q <= set_register_i;

  assign base_o = base_q;
  assign near_o = near_q;
  assign near_next_o = base_near || set_q || load_i || clear_i;
  assign minus_one_o = minus_one_q;
  assign one_o = one_q;

  `STROBE_ASSERT(CounterKnowsMinusOne, minus_one_q == (value_o == '1))
  `STROBE_ASSERT(CounterKnowsOne, one_q == (value_o == Width'(1)))
  `STROBE_ASSERT(CounterIsNear, near_q || (value_o + Width'(Steps) >= Width'(2 * Steps + 1)))
endmodule
