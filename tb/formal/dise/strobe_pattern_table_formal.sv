// SPDX-License-Identifier: Apache-2.0
// The pattern table: its answer for an instruction is what docs/blocks/dise.md, "Productions", says of it and
// of the entries as written. The rules are written here again from the page, bit by bit.
//
// prove: induction 5
// prove: cover 7
module strobe_pattern_table_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic write_word_i,
    input logic write_kind_i,
    input logic index_i,
    input logic [63:0] wdata_i,
    input logic valid_i,
    input logic [31:0] insn_i,
    input logic [63:0] pc_i,
    input logic [63:0] target_i,
    input logic expand_i
);
  logic [1:0] hits, replaces;
  logic [3:0] starts;
  strobe_pattern_table #(
      .Lanes(1),
      .Patterns(2),
      .Replacements(4)
  ) u_dut (
      .clk_i, .rst_ni, .write_word_i, .write_kind_i, .index_i, .wdata_i, .advance_i(1'b1),
      .valid_i, .insn_i, .pc_i, .target_i, .expand_i,
      .hits_o(hits), .replaces_o(replaces), .starts_o(starts)
  );

  initial assume (!rst_ni);
  // The table is written first and looked up afterwards, because software writes while nothing is in flight.
  logic looks_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) looks_q <= 1'b0;
    else looks_q <= looks_q || valid_i;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneWrite : assume (!(write_word_i && write_kind_i));
      WritesComeFirst : assume (!(looks_q || valid_i) || !(write_word_i || write_kind_i));
    end
  end

  // The entries as written.
  logic [127:0] word_q, kind_q;
  logic [1:0] has_word_q, has_kind_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      has_word_q <= '0;
      has_kind_q <= '0;
    end else begin
      if (write_word_i) has_word_q[index_i] <= 1'b1;
      if (write_kind_i) has_kind_q[index_i] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (write_word_i) word_q[64*index_i+:64] <= wdata_i;
    if (write_kind_i) kind_q[64*index_i+:64] <= wdata_i;
  end

  // The instruction of two cycles ago.
  logic [1:0] valid_q, expand_q;
  logic [63:0] insn_q;
  logic [127:0] pc_q, target_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[0], valid_i};
  end
  always_ff @(posedge clk_i) begin
    expand_q <= {expand_q[0], expand_i};
    insn_q <= {insn_q[31:0], insn_i};
    pc_q <= {pc_q[63:0], pc_i};
    target_q <= {target_q[63:0], target_i};
  end
  logic [31:0] insn;
  logic [6:0] opcode;
  logic [strobe_pkg::Classes-1:0] opclass;
  assign insn = insn_q[63:32];
  assign opcode = insn[6:0];
  strobe_opclass u_class (
      .valid_i(1'b1),
      .insn_i (insn),
      .class_o(opclass)
  );
  logic signed_format, jumps, backward;
  assign signed_format = opcode == 7'h03 || opcode == 7'h07 || opcode == 7'h13 || opcode == 7'h1b ||
      opcode == 7'h17 || opcode == 7'h37 || opcode == 7'h23 || opcode == 7'h27 || opcode == 7'h63 ||
      opcode == 7'h67 || opcode == 7'h6f;
  assign jumps = opcode == 7'h63 || opcode == 7'h6f;
  assign backward = target_q[127:64] <= pc_q[127:64];

  logic [1:0] expected;
  for (genvar e = 0; e < 2; e++) begin : gen_entry
    logic [63:0] word, kind;
    logic negative, sign_fits, direction_fits;
    assign word = word_q[64*e+:64];
    assign kind = kind_q[64*e+:64];
    assign negative = signed_format && insn[31];
    assign sign_fits = kind[17:16] == 2'd1 ? negative : kind[17:16] == 2'd2 ? !negative : 1'b1;
    assign direction_fits = kind[19:18] == 2'd1 ? jumps && backward :
                            kind[19:18] == 2'd2 ? jumps && !backward : 1'b1;
    assign expected[e] = kind[21] && ((insn ^ word[31:0]) & word[63:32]) == '0 &&
                         (kind[strobe_pkg::Classes-1:0] & opclass) != '0 && sign_fits &&
                         direction_fits && (expand_q[1] || !kind[20]);
  end

  // For induction: the table holds what was written.
// peek: values u_dut.value_q
// peek: masks u_dut.mask_q
// peek: classes u_dut.classes_q
// peek: valids u_dut.valid_q
// peek: negatives u_dut.negative_q
// peek: not_negatives u_dut.not_negative_q
// peek: backwards u_dut.backward_q
// peek: forwards u_dut.forward_q
  logic [63:0] values, masks;
  logic [2*strobe_pkg::Classes-1:0] classes;
  logic [1:0] valids, negatives, not_negatives, backwards, forwards, words_differ, kinds_differ;
  for (genvar e = 0; e < 2; e++) begin : gen_store
    logic [63:0] kind;
    logic [strobe_pkg::Classes-1:0] entry_classes;
    assign kind = kind_q[64*e+:64];
    for (genvar c = 0; c < strobe_pkg::Classes; c++) begin : gen_class
      assign entry_classes[c] = classes[2*c+e];
    end
    assign words_differ[e] = {masks[32*e+:32], values[32*e+:32]} != word_q[64*e+:64];
    assign kinds_differ[e] = entry_classes != kind[strobe_pkg::Classes-1:0] || valids[e] != kind[21] ||
        negatives[e] != (kind[17:16] == 2'd1) || not_negatives[e] != (kind[17:16] == 2'd2) ||
        backwards[e] != (kind[19:18] == 2'd1) || forwards[e] != (kind[19:18] == 2'd2);
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      WhatIsLookedUpIsNoted : assert (looks_q || valid_q == '0);
      WordsAsWritten : assert ((words_differ & has_word_q) == '0);
      KindsAsWritten : assert ((kinds_differ & has_kind_q) == '0);
      OnlyWrittenOnesAreValid : assert ((valids & ~has_kind_q) == '0);
      NothingWithoutAnInstruction : assert (valid_q[1] || hits == '0 || !looks_q);
      LookupIsThePage : assert (!valid_q[1] || ((hits ^ expected) & has_word_q & has_kind_q) == '0);
      NeverWrittenNeverMatches : assert (!valid_q[1] || (hits & ~has_kind_q) == '0);
      ReplacesAsWritten : assert (((replaces ^ {kind_q[84], kind_q[20]}) & has_kind_q) == '0);
      StartsAsWritten :
      assert ((!has_kind_q[0] || starts[1:0] == kind_q[33:32]) &&
              (!has_kind_q[1] || starts[3:2] == kind_q[97:96]));
      Hits : cover (valid_q[1] && hits[1] && expected[1] && kind_q[83:80] == 4'b0101 && insn[31]);
    end
  end
endmodule
