// SPDX-License-Identifier: Apache-2.0
// The ring's registers from one cycle to the next. What is written reads back, or the largest number does;
// nothing else changes. The ring does not change while it is locked, enabled or in the middle of a record. A
// clear zeroes CONS alone, also beside a write.
// The base is a multiple of the ring's length. CONS stays or advances towards PROD, never beyond. The
// counters read as they come in. An address without a register reads 0. Log2 of the entries is at most 16.
// prove: induction 2
// prove: cover 9
// peek: base_stored u_dut.base_q
`include "strobe_assert.svh"

module strobe_ring_registers_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic unlocked_i,
    input logic reg_we_i,
    input logic [11:0] reg_addr_i,
    input logic [63:0] reg_wdata_i,
    input logic busy_i,
    input logic [31:0] prod_i,
    input logic [31:0] overwritten_i,
    input logic [16:0] high_water_i,
    input logic [31:0] stalls_i
);
  logic known, enable, overwrite;
  logic [63:0] rdata, base;
  logic [4:0] log2_entries;
  logic [31:0] cons;
  strobe_ring_registers u_dut (
      .clk_i, .rst_ni, .clear_i, .unlocked_i, .reg_we_i, .reg_addr_i, .reg_wdata_i, .reg_rdata_o(rdata),
      .known_o(known), .enable_o(enable), .overwrite_o(overwrite), .log2_entries_o(log2_entries),
      .base_o(base), .cons_o(cons), .busy_i, .prod_i, .overwritten_i, .high_water_i, .stalls_i
  );

  // What software reads from the eight registers, from 0x200 on.
  logic [64*8-1:0] image;
  assign image = {32'd0, stalls_i, 47'd0, high_water_i, 32'd0, overwritten_i, 32'd0, cons, 32'd0, prod_i,
                  base, 55'd0, overwrite, 3'd0, log2_entries, 63'd0, enable};
  logic ours;
  assign ours = reg_addr_i >= 12'h200 && reg_addr_i < 12'h240 && reg_addr_i % 8 == 0;

  // The cycle before.
  initial assume (!rst_ni);
  logic known_q, clear_q, wrote_ctrl_q, wrote_config_q, wrote_base_q, wrote_cons_q, enable_q;
  logic [63:0] wdata_q, base_written_q;
  logic [5:0] config_q;
  logic [31:0] cons_q, forward, waiting;
  logic [58:0] base_stored;
  logic may_change;
  assign forward = reg_wdata_i[31:0] - cons;
  assign waiting = prod_i - cons;
  assign may_change = unlocked_i && !enable && !busy_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    clear_q <= clear_i;
    wdata_q <= reg_wdata_i;
    wrote_ctrl_q <= reg_we_i && reg_addr_i == 12'h200;
    wrote_config_q <= reg_we_i && reg_addr_i == 12'h208 && may_change;
    wrote_base_q <= reg_we_i && reg_addr_i == 12'h210 && may_change;
    wrote_cons_q <= reg_we_i && reg_addr_i == 12'h220 && forward <= waiting;
    enable_q <= enable;
    config_q <= {overwrite, log2_entries};
    if (!rst_ni) base_written_q <= '0;
    else if (reg_we_i && reg_addr_i == 12'h210 && may_change) base_written_q <= reg_wdata_i;
    cons_q <= cons;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      KnownWhereARegisterIs : assert (known == ours);
      ReadsWhatIsThere : assert (rdata == (ours ? 64'(image >> {reg_addr_i[5:3], 6'd0}) : 64'd0));
      BaseIsStored : assert (base_stored == base_written_q[63:5]);
      AfterReset : assert (known_q || {enable, overwrite, log2_entries, base, cons} == {2'b00, 5'd10, 96'd0});
    end
    if (rst_ni && known_q) begin
      Ctrl : assert (enable == (wrote_ctrl_q ? wdata_q[0] : enable_q));
      Overwrite : assert (overwrite == (wrote_config_q ? wdata_q[8] : config_q[5]));
      EntriesAsWritten : assert (!wrote_config_q || wdata_q[7:0] > 8'd16 || 8'(log2_entries) == wdata_q[7:0]);
      EntriesAtMost : assert (!wrote_config_q || wdata_q[7:0] <= 8'd16 || log2_entries == 5'd16);
      EntriesStay : assert (wrote_config_q || log2_entries == config_q[4:0]);
      BaseIsWhatWasWritten : assert (!wrote_base_q || wdata_q == base_written_q);
      BaseIsAMultipleOfTheLength : assert ((base & ((64'd32 << log2_entries) - 64'd1)) == '0);
      BaseIsTheNearestBelow : assert (base == (base_written_q & ~((64'd32 << log2_entries) - 64'd1)));
      Cons : assert (cons == (clear_q ? 32'd0 : wrote_cons_q ? wdata_q[31:0] : cons_q));
      WrittenWhileClosed : cover (enable_q && busy_i && base != '0 && overwrite && log2_entries == 5'd16);
      ClearedBesideAWrite : cover (clear_q && wrote_cons_q && cons_q != '0 && wdata_q[31:0] != '0);
      GoesRoundThrough0 : cover (wrote_cons_q && cons_q > 32'd5 && cons == 32'd3);
      LongerThanWhereItIs : cover (base != base_written_q);
    end
  end
endmodule
