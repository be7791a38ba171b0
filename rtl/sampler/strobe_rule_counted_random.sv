// SPDX-License-Identifier: Apache-2.0
// CR_r: a random sampler with a counter of the tuples since the last message, which becomes the
// message's count (ISCA 2001, section 3.1). Combinational.
//
// A full counter also gives a message, so that no count is lost; the paper does not specify this
// case.
module strobe_rule_counted_random #(
    parameter int Width = 8
) (
    input logic [Width-1:0] state_i,
    input logic             hit_i,    // this tuple is drawn

    output logic             emit_o,
    output logic [Width:0]   count_o,
    output logic [Width-1:0] state_o
);
  assign emit_o  = hit_i || state_i == '1;
  assign count_o = {1'b0, state_i} + (Width + 1)'(1);
  assign state_o = emit_o ? '0 : count_o[Width-1:0];
endmodule
