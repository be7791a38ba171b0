// SPDX-License-Identifier: Apache-2.0
// The prefix AND equals the operator.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_increment_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [36:0] value_i
);
  logic [36:0] next;
  strobe_increment #(
      .Width(37)
  ) u_dut (
      .value_i,
      .value_o(next)
  );
  `STROBE_ASSERT(IncrementIsTheOperator, next == value_i + 37'd1)
endmodule
