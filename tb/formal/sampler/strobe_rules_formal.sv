// SPDX-License-Identifier: Apache-2.0
// The samplers' four rules as the page states them, in whole numbers, for any state, period and draw. 8 bits
// a state.
// prove: induction 1
// prove: cover 2
`include "strobe_assert.svh"

module strobe_rules_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [7:0] state_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,
    input logic hit_i,
    input logic [7:0] restart_i
);
  logic p_emits, r_emits, d_emits, c_emits;
  logic [8:0] p_count, r_count, d_count, c_count;
  logic [7:0] p_state, d_state, c_state;
  strobe_rule_periodic #(.Width(8)) u_periodic (
      .state_i, .period_i, .emit_o(p_emits), .count_o(p_count), .state_o(p_state)
  );
  strobe_rule_random #(.Width(8)) u_random (.hit_i, .period_i, .emit_o(r_emits), .count_o(r_count));
  strobe_rule_countdown #(.Width(8)) u_countdown (
      .state_i, .restart_i, .period_i, .emit_o(d_emits), .count_o(d_count), .state_o(d_state)
  );
  strobe_rule_counted_random #(.Width(8)) u_counted_random (
      .state_i, .hit_i, .emit_o(c_emits), .count_o(c_count), .state_o(c_state)
  );

  function automatic int whole(input logic [12:0] number);
    whole = {19'd0, number};
  endfunction
  int r, with_this, to_come, drawn;
  assign r = period_i == '0 ? 1 : whole(period_i);
  assign with_this = whole(state_i) + 1;  // tuples since the last message
  assign drawn = whole(restart_i) + 1;    // d of the page; this tuple is the first of them
  assign to_come = (state_i == '0 ? drawn : whole(state_i)) - 1;

  // Counted: a message takes all tuples with it; otherwise they stay. The registers limit r to 2^8.
  `STROBE_ASSERT(PeriodicReportsTheRth, p_emits == (with_this >= r))
  `STROBE_ASSERT(PeriodicKeepsEveryTuple, r > 256 || (p_emits ? whole(p_count) : 0) + whole(p_state) == with_this)
  `STROBE_ASSERT(PeriodicStartsAgain, !p_emits || p_state == '0)
  `STROBE_ASSERT(CountedRandomReports, c_emits == (hit_i || with_this == 256))
  `STROBE_ASSERT(CountedRandomKeepsEveryTuple, (c_emits ? whole(c_count) : 0) + whole(c_state) == with_this)
  `STROBE_ASSERT(CountedRandomStartsAgain, !c_emits || c_state == '0)

  // Estimated: a message stands for r tuples.
  `STROBE_ASSERT(RandomReportsTheDrawn, r_emits == hit_i)
  `STROBE_ASSERT(RandomStandsForR, r > 256 || whole(r_count) == r)
  `STROBE_ASSERT(CountdownCounts, whole(d_state) == to_come)
  `STROBE_ASSERT(CountdownReportsAtItsEnd, d_emits == (to_come == 0))
  `STROBE_ASSERT(CountdownStandsForR, r > 256 || whole(d_count) == r)
  always @(posedge clk_i) begin
    if (rst_ni) begin
      AboveThePeriod : cover (p_emits && whole(p_count) > r);
      Full : cover (c_emits && !hit_i);
      DrawnAndOver : cover (d_emits && state_i == '0);
    end
  end
endmodule
