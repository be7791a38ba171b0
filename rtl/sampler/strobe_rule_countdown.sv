// SPDX-License-Identifier: Apache-2.0
// R'_r: the random sampler of DCPI and ProfileMe (ISCA 2001, section 3.1): a countdown that
// restarts at a random number of 1 to 2r; the tuple at which it ends is a message and stands for r.
// Combinational.
//
// The state is the number of tuples up to and including the next message. 0 means that it is not
// drawn yet, as after initialization: the stratum's next tuple draws it.
module strobe_rule_countdown #(
    parameter int Width = 8
) (
    input logic [Width-1:0]                   state_i,
    input logic [Width-1:0]                   restart_i,  // what is left after this tuple if it draws
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,   // r; 0 counts as 1

    output logic             emit_o,
    output logic [Width:0]   count_o,
    output logic [Width-1:0] state_o
);
  assign state_o = state_i == '0 ? restart_i : state_i - Width'(1);
  assign emit_o  = state_o == '0;
  assign count_o = period_i == '0 ? (Width + 1)'(1) : (Width + 1)'(period_i);
endmodule
