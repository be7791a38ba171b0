// SPDX-License-Identifier: Apache-2.0
// The compressor: tuples in, messages out (ISCA 2001, section 3). A first level, which is a
// stratified sampler in one or more banks, a tagged sampler or an associative table, and behind it
// an associative table as second level if SecondEntries is not 0.
//
// docs/blocks/compressor.md is the contract. Everything between the levels is valid/ready; nothing
// here has state of its own.
`include "strobe_assert.svh"

module strobe_compressor #(
    parameter int Compressor = strobe_pkg::CompressorStratified,
    parameter int Sampler = strobe_pkg::SamplerPeriodic,  // of a stratified one
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int Strata = 2048,     // entries of the first level
    parameter int CounterWidth = 8,  // of its counters, of a tagged one the hits
    parameter int Banks = 1,         // of a stratified one
    parameter int Ways = 2,          // of a tagged one, as the next two
    parameter int TagBits = 2,
    parameter int MissWidth = 3,
    parameter int SecondEntries = 0,
    parameter int SecondWidth = 16,
    parameter int Heads = 1,          // tuples of a group: more than one only into several banks
    parameter int MsgCountWidth = 9,  // SecondWidth + 1 with a second level, else CounterWidth + 1
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input logic [strobe_pkg::PeriodWidth-1:0]    period_i,
    input logic [strobe_pkg::ThresholdWidth-1:0] threshold_i,
    input logic [strobe_pkg::SeedWidth-1:0]      seed_i,
    input logic [strobe_pkg::PeriodWidth-1:0]    should_evict_i,
    input logic [strobe_pkg::PeriodWidth-1:0]    should_replace_i,

    // A group, head 0 the oldest.
    input  logic [Heads-1:0]                                           valid_i,
    input  logic [(strobe_pkg::TagWidth+PcWidth+ValueWidth)*Heads-1:0] tuple_i,
    output logic                                                       ready_o,

    output logic                                               msg_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_o,
    output logic [MsgCountWidth-1:0]                           msg_count_o,
    input  logic                                               msg_ready_i,

    // Read-out: bit 15 of the index is the level.
    input  logic [15:0]                                        table_index_i,
    output logic                                               table_valid_o,  // its tuple is known
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] table_tuple_o,
    output logic [strobe_pkg::CountWidth-1:0]                  table_count_o,

    output logic init_o,
    output logic idle_o
);
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  localparam int FirstWidth = CounterWidth + 1;  // of a first-level message's count
  localparam int EntryWidth = 1 + TupleWidth + strobe_pkg::CountWidth;

  `STROBE_REQUIRE(CompressorKind, Compressor >= 0 && Compressor < strobe_pkg::Compressors,
                  "strobe_compressor: Compressor must be one of strobe_pkg::Compressor*")
  `STROBE_REQUIRE(CompressorBanks, Banks == 1 || Compressor == strobe_pkg::CompressorStratified,
                  "strobe_compressor: only a stratified sampler has banks")
  `STROBE_REQUIRE(CompressorHeads, Heads >= 1 && (Heads == 1 || Banks > 1),
                  "strobe_compressor: more than one head needs more than one bank")
  `STROBE_REQUIRE(CompressorSecond, SecondEntries == 0 ||
                  Compressor != strobe_pkg::CompressorAssociative,
                  "strobe_compressor: an associative first level has no second level")
  `STROBE_REQUIRE(CompressorCount, MsgCountWidth == (SecondEntries > 0 ? SecondWidth : CounterWidth) + 1,
                  "strobe_compressor: MsgCountWidth must be that of the last level")

  // First level.
  logic first_valid, first_ready, first_init, first_idle;
  logic [TupleWidth-1:0] first_tuple;
  logic [FirstWidth-1:0] first_count;
  logic [EntryWidth-1:0] first_entry;
  if (Compressor == strobe_pkg::CompressorAssociative) begin : gen_associative
    logic known;
    logic [TupleWidth-1:0] tuple;
    logic [CounterWidth-1:0] count;
    strobe_associative_table #(
        .Entries(Strata),
        .CountWidth(CounterWidth),
        .InCountWidth(1),
        .TupleWidth(TupleWidth)
    ) u_table (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i,
        .tuple_i,
        .count_i(1'b1),
        .ready_o,
        .msg_valid_o(first_valid),
        .msg_tuple_o(first_tuple),
        .msg_count_o(first_count),
        .msg_ready_i(first_ready),
        .table_index_i,
        .table_valid_o(known),
        .table_tuple_o(tuple),
        .table_count_o(count),
        .init_o(first_init),
        .idle_o(first_idle)
    );
    assign first_entry = {known, tuple, strobe_pkg::CountWidth'(count)};
    logic unused_settings;
    assign unused_settings = ^{period_i, threshold_i, seed_i, should_evict_i, should_replace_i};
  end else if (Compressor == strobe_pkg::CompressorTagged) begin : gen_tagged
    logic [CounterWidth:0] count;
    strobe_tagged_sampler #(
        .Hash(Hash),
        .Strata(Strata),
        .Ways(Ways),
        .TagBits(TagBits),
        .HitWidth(CounterWidth),
        .MissWidth(MissWidth),
        .PcWidth(PcWidth),
        .ValueWidth(ValueWidth)
    ) u_sampler (
        .clk_i,
        .rst_ni,
        .clear_i,
        .period_i,
        .should_evict_i,
        .should_replace_i,
        .valid_i,
        .tuple_i,
        .ready_o,
        .msg_valid_o(first_valid),
        .msg_tuple_o(first_tuple),
        .msg_count_o(first_count),
        .msg_ready_i(first_ready),
        .table_index_i,
        .table_data_o(count),
        .init_o(first_init),
        .idle_o(first_idle)
    );
    assign first_entry = EntryWidth'(count);
    logic unused_settings;
    assign unused_settings = ^{threshold_i, seed_i};
  end else begin : gen_stratified
    logic [CounterWidth-1:0] count;
    if (Banks > 1) begin : gen_banks
      strobe_banked_sampler #(
          .Lanes(Heads),
          .Banks(Banks),
          .Sampler(Sampler),
          .Hash(Hash),
          .Strata(Strata),
          .CounterWidth(CounterWidth),
          .PcWidth(PcWidth),
          .ValueWidth(ValueWidth)
      ) u_sampler (
          .clk_i,
          .rst_ni,
          .clear_i,
          .period_i,
          .threshold_i,
          .seed_i,
          .valid_i,
          .tuple_i,
          .ready_o,
          .msg_valid_o(first_valid),
          .msg_tuple_o(first_tuple),
          .msg_count_o(first_count),
          .msg_ready_i(first_ready),
          .table_index_i,
          .table_data_o(count),
          .init_o(first_init),
          .idle_o(first_idle)
      );
    end else begin : gen_one
      strobe_stratified_sampler #(
          .Sampler(Sampler),
          .Hash(Hash),
          .Strata(Strata),
          .CounterWidth(CounterWidth),
          .PcWidth(PcWidth),
          .ValueWidth(ValueWidth)
      ) u_sampler (
          .clk_i,
          .rst_ni,
          .clear_i,
          .period_i,
          .threshold_i,
          .seed_i,
          .valid_i,
          .tuple_i,
          .ready_o,
          .msg_valid_o(first_valid),
          .msg_tuple_o(first_tuple),
          .msg_count_o(first_count),
          .msg_ready_i(first_ready),
          .table_index_i,
          .table_data_o(count),
          .init_o(first_init),
          .idle_o(first_idle)
      );
    end
    assign first_entry = EntryWidth'(count);
    logic unused_settings;
    assign unused_settings = ^{should_evict_i, should_replace_i};
  end

  // Second level.
  logic second_idle;
  logic [EntryWidth-1:0] second_entry;
  if (SecondEntries > 0) begin : gen_second
    logic known, init;
    logic [TupleWidth-1:0] tuple;
    logic [SecondWidth-1:0] count;
    strobe_associative_table #(
        .Entries(SecondEntries),
        .CountWidth(SecondWidth),
        .InCountWidth(FirstWidth),
        .TupleWidth(TupleWidth)
    ) u_table (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i(first_valid),
        .tuple_i(first_tuple),
        .count_i(first_count),
        .ready_o(first_ready),
        .msg_valid_o,
        .msg_tuple_o,
        .msg_count_o,
        .msg_ready_i,
        .table_index_i,
        .table_valid_o(known),
        .table_tuple_o(tuple),
        .table_count_o(count),
        .init_o(init),
        .idle_o(second_idle)
    );
    assign second_entry = {known, tuple, strobe_pkg::CountWidth'(count)};
    assign init_o = first_init || init;
  end else begin : gen_one_level
    assign msg_valid_o = first_valid;
    assign msg_tuple_o = first_tuple;
    assign msg_count_o = first_count;
    assign first_ready = msg_ready_i;
    assign second_entry = '0;
    assign second_idle = 1'b1;
    assign init_o = first_init;
  end

  assign {table_valid_o, table_tuple_o, table_count_o} =
      table_index_i[15] ? second_entry : first_entry;
  assign idle_o = first_idle && second_idle;

  `STROBE_ASSERT(CompressorIdleHasNoMessage, !idle_o || !msg_valid_o)
endmodule
