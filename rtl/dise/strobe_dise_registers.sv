// SPDX-License-Identifier: Apache-2.0
// Registers of the decode engine, and the write port of its tables.
//
// docs/blocks/dise.md, "Registers". A read is combinational. A write takes effect at the clock edge; software
// writes only while no instruction is in flight. The tables and unlisted offsets read 0, and a write to an
// unlisted offset does nothing.
`include "strobe_assert.svh"

module strobe_dise_registers #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int Replacements = 2048,
    parameter int Counters = 2,
    parameter int CounterWidth = 20,
    parameter int Jitter = 0
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        we_i,
    input  logic [11:0] address_i,
    input  logic [63:0] wdata_i,
    output logic [63:0] rdata_o,

    output logic enable_o,
    output logic clear_o,  // in the cycle of the write
    output logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_o,
    input  logic [2*Counters-1:0]            flags_i,
    input  logic [CounterWidth*Counters-1:0] counters_i,
    output logic [Counters-1:0]              write_counter_o,
    output logic                             write_jitter_o,
    input  logic [27:0]                      jitter_i,

    output logic                            write_word_o,
    output logic                            write_kind_o,
    output logic                            write_condition_o,
    output logic                            write_ops_o,
    output logic [$clog2(Patterns)-1:0]     pattern_o,
    output logic                            write_replacement_o,
    output logic [$clog2(Replacements)-1:0] replacement_o
);
  localparam int PatternBits = $clog2(Patterns);
  localparam logic [11:0] JitterOffset = 12'h028;
  localparam int EntryBits = $clog2(Replacements);

  logic enable_q;
  logic [PatternBits-1:0] pattern_q;
  logic [EntryBits-1:0] replacement_q;
  logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_q;
  logic is_copy;
  assign is_copy = address_i[11:6] == strobe_dise_pkg::RegOffset[11:6] && address_i[2:0] == '0;

  assign write_jitter_o = we_i && address_i == JitterOffset;
  assign clear_o = we_i && address_i == strobe_dise_pkg::CtrlOffset && wdata_i[1];
  assign write_word_o = we_i && address_i == strobe_dise_pkg::PatternWordOffset;
  assign write_kind_o = we_i && address_i == strobe_dise_pkg::PatternKindOffset;
  assign write_condition_o = we_i && address_i == strobe_dise_pkg::PatternConditionOffset;
  assign write_ops_o = we_i && address_i == strobe_dise_pkg::PatternOpsOffset;
  assign write_replacement_o = we_i && address_i == strobe_dise_pkg::ReplacementDataOffset;

  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    assign write_counter_o[n] = we_i && address_i == strobe_dise_pkg::CounterOffset + 12'(8 * n);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q <= 1'b0;
      pattern_q <= '0;
      replacement_q <= '0;
      copies_q <= '0;
    end else if (we_i) begin
      if (address_i == strobe_dise_pkg::CtrlOffset) enable_q <= wdata_i[0];
      if (address_i == strobe_dise_pkg::PatternIndexOffset) pattern_q <= wdata_i[PatternBits-1:0];
      if (address_i == strobe_dise_pkg::ReplacementIndexOffset) replacement_q <= wdata_i[EntryBits-1:0];
      if (write_replacement_o) replacement_q <= replacement_q + 1'b1;
      for (int r = 0; r < strobe_dise_pkg::DiseRegisters; r++) begin
        if (is_copy && address_i[5:3] == 3'(r)) begin
          copies_q[CounterWidth*r+:CounterWidth] <= wdata_i[CounterWidth-1:0];
        end
      end
    end
  end

  logic [63:0] copy, counter;
  always_comb begin
    copy = '0;
    counter = '0;
    for (int r = 0; r < strobe_dise_pkg::DiseRegisters; r++) begin
      if (is_copy && address_i[5:3] == 3'(r)) copy = 64'(copies_q[CounterWidth*r+:CounterWidth]);
    end
    for (int n = 0; n < Counters; n++) begin
      if (address_i == strobe_dise_pkg::CounterOffset + 12'(8 * n)) begin
        counter = 64'(counters_i[CounterWidth*n+:CounterWidth]);
      end
    end
  end
  always_comb begin
    case (address_i)
      strobe_dise_pkg::IdOffset: rdata_o = strobe_dise_pkg::Id;
      strobe_dise_pkg::CapOffset:
      rdata_o = {16'd0, 16'(Replacements), 8'(Jitter), 4'(Lanes), 8'(CounterWidth), 4'(Counters), 8'(Patterns)};
      strobe_dise_pkg::CtrlOffset: rdata_o = {63'd0, enable_q};
      strobe_dise_pkg::StatusOffset: rdata_o = 64'(flags_i);
      JitterOffset: rdata_o = 64'(jitter_i);
      strobe_dise_pkg::PatternIndexOffset: rdata_o = 64'(pattern_q);
      strobe_dise_pkg::ReplacementIndexOffset: rdata_o = 64'(replacement_q);
      default: rdata_o = copy | counter;
    endcase
  end

  assign enable_o = enable_q;
  assign copies_o = copies_q;
  assign pattern_o = pattern_q;
  assign replacement_o = replacement_q;

  logic unused_wdata;
  assign unused_wdata = ^wdata_i;
endmodule
