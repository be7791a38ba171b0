// SPDX-License-Identifier: Apache-2.0
// The decode engine with productions that replace nothing: every instruction comes out once, unchanged and in
// order, whatever the counters and flags do, under back-pressure, restores and writes of every register.
//
// Any one bundle is marked when it is taken; it must be the one that leaves after as many bundles as were in
// flight. The other assertions are what induction needs to know of the stages. The blocks' own assertions are
// proven in their own harnesses.
//
// prove: induction 2
// leave: u_dut
module strobe_dise_null_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic we_i,
    input logic [11:0] address_i,
    input logic [63:0] wdata_i,
    input logic [1:0] valid_i,
    input logic [63:0] insn_i,
    input logic [127:0] pc_i,
    input logic [127:0] target_i,
    input logic [1:0] length4_i,
    input logic [1:0] expand_i,
    input logic [4:0] slot_i,
    input logic restore_i,
    input logic [4:0] restore_slot_i,
    input logic restore_lane_i,
    input logic out_ready_i,
    input logic mark_i
);
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits;
  localparam int Laid = 32 + 64 + 64 + 1;  // bits of a lane in a stage: length, target, pc, insn

  logic ready, out_valid, replaced, idle;
  logic [1:0] valid;
  logic [63:0] insn;
  logic [127:0] pc;
  logic [23:0] entry;
  strobe_dise #(
      .Lanes(2),
      .Patterns(2),
      .Replacements(4),
      .Counters(1),
      .CounterWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .we_i, .address_i, .wdata_i, .rdata_o(),
      .valid_i, .insn_i, .pc_i, .length4_i, .target_i, .expand_i, .slot_i, .ready_o(ready),
      .inject_i(1'b0), .inject_entry_i('0),
      .restore_i, .restore_slot_i, .restore_lane_i({1'b0, restore_lane_i}),
      .out_valid_o(out_valid), .valid_o(valid), .insn_o(insn), .dise_o(), .kind_o(), .pc_o(pc), .value_o(),
      .entry_o(entry), .last_o(), .in_burst_o(), .replaced_o(replaced), .replaced_lane_o(), .replaced_entry_o(),
      .out_ready_i, .resume_i(1'b0), .resume_entry_i('0), .resume_done_i(1'b0),
      .idle_o(idle), .hps_flags_o(), .hps_position_o()
  );

  initial assume (!rst_ni);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LanesWithoutAGap : assume (valid_i != 2'b10);
      WritesWhileIdle : assume (!we_i || (idle && valid_i == '0));
      NothingReplaces : assume (!we_i || address_i != strobe_dise_pkg::PatternKindOffset || !wdata_i[20]);
    end
  end

  // The stages, the youngest first.
  logic word_valid, hits_valid, loop_valid, start_valid, blocked;
  logic [1:0] word_lane_valid, hits_lane_valid, loop_lane_valid, start_lane_valid, start_replaced;
  logic [2*Laid-1:0] word_lanes, hits_lanes, loop_lanes, start_lanes;
  logic [1:0] fsm;
// peek: word_valid u_dut.word_valid_q
// peek: hits_valid u_dut.hits_valid_q
// peek: loop_valid u_dut.loop_valid_q
// peek: start_valid u_dut.start_valid_q
// peek: blocked u_dut.blocked_q
// peek: word_lane_valid u_dut.word_lane_valid_q
// peek: hits_lane_valid u_dut.hits_lane_valid_q
// peek: loop_lane_valid u_dut.loop_lane_valid_q
// peek: start_lane_valid u_dut.start_lane_valid_q
// peek: start_replaced u_dut.start_replaced_q
// peek: word_lanes u_dut.word_lanes_q
// peek: hits_lanes u_dut.hits_lanes_q
// peek: loop_lanes u_dut.loop_lanes_q
// peek: start_lanes u_dut.start_lanes_q
// peek: fsm u_dut.u_sequencer.state_q
  logic [1:0] entry_valid, entry_replaces, word0, word1;
  logic [3:0] hits;
  logic [StepBits*2-1:0] rows;
  logic [3:0] loop_hits;
  logic [1:0] concerned, row_acts;
  logic several, either_stale, near, may_hold, may_stop;
  logic [1:0] stale, condition, again;
// peek: entry_valid u_dut.u_patterns.valid_q
// peek: entry_replaces u_dut.u_patterns.replaces_q
// peek: word0 u_dut.u_patterns.gen_lane[0].gen_two_stages.word_q
// peek: word1 u_dut.u_patterns.gen_lane[1].gen_two_stages.word_q
// peek: hits u_dut.hits
// peek: rows u_dut.rows
// peek: concerned u_dut.concerned_q
// peek: several u_dut.several_q
// peek: near u_dut.u_counters.near
// peek: may_hold u_dut.may_hold_q
// peek: may_stop u_dut.may_stop
// peek: held u_dut.hold
// peek: either_stale u_dut.u_conditionals.either_stale_q
// peek: stale u_dut.u_conditionals.stale_q
// peek: condition u_dut.u_conditionals.condition_q
// peek: again u_dut.u_conditionals.again_q
// peek: loop_hits[1:0] u_dut.u_conditionals.gen_lane[0].hits_q
// peek: loop_hits[3:2] u_dut.u_conditionals.gen_lane[1].hits_q
  logic held;
  logic [1:0] row_replaces, row_stops, row_sets;
  for (genvar r = 0; r < 2; r++) begin : gen_row
    assign row_acts[r] = rows[StepBits*r+:StepBits] != '0;
    assign row_replaces[r] = rows[StepBits*r+strobe_dise_pkg::StepReplaced];
    assign row_stops[r] = rows[StepBits*r+strobe_dise_pkg::StepStops];
    assign row_sets[r] = rows[StepBits*r+strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpIsSet];
  end

  // A bundle as compared: which lanes are valid, and insn and pc of each. The fields of an invalid lane are
  // don't-care.
  localparam int Seen = 2 * (1 + 32 + 64);
  function automatic logic [Seen-1:0] seen(input logic [1:0] there, input logic [63:0] words,
                                           input logic [127:0] pcs);
    seen = {there, there[1] ? words[63:32] : 32'd0, there[0] ? words[31:0] : 32'd0,
            there[1] ? pcs[127:64] : 64'd0, there[0] ? pcs[63:0] : 64'd0};
  endfunction
  function automatic logic [Seen-1:0] staged(input logic [1:0] there, input logic [2*Laid-1:0] lanes);
    staged = seen(there, {lanes[Laid+:32], lanes[0+:32]}, {lanes[Laid+32+:64], lanes[32+:64]});
  endfunction

  logic takes, leaves, marked_q;
  logic [2:0] in_flight_q, ahead_q;
  logic [Seen-1:0] want_q;
  assign takes = ready && valid_i != '0 && !restore_i;
  assign leaves = out_valid && out_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_flight_q <= '0;
      marked_q <= 1'b0;
      ahead_q <= '0;
    end else if (restore_i) begin
      in_flight_q <= '0;
      marked_q <= 1'b0;
    end else begin
      in_flight_q <= in_flight_q + 3'(takes) - 3'(leaves);
      if (!marked_q && mark_i && takes) begin
        marked_q <= 1'b1;
        ahead_q <= in_flight_q - 3'(leaves);
      end else if (marked_q && leaves) begin
        marked_q <= ahead_q != '0;
        ahead_q <= ahead_q - 3'd1;
      end
    end
  end
  always_ff @(posedge clk_i) if (!marked_q) want_q <= seen(valid_i, insn_i, pc_i);

  logic [2:0] before_start, before_loop, before_hits, before_word;
  assign before_start = 3'(out_valid);
  assign before_loop = before_start + 3'(start_valid);
  assign before_hits = before_loop + 3'(loop_valid);
  assign before_word = before_hits + 3'(hits_valid);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      NothingIsReplaced : assert (!replaced && !(out_valid && (entry[11] || entry[23])));
      ItIsTheOneThatCameIn : assert (!leaves || !marked_q || ahead_q != '0 || seen(valid, insn, pc) == want_q);
      NothingLeavesThatDidNotCome : assert (!leaves || in_flight_q != '0);
      IdleHoldsNothing : assert (!idle || in_flight_q == '0);

      // What the stages hold.
      InFlightIsInAStage : assert (in_flight_q == before_word + 3'(word_valid));
      TheMarkedIsInFlight : assert (!marked_q || ahead_q < in_flight_q);
      MarkedInWord : assert (!marked_q || !word_valid || ahead_q != before_word || staged(word_lane_valid, word_lanes) == want_q);
      MarkedInHits : assert (!marked_q || !hits_valid || ahead_q != before_hits || staged(hits_lane_valid, hits_lanes) == want_q);
      MarkedInLoop : assert (!marked_q || !loop_valid || ahead_q != before_loop || staged(loop_lane_valid, loop_lanes) == want_q);
      MarkedInStart : assert (!marked_q || !start_valid || ahead_q != before_start || staged(start_lane_valid, start_lanes) == want_q);
      MarkedAtTheOutput : assert (!marked_q || !out_valid || ahead_q != '0 || seen(valid, insn, pc) == want_q);
      // No stage is about to replace an instruction.
      NoEntryReplaces : assert ((entry_valid & entry_replaces) == '0);
      NoWordReplaces : assert (!word_valid || ((word0 | word1) & entry_replaces) == '0);
      NoHitReplaces : assert (!hits_valid || ((hits[1:0] | hits[3:2]) & entry_replaces) == '0);
      RowsAreMadeOfOneStage : assert (stale[1] ? condition == '0 : again == '0);
      WhatIsStaleIsTold : assert (either_stale == (stale != '0));
      ConcernedAsHit : assert (concerned == {loop_hits[3:2] != '0, loop_hits[1:0] != '0} && several == (concerned == 2'b11));
      OthersDoNothing : assert (!loop_valid || (row_acts & ~concerned) == '0);
      // Whether the loop may hold its bundle was known a cycle before.
      WhatIsHeldMayBeHeld : assert (!loop_valid || either_stale || !held || may_hold);
      MayHoldWhileNear : assert (!loop_valid || !several || !near || may_hold);
      MayHoldWhereOneMayStop : assert (!loop_valid || !several || !may_stop || may_hold);
      MayStopWhereARowStops : assert (!loop_valid || either_stale || may_stop || row_stops == '0);
      SetsStop : assert (!loop_valid || (row_sets & ~row_stops) == '0);
      NoLoopHitReplaces : assert (!loop_valid || ((loop_hits[1:0] | loop_hits[3:2]) & entry_replaces) == '0);
      NoRowReplaces : assert (!loop_valid || row_replaces == '0);
      NoLaneStarts : assert (!start_valid || start_replaced == '0);
      NoSequence : assert (!blocked && fsm == '0);
    end
  end
endmodule
