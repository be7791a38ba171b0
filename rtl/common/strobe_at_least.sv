// SPDX-License-Identifier: Apache-2.0
// Whether one number is at least another, both unsigned.
//
// Each bit generates or passes on "larger", and a tree of pairs joins them, the more significant one
// winning. Only the answer is wanted, so the tree has one root: two thirds of the gates of the
// subtraction that synthesis makes of >=, and no slower.
`include "strobe_assert.svh"

module strobe_at_least #(
    parameter int Width = 64
) (
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    output logic             at_least_o
);
  `STROBE_REQUIRE(AtLeastWidth, Width >= 1 && Width <= 64 && (Width & (Width - 1)) == 0,
                  "strobe_at_least: Width must be a power of two from 1 to 64")

`ifdef VERILATOR
  // One instruction instead of forty: what is simulated differs from what is synthesized, so
  // tb/formal/strobe_at_least_formal.sv proves that both are equal.
  assign at_least_o = a_i >= b_i;
`else
  // After level l, bit k is the result of the 2^(l+1) bits from k on. Bit 0 is the root in the end;
  // the bits that do not lead to it are don't-care.
  logic [Width-1:0] larger, passes;
  always_comb begin
    larger = a_i & ~b_i;
    passes = a_i | ~b_i;
    for (int l = 0; l < $clog2(Width); l++) begin
      larger = (larger >> (1 << l)) | ((passes >> (1 << l)) & larger);
      passes = (passes >> (1 << l)) & passes;
    end
  end
  assign at_least_o = larger[0] | passes[0];
`endif
endmodule
