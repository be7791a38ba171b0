// SPDX-License-Identifier: Apache-2.0
// Pattern table: finds the entries whose pattern each instruction of a bundle matches. Where expand_i is 0,
// entries with a replacement do not match.
//
// docs/blocks/dise.md, "Productions". Latency: Stages cycles with advance_i. The first step compares the word
// with each entry's value and mask, and decodes its opcode class, the sign of its immediate and its direction.
// The second step combines the four. With two stages each step has a cycle, with one they share it, and with
// none the answer is combinational.
// Each yes-or-no field of the entries is stored as one mask over all entries. The table is written only while
// no lookup is in flight.
`include "strobe_assert.svh"

module strobe_pattern_table #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int Replacements = 2048,
    parameter int Stages = 2
) (
    input logic clk_i,
    input logic rst_ni,

    input logic                        write_word_i,
    input logic                        write_kind_i,
    input logic [$clog2(Patterns)-1:0] index_i,
    input logic [63:0]                 wdata_i,

    input logic                advance_i,
    input logic [Lanes-1:0]    valid_i,
    input logic [32*Lanes-1:0] insn_i,
    input logic [64*Lanes-1:0] pc_i,
    input logic [64*Lanes-1:0] target_i,
    input logic [Lanes-1:0]    expand_i,

    output logic [Patterns*Lanes-1:0]                hits_o,      // from flip-flops, unless Stages is 0
    output logic [Patterns-1:0]                      replaces_o,  // entries with a replacement
    output logic [$clog2(Replacements)*Patterns-1:0] starts_o     // the first entry of each sequence
);
  `STROBE_REQUIRE(PatternLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_pattern_table: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(PatternEntries, Patterns >= 2 && Patterns <= strobe_dise_pkg::MaxPatterns && (Patterns & (Patterns - 1)) == 0,
                  "strobe_pattern_table: Patterns must be a power of two from 2 to 128")
  `STROBE_REQUIRE(PatternStages, Stages >= 0 && Stages <= 2, "strobe_pattern_table: Stages must be 0 to 2")
  localparam int StartBits = $clog2(Replacements);

  logic [32*Patterns-1:0] value_q, mask_q;
  logic [strobe_pkg::Classes*Patterns-1:0] classes_q;  // class c at [Patterns*c +: Patterns]
  logic [Patterns-1:0] valid_q, negative_q, not_negative_q, backward_q, forward_q, replaces_q;
  logic [StartBits*Patterns-1:0] starts_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (write_kind_i) valid_q[index_i] <= wdata_i[21];
  end
  for (genvar e = 0; e < Patterns; e++) begin : gen_entry
    always_ff @(posedge clk_i) begin
      if (write_word_i && index_i == $clog2(Patterns)'(e)) begin
        value_q[32*e+:32] <= wdata_i[31:0];
        mask_q[32*e+:32]  <= wdata_i[63:32];
      end
      if (write_kind_i && index_i == $clog2(Patterns)'(e)) begin
        for (int c = 0; c < strobe_pkg::Classes; c++) classes_q[Patterns*c+e] <= wdata_i[c];
        negative_q[e] <= wdata_i[17:16] == strobe_dise_pkg::SignNegative;
        not_negative_q[e] <= wdata_i[17:16] == strobe_dise_pkg::SignNotNegative;
        backward_q[e] <= wdata_i[19:18] == strobe_dise_pkg::DirectionBackward;
        forward_q[e] <= wdata_i[19:18] == strobe_dise_pkg::DirectionForward;
        replaces_q[e] <= wdata_i[20];
        starts_q[StartBits*e+:StartBits] <= wdata_i[32+:StartBits];
      end
    end
  end
  assign replaces_o = replaces_q;
  assign starts_o   = starts_q;

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [31:0] insn;
    assign insn = insn_i[32*k+:32];
    logic [strobe_pkg::Classes-1:0] opclass;
    strobe_opclass u_opclass (
        .valid_i(valid_i[k]),
        .insn_i (insn),
        .class_o(opclass)
    );
    logic has_immediate;
    logic [63:0] unused_immediate;
    strobe_immediate u_immediate (
        .insn_i         (insn),
        .has_immediate_o(has_immediate),
        .value_o        (unused_immediate)
    );

    logic [Patterns-1:0] word;
    always_comb begin
      word = '0;
      if (valid_i[k]) begin
        for (int e = 0; e < Patterns; e++) begin
          word[e] = ((insn ^ value_q[32*e+:32]) & mask_q[32*e+:32]) == '0;
        end
      end
    end

    logic is_negative, jumps, is_backward;
    assign is_negative = has_immediate && insn[31];
    assign jumps = insn[6:0] == 7'b1100011 || insn[6:0] == 7'b1101111;
    assign is_backward = target_i[64*k+:64] <= pc_i[64*k+:64];

    // What the second step combines.
    logic [Patterns-1:0] fits;
    logic [strobe_pkg::Classes-1:0] of_class;
    logic lane_valid, expand, negative, jump, backward;
    if (Stages == 2) begin : gen_two_stages
      logic [Patterns-1:0] word_q;
      logic [strobe_pkg::Classes-1:0] opclass_q;
      logic lane_valid_q, expand_q, is_negative_q, jumps_q, is_backward_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) lane_valid_q <= 1'b0;
        else if (advance_i) lane_valid_q <= valid_i[k];
      end
      always_ff @(posedge clk_i) begin
        if (advance_i) begin
          word_q <= word & valid_q;
          opclass_q <= opclass;
          expand_q <= expand_i[k];
          is_negative_q <= is_negative;
          jumps_q <= jumps;
          is_backward_q <= is_backward;
        end
      end
      assign {fits, of_class, lane_valid} = {word_q, opclass_q, lane_valid_q};
      assign {expand, negative, jump, backward} = {expand_q, is_negative_q, jumps_q, is_backward_q};
    end else begin : gen_one_step
      assign {fits, of_class, lane_valid} = {word & valid_q, opclass, valid_i[k]};
      assign {expand, negative, jump, backward} = {expand_i[k], is_negative, jumps, is_backward};
    end

    logic [Patterns-1:0] class_mask, refused, hits;
    always_comb begin
      class_mask = '0;
      for (int c = 0; c < strobe_pkg::Classes; c++) begin
        if (of_class[c]) class_mask = class_mask | classes_q[Patterns*c+:Patterns];
      end
    end
    assign refused = (expand ? '0 : replaces_q) | (negative ? not_negative_q : negative_q) |
                     (jump && backward ? '0 : backward_q) | (jump && !backward ? '0 : forward_q);
    assign hits = lane_valid ? fits & class_mask & ~refused : '0;
    if (Stages == 0) begin : gen_combinational
      logic unused_advance;
      assign unused_advance = advance_i;
      assign hits_o[Patterns*k+:Patterns] = hits;
    end else begin : gen_registered
      logic [Patterns-1:0] hits_q;
      always_ff @(posedge clk_i) if (advance_i) hits_q <= hits;
      assign hits_o[Patterns*k+:Patterns] = hits_q;
    end
  end

  logic unused_wdata;
  assign unused_wdata = ^wdata_i;
endmodule
