// SPDX-License-Identifier: Apache-2.0
// Bank router: spreads a group of tuples over the banks of the counter table.
//
// docs/blocks/bank_router.md is the contract. A group is held until each of its tuples has gone to
// the register of its bank. Tuples for one bank go in lane order, one a cycle.
//
//     group ─▶ which lane to which bank ─▶ a register for each bank
`include "strobe_assert.svh"

module strobe_bank_router #(
    parameter int Lanes = 4,
    parameter int Banks = 4,
    parameter int RowBits = 9,  // width of a row's number in its bank; 0: a bank is one stratum
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A group; lane 0 is the oldest. An index is {row, bank}.
    input  logic [Lanes-1:0]                        valid_i,
    input  logic [TupleWidth*Lanes-1:0]             tuple_i,
    input  logic [strobe_pkg::IndexWidth*Lanes-1:0] index_i,
    output logic                                    ready_o,

    output logic [Banks-1:0]                        valid_o,
    output logic [TupleWidth*Banks-1:0]             tuple_o,
    output logic [strobe_pkg::IndexWidth*Banks-1:0] row_o,
    input  logic [Banks-1:0]                        ready_i,

    output logic idle_o
);
  `STROBE_REQUIRE(RouterLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_bank_router: Lanes must be 1 to 8")
  `STROBE_REQUIRE(RouterBanks, Banks >= 1 && Banks <= strobe_pkg::MaxBanks &&
                  (Banks & (Banks - 1)) == 0,
                  "strobe_bank_router: Banks must be a power of two from 1 to 8")
  `STROBE_REQUIRE(RouterRows, RowBits >= 0 && RowBits + $clog2(Banks) <= strobe_pkg::IndexWidth,
                  "strobe_bank_router: Banks * 2^RowBits must be at most 4096")
  `STROBE_REQUIRE(RouterTuple, TupleWidth >= 1,
                  "strobe_bank_router: TupleWidth must be at least 1")

  localparam int BankBits = $clog2(Banks);
  localparam int IndexWidth = strobe_pkg::IndexWidth;
  localparam logic [IndexWidth-1:0] BankMask = IndexWidth'(Banks - 1);
  localparam logic [IndexWidth-1:0] RowMask = IndexWidth'((1 << RowBits) - 1);

  logic [Lanes-1:0] pending_q, stays;
  logic [TupleWidth*Lanes-1:0] tuple_q;
  logic [IndexWidth*Lanes-1:0] index_q;
  logic [Banks-1:0] out_valid_q, asked, asked_twice;

  // The bank of each pending lane, and the banks that an older lane wants: one bit for each bank.
  logic [Banks*Lanes-1:0] wants, wanted_by_older;
  // asks equals wants, for ready_o only, from inverted flip-flops of its own, because those of
  // wants drive the multiplexers of the tuples.
  logic [Lanes-1:0] gone_q;
  logic [Banks*Lanes-1:0] asks;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [IndexWidth-1:0] bank, other_bank_q;
    logic [Banks-1:0] older;
    assign bank = index_q[IndexWidth*k+:IndexWidth] & BankMask;
    assign asks[Banks*k+:Banks] = gone_q[k] ? '0 : Banks'(1) << (~other_bank_q & BankMask);
    assign wants[Banks*k+:Banks] = pending_q[k] ? Banks'(1) << bank : '0;
    always_comb begin
      older = '0;
      for (int j = 0; j < k; j++) older = older | wants[Banks*j+:Banks];
    end
    assign wanted_by_older[Banks*k+:Banks] = older;
    assign stays[k] = (wants[Banks*k+:Banks] & (older | ~ready_i)) != '0;
    // A lane that does not stay is don't-care, so it loads the next group's tuple whether valid or
    // not.
    always_ff @(posedge clk_i) begin
      if (!stays[k]) begin
        tuple_q[TupleWidth*k+:TupleWidth] <= tuple_i[TupleWidth*k+:TupleWidth];
        index_q[IndexWidth*k+:IndexWidth] <= index_i[IndexWidth*k+:IndexWidth];
      end
      other_bank_q <= stays[k] ? ~index_q[IndexWidth*k+:IndexWidth] & BankMask
                               : ~index_i[IndexWidth*k+:IndexWidth] & BankMask;
    end
  end
  always_comb begin
    asked = '0;
    asked_twice = '0;
    for (int k = 0; k < Lanes; k++) begin
      asked_twice = asked_twice | (asked & asks[Banks*k+:Banks]);
      asked = asked | asks[Banks*k+:Banks];
    end
  end
  assign ready_o = (asked_twice | (asked & ~ready_i)) == '0;

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic [TupleWidth-1:0] tuple, out_tuple_q;
    logic [IndexWidth-1:0] row, out_row_q;
    logic [Lanes-1:0] wanted_by, chosen;  // the lanes that want this bank, and the oldest of them
    for (genvar k = 0; k < Lanes; k++) begin : gen_chosen
      assign wanted_by[k] = wants[Banks*k+b];
      assign chosen[k] = wanted_by[k] && !wanted_by_older[Banks*k+b];
    end
    always_comb begin
      tuple = '0;
      row = '0;
      for (int k = 0; k < Lanes; k++) begin
        if (chosen[k]) begin
          tuple = tuple | tuple_q[TupleWidth*k+:TupleWidth];
          row = row | ((index_q[IndexWidth*k+:IndexWidth] >> BankBits) & RowMask);
        end
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_valid_q[b] <= 1'b0;
      else if (clear_i) out_valid_q[b] <= 1'b0;
      else if (ready_i[b]) out_valid_q[b] <= wanted_by != '0;
    end
    always_ff @(posedge clk_i) begin
      if (ready_i[b]) begin
        out_tuple_q <= tuple;
        out_row_q   <= row;
      end
    end
    assign tuple_o[TupleWidth*b+:TupleWidth] = out_tuple_q;
    assign row_o[IndexWidth*b+:IndexWidth] = out_row_q;
  end
  assign valid_o = out_valid_q;

  assign idle_o  = {pending_q, out_valid_q} == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pending_q <= '0;
      gone_q <= '1;
    end else if (clear_i) begin
      pending_q <= '0;
      gone_q <= '1;
    end else if (stays == '0) begin
      pending_q <= valid_i;
      gone_q <= ~valid_i;
    end else begin
      pending_q <= stays;
      gone_q <= ~stays;
    end
  end

  `STROBE_ASSERT(RouterAsksForWhatItWants, asks == wants)
  `STROBE_ASSERT(RouterKeepsOnlyWhatWaits, (stays & ~pending_q) == '0)
  `STROBE_ASSERT(RouterIsReadyWhenNoLaneStays, ready_o == (stays == '0))
endmodule
