// SPDX-License-Identifier: Apache-2.0
// Proof of strobe_at_least: its tree equals the operator that Verilator is given instead.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_at_least_formal (
    input logic        clk_i,
    input logic        rst_ni,
    input logic [63:0] a_i,
    input logic [63:0] b_i
);
  logic at_least;
  strobe_at_least #(
      .Width(64)
  ) u_dut (
      .a_i,
      .b_i,
      .at_least_o(at_least)
  );
  `STROBE_ASSERT(AtLeastIsTheOperator, at_least == (a_i >= b_i))
endmodule
