// SPDX-License-Identifier: Apache-2.0
// Pattern table: finds the entries whose pattern each instruction of a bundle matches. Where expand_i is 0,
// entries with a replacement do not match.
//
// docs/blocks/dise.md, "Productions". Latency: two cycles with advance_i. The first compares the word with
// each entry's value and mask, and decodes its opcode class, the sign of its immediate and its direction. The
// second combines the four.
// Each yes-or-no field of the entries is stored as one mask over all entries. The table is written only while
// no lookup is in flight.
`include "strobe_assert.svh"

module strobe_pattern_table #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int Replacements = 2048
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

    output logic [Patterns*Lanes-1:0]                hits_o,      // from flip-flops
    output logic [Patterns-1:0]                      replaces_o,  // entries with a replacement
    output logic [$clog2(Replacements)*Patterns-1:0] starts_o     // the first entry of each sequence
);
  `STROBE_REQUIRE(PatternLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_pattern_table: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(PatternEntries, Patterns >= 2 && Patterns <= strobe_dise_pkg::MaxPatterns && (Patterns & (Patterns - 1)) == 0,
                  "strobe_pattern_table: Patterns must be a power of two from 2 to 128")
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
    logic [strobe_pkg::Classes-1:0] opclass, opclass_q;
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

    logic [Patterns-1:0] word, word_q;
    always_comb begin
      word = '0;
      if (valid_i[k]) begin
        for (int e = 0; e < Patterns; e++) begin
          word[e] = ((insn ^ value_q[32*e+:32]) & mask_q[32*e+:32]) == '0;
        end
      end
    end

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
        is_negative_q <= has_immediate && insn[31];
        jumps_q <= insn[6:0] == 7'b1100011 || insn[6:0] == 7'b1101111;
        is_backward_q <= target_i[64*k+:64] <= pc_i[64*k+:64];
      end
    end

    logic [Patterns-1:0] class_mask, refused, hits_q;
    always_comb begin
      class_mask = '0;
      for (int c = 0; c < strobe_pkg::Classes; c++) begin
        if (opclass_q[c]) class_mask = class_mask | classes_q[Patterns*c+:Patterns];
      end
    end
    assign refused = (expand_q ? '0 : replaces_q) | (is_negative_q ? not_negative_q : negative_q) |
                     (jumps_q && is_backward_q ? '0 : backward_q) |
                     (jumps_q && !is_backward_q ? '0 : forward_q);
    always_ff @(posedge clk_i) begin
      if (advance_i) hits_q <= lane_valid_q ? word_q & class_mask & ~refused : '0;
    end
    assign hits_o[Patterns*k+:Patterns] = hits_q;
  end

  logic unused_wdata;
  assign unused_wdata = ^wdata_i;
endmodule
