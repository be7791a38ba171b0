// SPDX-License-Identifier: Apache-2.0
// The lowest set bit alone, as two's complement gives it.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_first_one_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [36:0] bits_i
);
  logic [36:0] first;
  strobe_first_one #(
      .Width(37)
  ) u_dut (
      .bits_i,
      .first_o(first)
  );
  `STROBE_ASSERT(FirstOneIsTheLowest, first == (bits_i & -bits_i))
endmodule
