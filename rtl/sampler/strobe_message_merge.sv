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

  localparam int TurnWidth = Banks > 1 ? $clog2(Banks) : 1;

  // Inputs from the turn up, then those below it: the first valid one is chosen.
  logic [TurnWidth-1:0] turn_q;
  logic [Banks-1:0] below, chosen;
  always_comb begin
    for (int b = 0; b < Banks; b++) below[b] = b < 32'(turn_q);
  end
  always_comb begin
    chosen = '0;
    for (int b = Banks - 1; b >= 0; b--) begin
      if (valid_i[b] && below[b]) chosen = Banks'(1) << b;
    end
    for (int b = Banks - 1; b >= 0; b--) begin
      if (valid_i[b] && !below[b]) chosen = Banks'(1) << b;
    end
  end

  logic [TurnWidth-1:0] behind;  // the chosen one
  always_comb begin
    tag_o   = '0;
    pc_o    = '0;
    value_o = '0;
    count_o = '0;
    behind  = turn_q;
    for (int b = 0; b < Banks; b++) begin
      if (chosen[b]) begin
        tag_o   = tag_i[strobe_pkg::TagWidth*b+:strobe_pkg::TagWidth];
        pc_o    = pc_i[64*b+:64];
        value_o = value_i[64*b+:64];
        count_o = count_i[CountWidth*b+:CountWidth];
        behind  = TurnWidth'((b + 1) % Banks);
      end
    end
  end
  assign valid_o = valid_i != '0;
  assign ready_o = ready_i ? chosen : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else if (clear_i) turn_q <= '0;
    else if (ready_i) turn_q <= behind;
  end

  `STROBE_ASSERT(MergeChoosesOne, (chosen & (chosen - Banks'(1))) == '0)
endmodule
