// SPDX-License-Identifier: Apache-2.0
// The ring writer's registers: RING_CTRL to RING_STALLS of configs/registers.yaml.
//
// docs/blocks/ring_writer.md is the contract. A read is combinational; a write changes its register
// at the end of the cycle. unlocked_i is REGWEN of strobe_registers. The ring cannot be changed
// while the writer is enabled or in the middle of a record. It is aligned to its length: the lower
// bits of RING_BASE read 0. RING_CONS only advances, and never beyond RING_PROD.
// Priority at RING_CONS: clear > write.
`include "strobe_assert.svh"

module strobe_ring_registers (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic unlocked_i,

    input  logic        reg_we_i,
    input  logic [11:0] reg_addr_i,
    input  logic [63:0] reg_wdata_i,
    output logic [63:0] reg_rdata_o,  // 0 if known_o is 0
    output logic        known_o,      // there is a register at the address

    output logic                                  enable_o,
    output logic                                  overwrite_o,
    output logic [4:0]                            log2_entries_o,
    output logic [63:0]                           base_o,
    output logic [strobe_pkg::RingCountWidth-1:0] cons_o,

    input logic                                  busy_i,
    input logic [strobe_pkg::RingCountWidth-1:0] prod_i,
    input logic [strobe_pkg::RingCountWidth-1:0] overwritten_i,
    input logic [strobe_pkg::MaxRingBits:0]      high_water_i,
    input logic [31:0]                           stalls_i
);
  logic enable_q, overwrite_q;
  logic [4:0] log2_entries_q;
  logic [63:5] base_q, base;
  logic [strobe_pkg::MaxRingBits-1:0] offset;  // the address bits that select a record in the ring
  logic [strobe_pkg::RingCountWidth-1:0] cons_q;
  assign offset = ~({strobe_pkg::MaxRingBits{1'b1}} << log2_entries_q);
  assign base = {base_q[63:5+strobe_pkg::MaxRingBits],
                 base_q[5+:strobe_pkg::MaxRingBits] & ~offset};

  always_comb begin
    known_o = 1'b1;
    case (reg_addr_i)
      strobe_reg_pkg::RingCtrlOffset: reg_rdata_o = 64'(enable_q);
      strobe_reg_pkg::RingConfigOffset:
      reg_rdata_o = 64'({overwrite_q, 3'b0, log2_entries_q});
      strobe_reg_pkg::RingBaseOffset: reg_rdata_o = {base, 5'b0};
      strobe_reg_pkg::RingProdOffset: reg_rdata_o = 64'(prod_i);
      strobe_reg_pkg::RingConsOffset: reg_rdata_o = 64'(cons_q);
      strobe_reg_pkg::RingOverwrittenOffset: reg_rdata_o = 64'(overwritten_i);
      strobe_reg_pkg::RingHighWaterOffset: reg_rdata_o = 64'(high_water_i);
      strobe_reg_pkg::RingStallsOffset: reg_rdata_o = 64'(stalls_i);
      default: begin
        reg_rdata_o = '0;
        known_o = 1'b0;
      end
    endcase
  end

  logic open;  // the ring may be changed
  logic [4:0] log2_written;
  assign open = unlocked_i && !enable_q && !busy_i;
  assign log2_written = 32'(reg_wdata_i[7:0]) > strobe_pkg::MaxRingBits ?
                        5'(strobe_pkg::MaxRingBits) : reg_wdata_i[4:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q <= strobe_reg_pkg::RingCtrlResetValue[0];
      overwrite_q <= strobe_reg_pkg::RingConfigResetValue[8];
      log2_entries_q <= strobe_reg_pkg::RingConfigResetValue[4:0];
    end else if (reg_we_i) begin
      if (reg_addr_i == strobe_reg_pkg::RingCtrlOffset) enable_q <= reg_wdata_i[0];
      if (reg_addr_i == strobe_reg_pkg::RingConfigOffset && open) begin
        overwrite_q <= reg_wdata_i[8];
        log2_entries_q <= log2_written;
      end
    end
  end
  // A written RING_CONS is taken if it lies between the present one and RING_PROD; all three wrap.
  logic [strobe_pkg::RingCountWidth-1:0] forward, waiting;
  logic cons_advances;
  assign forward = reg_wdata_i[strobe_pkg::RingCountWidth-1:0] - cons_q;
  assign waiting = prod_i - cons_q;
  assign cons_advances = reg_we_i && reg_addr_i == strobe_reg_pkg::RingConsOffset &&
                      forward <= waiting;
  // Numbers are reset synchronously, as in strobe_registers.
  logic in_reset;
  assign in_reset = !rst_ni;
  always_ff @(posedge clk_i) begin
    if (in_reset) begin
      base_q <= strobe_reg_pkg::RingBaseResetValue[63:5];
      cons_q <= strobe_reg_pkg::RingConsResetValue[strobe_pkg::RingCountWidth-1:0];
    end else begin
      if (reg_we_i && reg_addr_i == strobe_reg_pkg::RingBaseOffset && open)
        base_q <= reg_wdata_i[63:5];
      if (cons_advances) cons_q <= reg_wdata_i[strobe_pkg::RingCountWidth-1:0];
      if (clear_i) cons_q <= '0;
    end
  end
  assign enable_o = enable_q;
  assign overwrite_o = overwrite_q;
  assign log2_entries_o = log2_entries_q;
  assign base_o = {base, 5'b0};
  assign cons_o = cons_q;

  `STROBE_ASSERT(RingFitsItsCounters, 32'(log2_entries_q) <= strobe_pkg::MaxRingBits)
endmodule
