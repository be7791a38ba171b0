// SPDX-License-Identifier: Apache-2.0
// Any one tuple: in stage 2 it has the draw of the cycle in which it was accepted.
// prove: induction 2
// prove: cover 6
// peek: s1_hit u_dut.s1_hit_q
module strobe_draw_hit_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic accept_i,
    input logic advance_i,
    input logic [31:0] random_i,
    input logic [strobe_pkg::ThresholdWidth-1:0] threshold_i,
    input logic mark_i
);
  logic hit, s1_hit;
  strobe_draw_hit u_dut (
      .clk_i, .accept_i, .advance_i, .random_i, .threshold_i, .hit_o(hit)
  );
  initial assume (!rst_ni);
  always_comb assume (!accept_i || advance_i);  // stage 1 is free, as in the samplers

  logic in_stage_1_q, in_stage_2_q, expected_q;
  logic [32:0] below;  // the number of the 2^32 random numbers that hit
  assign below = 33'(threshold_i) + 33'd1;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_stage_1_q <= 1'b0;
      in_stage_2_q <= 1'b0;
    end else if (advance_i) begin
      in_stage_1_q <= accept_i && mark_i && !in_stage_1_q;  // one marked tuple at a time
      in_stage_2_q <= in_stage_1_q;
    end
  end
  always_ff @(posedge clk_i) if (accept_i && mark_i && !in_stage_1_q) expected_q <= 33'(random_i) < below;

  // The tuple in stage 2 keeps its draw while a marked tuple follows it.
  logic s2_expected_q;
  always_ff @(posedge clk_i) if (advance_i) s2_expected_q <= expected_q;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      DrawIsInStage1 : assert (!in_stage_1_q || s1_hit == expected_q);
      DrawIsInStage2 : assert (!in_stage_2_q || hit == s2_expected_q);
      Hits : cover (in_stage_2_q && hit && !advance_i);
      Misses : cover (in_stage_2_q && !hit);
    end
  end
endmodule
