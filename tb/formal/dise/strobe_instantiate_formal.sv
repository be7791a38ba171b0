// SPDX-License-Identifier: Apache-2.0
// The page's table of an entry's fields, bit by bit of the instruction: where each bit comes from.
// prove: induction 1
// prove: cover 2
`include "strobe_assert.svh"

module strobe_instantiate_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [63:0] entry_i,  // as software writes it
    input logic [31:0] insn_i,
    input logic [63:0] pc_i,
    input logic [63:0] next_pc_i,
    input logic [63:0] target_i,
    input logic [31:0] immediate_i
);
  logic [31:0] insn;
  logic [2:0] dise, kind;
  logic [63:0] value;
  logic last;
  strobe_instantiate u_dut (
      .entry_i({entry_i[63], entry_i[58:0]}), .insn_i, .pc_i, .next_pc_i, .target_i, .immediate_i,
      .insn_o(insn), .dise_o(dise), .kind_o(kind), .value_o(value), .last_o(last)
  );

  logic is_trigger, is_load, is_branch, is_call, has_immediate, is_store;
  assign is_trigger = entry_i[44:42] == 3'd1;
  assign is_load = entry_i[44:42] == 3'd2;
  assign is_branch = entry_i[44:42] == 3'd3;
  assign is_call = entry_i[44:42] == 3'd4;
  assign has_immediate = entry_i[41] && !is_trigger;
  assign is_store = entry_i[6:0] == 7'h23 || entry_i[6:0] == 7'h27;

  // Bit i comes from the immediate where it replaces that bit, else from a register field, else from the
  // template or the trigger.
  logic [31:0] expected, upper, lower;
  assign upper = immediate_i << 20;
  assign lower = immediate_i << 7;
  always_comb begin
    for (int i = 0; i < 32; i++) begin
      logic of_base;
      of_base = is_trigger ? insn_i[i] : entry_i[i];
      if (has_immediate && i >= (is_store ? 25 : 20)) expected[i] = upper[i];
      else if (has_immediate && is_store && i >= 7 && i < 12) expected[i] = lower[i];
      else if ((i >= 7 && i < 12) || (i >= 15 && i < 25)) begin
        int at;
        logic [2:0] selector;
        at = i < 12 ? 7 : i < 20 ? 15 : 20;
        selector = i < 12 ? entry_i[34:32] : i < 20 ? entry_i[37:35] : entry_i[40:38];
        expected[i] = of_base;
        if (selector == 3'd1) expected[i] = insn_i[7+i-at];
        if (selector == 3'd2) expected[i] = insn_i[15+i-at];
        if (selector == 3'd3) expected[i] = insn_i[20+i-at];
        if (selector == 3'd4) expected[i] = i - at < 3 && entry_i[i];
      end else expected[i] = of_base;
    end
  end
  `STROBE_ASSERT(EachBitIsWhereItComesFrom, insn == expected)

  // A field names a dise register where its selector is 4.
  `STROBE_ASSERT(DiseRegisters, dise == {entry_i[40:38] == 3'd4, entry_i[37:35] == 3'd4, entry_i[34:32] == 3'd4})
  `STROBE_ASSERT(KindsAboveFourAreZero, kind == (entry_i[44:42] < 3'd5 ? entry_i[44:42] : 3'd0))
  `STROBE_ASSERT(LastIsBit63, last == entry_i[63])

  logic signed [63:0] of_trigger;  // what a value load gives
  always_comb begin
    of_trigger = '0;
    if (entry_i[47:45] == 3'd0) of_trigger = pc_i;
    if (entry_i[47:45] == 3'd1) of_trigger = next_pc_i;
    if (entry_i[47:45] == 3'd2) of_trigger = target_i;
    if (entry_i[47:45] == 3'd3) of_trigger = $signed(immediate_i);
    if (entry_i[47:45] == 3'd4) of_trigger = $signed(insn_i);
  end
  `STROBE_ASSERT(ValueOfALoad, !is_load || value == of_trigger)
  `STROBE_ASSERT(ValueOfABranch, !is_branch || value == ((entry_i >> 48) & 64'h7ff))
  `STROBE_ASSERT(ValueOfACall, !is_call || value == (entry_i & 64'hffff_ffff))
  `STROBE_ASSERT(OthersHaveNoValue, is_load || is_branch || is_call || value == '0)
  `STROBE_ASSERT(TriggerAsItWas, !is_trigger || entry_i[40:32] != '0 || insn == insn_i)
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OverriddenTrigger : cover (is_trigger && dise == 3'b010 && insn != insn_i);
      Stores : cover (has_immediate && is_store && dise[2] && last);
    end
  end
endmodule
