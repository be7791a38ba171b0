// SPDX-License-Identifier: Apache-2.0
// Message merge: the banks' messages in turn. docs/blocks/bank_router.md is the contract.
`include "strobe_assert.svh"

module strobe_message_merge #(
    parameter int Banks = 4,
    parameter int CountWidth = 9
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input  logic [Banks-1:0]                        valid_i,
    input  logic [strobe_pkg::TagWidth*Banks-1:0]   tag_i,
    input  logic [strobe_pkg::PcWidth*Banks-1:0]    pc_i,
    input  logic [strobe_pkg::ValueWidth*Banks-1:0] value_i,
    input  logic [CountWidth*Banks-1:0]             count_i,
    output logic [Banks-1:0]                        ready_o,

    output logic                              valid_o,
    output logic [strobe_pkg::TagWidth-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth-1:0] value_o,
    output logic [CountWidth-1:0]             count_o,
    input  logic                              ready_i
);
  `STROBE_REQUIRE(MergeBanks, Banks >= 1 && Banks <= strobe_pkg::MaxBanks &&
                  (Banks & (Banks - 1)) == 0,
                  "strobe_message_merge: Banks must be a power of two from 1 to 8")
  `STROBE_REQUIRE(MergeCount, CountWidth >= 1 && CountWidth <= strobe_pkg::CountWidth,
                  "strobe_message_merge: CountWidth must be 1 to 32")

  // The bank whose turn it is, one bit. It is from state, so that nobody's ready waits for who has
  // a message. The turn goes to the first other bank that has one: those above, then those below.
  logic [Banks-1:0] turn_q, up_to_turn, others, above, next;
  logic stays;
  always_comb begin
    up_to_turn = turn_q;
    for (int b = Banks - 2; b >= 0; b--) up_to_turn[b] = up_to_turn[b] | up_to_turn[b+1];
  end
  assign others = valid_i & ~turn_q;
  assign above = valid_i & ~up_to_turn;
  assign next = above != '0 ? above & (~above + Banks'(1)) : others & (~others + Banks'(1));
  assign stays = others == '0 || (valid_o && !ready_i);

  always_comb begin
    tag_o   = '0;
    pc_o    = '0;
    value_o = '0;
    count_o = '0;
    for (int b = 0; b < Banks; b++) begin
      if (turn_q[b]) begin
        tag_o   = tag_o | tag_i[strobe_pkg::TagWidth*b+:strobe_pkg::TagWidth];
        pc_o    = pc_o | pc_i[64*b+:64];
        value_o = value_o | value_i[64*b+:64];
        count_o = count_o | count_i[CountWidth*b+:CountWidth];
      end
    end
  end
  assign valid_o = (valid_i & turn_q) != '0;
  assign ready_o = ready_i ? turn_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= Banks'(1);
    else if (clear_i) turn_q <= Banks'(1);
    else if (!stays) turn_q <= next;
  end

  `STROBE_ASSERT(MergeTurnIsOneBanks, turn_q != '0 && (turn_q & (turn_q - Banks'(1))) == '0)
endmodule
