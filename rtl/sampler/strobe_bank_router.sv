// Bank router: spreads a group of tuples over the banks of the counter table.
//
// docs/blocks/bank_router.md is the contract. A group is held until each of its tuples has gone to
// its bank; tuples of one bank go in lane order, one a cycle.
`include "strobe_assert.svh"

module strobe_bank_router #(
    parameter int Lanes = 4,
    parameter int Banks = 4,
    parameter int RowBits = 9  // of a row in a bank; 0: a bank is one stratum
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A group: lane 0 the oldest. The index is the row above the bank.
    input  logic [Lanes-1:0]                        valid_i,
    input  logic [strobe_pkg::TagWidth*Lanes-1:0]   tag_i,
    input  logic [strobe_pkg::PcWidth*Lanes-1:0]    pc_i,
    input  logic [strobe_pkg::ValueWidth*Lanes-1:0] value_i,
    input  logic [strobe_pkg::IndexWidth*Lanes-1:0] index_i,
    output logic                                    ready_o,

    output logic [Banks-1:0]                        valid_o,
    output logic [strobe_pkg::TagWidth*Banks-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth*Banks-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth*Banks-1:0] value_o,
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

  localparam int BankBits = $clog2(Banks);
  localparam int TagWidth = strobe_pkg::TagWidth;
  localparam int IndexWidth = strobe_pkg::IndexWidth;
  localparam logic [IndexWidth-1:0] BankMask = IndexWidth'(Banks - 1);
  localparam logic [IndexWidth-1:0] RowMask = IndexWidth'((1 << RowBits) - 1);

  logic [Lanes-1:0] pending_q, taken;
  logic [TagWidth*Lanes-1:0] tag_q;
  logic [64*Lanes-1:0] pc_q, value_q;
  logic [IndexWidth*Lanes-1:0] index_q;

  // Which bank lane k wants, one bit each; and whether it is its turn there.
  logic [Banks*Lanes-1:0] wants;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [IndexWidth-1:0] bank;
    logic first;
    assign bank = index_q[IndexWidth*k+:IndexWidth] & BankMask;
    always_comb begin
      first = pending_q[k];
      for (int j = 0; j < k; j++) begin
        if (pending_q[j] && (index_q[IndexWidth*j+:IndexWidth] & BankMask) == bank) first = 1'b0;
      end
    end
    assign wants[Banks*k+:Banks] = first ? Banks'(1) << bank : '0;
    assign taken[k] = (wants[Banks*k+:Banks] & ready_i) != '0;
  end

  for (genvar b = 0; b < Banks; b++) begin : gen_bank
    logic offered;
    logic [TagWidth-1:0] tag;
    logic [63:0] pc, value;
    logic [IndexWidth-1:0] row;
    always_comb begin
      offered = 1'b0;
      tag = '0;
      pc = '0;
      value = '0;
      row = '0;
      for (int k = 0; k < Lanes; k++) begin
        if (wants[Banks*k+b]) begin
          offered = 1'b1;
          tag = tag_q[TagWidth*k+:TagWidth];
          pc = pc_q[64*k+:64];
          value = value_q[64*k+:64];
          row = (index_q[IndexWidth*k+:IndexWidth] >> BankBits) & RowMask;
        end
      end
    end
    assign valid_o[b] = offered;
    assign tag_o[TagWidth*b+:TagWidth] = tag;
    assign pc_o[64*b+:64] = pc;
    assign value_o[64*b+:64] = value;
    assign row_o[IndexWidth*b+:IndexWidth] = row;
  end

  assign ready_o = pending_q == taken;
  assign idle_o  = pending_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) pending_q <= '0;
    else if (clear_i) pending_q <= '0;
    else if (ready_o) pending_q <= valid_i;
    else pending_q <= pending_q & ~taken;
  end
  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      tag_q   <= tag_i;
      pc_q    <= pc_i;
      value_q <= value_i;
      index_q <= index_i;
    end
  end

  `STROBE_ASSERT(RouterTakesOnlyWhatWaits, (taken & ~pending_q) == '0)
endmodule
