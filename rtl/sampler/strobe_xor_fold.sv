// xor-fold of ISCA 2001, section 3.5: the Width-bit chunks of a word, from bit 0 up and the last one
// padded with zeros, xored. Combinational.
`include "strobe_assert.svh"

module strobe_xor_fold #(
    parameter int Width = 2
) (
    input  logic [63:0]      word_i,
    output logic [Width-1:0] fold_o
);
  `STROBE_REQUIRE(FoldWidth, Width >= 1 && Width <= 64, "strobe_xor_fold: Width must be 1 to 64")

  localparam int Chunks = (64 + Width - 1) / Width;
  logic [Chunks*Width-1:0] padded;
  assign padded = (Chunks * Width)'(word_i);
  for (genvar b = 0; b < Width; b++) begin : gen_bit
    logic [Chunks-1:0] column;
    for (genvar c = 0; c < Chunks; c++) begin : gen_chunk
      assign column[c] = padded[Width*c+b];
    end
    assign fold_o[b] = ^column;
  end
endmodule
