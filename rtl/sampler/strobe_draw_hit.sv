// SPDX-License-Identifier: Apache-2.0
// Draws each tuple with probability (threshold_i + 1) / 2^32. The comparison is made when the tuple
// is accepted; its outcome is valid while the tuple is in stage 2.
module strobe_draw_hit (
    input logic clk_i,
    input logic accept_i,   // a tuple enters stage 1
    input logic advance_i,  // a tuple goes from stage 1 to stage 2

    input logic [31:0]                           random_i,
    input logic [strobe_pkg::ThresholdWidth-1:0] threshold_i,

    output logic hit_o  // the tuple in stage 2 is drawn
);
  logic s1_hit_q, s2_hit_q;
  always_ff @(posedge clk_i) begin
    if (accept_i) s1_hit_q <= random_i <= threshold_i;
    if (advance_i) s2_hit_q <= s1_hit_q;
  end
  assign hit_o = s2_hit_q;
endmodule
