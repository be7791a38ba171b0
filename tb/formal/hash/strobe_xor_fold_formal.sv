// SPDX-License-Identifier: Apache-2.0
// Each bit is the parity of every 11th bit of the word.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_xor_fold_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [63:0] word_i
);
  logic [10:0] folded;
  strobe_xor_fold #(
      .Bits(11)
  ) u_eleven (
      .word_i,
      .folded_o(folded)
  );
  localparam logic [63:0] Every11th = 64'h0080_1002_0040_0801;  // bits 0, 11, 22, 33, 44, 55
  logic [10:0] parities;
  for (genvar i = 0; i < 11; i++) assign parities[i] = ^(word_i & (Every11th << i));
  `STROBE_ASSERT(FoldIsTheParityOfItsBits, folded == parities)
endmodule
