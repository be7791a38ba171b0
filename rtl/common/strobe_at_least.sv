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

  // A heap: node n joins nodes 2n + 2, the more significant, and 2n + 1; the leaves are the bits.
  logic [2*Width-2:0] larger, passes;
  always_comb begin
    for (int i = 0; i < Width; i++) begin
      larger[Width-1+i] = a_i[i] & ~b_i[i];
      passes[Width-1+i] = a_i[i] | ~b_i[i];
    end
    for (int n = Width - 2; n >= 0; n--) begin
      larger[n] = larger[2*n+2] | (passes[2*n+2] & larger[2*n+1]);
      passes[n] = passes[2*n+2] & passes[2*n+1];
    end
  end
  assign at_least_o = larger[0] | passes[0];
endmodule
