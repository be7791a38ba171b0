// SPDX-License-Identifier: Apache-2.0
// The strata as a bank: ready is from a flip-flop, and is 1 exactly when there is no message and the table is
// initialized.
//
// prove: induction 2
// prove: cover 12
module strobe_strata_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [2:0] period_i,
    input logic valid_i,
    input logic index_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  logic ready, msg_valid, init, idle;
  logic msg_tuple;
  logic [2:0] msg_count;
  logic [1:0] table_data;
  strobe_strata #(
      .Strata(2),
      .CounterWidth(2),
      .TupleWidth(1),
      .Bank(1)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .period_i(strobe_pkg::PeriodWidth'(period_i)), .threshold_i('0),
      .seed_i('0), .valid_i, .tuple_i('0),
      .index_i(strobe_pkg::IndexWidth'(index_i)), .ready_o(ready), .msg_valid_o(msg_valid),
      .msg_tuple_o(msg_tuple), .msg_count_o(msg_count),
      .msg_ready_i, .table_index_i, .table_data_o(table_data), .init_o(init), .idle_o(idle)
  );

  initial assume (!rst_ni);
  always_comb assume (32'(period_i) <= 4);

  logic was_msg_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) was_msg_q <= 1'b0;
    else was_msg_q <= msg_valid && msg_ready_i && !clear_i;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      BankIsReadyFromState : assert (ready == (!msg_valid && !init));
      BankIsNotReadyWhenItGivesAMessage : cover (msg_valid && msg_ready_i && valid_i && !ready);
      BankIsReadyAfterAMessage : cover (was_msg_q && valid_i && ready);
      BankGivesMessageAfterMessage : cover (was_msg_q && msg_valid);
    end
  end
endmodule
