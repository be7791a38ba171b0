// SPDX-License-Identifier: Apache-2.0
// A number stays until the next step. No step ends in 0, and no two states have the same next state, so the
// states form cycles. That they form one cycle follows from the polynomial (tests/unit/profiling).
// prove: induction 2
// prove: cover 6
// peek: one u_one.state_q
// peek: other u_other.state_q
module strobe_lfsr_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic step_i,
    input logic [63:0] seed_i,
    input logic [63:0] other_seed_i
);
  logic [31:0] random, other_random, random_q;
  logic [63:0] one, other;
  strobe_lfsr u_one (
      .clk_i, .rst_ni, .clear_i, .seed_i, .step_i, .random_o(random)
  );
  strobe_lfsr u_other (
      .clk_i, .rst_ni, .clear_i, .seed_i(other_seed_i), .step_i, .random_o(other_random)
  );

  initial assume (!rst_ni);
  logic differed_q, cleared_q, stepped_q, known_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    differed_q <= one != other;
    cleared_q <= clear_i;
    stepped_q <= step_i;
    random_q <= random;
  end
  always @(posedge clk_i) begin
    if (rst_ni && known_q && !cleared_q) begin
      LfsrHolds : assert (stepped_q || random == random_q);
      LfsrForgetsNothing : assert (differed_q == (one != other));
      LfsrRunsApart : cover (stepped_q && random != other_random);
    end
  end
endmodule
