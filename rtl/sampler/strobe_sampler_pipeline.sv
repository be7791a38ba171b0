// SPDX-License-Identifier: Apache-2.0
// Sampler pipeline: a table of words in a RAM. Each tuple reads one word and writes it back: the
// counters of a stratified sampler, or a set of a tagged one.
//
// docs/blocks/sampler_pipeline.md is the contract. Three stages advance together:
//
//     accept: read the word ─▶ stage 1: the word arrives ─▶ stage 2: rule, write ─▶ message register
//
// The rule is the user's logic. In stage 2 it sees the word (word_o) and answers in the same cycle:
// the word to write (word_i), whether a message is due (due_i), and its count (count_i).
// The RAM is read in the cycle of acceptance, so that its access and the rule are in different
// stages. The word that stage 2 writes and the one it wrote last are forwarded to stage 1, so
// tuples of one word may follow each other back to back.
// The stages stand still while a message waits for msg_ready_i. Priority: clear > initialization >
// advance. A read-out uses the read port only in cycles in which the pipeline does not.
`include "strobe_assert.svh"

module strobe_sampler_pipeline #(
    parameter int Entries = 2048,
    parameter int WordWidth = 8,
    parameter int CountWidth = 9,
    parameter int TableWidth = 8,
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth,
    parameter int Table = 1,  // 0: no RAM, and every word is 0
    parameter int Bank = 0    // 1: ready_o is from a flip-flop, and 0 while there is a message
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A tuple, and its word's place, modulo Entries.
    input  logic                              valid_i,
    input  logic [TupleWidth-1:0]             tuple_i,
    input  logic [strobe_pkg::IndexWidth-1:0] index_i,
    output logic                              ready_o,

    // The rule. What it keeps of a tuple is loaded when the tuple enters stage 1 (accept_o) and when it
    // goes from stage 1 to stage 2 (s1_advance_o).
    output logic                  accept_o,
    output logic                  s1_advance_o,
    output logic [WordWidth-1:0]  word_o,
    input  logic [WordWidth-1:0]  word_i,
    input  logic                  due_i,
    input  logic [CountWidth-1:0] count_i,

    output logic                  msg_valid_o,
    output logic [TupleWidth-1:0] msg_tuple_o,
    output logic [CountWidth-1:0] msg_count_o,
    input  logic                  msg_ready_i,

    // Read-out of the word at table_index_i, modulo Entries. It is asked for in the cycle of
    // table_read_o and is in table_word_o in the next one; the user's answer (table_data_i) is in
    // table_data_o from the cycle after that on.
    input  logic [15:0]           table_index_i,
    output logic                  table_read_o,
    output logic [WordWidth-1:0]  table_word_o,
    input  logic [TableWidth-1:0] table_data_i,
    output logic [TableWidth-1:0] table_data_o,

    output logic init_o,
    output logic idle_o
);
  `STROBE_REQUIRE(PipelineEntries, Entries >= 1 && Entries <= strobe_pkg::MaxStrata &&
                  (Entries & (Entries - 1)) == 0,
                  "strobe_sampler_pipeline: Entries must be a power of two from 1 to 4096")
  `STROBE_REQUIRE(PipelineWord, WordWidth >= 1 && TableWidth >= 1,
                  "strobe_sampler_pipeline: WordWidth and TableWidth must be at least 1")
  `STROBE_REQUIRE(PipelineCount, CountWidth >= 1 && CountWidth <= strobe_pkg::CountWidth,
                  "strobe_sampler_pipeline: CountWidth must be 1 to 32")
  `STROBE_REQUIRE(PipelineTuple, TupleWidth >= 1,
                  "strobe_sampler_pipeline: TupleWidth must be at least 1")
  `STROBE_REQUIRE(PipelineTable, Table == 0 || Table == 1,
                  "strobe_sampler_pipeline: Table must be 0 or 1")
  `STROBE_REQUIRE(PipelineBank, Bank == 0 || Bank == 1,
                  "strobe_sampler_pipeline: Bank must be 0 or 1")

  localparam int IndexBits = $clog2(Entries);
  localparam int IndexWidth = IndexBits > 0 ? IndexBits : 1;
  localparam logic [IndexWidth-1:0] LastIndex = IndexWidth'(Entries - 1);

  logic advance, accept;
  assign advance = !msg_valid_o || msg_ready_i;
  assign accept = valid_i && ready_o;
  assign accept_o = accept;

  // Initialization: one entry a cycle.
  logic init_q;
  logic [IndexWidth-1:0] init_index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (clear_i) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (init_q) begin
      init_q <= init_index_q != LastIndex;
      init_index_q <= init_index_q + IndexWidth'(1);
    end
  end
  assign init_o = init_q;

  // Which stages hold a tuple.
  logic s1_valid_q, s2_valid_q, msg_valid_q, emit;
  assign emit = s2_valid_q && due_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (clear_i) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (advance) begin
      s1_valid_q  <= accept;
      s2_valid_q  <= s1_valid_q;
      msg_valid_q <= emit;
    end
  end

  // A bank is ready when there is no message. This has its own flip-flop, because the message's
  // valid bit drives the whole message.
  if (Bank == 1) begin : gen_ready_of_bank
    logic ready_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) ready_q <= 1'b0;
      else if (clear_i) ready_q <= 1'b0;
      else if (init_q) ready_q <= init_index_q == LastIndex;
      else if (advance) ready_q <= !emit;
    end
    assign ready_o = ready_q;
    `STROBE_ASSERT(PipelineBankIsReadyWithoutMessage, ready_q == (!msg_valid_q && !init_q))
  end else begin : gen_ready
    assign ready_o = advance && !init_o;
  end

  // Stage 1: the RAM gives the word. If stage 2 wrote it in the cycle of acceptance, the RAM gives
  // the old one.
  logic [IndexWidth-1:0] index, s1_index_q, s2_index_q, written_index_q;
  logic [TupleWidth-1:0] s1_tuple_q, s2_tuple_q;
  logic written_q;
  logic [WordWidth-1:0] ram_rdata, written_word_q, s1_word, s2_word_q;
  assign index = IndexWidth'(index_i & strobe_pkg::IndexWidth'(Entries - 1));
  always_ff @(posedge clk_i) begin
    if (accept) begin
      s1_index_q <= index;
      s1_tuple_q <= tuple_i;
    end
    if (advance) begin
      written_q <= s2_valid_q;
      written_index_q <= s2_index_q;
      written_word_q <= word_i;
    end
  end
  assign s1_word = written_q && s1_index_q == written_index_q ? written_word_q : ram_rdata;

  // Stage 2: the word, unless stage 2 is about to change it.
  logic s1_advance;
  assign s1_advance = advance && s1_valid_q;
  assign s1_advance_o = s1_advance;
  always_ff @(posedge clk_i) begin
    if (s1_advance) begin
      s2_index_q <= s1_index_q;
      s2_tuple_q <= s1_tuple_q;
      s2_word_q  <= s2_valid_q && s1_index_q == s2_index_q ? word_i : s1_word;
    end
  end
  assign word_o = s2_word_q;

  // Message register. It takes every tuple of stage 2; its valid bit says whether a message is due.
  logic [TupleWidth-1:0] msg_tuple_q;
  logic [CountWidth-1:0] msg_count_q;
  always_ff @(posedge clk_i) begin
    if (advance) begin
      msg_tuple_q <= s2_tuple_q;
      msg_count_q <= count_i;
    end
  end
  assign msg_valid_o = msg_valid_q;
  assign msg_tuple_o = msg_tuple_q;
  assign msg_count_o = msg_count_q;

  // Table read-out through the idle read port.
  logic empty, table_read, table_read_q;
  logic [TableWidth-1:0] table_data_q;
  assign empty = !s1_valid_q && !s2_valid_q && !msg_valid_q;
  assign table_read = empty && !init_q && !accept;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      table_read_q <= 1'b0;
      table_data_q <= '0;
    end else if (clear_i) begin
      table_read_q <= 1'b0;
      table_data_q <= '0;
    end else begin
      table_read_q <= table_read;
      if (table_read_q) table_data_q <= table_data_i;
    end
  end
  assign table_read_o = table_read;
  assign table_word_o = ram_rdata;
  assign table_data_o = table_data_q;
  assign idle_o = empty && !init_q;

  // The table.
  localparam logic [15:0] TableMask = 16'(Entries - 1);
  logic ram_we, ram_re;
  logic [IndexWidth-1:0] ram_waddr, ram_raddr;
  logic [WordWidth-1:0] ram_wdata;
  assign ram_we = init_q || (advance && s2_valid_q);
  assign ram_waddr = init_q ? init_index_q : s2_index_q;
  assign ram_wdata = init_q ? '0 : word_i;
  assign ram_re = accept || table_read;
  assign ram_raddr = valid_i ? index : IndexWidth'(table_index_i & TableMask);
  if (Table == 0) begin : gen_no_table
    logic unused_table;
    assign unused_table = ^{ram_we, ram_waddr, ram_wdata, ram_re, ram_raddr};
    assign ram_rdata = '0;
  end else begin : gen_table
    strobe_ram_1r1w #(
        .Width(WordWidth),
        .Depth(Entries)
    ) u_table (
        .clk_i,
        .we_i(ram_we),
        .waddr_i(ram_waddr),
        .wdata_i(ram_wdata),
        .re_i(ram_re),
        .raddr_i(ram_raddr),
        .rdata_o(ram_rdata)
    );
  end

  `STROBE_ASSERT(PipelineInitializesOnlyWhenEmpty, !init_q || empty)
  `STROBE_ASSERT(PipelineReadsForOneUser, !(valid_i && table_read))
endmodule
