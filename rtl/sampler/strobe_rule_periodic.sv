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
  // r - 1 from the register, beside the state and not behind its sum: the loop stays short.
  logic [strobe_pkg::PeriodWidth-1:0] last;
  assign last = period_i == '0 ? '0 : period_i - strobe_pkg::PeriodWidth'(1);

  assign emit_o  = 32'(state_i) >= 32'(last);
  assign count_o = {1'b0, state_i} + (Width + 1)'(1);
  assign state_o = emit_o ? '0 : count_o[Width-1:0];
endmodule
