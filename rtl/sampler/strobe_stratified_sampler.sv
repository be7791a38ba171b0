// SPDX-License-Identifier: Apache-2.0
// Stratified sampler H[X_r]_n: a hash and the strata that it selects from.
// docs/blocks/stratified_sampler.md is the contract.
`include "strobe_assert.svh"

module strobe_stratified_sampler #(
    parameter int Sampler = strobe_pkg::SamplerPeriodic,
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int Strata = 2048,
    parameter int CounterWidth = 8,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input logic [strobe_pkg::PeriodWidth-1:0]    period_i,
    input logic [strobe_pkg::ThresholdWidth-1:0] threshold_i,
    input logic [strobe_pkg::SeedWidth-1:0]      seed_i,

    input  logic                                               valid_i,
    input  logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] tuple_i,
    output logic                                               ready_o,

    output logic                                               msg_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_o,
    output logic [CounterWidth:0]                              msg_count_o,
    input  logic                                               msg_ready_i,

    input  logic [15:0]             table_index_i,
    output logic [CounterWidth-1:0] table_data_o,

    output logic init_o,
    output logic idle_o
);
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  // A random sampler does not distinguish strata.
  localparam int IndexBits = Sampler == strobe_pkg::SamplerRandom ? 0 : $clog2(Strata);
  logic valid, ready, hash_idle, strata_idle;
  logic [TupleWidth-1:0] tuple;
  logic [strobe_pkg::IndexWidth-1:0] index;
  strobe_hash_pipeline #(
      .Hash(Hash),
      .IndexBits(IndexBits),
      .PcWidth(PcWidth),
      .ValueWidth(ValueWidth)
  ) u_hash (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .tuple_i,
      .ready_o,
      .valid_o(valid),
      .tuple_o(tuple),
      .index_o(index),
      .ready_i(ready),
      .idle_o(hash_idle)
  );

  strobe_strata #(
      .Sampler(Sampler),
      .Strata(Strata),
      .CounterWidth(CounterWidth),
      .TupleWidth(TupleWidth)
  ) u_strata (
      .clk_i,
      .rst_ni,
      .clear_i,
      .period_i,
      .threshold_i,
      .seed_i,
      .valid_i(valid),
      .tuple_i(tuple),
      .index_i(index),
      .ready_o(ready),
      .msg_valid_o,
      .msg_tuple_o,
      .msg_count_o,
      .msg_ready_i,
      .table_index_i,
      .table_data_o,
      .init_o,
      .idle_o(strata_idle)
  );
  assign idle_o = hash_idle && strata_idle;
endmodule
