// SPDX-License-Identifier: Apache-2.0
// Branch-on-random: decides whether the instruction brr is taken.
//
// docs/blocks/branch_on_random.md. taken_o is combinational: a branch with frequency code f is taken when f + 1
// bits of a linear-feedback shift register of 20 bits are 1. The register steps with each branch (draw_i): one
// step of Marsaglia's xorshift with the shifts (5, 9, 7), which runs through all states but 0.
// load_i puts a seed or a saved state into the register; 0, which the register could not leave, counts as the
// state after reset. Priority: load > draw.
`include "strobe_assert.svh"

module strobe_branch_on_random (
    input logic clk_i,
    input logic rst_ni,

    input logic        load_i,
    input logic [19:0] load_state_i,

    input  logic        draw_i,  // a brr leaves decode
    input  logic [3:0]  frequency_i,
    output logic        taken_o,
    output logic [19:0] state_o  // before the branch: what a checkpoint saves
);
  localparam logic [19:0] Start = 20'h9e377;

  logic [19:0] state_q, first, second, stepped;
  assign first = state_q ^ (state_q << 5);
  assign second = first ^ (first >> 9);
  assign stepped = second ^ (second << 7);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Start;
    else if (load_i) state_q <= load_state_i == '0 ? Start : load_state_i;
    else if (draw_i) state_q <= stepped;
  end

  // Code f needs bits f to 0.
  logic [15:0] bits;
  assign bits = {
    state_q[7], state_q[5], state_q[0], state_q[1], state_q[11], state_q[19], state_q[18], state_q[16],
    state_q[9], state_q[14], state_q[15], state_q[17], state_q[12], state_q[4], state_q[8], state_q[3]
  };
  assign taken_o = (~bits & ~(16'hfffe << frequency_i)) == '0;
  assign state_o = state_q;

  `STROBE_ASSERT(RandomIsNeverZero, state_q != '0)
endmodule
