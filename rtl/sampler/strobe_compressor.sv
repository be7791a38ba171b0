// SPDX-License-Identifier: Apache-2.0
// The compressor: tuples in, messages out (ISCA 2001, section 3): a sampler, an associative table, or
// a sampler and, downstream of it, an associative table as second level.
//
// docs/blocks/compressor.md is the contract. Everything between the levels is valid/ready; the
// compressor has no state of its own.
`include "strobe_assert.svh"

module strobe_compressor #(
    parameter int Heads = 1,  // tuples of a group; more than 1 only with several banks
    // strobe-gen: parameters
    parameter int Strata = 2048,
    parameter int CounterWidth = 8,
    parameter int Compressor = strobe_pkg::CompressorStratified,
    parameter int Sampler = strobe_pkg::SamplerPeriodic,
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int Banks = 1,
    parameter int Ways = 2,
    parameter int TagBits = 2,
    parameter int MissWidth = 3,
    parameter int SecondEntries = 0,
    parameter int SecondWidth = 16,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
    // strobe-gen: end
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input logic [strobe_pkg::PeriodWidth-1:0]    period_i,
    input logic [strobe_pkg::ThresholdWidth-1:0] threshold_i,
    input logic [strobe_pkg::SeedWidth-1:0]      seed_i,
    input logic [strobe_pkg::SettingsWidth-1:0]  settings_i,  // the compressors' own registers

    // A group; head 0 is the oldest.
    input  logic [Heads-1:0]                                           valid_i,
    input  logic [(strobe_pkg::TagWidth+PcWidth+ValueWidth)*Heads-1:0] tuple_i,
    output logic                                                       ready_o,

    output logic                                               msg_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_o,
    output logic [(SecondEntries > 0 ? SecondWidth : CounterWidth):0] msg_count_o,
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
  localparam bit TableIsFirst = Compressor == strobe_pkg::CompressorAssociative;
  localparam int TableEntries = TableIsFirst ? Strata : SecondEntries;  // 0: there is no table
  localparam int TableWidth = TableIsFirst ? CounterWidth : SecondWidth;
  localparam int SampleWidth = TableIsFirst ? 1 : CounterWidth + 1;  // width of an input's count
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

  // The sampler.
  logic sample_valid, sample_ready, sampler_init, sampler_idle, sampler_known;
  logic [TupleWidth-1:0] sample_tuple, sampler_held;
  logic [SampleWidth-1:0] sample_count;
  logic [CounterWidth:0] sampler_entry;
  // strobe-gen: samplers
  if (Compressor == strobe_pkg::CompressorStratified && Banks > 1) begin : gen_banked_sampler
    logic [(CounterWidth)-1:0] entry;
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
        .msg_valid_o(sample_valid),
        .msg_tuple_o(sample_tuple),
        .msg_count_o(sample_count),
        .msg_ready_i(sample_ready),
        .table_index_i,
        .table_data_o(entry),
        .init_o(sampler_init),
        .idle_o(sampler_idle)
    );
    assign sampler_known = 1'b0;
    assign sampler_held = '0;
    assign sampler_entry = (CounterWidth + 1)'(entry);
    logic unused_rates;
    assign unused_rates = ^{settings_i};
  end else if (Compressor == strobe_pkg::CompressorStratified) begin : gen_stratified_sampler
    logic [(CounterWidth)-1:0] entry;
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
        .msg_valid_o(sample_valid),
        .msg_tuple_o(sample_tuple),
        .msg_count_o(sample_count),
        .msg_ready_i(sample_ready),
        .table_index_i,
        .table_data_o(entry),
        .init_o(sampler_init),
        .idle_o(sampler_idle)
    );
    assign sampler_known = 1'b0;
    assign sampler_held = '0;
    assign sampler_entry = (CounterWidth + 1)'(entry);
    logic unused_rates;
    assign unused_rates = ^{settings_i};
  end else if (Compressor == strobe_pkg::CompressorTagged) begin : gen_tagged_sampler
    logic [(CounterWidth + 1)-1:0] entry;
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
        .should_evict_i(settings_i[strobe_pkg::ShouldEvictLow+:strobe_pkg::ShouldEvictWidth]),
        .should_replace_i(settings_i[strobe_pkg::ShouldReplaceLow+:strobe_pkg::ShouldReplaceWidth]),
        .valid_i,
        .tuple_i,
        .ready_o,
        .msg_valid_o(sample_valid),
        .msg_tuple_o(sample_tuple),
        .msg_count_o(sample_count),
        .msg_ready_i(sample_ready),
        .table_index_i,
        .table_data_o(entry),
        .init_o(sampler_init),
        .idle_o(sampler_idle)
    );
    assign sampler_known = 1'b0;
    assign sampler_held = '0;
    assign sampler_entry = (CounterWidth + 1)'(entry);
    logic unused_rates;
    assign unused_rates = ^{threshold_i, seed_i};
  // strobe-gen: end
  end else begin : gen_no_sampler
    // Every tuple goes to the table, with count 1.
    assign ready_o = sample_ready;
    assign sample_valid = valid_i;
    assign sample_tuple = tuple_i;
    assign sample_count = 1'b1;
    assign sampler_known = 1'b0;
    assign sampler_held = '0;
    assign sampler_entry = '0;
    assign sampler_init = 1'b0;
    assign sampler_idle = 1'b1;
    logic unused_rates;
    assign unused_rates = ^{period_i, threshold_i, seed_i, settings_i};
  end

  // The associative table: the first level, or the second one.
  logic table_init, table_idle;
  logic [EntryWidth-1:0] table_entry;
  if (TableEntries > 0) begin : gen_table
    logic known;
    logic [TupleWidth-1:0] tuple;
    logic [TableWidth-1:0] count;
    strobe_associative_table #(
        .Entries(TableEntries),
        .CountWidth(TableWidth),
        .InCountWidth(SampleWidth),
        .TupleWidth(TupleWidth)
    ) u_table (
        .clk_i,
        .rst_ni,
        .clear_i,
        .valid_i(sample_valid),
        .tuple_i(sample_tuple),
        .count_i(sample_count),
        .ready_o(sample_ready),
        .msg_valid_o,
        .msg_tuple_o,
        .msg_count_o,
        .msg_ready_i,
        .table_index_i,
        .table_valid_o(known),
        .table_tuple_o(tuple),
        .table_count_o(count),
        .init_o(table_init),
        .idle_o(table_idle)
    );
    assign table_entry = {known, tuple, strobe_pkg::CountWidth'(count)};
  end else begin : gen_no_table
    assign msg_valid_o = sample_valid;
    assign msg_tuple_o = sample_tuple;
    assign msg_count_o = sample_count;
    assign sample_ready = msg_ready_i;
    assign table_entry = '0;
    assign table_init = 1'b0;
    assign table_idle = 1'b1;
  end

  // The first level's entry, and the second one's, which is 0 without a second level.
  logic [EntryWidth-1:0] first_entry, second_entry;
  assign first_entry = TableIsFirst ? table_entry :
                       {sampler_known, sampler_held, strobe_pkg::CountWidth'(sampler_entry)};
  assign second_entry = TableIsFirst ? '0 : table_entry;
  assign {table_valid_o, table_tuple_o, table_count_o} =
      table_index_i[15] ? second_entry : first_entry;
  assign init_o = sampler_init || table_init;
  assign idle_o = sampler_idle && table_idle;

  `STROBE_ASSERT(CompressorIdleHasNoMessage, !idle_o || !msg_valid_o)
endmodule
