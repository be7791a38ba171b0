// The hash of ISCA 2001, section 3.5: index = xor_fold(flip(randomize(pc)) ^ randomize(value)).
//
// Combinational. randomize() replaces each byte through one random byte table, flip() reverses the
// order of the bytes, xor_fold() xors the IndexBits-wide chunks, the last one padded with zeros.
// IndexBits = 0 (one stratum) gives index 0 in a port of one bit.
`include "strobe_assert.svh"

module strobe_hash_paper #(
    parameter int IndexBits = 11
) (
    input  logic [63:0]                                   pc_i,
    input  logic [63:0]                                   value_i,
    output logic [(IndexBits > 0 ? IndexBits : 1) - 1:0] index_o
);
  `STROBE_REQUIRE(HashIndexBits, IndexBits >= 0 && IndexBits <= 12,
                  "strobe_hash_paper: IndexBits must be 0 to 12")

  logic [63:0] mixed;
  for (genvar b = 0; b < 8; b++) begin : gen_byte
    assign mixed[8*b+:8] = strobe_hash_pkg::ByteTable[{pc_i[8*(7-b)+:8], 3'b000}+:8] ^
                           strobe_hash_pkg::ByteTable[{value_i[8*b+:8], 3'b000}+:8];
  end

  if (IndexBits == 0) begin : gen_one
    logic unused_mixed;
    assign unused_mixed = ^mixed;
    assign index_o = 1'b0;
  end else begin : gen_fold
    localparam int Chunks = (64 + IndexBits - 1) / IndexBits;
    logic [Chunks*IndexBits-1:0] padded;
    assign padded = (Chunks * IndexBits)'(mixed);
    always_comb begin
      index_o = '0;
      for (int c = 0; c < Chunks; c++) index_o = index_o ^ padded[IndexBits*c+:IndexBits];
    end
  end
endmodule
