// SPDX-License-Identifier: Apache-2.0
// RVFI channels as the profiling path's lanes: in program order, without gaps, compressed instructions
// expanded.
//
// docs/integration.md is the contract. Latency: one cycle. The channels of one cycle may come in any order.
// The low bits of rvfi_order give that order, because the instructions of a cycle are consecutive.
`include "strobe_assert.svh"

module strobe_rvfi #(
    parameter int Lanes = 4
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [Lanes-1:0]    rvfi_valid_i,
    input logic [64*Lanes-1:0] rvfi_order_i,
    input logic [32*Lanes-1:0] rvfi_insn_i,
    input logic [Lanes-1:0]    rvfi_trap_i,
    input logic [2*Lanes-1:0]  rvfi_mode_i,
    input logic [64*Lanes-1:0] rvfi_pc_rdata_i,
    input logic [64*Lanes-1:0] rvfi_pc_wdata_i,
    input logic [64*Lanes-1:0] rvfi_rd_wdata_i,
    input logic [64*Lanes-1:0] rvfi_mem_addr_i,
    input logic [Lanes-1:0]    retire_mispredicted_i,
    input logic [Lanes-1:0]    retire_in_burst_i,

    output logic [Lanes-1:0]    valid_o,
    output logic [32*Lanes-1:0] insn_o,
    output logic [Lanes-1:0]    trap_o,
    output logic [2*Lanes-1:0]  mode_o,
    output logic [64*Lanes-1:0] pc_rdata_o,
    output logic [64*Lanes-1:0] pc_wdata_o,
    output logic [64*Lanes-1:0] rd_wdata_o,
    output logic [64*Lanes-1:0] mem_addr_o,
    output logic [Lanes-1:0]    mispredicted_o,
    output logic [Lanes-1:0]    in_burst_o
);
  `STROBE_REQUIRE(RvfiLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_rvfi: Lanes must be 1 to 8")

  // Instructions of one cycle are less than 8 apart, so bit 3 of a distance is its sign.
  localparam int OrderBits = 4;
  localparam int Width = 5 + 32 + 4 * 64;

  // Bit Lanes * k + j: channel j comes before channel k. Each pair is compared once.
  logic [Lanes*Lanes-1:0] precedes;
  for (genvar k = 0; k < Lanes; k++) begin : gen_precedes
    assign precedes[Lanes*k+k] = 1'b0;
    for (genvar j = 0; j < k; j++) begin : gen_pair
      logic [OrderBits-1:0] distance;
      assign distance = rvfi_order_i[64*j+:OrderBits] - rvfi_order_i[64*k+:OrderBits];
      assign precedes[Lanes*k+j] = distance[OrderBits-1];
      assign precedes[Lanes*j+k] = !distance[OrderBits-1];
    end
  end

  logic unused_order;
  assign unused_order = ^rvfi_order_i;

  logic [Width*Lanes-1:0] channel;
  logic [Lanes*Lanes-1:0] goes_to;  // bit Lanes * k + n: channel k to lane n
  for (genvar k = 0; k < Lanes; k++) begin : gen_channel
    logic [31:0] insn;
    strobe_rvc u_rvc (
        .insn_i(rvfi_insn_i[32*k+:32]),
        .insn_o(insn)
    );
    assign channel[Width*k+:Width] = {
      retire_in_burst_i[k], retire_mispredicted_i[k], rvfi_trap_i[k], rvfi_mode_i[2*k+:2], insn,
      rvfi_pc_rdata_i[64*k+:64], rvfi_pc_wdata_i[64*k+:64], rvfi_rd_wdata_i[64*k+:64],
      rvfi_mem_addr_i[64*k+:64]
    };
    logic [Lanes-1:0] lane;  // one lane up for each earlier channel of this cycle
    always_comb begin
      lane = Lanes'(1);
      for (int j = 0; j < Lanes; j++) if (rvfi_valid_i[j] && precedes[Lanes*k+j]) lane = lane << 1;
    end
    assign goes_to[Lanes*k+:Lanes] = rvfi_valid_i[k] ? lane : '0;
  end

  for (genvar n = 0; n < Lanes; n++) begin : gen_lane
    logic valid, valid_q;
    logic [Width-1:0] lane, lane_q;
    always_comb begin
      valid = 1'b0;
      lane  = '0;
      for (int k = 0; k < Lanes; k++) begin
        valid = valid | goes_to[Lanes*k+n];
        lane  = lane | ({Width{goes_to[Lanes*k+n]}} & channel[Width*k+:Width]);
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= valid;
    end
    always_ff @(posedge clk_i) begin
      if (valid) lane_q <= lane;
    end
    assign valid_o[n] = valid_q;
    assign {in_burst_o[n], mispredicted_o[n], trap_o[n], mode_o[2*n+:2], insn_o[32*n+:32],
            pc_rdata_o[64*n+:64], pc_wdata_o[64*n+:64], rd_wdata_o[64*n+:64], mem_addr_o[64*n+:64]} = lane_q;
  end

  `STROBE_ASSERT(RvfiLanesHaveNoGaps, (valid_o & (valid_o + Lanes'(1))) == '0)
endmodule
