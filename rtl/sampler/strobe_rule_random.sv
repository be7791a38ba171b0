// SPDX-License-Identifier: Apache-2.0
// R_r: a tuple is a message with probability 1/r and stands for r (ISCA 2001, section 3.1).
// Combinational; there is no state, so strata make no difference.
module strobe_rule_random #(
    parameter int Width = 8
) (
    input logic                               hit_i,     // this tuple is drawn
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,  // r; 0 counts as 1

    output logic           emit_o,
    output logic [Width:0] count_o
);
  assign emit_o  = hit_i;
  assign count_o = period_i == '0 ? (Width + 1)'(1) : (Width + 1)'(period_i);
endmodule
