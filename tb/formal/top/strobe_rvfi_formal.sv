// SPDX-License-Identifier: Apache-2.0
// Channels of one cycle in any order: any one of them is on its lane in the next cycle, unchanged, after
// those that precede it in program order. No other lane is valid. The expansion of compressed words is tested
// by the bench.
// prove: induction 2
// prove: cover 5
module strobe_rvfi_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [2:0] valid_i,
    input logic [3*64-1:0] order_i,
    input logic [3*32-1:0] insn_i,
    input logic [2:0] trap_i,
    input logic [3*2-1:0] mode_i,
    input logic [3*64-1:0] pc_i,
    input logic [3*64-1:0] next_pc_i,
    input logic [3*64-1:0] result_i,
    input logic [3*64-1:0] address_i,
    input logic [2:0] mispredicted_i,
    input logic [2:0] in_burst_i,
    input logic [1:0] marked_i,      // any one channel
    input logic [3:0] oldest_i,      // order of the oldest instruction
    input logic [8:0] bit_i          // any one bit of the fields beside the instruction word
);
  logic [2:0] valid, trap, mispredicted, in_burst;
  logic [3*32-1:0] insn;
  logic [3*2-1:0] mode;
  logic [3*64-1:0] pc, next_pc, result, address;
  strobe_rvfi #(
      .Lanes(3)
  ) u_dut (
      .clk_i, .rst_ni, .rvfi_valid_i(valid_i), .rvfi_order_i(order_i), .rvfi_insn_i(insn_i), .rvfi_trap_i(trap_i),
      .rvfi_mode_i(mode_i), .rvfi_pc_rdata_i(pc_i), .rvfi_pc_wdata_i(next_pc_i), .rvfi_rd_wdata_i(result_i),
      .rvfi_mem_addr_i(address_i), .retire_mispredicted_i(mispredicted_i), .retire_in_burst_i(in_burst_i),
      .valid_o(valid), .insn_o(insn), .trap_o(trap), .mode_o(mode), .pc_rdata_o(pc), .pc_wdata_o(next_pc),
      .rd_wdata_o(result), .mem_addr_o(address), .mispredicted_o(mispredicted), .in_burst_o(in_burst)
  );

  localparam int Width = 5 + 4 * 64;

  // The instructions of a cycle are consecutive.
  logic [11:0] place;  // each channel's distance from the oldest
  for (genvar k = 0; k < 3; k++) assign place[4*k+:4] = order_i[64*k+:4] - oldest_i;
  always_comb begin
    assume (marked_i != 2'd3 && bit_i < 9'(Width));
    for (int k = 0; k < 3; k++) begin
      assume (!valid_i[k] || place[4*k+:4] < 4'd3);
      for (int j = 0; j < k; j++) assume (!valid_i[k] || !valid_i[j] || place[4*k+:4] != place[4*j+:4]);
    end
  end

  logic [1:0] before;
  always_comb begin
    before = '0;
    for (int k = 0; k < 3; k++) begin
      if (valid_i[k] && place[4*k+:4] < place[4*marked_i+:4]) before = before + 2'd1;
    end
  end
  initial assume (!rst_ni);
  logic known_q, expected_q;
  logic [1:0] lane_q;
  logic [2:0] channels_q;
  logic [31:0] insn_q;
  logic [Width-1:0] rest_q, rest;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    expected_q <= valid_i[marked_i];
    lane_q <= before;
    channels_q <= 3'(valid_i[0]) + 3'(valid_i[1]) + 3'(valid_i[2]);
    insn_q <= insn_i[32*marked_i+:32];
    rest_q <= {trap_i[marked_i], mode_i[2*marked_i+:2], mispredicted_i[marked_i], in_burst_i[marked_i],
               pc_i[64*marked_i+:64], next_pc_i[64*marked_i+:64], result_i[64*marked_i+:64],
               address_i[64*marked_i+:64]};
  end
  assign rest = {trap[lane_q], mode[2*lane_q+:2], mispredicted[lane_q], in_burst[lane_q],
                 pc[64*lane_q+:64], next_pc[64*lane_q+:64], result[64*lane_q+:64], address[64*lane_q+:64]};
  always @(posedge clk_i) begin
    if (rst_ni && known_q) begin
      RvfiIsOnItsLane : assert (!expected_q || (valid[lane_q] && rest[bit_i] == rest_q[bit_i]));
      RvfiKeepsAWholeInstruction : assert (!expected_q || insn_q[1:0] != 2'b11 || insn[32*lane_q+:32] == insn_q);
      RvfiHasNoOther : assert (valid == ~(3'h7 << channels_q));
      RvfiTurnsThemRound : cover (channels_q == 3'd3 && expected_q && lane_q == 2'd2);
    end
  end
endmodule
