// SPDX-License-Identifier: Apache-2.0
// xor_fold of ISCA 2001, section 3.5: the xor of a word's Bits-wide chunks, from bit 0 up, the last
// one padded with zeros. Combinational. Bits = 0 gives 0 in a port of one bit.
`include "strobe_assert.svh"

module strobe_xor_fold #(
    parameter int Bits = 11
) (
    input  logic [63:0]                         word_i,
    output logic [(Bits > 0 ? Bits : 1) - 1:0] folded_o
);
  `STROBE_REQUIRE(FoldBits, Bits >= 0 && Bits <= strobe_pkg::MaxHashBits,
                  "strobe_xor_fold: Bits must be 0 to 32")

  if (Bits == 0) begin : gen_one
    logic unused_word;
    assign unused_word = ^word_i;
    assign folded_o = 1'b0;
  end else begin : gen_fold
    localparam int Chunks = (64 + Bits - 1) / Bits;
    logic [Chunks*Bits-1:0] padded;
    assign padded = (Chunks * Bits)'(word_i);
    always_comb begin
      folded_o = '0;
      for (int c = 0; c < Chunks; c++) folded_o = folded_o ^ padded[Bits*c+:Bits];
    end
  end
endmodule
