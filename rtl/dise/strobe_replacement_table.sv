// SPDX-License-Identifier: Apache-2.0
// Replacement table: reads Lanes successive entries a cycle, from any entry on.
//
// docs/blocks/dise.md, "Replacement table". Entry e is word e / Lanes of bank e % Lanes, so a read takes one
// word from each bank. words_o has the words from the cycle after read_i on, until the next read; the table's
// first entry follows its last one. The table is written only while it is not read.
`include "strobe_assert.svh"

module strobe_replacement_table #(
    parameter int Lanes = 4,
    parameter int Replacements = 2048
) (
    input logic clk_i,

    input logic                                         write_i,
    input logic [$clog2(Replacements)-1:0]              write_entry_i,
    input logic [strobe_dise_pkg::ReplacementBits-1:0]  wdata_i,

    input  logic                                              read_i,
    input  logic [$clog2(Replacements)-1:0]                   entry_i,
    output logic [strobe_dise_pkg::ReplacementBits*Lanes-1:0] words_o  // lane k: entry_i + k
);
  `STROBE_REQUIRE(ReplacementLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_replacement_table: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(ReplacementEntries,
                  Replacements >= 2 * Lanes && Replacements <= strobe_dise_pkg::MaxReplacements && (Replacements & (Replacements - 1)) == 0,
                  "strobe_replacement_table: Replacements must be a power of two from 2 * Lanes to 2048")
  localparam int Bits = strobe_dise_pkg::ReplacementBits;
  localparam int EntryBits = $clog2(Replacements);
  localparam int LaneBits = $clog2(Lanes);
  localparam int Rows = Replacements / Lanes;
  localparam int RowBits = EntryBits - LaneBits;

  logic [Bits*Lanes-1:0] words;
  logic [EntryBits-1:0] entry_q;
  always_ff @(posedge clk_i) if (read_i) entry_q <= entry_i;

  for (genvar b = 0; b < Lanes; b++) begin : gen_bank
    // A bank reads the first entry at or after entry_i that it holds.
    logic [EntryBits-1:0] rounded;
    assign rounded = entry_i + EntryBits'(Lanes - 1 - b);
    logic bank_selected;
    if (Lanes > 1) begin : gen_banked
      assign bank_selected = write_entry_i[LaneBits-1:0] == LaneBits'(b);
      logic unused_rounded;
      assign unused_rounded = ^rounded[LaneBits-1:0];
    end else begin : gen_whole
      assign bank_selected = 1'b1;
    end
    strobe_ram_1r1w #(
        .Width(Bits),
        .Depth(Rows)
    ) u_ram (
        .clk_i,
        .we_i   (write_i && bank_selected),
        .waddr_i(write_entry_i[LaneBits+:RowBits]),
        .wdata_i,
        .re_i   (read_i),
        .raddr_i(rounded[LaneBits+:RowBits]),
        .rdata_o(words[Bits*b+:Bits])
    );
  end

  always_comb begin
    words_o = '0;
    for (int k = 0; k < Lanes; k++) begin
      for (int b = 0; b < Lanes; b++) begin
        if ((entry_q + EntryBits'(k)) % EntryBits'(Lanes) == EntryBits'(b)) begin
          words_o[Bits*k+:Bits] = words_o[Bits*k+:Bits] | words[Bits*b+:Bits];
        end
      end
    end
  end
endmodule
