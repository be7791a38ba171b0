// SPDX-License-Identifier: Apache-2.0
// Draws the restart of a countdown for each tuple, uniform in 0 to 2r - 1.
//
// It is (random * 2r) / 2^24 for a 24-bit random number. The rows of the multiplication are reduced
// to four at acceptance and to two in stage 1, where their upper and their lower parts are added.
// Stage 2 only adds the carry between the parts.
module strobe_draw_restart #(
    parameter int Width = 8
) (
    input logic clk_i,
    input logic accept_i,   // a tuple enters stage 1
    input logic advance_i,  // a tuple goes from stage 1 to stage 2

    input logic [strobe_pkg::DrawWidth-1:0]   random_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,  // r; 0 counts as 1

    output logic [Width-1:0] restart_o  // for the tuple in stage 2
);
  localparam int Rows = strobe_pkg::PeriodWidth;
  localparam int LowWidth = strobe_pkg::DrawWidth - 1;  // bits of random * r below the result
  localparam int HighWidth = Rows + 1;
  localparam int ProductWidth = LowWidth + HighWidth;

  logic [Rows-1:0] factor;
  logic [ProductWidth*Rows-1:0] rows;
  assign factor = period_i == '0 ? Rows'(1) : period_i;
  for (genvar j = 0; j < Rows; j++) begin : gen_row
    assign rows[ProductWidth*j+:ProductWidth] =
        {ProductWidth{factor[j]}} & (ProductWidth'(random_i) << j);
  end

  // Levels of carry-save adders: 13 numbers, 9, 6, 4 | 3, 2.
  logic [ProductWidth*9-1:0] nine;
  logic [ProductWidth*6-1:0] six;
  logic [ProductWidth*4-1:0] four, s1_four_q;
  logic [ProductWidth*3-1:0] three;
  logic [ProductWidth-1:0] sum, carries;
  strobe_carry_save #(.Width(ProductWidth), .Rows(Rows)) u_nine (.rows_i(rows), .rows_o(nine));
  strobe_carry_save #(.Width(ProductWidth), .Rows(9)) u_six (.rows_i(nine), .rows_o(six));
  strobe_carry_save #(.Width(ProductWidth), .Rows(6)) u_four (.rows_i(six), .rows_o(four));
  strobe_carry_save #(.Width(ProductWidth), .Rows(4)) u_three (.rows_i(s1_four_q), .rows_o(three));
  strobe_carry_save #(.Width(ProductWidth), .Rows(3)) u_two (.rows_i(three), .rows_o({carries, sum}));

  logic [LowWidth:0] low;
  logic [Width-1:0] s2_high_q;
  logic s2_carry_q;
  assign low = {1'b0, sum[LowWidth-1:0]} + {1'b0, carries[LowWidth-1:0]};
  always_ff @(posedge clk_i) begin
    if (accept_i) s1_four_q <= four;
    if (advance_i) begin
      s2_carry_q <= low[LowWidth];
      s2_high_q  <= Width'(sum >> LowWidth) + Width'(carries >> LowWidth);
    end
  end
  assign restart_o = s2_high_q + Width'(s2_carry_q);
endmodule
