// SPDX-License-Identifier: Apache-2.0
// Sequencer: reads a sequence from the replacement table and instantiates up to Lanes instructions a cycle.
//
// docs/blocks/dise.md, "Sequencer". The table is read in the cycle in which the trigger is taken. start_i
// comes with the instructions before the trigger, at least one cycle later, and loads the words into
// registers. The first group is offered StallCycles cycles after start_i and is in the output registers one
// cycle later. While a group is offered, the next group's words are at the table's output and the words after
// those are read.
// A group ends after a DISE branch or a dcall; the sequence then waits for resume_i, which says where it
// continues. It ends after its last instruction, which is the table's last entry at the latest, or with
// resume_done_i.
// Priority: abort > resume_done > everything else.
`include "strobe_assert.svh"

module strobe_dise_sequencer #(
    parameter int Lanes = 4,
    parameter int Replacements = 2048,
    parameter int StallCycles = 1
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                                        write_i,
    input logic [$clog2(Replacements)-1:0]             write_entry_i,
    input logic [strobe_dise_pkg::ReplacementBits-1:0] wdata_i,

    // A trigger is taken in a cycle with trigger_i and advance_i, and kept until the next one. A trigger with
    // inject_i is taken at once, and its sequence continues at trigger_entry_i without start_i.
    input logic        trigger_i,
    input logic        inject_i,
    input logic [$clog2(Replacements)-1:0] trigger_entry_i,
    input logic [31:0] insn_i,
    input logic [63:0] pc_i,
    input logic        length4_i,
    input logic [63:0] target_i,

    input logic                            abort_i,
    input logic                            start_i,
    input logic                            resume_i,
    input logic [$clog2(Replacements)-1:0] resume_entry_i,
    input logic                            resume_done_i,

    // A group is taken in a cycle with offer_o and advance_i.
    input  logic                                    advance_i,
    output logic                                    offer_o,
    output logic [Lanes-1:0]                        valid_o,
    output logic [32*Lanes-1:0]                     insn_o,
    output logic [3*Lanes-1:0]                      dise_o,
    output logic [3*Lanes-1:0]                      kind_o,
    output logic [64*Lanes-1:0]                     value_o,
    output logic [$clog2(Replacements)*Lanes-1:0]   entry_o,
    output logic [Lanes-1:0]                        last_o,
    output logic [63:0]                             pc_o,   // the trigger's pc
    output logic                                    over_o  // the sequence ends in this cycle
);
  `STROBE_REQUIRE(SequencerLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_dise_sequencer: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(SequencerStall, StallCycles >= 1 && StallCycles <= 8,
                  "strobe_dise_sequencer: StallCycles must be 1 to 8")
  localparam int Bits = strobe_dise_pkg::ReplacementBits;
  localparam int EntryBits = $clog2(Replacements);

  localparam logic [1:0] Idle = 2'd0;
  localparam logic [1:0] Stall = 2'd1;  // reading the table, or counting stall cycles
  localparam logic [1:0] Emit = 2'd2;
  localparam logic [1:0] Wait = 2'd3;   // waiting for the outcome of a branch or a call
  logic [1:0] state_q;
  logic [2:0] stall_q;
  logic [EntryBits-1:0] read_q, entry_q, read_entry;  // lane 0's entry: last read, in the group, to read

  logic triggers;
  assign triggers = (trigger_i && advance_i) || inject_i;

  // The trigger's fields for instantiation. immediate_q and next_pc_q follow a cycle later, which is early
  // enough.
  logic [31:0] insn_q, immediate_q;
  logic [63:0] pc_q, target_q, next_pc_q, immediate;
  logic length4_q, unused_has_immediate;
  strobe_immediate u_immediate (
      .insn_i         (insn_q),
      .has_immediate_o(unused_has_immediate),
      .value_o        (immediate)
  );
  logic unused_sign;
  assign unused_sign = ^immediate[63:32];
  always_ff @(posedge clk_i) begin
    if (triggers) begin
      insn_q <= insn_i;
      pc_q <= pc_i;
      length4_q <= length4_i;
      target_q <= target_i;
    end
    immediate_q <= immediate[31:0];
    next_pc_q <= pc_q + (length4_q ? 64'd4 : 64'd2);
  end

  logic emits, ends, waits, takes, resumes, reads;
  assign emits = state_q == Emit && advance_i;
  assign resumes = state_q == Wait && resume_i;
  assign takes = (start_i && StallCycles == 1) || (state_q == Stall && stall_q == 3'd1) || emits;
  always_comb begin
    read_entry = read_q + EntryBits'(Lanes);
    if (state_q == Wait) read_entry = resume_entry_i;
    if (trigger_i || inject_i) read_entry = trigger_entry_i;
  end
  assign reads = triggers || resumes || takes;

  logic [Bits*Lanes-1:0] words, words_q;
  strobe_replacement_table #(
      .Lanes(Lanes),
      .Replacements(Replacements)
  ) u_table (
      .clk_i,
      .write_i,
      .write_entry_i,
      .wdata_i,
      .read_i (reads),
      .entry_i(read_entry),
      .words_o(words)
  );
  always_ff @(posedge clk_i) begin
    if (reads) read_q <= read_entry;
    if (takes) begin
      words_q <= words;
      entry_q <= read_q;
    end
  end

  logic [Lanes-1:0] is_last, is_control, ends_here;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [2:0] kind;
    logic last;
    strobe_instantiate u_instantiate (
        .entry_i    (words_q[Bits*k+:Bits]),
        .insn_i     (insn_q),
        .pc_i       (pc_q),
        .next_pc_i  (next_pc_q),
        .target_i   (target_q),
        .immediate_i(immediate_q),
        .insn_o     (insn_o[32*k+:32]),
        .dise_o     (dise_o[3*k+:3]),
        .kind_o     (kind),
        .value_o    (value_o[64*k+:64]),
        .last_o     (last)
    );
    assign is_last[k] = last || entry_q == EntryBits'(Replacements - 1 - k);
    assign is_control[k] = kind == strobe_dise_pkg::KindBranch || kind == strobe_dise_pkg::KindCall;
    assign kind_o[3*k+:3] = kind;
    assign entry_o[EntryBits*k+:EntryBits] = entry_q + EntryBits'(k);
  end
  assign last_o = is_last;

  always_comb begin
    ends = 1'b0;
    waits = 1'b0;
    ends_here = '0;
    for (int k = 0; k < Lanes; k++) begin
      valid_o[k] = !ends;
      ends_here[k] = !ends && (is_last[k] || is_control[k]);
      waits = waits || (ends_here[k] && is_control[k]);
      ends = ends || ends_here[k];
    end
  end
  assign offer_o = state_q == Emit;
  assign pc_o = pc_q;
  assign over_o = resume_done_i || (emits && ends && !waits);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= Idle;
    else if (abort_i || resume_done_i) state_q <= Idle;
    else if (inject_i || resumes) state_q <= Stall;
    else if (start_i) state_q <= StallCycles > 1 ? Stall : Emit;
    else if (state_q == Stall && stall_q == 3'd1) state_q <= Emit;
    else if (emits && ends) state_q <= waits ? Wait : Idle;
  end
  always_ff @(posedge clk_i) begin
    if (state_q == Stall) stall_q <= stall_q - 3'd1;
    else stall_q <= start_i ? 3'(StallCycles - 1) : 3'd1;
  end
endmodule
