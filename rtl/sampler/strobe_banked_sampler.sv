// SPDX-License-Identifier: Apache-2.0
// Banked stratified sampler: strobe_stratified_sampler for several tuples a cycle.
// docs/blocks/bank_router.md is the contract.
//
//     Lanes hashes ─▶ bank router ─▶ Banks x Strata/Banks strata ─▶ message merge
`include "strobe_assert.svh"

module strobe_banked_sampler #(
    parameter int Lanes = 4,
    parameter int Banks = 4,
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

    // A group; lane 0 is the oldest.
    input  logic [Lanes-1:0]                                           valid_i,
    input  logic [(strobe_pkg::TagWidth+PcWidth+ValueWidth)*Lanes-1:0] tuple_i,
    output logic                                                       ready_o,

    output logic                                               msg_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_o,
    output logic [CounterWidth:0]                              msg_count_o,
    input  logic                                               msg_ready_i,

    input  logic [15:0]             table_index_i,
    output logic [CounterWidth-1:0] table_data_o,

    output logic init_o,
    output logic idle_o
);
  `STROBE_REQUIRE(BankedStrata, Strata >= Banks && Strata <= strobe_pkg::MaxStrata &&
                  (Strata & (Strata - 1)) == 0,
                  "strobe_banked_sampler: Strata must be a power of two from Banks to 4096")

  localparam int IndexBits = $clog2(Strata);
  localparam int BankBits = $clog2(Banks);
  localparam int IndexWidth = strobe_pkg::IndexWidth;
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  localparam int CountWidth = CounterWidth + 1;

  logic [Lanes-1:0] valid;
  logic [TupleWidth*Lanes-1:0] tuple;
  logic [IndexWidth*Lanes-1:0] index;
  logic ready, hash_idle;
  strobe_hash_pipeline #(
      .Hash(Hash),
      .IndexBits(IndexBits),
      .Lanes(Lanes),
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

  logic router_idle;
  logic [Banks-1:0] bank_valid, bank_ready;
  logic [TupleWidth*Banks-1:0] bank_tuple;
  logic [IndexWidth*Banks-1:0] bank_row;
  strobe_bank_router #(
      .Lanes(Lanes),
      .Banks(Banks),
      .RowBits(IndexBits - BankBits),
      .TupleWidth(TupleWidth)
  ) u_router (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(valid),
      .tuple_i(tuple),
      .index_i(index),
      .ready_o(ready),
      .valid_o(bank_valid),
      .tuple_o(bank_tuple),
      .row_o(bank_row),
      .ready_i(bank_ready),
      .idle_o(router_idle)
  );

  logic [Banks-1:0] out_valid, out_ready, bank_init, bank_idle;
  logic [TupleWidth*Banks-1:0] out_tuple;
  logic [CountWidth*Banks-1:0] out_count;
  logic [CounterWidth*Banks-1:0] bank_data;
  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    strobe_strata #(
        .Sampler(Sampler),
        .Strata(Strata / Banks),
        .CounterWidth(CounterWidth),
        .TupleWidth(TupleWidth),
        .Bank(1)
    ) u_strata (
        .clk_i,
        .rst_ni,
        .clear_i,
        .period_i,
        .threshold_i,
        .seed_i(seed_i ^ (strobe_pkg::BankSeed * 64'(b))),
        .valid_i(bank_valid[b]),
        .tuple_i(bank_tuple[TupleWidth*b+:TupleWidth]),
        .index_i(bank_row[IndexWidth*b+:IndexWidth]),
        .ready_o(bank_ready[b]),
        .msg_valid_o(out_valid[b]),
        .msg_tuple_o(out_tuple[TupleWidth*b+:TupleWidth]),
        .msg_count_o(out_count[CountWidth*b+:CountWidth]),
        .msg_ready_i(out_ready[b]),
        .table_index_i(table_index_i >> BankBits),
        .table_data_o(bank_data[CounterWidth*b+:CounterWidth]),
        .init_o(bank_init[b]),
        .idle_o(bank_idle[b])
    );
  end

  strobe_message_merge #(
      .Banks(Banks),
      .CountWidth(CountWidth),
      .TupleWidth(TupleWidth)
  ) u_merge (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(out_valid),
      .tuple_i(out_tuple),
      .count_i(out_count),
      .ready_o(out_ready),
      .valid_o(msg_valid_o),
      .tuple_o(msg_tuple_o),
      .count_o(msg_count_o),
      .ready_i(msg_ready_i)
  );

  // Written out, because an indexed part select of this width synthesizes to a shifter.
  localparam logic [15:0] BankMask = 16'(Banks - 1);
  logic [15:0] table_bank;
  assign table_bank = table_index_i & BankMask;
  always_comb begin
    table_data_o = '0;
    for (int b = 0; b < Banks; b++) begin
      if (32'(table_bank) == b) begin
        table_data_o = bank_data[CounterWidth*b+:CounterWidth];
      end
    end
  end

  assign init_o = bank_init != '0;
  assign idle_o = hash_idle && router_idle && bank_idle == '1;
endmodule
