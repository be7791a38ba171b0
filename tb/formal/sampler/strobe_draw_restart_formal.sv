// SPDX-License-Identifier: Apache-2.0
// Any one tuple: in stage 2 it has floor(x * 2r / 2^24), by the operator, for the random number x and the
// period r of the cycle in which it was accepted, however long it waits. 4 bits a restart; r is at most 8, as
// the registers ensure.
// prove: induction 2
// prove: cover 6
// peek: taken u_dut.s1_four_q
// peek: made u_again.four
module strobe_draw_restart_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic accept_i,
    input logic advance_i,
    input logic [strobe_pkg::DrawWidth-1:0] random_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,
    input logic mark_i
);
  localparam int Kept = 4 * (strobe_pkg::DrawWidth + strobe_pkg::PeriodWidth);
  logic [3:0] restart;
  (* keep *) logic [3:0] unused_restart;
  logic [Kept-1:0] taken, made;
  strobe_draw_restart #(.Width(4)) u_dut (
      .clk_i, .accept_i, .advance_i, .random_i, .period_i, .restart_o(restart)
  );
  initial assume (!rst_ni);
  always_comb assume (!accept_i || advance_i);  // stage 1 is free, as in the samplers

  // One marked tuple at a time in stage 1. The tuple in stage 2 is still held while another one follows it.
  logic in_stage_1_q, in_stage_2_q, marked;
  logic [23:0] random_q;
  logic [3:0] period_q, expected_q;
  logic [28:0] product;
  assign marked = accept_i && mark_i && period_i <= 13'd8;
  assign product = {5'd0, random_q} * (period_q == '0 ? 29'd2 : {24'd0, period_q, 1'b0});
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_stage_1_q <= 1'b0;
      in_stage_2_q <= 1'b0;
      period_q <= '0;
    end else if (advance_i) begin
      in_stage_1_q <= marked;
      in_stage_2_q <= in_stage_1_q;
      if (marked) period_q <= period_i[3:0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      if (marked) random_q <= random_i;
      expected_q <= product[27:24];
    end
  end

  // Stage 1 must hold the rows of the number that came in. A second instance, which is given that number,
  // makes them.
  strobe_draw_restart #(.Width(4)) u_again (
      .clk_i, .accept_i(1'b1), .advance_i(1'b1), .random_i(random_q), .period_i({9'd0, period_q}),
      .restart_o(unused_restart)
  );
  always @(posedge clk_i) begin
    if (rst_ni) begin
      PeriodIsSmall : assert (period_q <= 4'd8);
      Stage1HoldsIt : assert (!in_stage_1_q || taken == made);
      RestartIsTheProducts : assert (!in_stage_2_q || restart == expected_q);
      Waits : cover (in_stage_2_q && in_stage_1_q && !advance_i && restart == 4'd15);
    end
  end
endmodule
