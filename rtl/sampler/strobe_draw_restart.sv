// Draws the restart of a countdown for each tuple: uniform in 0 to 2r - 1.
//
// It is (random * 2r) / 2^24 of a 24-bit random number: two halves are multiplied at acceptance and
// added in stage 1, away from the counter's loop.
module strobe_draw_restart #(
    parameter int Width = 8
) (
    input logic clk_i,
    input logic accept_i,   // a tuple enters stage 1
    input logic advance_i,  // stage 1 moves to stage 2

    input logic [strobe_pkg::DrawWidth-1:0]   random_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,  // r; 0 counts as 1

    output logic [Width-1:0] restart_o  // of the tuple in stage 2
);
  localparam int Half = strobe_pkg::DrawWidth / 2;
  localparam int FactorWidth = strobe_pkg::PeriodWidth + 1;
  localparam int HalfWidth = Half + FactorWidth;
  localparam int ProductWidth = strobe_pkg::DrawWidth + FactorWidth;

  logic [FactorWidth-1:0] range;
  assign range = period_i == '0 ? FactorWidth'(2) : {period_i, 1'b0};

  logic [HalfWidth-1:0] s1_low_q, s1_high_q;
  logic [ProductWidth-1:0] product;
  logic [Width-1:0] s2_restart_q;
  assign product = ProductWidth'(s1_low_q) + {s1_high_q, Half'(0)};
  always_ff @(posedge clk_i) begin
    if (accept_i) begin
      s1_low_q  <= HalfWidth'(random_i[Half-1:0]) * HalfWidth'(range);
      s1_high_q <= HalfWidth'(random_i[2*Half-1:Half]) * HalfWidth'(range);
    end
    if (advance_i) s2_restart_q <= Width'(product >> strobe_pkg::DrawWidth);
  end
  assign restart_o = s2_restart_q;
endmodule
