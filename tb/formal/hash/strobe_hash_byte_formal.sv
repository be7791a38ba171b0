// SPDX-License-Identifier: Apache-2.0
// The byte table is the page's: the Fisher-Yates shuffle of 0 to 255 by xorshift64*, computed here again. It
// is a permutation: no two bytes give the same one.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_hash_byte_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [7:0] byte_i,
    input logic [7:0] other_i
);
  function automatic logic [2047:0] shuffled(input int last);
    logic [2047:0] t;
    logic [63:0] s, next, j;
    logic [7:0] swapped;
    s = 64'd1;
    for (int i = 0; i < 256; i++) t[8*i+:8] = i;
    for (int i = last; i > 0; i--) begin
      s = s ^ (s >> 12);
      s = s ^ (s << 25);
      s = s ^ (s >> 27);
      next = s * 64'h2545_f491_4f6c_dd1d;
      j = (next >> 33) % (i + 1);
      swapped = t[8*i+:8];
      t[8*i+:8] = t[8*j+:8];
      t[8*j+:8] = swapped;
    end
    shuffled = t;
  endfunction
  localparam logic [2047:0] Table = shuffled(255);

  logic [7:0] random, other;
  strobe_hash_byte u_one (.byte_i, .byte_o(random));
  strobe_hash_byte u_other (.byte_i(other_i), .byte_o(other));
  `STROBE_ASSERT(ByteIsThatOfTheShuffle, random == Table[8*byte_i+:8])
  `STROBE_ASSERT(TableIsAPermutation, byte_i == other_i || random != other)
endmodule
