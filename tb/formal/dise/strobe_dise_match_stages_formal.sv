// SPDX-License-Identifier: Apache-2.0
// The pattern table with one stage and with none says what it says with two, one and two cycles earlier, of all
// entries that have been written. strobe_pattern_table proves the table with two stages. The entries are
// written first and looked up afterwards.
//
// prove: induction 4
// prove: cover 9
module strobe_dise_match_stages_formal (
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
  logic [5:0] hits, replaces;
  logic [11:0] starts;
  for (genvar s = 0; s < 3; s++) begin : gen_table
    strobe_pattern_table #(
        .Lanes(1),
        .Patterns(2),
        .Replacements(4),
        .Stages(s)
    ) u_dut (
        .clk_i, .rst_ni, .write_word_i, .write_kind_i, .index_i, .wdata_i, .advance_i(1'b1),
        .valid_i, .insn_i, .pc_i, .target_i, .expand_i,
        .hits_o(hits[2*s+:2]), .replaces_o(replaces[2*s+:2]), .starts_o(starts[4*s+:4])
    );
  end

  initial assume (!rst_ni);
  logic looks_q;
  logic [1:0] has_word_q, has_kind_q, whole, known_q;
  logic [1:0] none_q, none_before_q, one_q;  // without a stage, one and two cycles ago; with one, a cycle ago
  assign whole = has_word_q & has_kind_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looks_q <= 1'b0;
      has_word_q <= '0;
      has_kind_q <= '0;
      known_q <= '0;
    end else begin
      looks_q <= looks_q || valid_i;
      if (write_word_i) has_word_q[index_i] <= 1'b1;
      if (write_kind_i) has_kind_q[index_i] <= 1'b1;
      known_q <= {known_q[0], valid_i};
    end
  end
  always_ff @(posedge clk_i) begin
    none_q <= hits[1:0];
    none_before_q <= none_q;
    one_q <= hits[3:2];
  end
  // For induction: the tables hold the same where it has been written.
// peek: values[63:0] gen_table[0].u_dut.value_q
// peek: values[127:64] gen_table[1].u_dut.value_q
// peek: values[191:128] gen_table[2].u_dut.value_q
// peek: masks[63:0] gen_table[0].u_dut.mask_q
// peek: masks[127:64] gen_table[1].u_dut.mask_q
// peek: masks[191:128] gen_table[2].u_dut.mask_q
// peek: classes[31:0] gen_table[0].u_dut.classes_q
// peek: classes[63:32] gen_table[1].u_dut.classes_q
// peek: classes[95:64] gen_table[2].u_dut.classes_q
// peek: valids[1:0] gen_table[0].u_dut.valid_q
// peek: valids[3:2] gen_table[1].u_dut.valid_q
// peek: valids[5:4] gen_table[2].u_dut.valid_q
// peek: negatives[1:0] gen_table[0].u_dut.negative_q
// peek: negatives[3:2] gen_table[1].u_dut.negative_q
// peek: negatives[5:4] gen_table[2].u_dut.negative_q
// peek: not_negatives[1:0] gen_table[0].u_dut.not_negative_q
// peek: not_negatives[3:2] gen_table[1].u_dut.not_negative_q
// peek: not_negatives[5:4] gen_table[2].u_dut.not_negative_q
// peek: backwards[1:0] gen_table[0].u_dut.backward_q
// peek: backwards[3:2] gen_table[1].u_dut.backward_q
// peek: backwards[5:4] gen_table[2].u_dut.backward_q
// peek: forwards[1:0] gen_table[0].u_dut.forward_q
// peek: forwards[3:2] gen_table[1].u_dut.forward_q
// peek: forwards[5:4] gen_table[2].u_dut.forward_q
  logic [191:0] values;
  logic [191:0] masks;
  logic [95:0] classes;
  logic [5:0] valids;
  logic [5:0] negatives;
  logic [5:0] not_negatives;
  logic [5:0] backwards;
  logic [5:0] forwards;
  logic [1:0] words_differ, kinds_differ;
  for (genvar e = 0; e < 2; e++) begin : gen_entry
    logic [1:0] word_differs, kind_differs;
    for (genvar s = 0; s < 2; s++) begin : gen_other
      logic [strobe_pkg::Classes-1:0] class_differs;
      for (genvar c = 0; c < strobe_pkg::Classes; c++) begin : gen_class
        assign class_differs[c] = classes[32*s+2*c+e] != classes[64+2*c+e];
      end
      assign word_differs[s] = values[64*s+32*e+:32] != values[128+32*e+:32] ||
          masks[64*s+32*e+:32] != masks[128+32*e+:32];
      assign kind_differs[s] = class_differs != '0 || negatives[2*s+e] != negatives[4+e] ||
          not_negatives[2*s+e] != not_negatives[4+e] || backwards[2*s+e] != backwards[4+e] ||
          forwards[2*s+e] != forwards[4+e] || replaces[2*s+e] != replaces[4+e];
    end
    assign words_differ[e] = word_differs != '0;
    assign kinds_differ[e] = kind_differs != '0;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      OneWrite : assume (!(write_word_i && write_kind_i));
      WritesComeFirst : assume (!(looks_q || valid_i) || !(write_word_i || write_kind_i));
      WordsAreTheSame : assert ((words_differ & has_word_q) == '0);
      KindsAreTheSame : assert ((kinds_differ & has_kind_q) == '0);
      SameAreValid : assert (valids[1:0] == valids[5:4] && valids[3:2] == valids[5:4]);
      OnlyWrittenOnesAreValid : assert ((valids[1:0] & ~has_kind_q) == '0);
      WhatIsLookedUpIsNoted : assert (looks_q || known_q == '0);
      OneStageIsTwo : assert (!known_q[1] || ((one_q ^ hits[5:4]) & whole) == '0);
      NoStageIsTwo : assert (!known_q[1] || ((none_before_q ^ hits[5:4]) & whole) == '0);
      NothingWithoutAnInstruction : assert (valid_i || hits[1:0] == '0);
      Differ : cover (known_q == 2'b11 && whole == 2'b11 && hits[1:0] == 2'b01 && hits[5:4] == 2'b10);
    end
  end
endmodule
