// SPDX-License-Identifier: Apache-2.0
// A copy of clear_o of strobe_registers for the banks, equal to it in every cycle, from a flip-flop
// that drives nothing else. It is a module of its own so that synthesis does not merge the two
// flip-flops.
module strobe_bank_clear (
    input logic clk_i,
    input logic rst_ni,

    input logic        reg_we_i,
    input logic [11:0] reg_addr_i,
    input logic [63:0] reg_wdata_i,

    output logic clear_o
);
  logic clear_q, unused_wdata;
  assign unused_wdata = ^{reg_wdata_i[63:2], reg_wdata_i[0]};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) clear_q <= 1'b0;
    else clear_q <= reg_we_i && reg_addr_i == strobe_reg_pkg::CtrlOffset && reg_wdata_i[1];
  end
  assign clear_o = clear_q;
endmodule
