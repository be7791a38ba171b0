// SPDX-License-Identifier: Apache-2.0
// The sequencer: whatever was written to the table, every sequence ends if its groups are taken and the
// outcomes of branches lead forward. Entries come in order, and the trigger's fields do not change. The
// longest sequence here has four entries, all of them branches.
//
// prove: induction 3
// prove: cover 18
module strobe_dise_sequencer_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic write_i,
    input logic [1:0] write_entry_i,
    input logic [59:0] wdata_i,
    input logic trigger_i,
    input logic inject_i,
    input logic [1:0] trigger_entry_i,
    input logic start_i,
    input logic resume_i,
    input logic [1:0] resume_entry_i,
    input logic resume_done_i,
    input logic abort_i,
    input logic advance_i
);
  logic offer, over;
  logic [1:0] valid, last;
  logic [63:0] insn;
  logic [5:0] dise, kind;
  logic [127:0] value;
  logic [3:0] entry;
  logic [63:0] pc;
  logic [1:0] fsm, read;
  logic [2:0] stall;
// peek: fsm u_dut.state_q
// peek: read u_dut.read_q
// peek: stall u_dut.stall_q
  strobe_dise_sequencer #(
      .Lanes(2),
      .Replacements(4)
  ) u_dut (
      .clk_i, .rst_ni, .write_i, .write_entry_i, .wdata_i,
      .trigger_i, .inject_i, .trigger_entry_i, .insn_i('0), .pc_i('0), .length4_i(1'b0), .target_i('0),
      .abort_i, .start_i, .resume_i, .resume_entry_i, .resume_done_i, .advance_i,
      .offer_o(offer), .valid_o(valid), .insn_o(insn), .dise_o(dise), .kind_o(kind), .value_o(value),
      .entry_o(entry), .last_o(last), .pc_o(pc), .over_o(over)
  );

  // The first entry that a resumption may go to: the one after the last one offered.
  logic [2:0] next_q;
  logic [3:0] age_q;  // cycles of the sequence in which it could advance
  logic [1:0] groups_q;
  logic triggered_q;     // and not started
  logic triggers;
  assign triggers = (trigger_i && advance_i) || inject_i;
  logic waits;
  assign waits = fsm == 2'd3;
  initial assume (!rst_ni);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      next_q <= '0;
      age_q <= '0;
      groups_q <= '0;
      triggered_q <= 1'b0;
    end else begin
      if (triggers) triggered_q <= !inject_i && !abort_i && !resume_done_i;
      else if (start_i || abort_i || resume_done_i) triggered_q <= 1'b0;
      if (triggers) begin
        next_q <= {1'b0, trigger_entry_i};
        groups_q <= '0;
      end else if (offer && advance_i) begin
        next_q <= {1'b0, entry[1:0]} + 3'(valid[0]) + 3'(valid[1]);
        groups_q <= groups_q + 2'd1;
      end
      if (fsm == 2'd0) age_q <= '0;
      else if (fsm != 2'd2 || advance_i) age_q <= age_q + 4'd1;
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      WritesWhenIdle : assume (!write_i || (fsm == 2'd0 && !triggers && !triggered_q));
      TriggersWhenIdle : assume (!(trigger_i || inject_i) || (fsm == 2'd0 && !triggered_q));
      ATriggerStarts : assume (!start_i || triggered_q);
      OutcomesComeAtOnce : assume (!waits || resume_i || resume_done_i || abort_i);
      OutcomesLeadForward : assume (!(waits && resume_i) || {1'b0, resume_entry_i} >= next_q);
      ASequenceEnds : assert (age_q < 4'd13);
      EntriesComeInOrder : assert (!offer || {1'b0, entry[1:0]} >= next_q);
      // For induction: an entry takes at most three cycles, for itself, its outcome and its words.
      TheWordsAge : assert (fsm != 2'd1 || (5'(age_q) <= 5'd3 * next_q && next_q <= 3'd3));
      AGroupsAge : assert (fsm != 2'd2 || (5'(age_q) <= 5'd3 * next_q + 5'd1 && next_q <= 3'd3));
      AnOutcomesAge : assert (!waits || (5'(age_q) < 5'd3 * next_q && next_q <= 3'd4));
      TheWordsTakeACycle : assert (fsm != 2'd1 || stall == 3'd1);
      TheNextWordsAreRead : assert (!offer || read == entry[1:0] + 2'd2);
      TheFirstWordsAreRead : assert (!triggered_q || (fsm == 2'd0 && {1'b0, read} == next_q));
      NoWordsBefore : assert (fsm != 2'd1 || {1'b0, read} >= next_q);
      AGroupHasAnInstruction : assert (!offer || valid[0]);
      BehindTheTableIsNothing : assert (!offer || entry[1:0] != 2'd3 || !valid[1]);
      FourBranches : cover (over && age_q == 4'd9 && !resume_done_i);
      TwoFullGroups : cover (over && groups_q == 2'd1 && valid == 2'b11 && age_q == 4'd1);
    end
  end
endmodule
