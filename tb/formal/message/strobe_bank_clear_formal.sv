// SPDX-License-Identifier: Apache-2.0
// The banks' clear is the registers' clear, in every cycle.
// prove: induction 2
// leave: u_registers
`include "strobe_assert.svh"

module strobe_bank_clear_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic reg_we_i,
    input logic [11:0] reg_addr_i,
    input logic [63:0] reg_wdata_i
);
  logic clear, clear_of_registers;
  strobe_bank_clear u_dut (
      .clk_i, .rst_ni, .reg_we_i, .reg_addr_i, .reg_wdata_i, .clear_o(clear)
  );
  strobe_registers u_registers (
      .clk_i, .rst_ni, .reg_re_i('0), .reg_we_i, .reg_addr_i, .reg_wdata_i, .clear_o(clear_of_registers),
      .event_i('0), .drop_i('0), .dropped_i('0), .stall_i('0), .init_i('0), .idle_i('0), .level_i('0),
      .high_water_i('0), .table_valid_i('0), .table_tuple_i('0), .table_count_i('0),
      .msg_valid_i('0), .msg_tuple_i('0), .msg_count_i('0)
  );
  initial assume (!rst_ni);
  `STROBE_ASSERT(BanksAreClearedWithAllElse, clear == clear_of_registers)
endmodule
