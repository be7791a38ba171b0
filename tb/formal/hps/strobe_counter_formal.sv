// SPDX-License-Identifier: Apache-2.0
// One counter of the bank. As long as its caller keeps to at most one step in a pass while near, its value is
// what loads, sets and steps one after another make it, after every lane of the last pass and after the pass,
// and it knows whether the next inc overflows and the next dec gives zero. Proven at the engine's default
// parameters, and with the longest passes (FlagTiming 1) at the smallest width.
//
// prove: induction 2
// prove: cover 8
module strobe_counter_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [8*20-1:0] copies_i,
    input logic clear_i,
    input logic load_i,
    input logic [19:0] load_value_i,
    input logic [7:0] inc_i,
    input logic [7:0] dec_i,
    input logic set_i,
    input logic [2:0] set_register_i,
    input logic [3:0] lane_set_i
);
  initial assume (!rst_ni);
  strobe_counter_proof #(
      .Steps(4),
      .Width(20)
  ) u_machine (
      .clk_i, .rst_ni, .copies_i, .clear_i, .load_i, .load_value_i, .inc_i(inc_i[3:0]), .dec_i(dec_i[3:0]),
      .set_i, .set_register_i, .lane_set_i
  );
  strobe_counter_proof #(
      .Steps(8),
      .Width(8)
  ) u_long (
      .clk_i, .rst_ni, .copies_i(copies_i[63:0]), .clear_i, .load_i, .load_value_i(load_value_i[7:0]), .inc_i, .dec_i,
      .set_i, .set_register_i, .lane_set_i
  );
endmodule

module strobe_counter_proof #(
    parameter int Steps = 4,
    parameter int Width = 20,
    localparam int Lanes = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [8*Width-1:0] copies_i,
    input logic clear_i,
    input logic load_i,
    input logic [Width-1:0] load_value_i,
    input logic [Steps-1:0] inc_i,
    input logic [Steps-1:0] dec_i,
    input logic set_i,
    input logic [2:0] set_register_i,
    input logic [Lanes-1:0] lane_set_i
);
  logic near, minus_one, one;
  logic [Width-1:0] value, copy;
  logic [Width*Lanes-1:0] lane_value;
  assign copy = copies_i[Width*set_register_i+:Width];
  strobe_counter #(
      .Steps(Steps),
      .Lanes(Lanes),
      .Width(Width)
  ) u_dut (
      .clk_i, .rst_ni, .copies_i, .clear_i, .load_i, .load_value_i, .inc_i, .dec_i, .set_i, .set_register_i,
      .set_minus_one_i(copy == '1), .set_one_i(copy == Width'(1)),
      .near_o(near), .minus_one_o(minus_one), .one_o(one), .value_o(value),
      .lane_set_i, .lane_value_o(lane_value)
  );

  // Each inc adds one, each dec subtracts one.
  logic [Width-1:0] expected_q, ran;
  logic [Width*Lanes-1:0] ran_to_lane, ran_to_lane_q;
  always_comb begin
    logic signed [4:0] moved;
    moved = '0;
    ran_to_lane = '0;
    for (int j = 0; j < Steps; j++) begin
      moved = moved + {4'b0, inc_i[j]} - {4'b0, dec_i[j]};
      if ((j + 1) % (Steps / Lanes) == 0) begin
        ran_to_lane[Width*(j/(Steps/Lanes))+:Width] = expected_q + {{Width - 5{moved[4]}}, moved};
      end
    end
    ran = ran_to_lane[Width*(Lanes-1)+:Width];
  end
  logic [Width-1:0] copy_q;
  logic [8*Width-1:0] copies_q;
  logic past_q, was_set_q, was_pass_q, replaced;
  assign replaced = clear_i || load_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) expected_q <= '0;
    else expected_q <= clear_i ? '0 : load_i ? load_value_i : set_i ? copy : ran;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {past_q, was_set_q, was_pass_q} <= '0;
    else {past_q, was_set_q, was_pass_q} <= {1'b1, set_i && !replaced, !replaced};
  end
  always_ff @(posedge clk_i) begin
    ran_to_lane_q <= ran_to_lane;
    copy_q <= copy;
    copies_q <= copies_i;
  end
  // For induction.
// peek: u_machine.base u_machine.u_dut.base_q
// peek: u_machine.inc u_machine.u_dut.inc_q
// peek: u_machine.dec u_machine.u_dut.dec_q
// peek: u_machine.set u_machine.u_dut.set_q
// peek: u_long.base u_long.u_dut.base_q
// peek: u_long.inc u_long.u_dut.inc_q
// peek: u_long.dec u_long.u_dut.dec_q
// peek: u_long.set u_long.u_dut.set_q
  localparam int Near = 1 << $clog2(3 * Steps + 3);
  logic [Width-1:0] base;
  logic [Steps-1:0] inc, dec;
  logic set, was_near_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_near_q <= 1'b1;
    else was_near_q <= near || replaced;
  end
  // At least as far from 0 as `by`.
  function automatic logic far(input logic [Width-1:0] from, input logic [Width-1:0] by);
    far = from >= by && Width'(0) - from >= by;
  endfunction

  logic [Width*Lanes-1:0] expected_lane_value;
  always_comb begin
    for (int k = 0; k < Lanes; k++) begin
      expected_lane_value[Width*k+:Width] = lane_set_i[k] ? copy_q : ran_to_lane_q[Width*k+:Width];
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      CopiesStandStill : assume (!past_q || copies_i == copies_q);
      OneOperationAStep : assume ((inc_i & dec_i) == '0);
      AtMostOneStepWhileNear : assume (!near || ((inc_i | dec_i) & ((inc_i | dec_i) - 1'b1)) == '0);
      OnlyASetCounts : assume (was_set_q || lane_set_i == '0);
      ValueIsExact : assert (value == expected_q);
      KnowsMinusOne : assert (minus_one == (expected_q == '1));
      KnowsOne : assert (one == (expected_q == Width'(1)));
      // What the bank relies on: away from 0, a whole pass changes no flag.
      StepsAreOneOrTheOther : assert ((inc & dec) == '0);
      OneStepWhileNear : assert (!was_near_q || ((inc | dec) & ((inc | dec) - 1'b1)) == '0);
      FarBefore : assert (near || (!set && far(base, Width'(Near - Steps))));
      StillFar : assert (!near || was_near_q || set || far(base, Width'(Near - 2 * Steps)));
      FarFromZero : assert (near || far(expected_q, Width'(Steps + 1)));
      LanesAreExact : assert (!was_pass_q || lane_value == expected_lane_value);
      Wraps : cover (was_pass_q && expected_q == '0 && ran_to_lane_q != '0);
      LeavesNear : cover (!near);
      ComesBack : cover (was_pass_q && near && !was_set_q && expected_q == Width'(1));
    end
  end
endmodule
