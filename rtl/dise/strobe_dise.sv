// SPDX-License-Identifier: Apache-2.0
// The decode engine: takes up to Lanes instructions a cycle and gives them out, the replaced ones expanded.
//
// docs/blocks/dise.md is the contract. A bundle passes five stages of one cycle each: word match, pattern
// match, operations, the loop, start of the sequence. The output registers follow. MatchStages and StartStages
// leave stages out: fewer than two stages of match share the operations' or each other's cycle, and a start
// without a stage shares the loop's. All stages wait while the output is not taken. The stages before the loop
// also wait while the loop takes several passes for its bundle, and are emptied when it replaces an
// instruction.
// Priority: restore > resume_done > everything else. The file is long because each port and connection is a
// line.
`include "strobe_assert.svh"

module strobe_dise #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int Replacements = 2048,
    parameter int Counters = 2,
    parameter int CounterWidth = 20,
    parameter int FlagTiming = 0,
    parameter int StallCycles = 1,
    parameter int MatchStages = 2,
    parameter int StartStages = 1,
    parameter int Jitter = 0
) (
    input logic clk_i,
    input logic rst_ni,

    // Registers, written only while idle_o is 1.
    input  logic        we_i,
    input  logic [11:0] address_i,
    input  logic [63:0] wdata_i,
    output logic [63:0] rdata_o,

    // A bundle is taken in a cycle in which ready_o is 1 and a lane is valid, but restore_i drops it.
    input  logic [Lanes-1:0]                     valid_i,
    input  logic [32*Lanes-1:0]                  insn_i,
    input  logic [64*Lanes-1:0]                  pc_i,
    input  logic [Lanes-1:0]                     length4_i,
    input  logic [64*Lanes-1:0]                  target_i,
    input  logic [Lanes-1:0]                     expand_i,
    input  logic [strobe_dise_pkg::SlotBits-1:0] slot_i,
    output logic                                 ready_o,

    // Injection, only while idle_o is 1: lane 0 is a trigger that is not looked up; its sequence continues at
    // inject_entry_i.
    input logic                            inject_i,
    input logic [$clog2(Replacements)-1:0] inject_entry_i,

    input logic                                 restore_i,
    input logic [strobe_dise_pkg::SlotBits-1:0] restore_slot_i,
    input logic [1:0]                           restore_lane_i,

    // The output: a bundle up to its replaced lane, or a group of a sequence, which has bit 11 of entry_o
    // set.
    output logic                out_valid_o,
    output logic [Lanes-1:0]    valid_o,
    output logic [32*Lanes-1:0] insn_o,
    output logic [3*Lanes-1:0]  dise_o,
    output logic [3*Lanes-1:0]  kind_o,
    output logic [64*Lanes-1:0] pc_o,
    output logic [64*Lanes-1:0] value_o,
    output logic [12*Lanes-1:0] entry_o,
    output logic [Lanes-1:0]    last_o,
    output logic [Lanes-1:0]    in_burst_o,  // for the bundle's lanes and the replaced one
    output logic                replaced_o,
    output logic [1:0]          replaced_lane_o,
    output logic [10:0]         replaced_entry_o,
    input  logic                out_ready_i,

    input logic                            resume_i,
    input logic [$clog2(Replacements)-1:0] resume_entry_i,
    input logic                            resume_done_i,

    output logic                  idle_o,
    output logic [2*Counters-1:0] hps_flags_o,
    output logic                  hps_position_o
);
  `STROBE_REQUIRE(DiseLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_dise: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(DisePatterns, Patterns >= 2 && Patterns <= strobe_dise_pkg::MaxPatterns && (Patterns & (Patterns - 1)) == 0,
                  "strobe_dise: Patterns must be a power of two from 2 to 128")
  `STROBE_REQUIRE(DiseReplacements,
                  Replacements >= 2 * Lanes && Replacements <= strobe_dise_pkg::MaxReplacements && (Replacements & (Replacements - 1)) == 0,
                  "strobe_dise: Replacements must be a power of two from 2 * Lanes to 2048")
  `STROBE_REQUIRE(DiseCounters, Counters >= 1 && Counters <= strobe_dise_pkg::MaxCounters,
                  "strobe_dise: Counters must be 1 to 3")
  `STROBE_REQUIRE(DiseCounterWidth, CounterWidth >= 8 && CounterWidth <= 32,
                  "strobe_dise: CounterWidth must be 8 to 32")
  `STROBE_REQUIRE(DiseTiming, FlagTiming == 0 || FlagTiming == 1,
                  "strobe_dise: FlagTiming must be 0 or 1")
  `STROBE_REQUIRE(DiseMatch, MatchStages >= 0 && MatchStages <= 2,
                  "strobe_dise: MatchStages must be 0 to 2")
  `STROBE_REQUIRE(DiseStart, StartStages == 0 || StartStages == 1,
                  "strobe_dise: StartStages must be 0 or 1")
  `STROBE_REQUIRE(DiseJitter, Jitter == 0 || Jitter == 1, "strobe_dise: Jitter must be 0 or 1")
  localparam int EntryBits = $clog2(Replacements);
  localparam int Flags = 2 * Counters;
  localparam int States = 1 << Flags;
  localparam int PerLane = FlagTiming + 1;
  localparam int Steps = Lanes * PerLane;
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * Counters;
  localparam int SaveBits = CounterWidth * Counters + Flags + 12 * Jitter;

  logic enable, clear, write_word, write_kind, write_condition, write_ops, write_replacement;
  logic [$clog2(Patterns)-1:0] pattern;
  logic [EntryBits-1:0] replacement;
  logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies, jittered_copies;
  logic write_jitter;
  logic [27:0] jitter;
  logic [Flags-1:0] flags;
  logic [CounterWidth*Counters-1:0] counters;
  logic [Counters-1:0] write_counter;
  strobe_dise_registers #(
      .Lanes       (Lanes),
      .Patterns    (Patterns),
      .Replacements(Replacements),
      .Counters    (Counters),
      .CounterWidth(CounterWidth),
      .Jitter      (Jitter)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .we_i,
      .address_i,
      .wdata_i,
      .rdata_o,
      .enable_o           (enable),
      .clear_o            (clear),
      .copies_o           (copies),
      .flags_i            (flags),
      .counters_i         (counters),
      .write_counter_o    (write_counter),
      .write_jitter_o     (write_jitter),
      .jitter_i           (jitter),
      .write_word_o       (write_word),
      .write_kind_o       (write_kind),
      .write_condition_o  (write_condition),
      .write_ops_o        (write_ops),
      .pattern_o          (pattern),
      .write_replacement_o(write_replacement),
      .replacement_o      (replacement)
  );

  // Flow control. fills advances the stages before the loop. It drives most flip-flops, so it must be known
  // early in the cycle: they wait while the loop may hold its bundle (may_hold_q). blocked_q is 1 from the
  // decision to replace until the sequence ends.
  logic advance, hold, stale, fills, takes, decides, replaces, over;
  logic near_next, may_stop, may_stop_next, several_next, may_hold_q;
  logic word_valid_q, hits_valid_q, loop_valid_q, start_valid_q, out_valid_q, blocked_q;
  logic [1:0] restore_q;
  logic [Lanes-1:0] replaced;
  logic offer, start, answers;
  // Without a stage of match, a bundle reaches the operations when it comes. They are prepared for flags and
  // copies that were there a cycle earlier, so none comes in the cycle after a write or a restore. Copies with
  // jitter come a cycle later, so that a bundle waits a cycle more, unless it passes two stages of match.
  localparam int Settles = MatchStages == 2 ? 0 : 1 - MatchStages + Jitter;
  logic [1:0] settles_q;
  logic settles;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) settles_q <= '0;
    else settles_q <= {settles_q[0], we_i || restore_q[1]};
  end
  assign settles = (Settles >= 1 && settles_q[0]) || (Settles == 2 && settles_q[1]);
  assign advance = !out_valid_q || out_ready_i;
  assign fills = advance && !stale && !(loop_valid_q && may_hold_q);
  assign ready_o = fills && !blocked_q && restore_q == '0 && !settles;
  assign takes = ready_o && !inject_i && valid_i != '0;
  assign decides = loop_valid_q && advance && !stale;
  assign replaces = decides && replaced != '0;
  // may_hold_q describes the bundle that is in the loop in the next cycle. It is 1 when patterns concern more
  // than one of its steps, and a counter will be near 0 (one that may be set in this cycle counts as near) or
  // a step may stop the pass.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) may_hold_q <= 1'b0;
    else may_hold_q <= several_next && (near_next || (decides && may_stop) || may_stop_next);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_valid_q <= 1'b0;
      hits_valid_q <= 1'b0;
      loop_valid_q <= 1'b0;
      start_valid_q <= 1'b0;
      out_valid_q <= 1'b0;
      blocked_q <= 1'b0;
      restore_q <= '0;
    end else begin
      restore_q <= {restore_q[0], restore_i};
      if (restore_i) begin
        word_valid_q <= 1'b0;
        hits_valid_q <= 1'b0;
        loop_valid_q <= 1'b0;
        start_valid_q <= 1'b0;
        out_valid_q <= 1'b0;
        blocked_q <= 1'b0;
      end else begin
        if (replaces) begin
          word_valid_q <= 1'b0;
          hits_valid_q <= 1'b0;
          loop_valid_q <= 1'b0;
        end else if (fills) begin
          word_valid_q <= MatchStages == 2 && takes;
          hits_valid_q <= MatchStages == 2 ? word_valid_q : MatchStages == 1 && takes;
          loop_valid_q <= MatchStages == 0 ? takes : hits_valid_q;
        end else if (decides && !hold) begin
          loop_valid_q <= 1'b0;
        end
        if (advance) begin
          start_valid_q <= StartStages == 1 && decides && !hold;
          out_valid_q <= answers || (offer && !resume_done_i);
        end else if (resume_done_i) begin
          out_valid_q <= 1'b0;
        end
        if (over) blocked_q <= 1'b0;
        else if (replaces || inject_i) blocked_q <= 1'b1;
      end
    end
  end

  // The pattern table: word match and pattern match.
  logic [Patterns*Lanes-1:0] hits;
  logic [Patterns-1:0] replaces_mask;
  logic [EntryBits*Patterns-1:0] starts;
  strobe_pattern_table #(
      .Lanes       (Lanes),
      .Patterns    (Patterns),
      .Replacements(Replacements),
      .Stages      (MatchStages)
  ) u_patterns (
      .clk_i,
      .rst_ni,
      .write_word_i(write_word),
      .write_kind_i(write_kind),
      .index_i     (pattern),
      .wdata_i,
      .advance_i   (fills),
      .valid_i     (enable ? valid_i : '0),
      .insn_i,
      .pc_i,
      .target_i,
      .expand_i,
      .hits_o      (hits),
      .replaces_o  (replaces_mask),
      .starts_o    (starts)
  );

  // The bundle's fields, in one register for each stage after the word match.
  localparam int LaneBits = 32 + 64 + 64 + 1;
  logic [LaneBits*Lanes-1:0] lanes, word_lanes_q, hits_lanes_q, loop_lanes_q, start_lanes_q;
  logic [Lanes-1:0] word_lane_valid_q, hits_lane_valid_q, loop_lane_valid_q, start_lane_valid_q;
  logic [strobe_dise_pkg::SlotBits-1:0] word_slot_q, hits_slot_q, loop_slot_q, save_slot_q;
  logic [Steps-1:0] concerned, concerned_q;
  logic several_q;
  logic [Lanes-1:0] start_replaced_q;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    assign lanes[LaneBits*k+:LaneBits] = {
      length4_i[k], target_i[64*k+:64], pc_i[64*k+:64], insn_i[32*k+:32]
    };
    if (PerLane == 1) begin : gen_one_step
      assign concerned[k] = hits[Patterns*k+:Patterns] != '0;
    end else begin : gen_two_steps
      assign concerned[2*k]   = (hits[Patterns*k+:Patterns] & ~replaces_mask) != '0;
      assign concerned[2*k+1] = (hits[Patterns*k+:Patterns] & replaces_mask) != '0;
    end
  end
  assign several_next = fills ? (concerned & (concerned - 1'b1)) != '0 : several_q;
  always_ff @(posedge clk_i) begin
    if (fills) begin
      word_lanes_q <= lanes;
      word_lane_valid_q <= valid_i;
      word_slot_q <= slot_i;
      hits_lanes_q <= MatchStages == 2 ? word_lanes_q : lanes;
      hits_lane_valid_q <= MatchStages == 2 ? word_lane_valid_q : valid_i;
      hits_slot_q <= MatchStages == 2 ? word_slot_q : slot_i;
      loop_lanes_q <= MatchStages == 0 ? lanes : hits_lanes_q;
      loop_lane_valid_q <= MatchStages == 0 ? valid_i : hits_lane_valid_q;
      loop_slot_q <= MatchStages == 0 ? slot_i : hits_slot_q;
      concerned_q <= concerned;
    end
    several_q <= several_next;
    if (advance) begin
      start_lanes_q <= loop_lanes_q;
      start_lane_valid_q <= loop_lane_valid_q;
      start_replaced_q <= replaced;
      save_slot_q <= loop_slot_q;
    end
  end

  // Operations under the present flags, and the loop.
  logic [States-1:0] state;
  logic changed;
  logic [Patterns*Lanes-1:0] replacing;
  logic [StepBits*Steps-1:0] rows;
  strobe_conditional_table #(
      .Lanes       (Lanes),
      .Patterns    (Patterns),
      .Counters    (Counters),
      .CounterWidth(CounterWidth),
      .FlagTiming  (FlagTiming)
  ) u_conditionals (
      .clk_i,
      .rst_ni,
      .write_condition_i(write_condition),
      .write_ops_i      (write_ops),
      .index_i          (pattern),
      .wdata_i,
      .copies_i         (jittered_copies),
      .state_i          (state),
      .changed_i        (changed),
      .advance_i        (fills),
      .hits_i           (hits),
      .replaces_i       (replaces_mask),
      .stale_o          (stale),
      .may_stop_o       (may_stop),
      .may_stop_next_o  (may_stop_next),
      .replacing_o      (replacing),
      .rows_o           (rows)
  );

  logic [SaveBits-1:0] restored;
  logic [11:0] load_random;
  if (Jitter == 1) begin : gen_jitter
    assign load_random = restored[SaveBits-1-:12];
  end else begin : gen_no_jitter
    assign load_random = '0;
  end
  logic [Lanes-1:0] save;
  logic [SaveBits*Lanes-1:0] saved;
  logic [Lanes-1:0] in_burst;
  strobe_counter_bank #(
      .Lanes       (Lanes),
      .Counters    (Counters),
      .CounterWidth(CounterWidth),
      .FlagTiming  (FlagTiming),
      .Jitter      (Jitter)
  ) u_counters (
      .clk_i,
      .rst_ni,
      .copies_i       (copies),
      .copies_o       (jittered_copies),
      .settle_i       (we_i),
      .write_jitter_i (write_jitter),
      .write_word_i   (wdata_i[27:0]),
      .jitter_o       (jitter),
      .write_i        (write_counter),
      .write_value_i  (wdata_i[CounterWidth-1:0]),
      .clear_i        (clear),
      .load_i         (restore_q[1]),
      .load_counters_i(restored[0+:CounterWidth*Counters]),
      .load_flags_i   (restored[CounterWidth*Counters+:Flags]),
      .load_random_i  (load_random),
      .advance_i      (decides),
      .valid_i        (loop_lane_valid_q),
      .concerned_i    (concerned_q),
      .rows_i         (rows),
      .hold_o         (hold),
      .near_next_o    (near_next),
      .replaced_o     (replaced),
      .flags_o        (flags),
      .burst_o        (hps_position_o),
      .counters_o     (counters),
      .state_o        (state),
      .changed_o      (changed),
      .save_o         (save),
      .saved_o        (saved),
      .in_burst_o     (in_burst)
  );

  logic [strobe_dise_pkg::SlotBits-1:0] restore_slot_q;
  logic [1:0] restore_lane_q;
  always_ff @(posedge clk_i) begin
    if (restore_i) begin
      restore_slot_q <= restore_slot_i;
      restore_lane_q <= restore_lane_i;
    end
  end
  strobe_checkpoints #(
      .Lanes(Lanes),
      .Width(SaveBits)
  ) u_checkpoints (
      .clk_i,
      .save_i     (save),
      .save_slot_i(save_slot_q),
      .saved_i    (saved),
      .read_i     (restore_q[0]),
      .read_slot_i(restore_slot_q),
      .read_lane_i(restore_lane_q),
      .word_o     (restored)
  );

  // Start of the sequence, the trigger, and the lanes before it: for the bundle of the last cycle with advance,
  // or, without a stage of their own, for the bundle in the loop.
  logic start_replaced;
  logic [Lanes-1:0] start_valid, start_lane;
  logic [LaneBits*Lanes-1:0] start_bundle;
  logic [LaneBits-1:0] trigger, chosen;
  logic [EntryBits-1:0] start_entry, replaced_entry;
  assign answers = StartStages == 1 ? start_valid_q : decides && !hold;
  assign start_bundle = StartStages == 1 ? start_lanes_q : loop_lanes_q;
  assign start_valid = StartStages == 1 ? start_lane_valid_q : loop_lane_valid_q;
  assign start_lane = StartStages == 1 ? start_replaced_q : replaced;
  assign start_replaced = answers && start_lane != '0;
  strobe_sequence_start #(
      .Lanes    (Lanes),
      .Patterns (Patterns),
      .EntryBits(EntryBits),
      .Stages   (StartStages)
  ) u_start (
      .clk_i,
      .replacing_i(replacing),
      .starts_i   (starts),
      .advance_i  (advance),
      .lane_i     (start_lane),
      .start_o    (start_entry),
      .entry_o    (replaced_entry)
  );
  strobe_onehot_mux #(
      .Width (LaneBits),
      .Inputs(Lanes)
  ) u_trigger (
      .data_i  (start_bundle),
      .select_i(start_lane),
      .data_o  (chosen)
  );
  assign trigger = inject_i ? lanes[LaneBits-1:0] : chosen;

  logic replaced_q;
  logic [1:0] replaced_lane_q;
  logic [Lanes-1:0] group_valid, group_last;
  logic [32*Lanes-1:0] group_insn;
  logic [3*Lanes-1:0] group_dise, group_kind;
  logic [64*Lanes-1:0] group_value;
  logic [EntryBits*Lanes-1:0] group_entry;
  logic [63:0] trigger_pc;
  assign start = out_valid_q && replaced_q && out_ready_i;
  strobe_dise_sequencer #(
      .Lanes       (Lanes),
      .Replacements(Replacements),
      .StallCycles (StallCycles)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .write_i       (write_replacement),
      .write_entry_i (replacement),
      .wdata_i       ({wdata_i[63], wdata_i[58:0]}),
      .trigger_i     (start_replaced),
      .inject_i,
      .trigger_entry_i(inject_i ? inject_entry_i : start_entry),
      .insn_i        (trigger[31:0]),
      .pc_i          (trigger[95:32]),
      .length4_i     (trigger[160]),
      .target_i      (trigger[159:96]),
      .abort_i       (restore_i),
      .start_i       (start),
      .resume_i,
      .resume_entry_i,
      .resume_done_i,
      .advance_i     (advance),
      .offer_o       (offer),
      .valid_o       (group_valid),
      .insn_o        (group_insn),
      .dise_o        (group_dise),
      .kind_o        (group_kind),
      .value_o       (group_value),
      .entry_o       (group_entry),
      .last_o        (group_last),
      .pc_o          (trigger_pc),
      .over_o        (over)
  );

  // Output registers: a bundle's lanes before the replaced one, or a group of a sequence.
  logic [Lanes-1:0] leaves, valid_q, last_q, in_burst_q;
  logic [1:0] replaced_lane;
  logic [32*Lanes-1:0] insn_q;
  logic [3*Lanes-1:0] dise_q, kind_q;
  logic [64*Lanes-1:0] pc_q, value_q;
  logic [12*Lanes-1:0] entry_q;
  always_comb begin
    leaves = start_valid;
    replaced_lane = '0;
    for (int k = 0; k < Lanes; k++) begin
      for (int j = 0; j < Lanes; j++) leaves[k] = leaves[k] && !(j <= k && start_lane[j]);
      if (start_lane[k]) replaced_lane = 2'(k);
    end
  end
  always_ff @(posedge clk_i) begin
    if (advance) begin
      replaced_q <= start_replaced;
      replaced_lane_q <= replaced_lane;
      valid_q <= offer ? group_valid : leaves;
      last_q <= offer ? group_valid & group_last : '0;
      in_burst_q <= offer ? '0 : (StartStages == 1 ? in_burst : '1) & (leaves | start_lane);
      dise_q <= offer ? group_dise : '0;
      kind_q <= offer ? group_kind : '0;
      value_q <= offer ? group_value : '0;
    end
  end
  for (genvar k = 0; k < Lanes; k++) begin : gen_out
    always_ff @(posedge clk_i) begin
      if (advance) begin
        insn_q[32*k+:32] <= offer ? group_insn[32*k+:32] : start_bundle[LaneBits*k+:32];
        pc_q[64*k+:64] <= offer ? trigger_pc : start_bundle[LaneBits*k+32+:64];
        entry_q[12*k+:12] <= offer ? {1'b1, 11'(group_entry[EntryBits*k+:EntryBits])} : '0;
      end
    end
  end
  assign out_valid_o = out_valid_q;
  assign valid_o = out_valid_q ? valid_q : '0;
  assign replaced_o = out_valid_q && replaced_q;
  assign replaced_lane_o = replaced_lane_q;
  assign replaced_entry_o = 11'(replaced_entry);
  assign insn_o = insn_q;
  assign dise_o = dise_q;
  assign kind_o = kind_q;
  assign pc_o = pc_q;
  assign value_o = value_q;
  assign entry_o = entry_q;
  assign last_o = last_q;
  // Known in the cycle after the loop.
  assign in_burst_o = StartStages == 1 ? in_burst_q : in_burst_q & in_burst;

  assign idle_o = !(word_valid_q || hits_valid_q || loop_valid_q || start_valid_q || out_valid_q ||
                    blocked_q || restore_q != '0);
  assign hps_flags_o = flags;

  `STROBE_ASSERT(DiseIsWrittenIdle, !we_i || idle_o)
  `STROBE_ASSERT(DiseInjectsIdle, !inject_i || idle_o)
  `STROBE_ASSERT(DiseHoldsAsItSays, !(decides && hold) || may_hold_q)
  `STROBE_ASSERT(DiseGroupOrBundle, !(offer && answers))
endmodule
