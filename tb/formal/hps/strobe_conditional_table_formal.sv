// SPDX-License-Identifier: Apache-2.0
// The conditional table: whenever the loop does not wait for it, also directly after a change of the flags,
// its rows say what docs/blocks/dise.md, "Productions", says of the instruction, the entries as written and
// the present flags. The rules are written here again from the page, entry by entry in table order.
//
// prove: induction 3
// prove: cover 13
module strobe_conditional_table_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic write_condition_i,
    input logic write_ops_i,
    input logic [1:0] index_i,
    input logic [63:0] wdata_i,
    input logic [63:0] copies_i,
    input logic [1:0] flags_i,
    input logic advance_i,
    input logic [3:0] hits_i,
    input logic [3:0] replaces_i
);
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits;

  logic changed, stale, may_stop, may_stop_next, may_stop_told_q;
  logic [1:0] flags_q;
  logic [3:0] replacing;
  logic [StepBits-1:0] row;
  assign changed = flags_i != flags_q;
  strobe_conditional_table #(
      .Lanes(1),
      .Patterns(4),
      .Counters(1),
      .CounterWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .write_condition_i, .write_ops_i, .index_i, .wdata_i, .copies_i,
      .state_i(4'(1) << flags_q), .changed_i(changed),
      .advance_i, .hits_i, .replaces_i, .stale_o(stale), .may_stop_o(may_stop), .may_stop_next_o(may_stop_next), .replacing_o(replacing), .rows_o(row)
  );

  initial assume (!rst_ni);
  // The table is written first; an instruction comes three cycles later at the earliest.
  logic past_q, looks_q;
  logic [1:0] quiet_q;
  logic [3:0] replaces_q, hits_q;
  logic [63:0] copies_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q <= 1'b0;
      looks_q <= 1'b0;
      flags_q <= '0;
      quiet_q <= '0;
    end else begin
      past_q <= 1'b1;
      looks_q <= looks_q || advance_i;
      flags_q <= flags_i;
      quiet_q <= write_condition_i || write_ops_i ? '0 : quiet_q == 2'd3 ? quiet_q : quiet_q + 2'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    replaces_q <= replaces_i;
    copies_q <= copies_i;
    may_stop_told_q <= may_stop_next;
    if (advance_i) hits_q <= hits_i;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LooksBehindTheWrites : assume (!advance_i || (quiet_q == 2'd3 && !write_condition_i && !write_ops_i));
      WritesComeFirst : assume (!looks_q || !(write_condition_i || write_ops_i));
      TheTablesStandStill : assume (!past_q || (replaces_i == replaces_q && copies_i == copies_q));
      TheLoopWaits : assume (!stale || !(advance_i || changed));
      FlagsChangeInTheLoop : assume (!changed || looks_q);
    end
  end

  // The entries as written.
  logic [15:0] conditions_q;
  logic [19:0] ops_q;
  logic [3:0] has_condition_q, has_ops_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_condition_q <= '0;
      has_ops_q <= '0;
    end else begin
      if (write_condition_i) has_condition_q[index_i] <= 1'b1;
      if (write_ops_i) has_ops_q[index_i] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (write_condition_i) conditions_q[4*index_i+:4] <= wdata_i[3:0];
    if (write_ops_i) ops_q[5*index_i+:5] <= wdata_i[4:0];
  end

  // In table order: all matching entries that replace nothing fire, and the first one that replaces.
  logic [3:0] fires, supplies, first;
  logic [4:0] op;
  always_comb begin
    fires = '0;
    supplies = '0;
    first = '0;
    op = '0;
    for (int e = 0; e < 4; e++) begin
      fires[e] = hits_q[e] && conditions_q[4*e+flags_q] && !(replaces_i[e] && first != '0);
      first[e] = fires[e] && replaces_i[e];
      supplies[e] = fires[e] && ops_q[5*e+:2] != '0 && supplies == '0;
      if (supplies[e]) op = ops_q[5*e+:5];
    end
  end
  logic sets;
  logic [7:0] copy;
  logic [StepBits-1:0] expected;
  assign sets = op[1:0] == strobe_dise_pkg::OpSet;
  assign copy = copies_i[8*op[4:2]+:8];
  always_comb begin
    expected[strobe_dise_pkg::StepReplaced] = first != '0;
    expected[strobe_dise_pkg::StepStops] = first != '0 || sets;
    expected[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpActs] = op[1:0] == strobe_dise_pkg::OpInc || op[1:0] == strobe_dise_pkg::OpDec;
    expected[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpIsInc] = op[1:0] == strobe_dise_pkg::OpInc;
    expected[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpIsSet] = sets;
    expected[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpMinusOne] = sets && copy == '1;
    expected[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpOne] = sets && copy == 8'd1;
    expected[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpRegister+:3] = op[4:2];
  end

  // For induction: the masks hold what was written.
// peek: conditions u_dut.conditions_q
// peek: inc u_dut.inc_q
// peek: dec u_dut.dec_q
// peek: set u_dut.set_q
// peek: minus_one u_dut.minus_one_q
// peek: one u_dut.one_q
// peek: register u_dut.register_q
// peek: now u_dut.condition_q
// peek: again u_dut.again_q
// peek: stale_rows u_dut.stale_q
// peek: kept u_dut.gen_lane[0].hits_q
  logic [15:0] conditions;
  logic [11:0] register;
  logic [3:0] inc, dec, set, minus_one, one, now, again, kept, holds, conditions_differ, ops_differ;
  logic [3:0] sets_differ;
  logic [1:0] stale_rows;
  for (genvar e = 0; e < 4; e++) begin : gen_entry
    logic [7:0] entry_copy;
    assign entry_copy = copies_i[8*ops_q[5*e+2+:3]+:8];
    assign holds[e] = conditions_q[4*e+flags_q];
    assign conditions_differ[e] = {conditions[12+e], conditions[8+e], conditions[4+e], conditions[e]} !=
        conditions_q[4*e+:4];
    assign ops_differ[e] = inc[e] != (ops_q[5*e+:2] == 2'd1) || dec[e] != (ops_q[5*e+:2] == 2'd2) ||
        set[e] != (ops_q[5*e+:2] == 2'd3) || {register[8+e], register[4+e], register[e]} != ops_q[5*e+2+:3];
    assign sets_differ[e] = minus_one[e] != (set[e] && entry_copy == '1) || one[e] != (set[e] && entry_copy == 8'd1);
  end

  logic whole, right;
  assign whole = has_condition_q == '1 && has_ops_q == '1;
  assign right = row == expected && replacing == first;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      ConditionsAsWritten : assert ((conditions_differ & has_condition_q) == '0);
      OpsAsWritten : assert ((ops_differ & has_ops_q) == '0);
      MayStopIsTold : assert (!past_q || may_stop == may_stop_told_q);
    end
    if (rst_ni && whole) begin
      RowsAreThePage : assert (!looks_q || stale || right);
      MayStopWhereARowStops : assert (!looks_q || stale || may_stop || !expected[strobe_dise_pkg::StepStops]);

      SetsAsWritten : assert (quiet_q < 2'd2 || sets_differ == '0);
      TheHitsAreKept : assert (!looks_q || kept == hits_q);
      OneConditionAtATime :
      assert (quiet_q < 2'd2 || (stale_rows[1] ? now == '0 && again == holds : again == '0 && (stale_rows[0] || now == holds)));
      WhatIsStaleIsTold : assert (stale == (stale_rows != '0));
      OneStepOfTwo : assert (stale_rows != 2'b11);
      QuietOnceLooked : assert (!looks_q || quiet_q == 2'd3);

      AnotherRowBehindAChange : cover (looks_q && stale_rows[1] && !right && flags_q == 2'b10 && kept == 4'b1111 && first == 4'b0100);
    end
  end
endmodule
