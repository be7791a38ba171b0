// SPDX-License-Identifier: Apache-2.0
// Message merge: takes the banks' messages in turn. docs/blocks/bank_router.md is the contract.
`include "strobe_assert.svh"

module strobe_message_merge #(
    parameter int Banks = 4,
    parameter int CountWidth = 9,
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input  logic [Banks-1:0]            valid_i,
    input  logic [TupleWidth*Banks-1:0] tuple_i,
    input  logic [CountWidth*Banks-1:0] count_i,
    output logic [Banks-1:0]            ready_o,

    output logic                  valid_o,
    output logic [TupleWidth-1:0] tuple_o,
    output logic [CountWidth-1:0] count_o,
    input  logic                  ready_i
);
  `STROBE_REQUIRE(MergeBanks, Banks >= 1 && Banks <= strobe_pkg::MaxBanks &&
                  (Banks & (Banks - 1)) == 0,
                  "strobe_message_merge: Banks must be a power of two from 1 to 8")
  `STROBE_REQUIRE(MergeCount, CountWidth >= 1 && CountWidth <= strobe_pkg::CountWidth,
                  "strobe_message_merge: CountWidth must be 1 to 32")
  `STROBE_REQUIRE(MergeTuple, TupleWidth >= 1,
                  "strobe_message_merge: TupleWidth must be at least 1")

  // The bank whose turn it is, one-hot. It is from flip-flops, so that no ready signal depends on
  // another bank's valid. The turn goes to the next bank above that has a message, then to the
  // lowest one.
  logic [Banks-1:0] turn_q, up_to_turn, others, above, next_turn;
  logic turn_stays;
  always_comb begin
    up_to_turn = turn_q;
    for (int b = Banks - 2; b >= 0; b--) up_to_turn[b] = up_to_turn[b] | up_to_turn[b+1];
  end
  assign others = valid_i & ~turn_q;
  assign above = valid_i & ~up_to_turn;
  assign next_turn = above != '0 ? above & (~above + Banks'(1)) : others & (~others + Banks'(1));
  assign turn_stays = others == '0 || (valid_o && !ready_i);

  always_comb begin
    tuple_o = '0;
    count_o = '0;
    for (int b = 0; b < Banks; b++) begin
      if (turn_q[b]) begin
        tuple_o = tuple_o | tuple_i[TupleWidth*b+:TupleWidth];
        count_o = count_o | count_i[CountWidth*b+:CountWidth];
      end
    end
  end
  assign valid_o = (valid_i & turn_q) != '0;
  assign ready_o = ready_i ? turn_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= Banks'(1);
    else if (clear_i) turn_q <= Banks'(1);
    else if (!turn_stays) turn_q <= next_turn;
  end

  `STROBE_ASSERT(MergeTurnIsOneBanks, turn_q != '0 && (turn_q & (turn_q - Banks'(1))) == '0)
endmodule
