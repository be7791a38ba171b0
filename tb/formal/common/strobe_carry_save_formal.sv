// SPDX-License-Identifier: Apache-2.0
// The reduced rows have the same sum, with a row left over (5 rows) and without (3).
// prove: induction 1
`include "strobe_assert.svh"

module strobe_carry_save_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [5*8-1:0] rows_i
);
  logic [4*8-1:0] four;
  logic [2*8-1:0] two;
  strobe_carry_save #(
      .Width(8),
      .Rows(5)
  ) u_five (
      .rows_i,
      .rows_o(four)
  );
  strobe_carry_save #(
      .Width(8),
      .Rows(3)
  ) u_three (
      .rows_i(rows_i[3*8-1:0]),
      .rows_o(two)
  );
  `STROBE_ASSERT(CarrySaveKeepsTheSum,
                 two[15:8] + two[7:0] == rows_i[23:16] + rows_i[15:8] + rows_i[7:0])
  `STROBE_ASSERT(CarrySaveKeepsTheSumWithOneOver,
                 four[31:24] + four[23:16] + four[15:8] + four[7:0] ==
                 rows_i[39:32] + rows_i[31:24] + rows_i[23:16] + rows_i[15:8] + rows_i[7:0])
endmodule
