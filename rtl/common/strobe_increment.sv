// SPDX-License-Identifier: Apache-2.0
// A value and one, by a prefix AND of log2(Width) levels: synthesis would make a ripple of the `+`.
`include "strobe_assert.svh"

module strobe_increment #(
    parameter int Width = 8
) (
    input  logic [Width-1:0] value_i,
    output logic [Width-1:0] value_o
);
  `STROBE_REQUIRE(IncrementWidth, Width >= 1, "strobe_increment: Width must be at least 1")
  localparam int Levels = $clog2(Width);

  logic [Width-1:0] ones;  // bit k: bits k to 0 are 1
  always_comb begin
    ones = value_i;
    for (int l = 0; l < Levels; l++) ones = ones & ((ones << (1 << l)) | ~({Width{1'b1}} << (1 << l)));
  end
  assign value_o = value_i ^ ((ones << 1) | Width'(1));
endmodule
