// SPDX-License-Identifier: Apache-2.0
// A hash that is linear over xor: index = Offset ^ the columns of the bits that are 1.
//
// Combinational: each bit of the index is the parity of a fixed subset, about half, of the 128
// bits. Column k, 32 bits at Columns[32*k +: 32], belongs to bit k of {value, pc}; the index is the
// low IndexBits of the sum. IndexBits = 0 (one stratum) gives index 0 in a port of one bit.
`include "strobe_assert.svh"

module strobe_hash_linear #(
    parameter int IndexBits = 11,
    parameter logic [4095:0] Columns = strobe_hash_pkg::H3Columns,
    parameter logic [31:0] Offset = 32'd0
) (
    input  logic [63:0]                                   pc_i,
    input  logic [63:0]                                   value_i,
    output logic [(IndexBits > 0 ? IndexBits : 1) - 1:0] index_o
);
  `STROBE_REQUIRE(LinearIndexBits, IndexBits >= 0 && IndexBits <= strobe_pkg::MaxHashBits,
                  "strobe_hash_linear: IndexBits must be 0 to 32")

  if (IndexBits == 0) begin : gen_one
    logic unused_tuple;
    assign unused_tuple = ^{pc_i, value_i};
    assign index_o = 1'b0;
  end else begin : gen_index
    for (genvar i = 0; i < IndexBits; i++) begin : gen_bit
      logic [127:0] row;
      for (genvar k = 0; k < 128; k++) begin : gen_row
        assign row[k] = Columns[32*k+i];
      end
      assign index_o[i] = Offset[i] ^ (^(row & {value_i, pc_i}));
    end
  end
endmodule
