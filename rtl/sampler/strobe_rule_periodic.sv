// SPDX-License-Identifier: Apache-2.0
// P_r: every r-th tuple is a message (ISCA 2001, section 3.1). The state is the number of tuples
// since the last one. Combinational.
//
// If a smaller r is written, a state above it gives a message at once: counts are conserved.
module strobe_rule_periodic #(
    parameter int Width = 8
) (
    input logic [Width-1:0]                   state_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,  // r; 0 counts as 1

    output logic             emit_o,
    output logic [Width:0]   count_o,
    output logic [Width-1:0] state_o
);
  // state + 1 >= r without an adder: state >= r, or r = state + 1. In the latter case state ^ r is
  // a run of ones from bit 0 up: a higher bit differs exactly where the state alone has the bit
  // below it.
  localparam int PeriodWidth = strobe_pkg::PeriodWidth;
  logic [PeriodWidth-1:0] state;
  logic [PeriodWidth-2:0] alone;  // below the highest bit
  logic is_next;
  assign state   = PeriodWidth'(state_i);
  assign alone   = (PeriodWidth - 1)'(state_i) & ~period_i[PeriodWidth-2:0];
  assign is_next = (state ^ period_i) == {alone, 1'b1};

  assign emit_o  = state >= period_i || is_next;
  assign count_o = {1'b0, state_i} + (Width + 1)'(1);
  assign state_o = emit_o ? '0 : count_o[Width-1:0];
endmodule
