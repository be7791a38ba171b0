// SPDX-License-Identifier: Apache-2.0
// The associative table: for every tuple, the counts that went in are those that left in its messages or are
// held (AssociativeConserves and the other assertions of the block). A waiting message does not change. The
// pipeline empties when messages are taken and no tuple comes.
//
// prove: induction 7
// prove: cover 16
module strobe_associative_table_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,
    input logic [3:0] tuple_i,
    input logic [1:0] count_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  logic ready, msg_valid, table_valid, init, idle;
  logic [3:0] message, table_tuple;
  logic [3:0] msg_count;
  logic [2:0] table_count;
  strobe_associative_table #(
      .Entries(4), .TupleWidth(4),
      .CountWidth(3),
      .InCountWidth(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i, .count_i, .ready_o(ready),
      .msg_valid_o(msg_valid), .msg_tuple_o(message), .msg_count_o(msg_count), .msg_ready_i,
      .table_index_i, .table_valid_o(table_valid), .table_tuple_o(table_tuple),
      .table_count_o(table_count), .init_o(init), .idle_o(idle)
  );

  initial assume (!rst_ni);

  // A message that was not taken is the one offered in the next cycle.
  logic waits_q;
  logic [7:0] message_q;
  // Successive cycles in which messages are taken and no tuple comes.
  logic [2:0] quiet_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      quiet_q <= '0;
    end else begin
      waits_q <= msg_valid && !msg_ready_i && !clear_i;
      quiet_q <= !msg_ready_i || valid_i ? '0 : quiet_q == 3'd7 ? 3'd7 : quiet_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) message_q <= {message, msg_count};

  always @(posedge clk_i) begin
    if (rst_ni) begin
      AssociativeTakesWhenItMay : assert (ready || msg_valid);
      AssociativeMessageWaits :
      assert (!waits_q || (msg_valid && message_q == {message, msg_count}));
      AssociativeEmpties : assert (quiet_q < 3'd5 || idle);
      AssociativeEvicts : cover (msg_valid && msg_count == 4'd3);
      AssociativeTakesOneMore : cover (!ready && msg_ready_i);
      AssociativeWraps : cover (msg_valid && msg_count == 4'd8);
    end
  end
endmodule
