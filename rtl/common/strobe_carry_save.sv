// SPDX-License-Identifier: Apache-2.0
// Adds numbers in groups of three without carrying: each group becomes two with the same sum.
//
// A level of a multiplier's tree; Rows - Rows / 3 numbers are left. Sums are modulo 2^Width.
`include "strobe_assert.svh"

module strobe_carry_save #(
    parameter int Width = 8,
    parameter int Rows = 3
) (
    input  logic [Width*Rows-1:0]            rows_i,
    output logic [Width*(Rows-Rows/3)-1:0] rows_o
);
  `STROBE_REQUIRE(CarrySaveWidth, Width >= 1, "strobe_carry_save: Width must be at least 1")
  `STROBE_REQUIRE(CarrySaveRows, Rows >= 3, "strobe_carry_save: Rows must be at least 3")

  localparam int Groups = Rows / 3;
  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [Width-1:0] a, b, c;
    assign a = rows_i[Width*(3*g)+:Width];
    assign b = rows_i[Width*(3*g+1)+:Width];
    assign c = rows_i[Width*(3*g+2)+:Width];
    assign rows_o[Width*(2*g)+:Width] = a ^ b ^ c;
    assign rows_o[Width*(2*g+1)+:Width] = ((a & b) | (a & c) | (b & c)) << 1;
  end
  if (Rows % 3 != 0) begin : gen_rest
    assign rows_o[Width*(Rows-Groups)-1:Width*2*Groups] = rows_i[Width*Rows-1:Width*3*Groups];
  end
endmodule
