// SPDX-License-Identifier: Apache-2.0
// The lowest bit that is 1, alone: a prefix OR of log2(Width) levels.
`include "strobe_assert.svh"

module strobe_first_one #(
    parameter int Width = 8
) (
    input  logic [Width-1:0] bits_i,
    output logic [Width-1:0] first_o
);
  `STROBE_REQUIRE(FirstOneWidth, Width >= 1, "strobe_first_one: Width must be at least 1")

  localparam int Levels = $clog2(Width);

  logic [Width-1:0] seen;  // bit k: one of bits k to 0 is 1
  always_comb begin
    seen = bits_i;
    for (int l = 0; l < Levels; l++) seen = seen | (seen << (1 << l));
  end
  assign first_o = bits_i & ~(seen << 1);
endmodule
