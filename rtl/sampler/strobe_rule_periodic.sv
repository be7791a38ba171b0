// P_r: every r-th tuple is a message (ISCA 2001, section 3.1). The state is the tuples since the
// last one. Combinational.
//
// A state above r, left by a larger r, gives a message at once: counts are conserved.
module strobe_rule_periodic #(
    parameter int Width = 8
) (
    input logic [Width-1:0]                   state_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,  // r; 0 counts as 1

    output logic             emit_o,
    output logic [Width:0]   count_o,
    output logic [Width-1:0] state_o
);
  // state + 1 >= r without a sum: state >= r, or r is the next number. Then the two differ in the
  // lowest bit, and above it wherever the state alone has the bit below: a run of ones that ends.
  logic [strobe_pkg::PeriodWidth-1:0] state, differs, carries;
  logic is_next;
  assign state   = strobe_pkg::PeriodWidth'(state_i);
  assign differs = state ^ period_i;
  assign carries = state & ~period_i;
  assign is_next = differs == {carries[strobe_pkg::PeriodWidth-2:0], 1'b1};

  assign emit_o  = state >= period_i || is_next;
  assign count_o = {1'b0, state_i} + (Width + 1)'(1);
  assign state_o = emit_o ? '0 : count_o[Width-1:0];
endmodule
