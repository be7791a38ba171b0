// SPDX-License-Identifier: Apache-2.0
// R': reports tuples that it holds, never blocks.
//
// prove: induction 4
// prove: cover 16
`include "sampler_properties.svh"

module strobe_sampler_countdown_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [2:0] period_i,
    input logic [31:0] threshold_i,
    input logic valid_i,
    input logic [5:0] tuple_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  logic accept, report, msg_valid, init;
  logic [2:0] msg_count;
  sampler_properties #(
      .Sampler(strobe_pkg::SamplerCountdown),
      .Strata(2),
      .CounterWidth(2)
  ) u_sampler (
      .clk_i,
      .rst_ni,
      .clear_i,
      .period_i,
      .threshold_i,
      .valid_i,
      .tuple_i,
      .msg_ready_i,
      .table_index_i,
      .accept_o(accept),
      .report_o(report),
      .msg_count_o(msg_count),
      .msg_valid_o(msg_valid),
      .init_o(init)
  );
endmodule
