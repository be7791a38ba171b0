// SPDX-License-Identifier: Apache-2.0
// Random numbers: a linear-feedback register of 64 bits that leaps forward, one number a step.
//
// A step is Marsaglia's xorshift with the shifts (9, 37, 31), at most eight bits xored into each.
// Its characteristic polynomial (docs/blocks/stratified_sampler.md) is primitive, so the state runs
// through all 2^64 - 1 values but 0. The number is the upper half of the state; its leading bits are
// the best ones, and those of successive numbers are independent, not shifted copies.
//
// clear_i loads seed_i ^ Start, so that small seeds start with ordinary numbers; the one seed that
// would give 0 counts as seed 0. Reset gives seed 0. Priority: clear > step.
`include "strobe_assert.svh"

module strobe_lfsr (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input logic [strobe_pkg::SeedWidth-1:0] seed_i,
    input logic                             step_i,

    output logic [31:0] random_o
);
  localparam logic [63:0] Start = 64'h9e3779b97f4a7c15;

  logic [63:0] state_q, first, second, stepped;
  assign first = state_q ^ (state_q << 9);
  assign second = first ^ (first >> 37);
  assign stepped = second ^ (second << 31);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Start;
    else if (clear_i) state_q <= seed_i == Start ? Start : seed_i ^ Start;
    else if (step_i) state_q <= stepped;
  end
  assign random_o = state_q[63:32];

  `STROBE_ASSERT(LfsrIsNeverZero, state_q != '0)
endmodule
