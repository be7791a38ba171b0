// Multiply-shift hash: the top bits of pc * MultiplyPc + value * MultiplyValue, modulo 2^64
// (Dietzfelbinger et al., Journal of Algorithms 25, 1997).
//
// Combinational; both factors are odd constants. IndexBits = 0 (one stratum) gives index 0 in a
// port of one bit.
`include "strobe_assert.svh"

module strobe_hash_multiply_shift #(
    parameter int IndexBits = 11
) (
    input  logic [63:0]                                   pc_i,
    input  logic [63:0]                                   value_i,
    output logic [(IndexBits > 0 ? IndexBits : 1) - 1:0] index_o
);
  `STROBE_REQUIRE(MultiplyIndexBits, IndexBits >= 0 && IndexBits <= strobe_pkg::MaxHashBits,
                  "strobe_hash_multiply_shift: IndexBits must be 0 to 32")

  if (IndexBits == 0) begin : gen_one
    logic unused_tuple;
    assign unused_tuple = ^{pc_i, value_i};
    assign index_o = 1'b0;
  end else begin : gen_index
    logic [63:0] sum;
    assign sum = pc_i * strobe_hash_pkg::MultiplyPc + value_i * strobe_hash_pkg::MultiplyValue;
    logic unused_sum;
    assign unused_sum = ^sum[63-IndexBits:0];
    assign index_o = sum[63-:IndexBits];
  end
endmodule
