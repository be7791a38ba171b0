// SPDX-License-Identifier: Apache-2.0
// The run-length compressor: of any tuple, the counts that went in are those that left in messages or wait in its run;
// messages wait unchanged.
//
// prove: induction 4
// prove: cover 12
module strobe_run_length_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [12:0] longest_run_i,
    input logic valid_i,
    input logic [9:0] tuple_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  (* anyconst *) logic [9:0] watched;
  logic ready, msg_valid, table_valid, init, idle;
  logic [9:0] message, table_tuple;
  logic [3:0] msg_count, table_count;
  strobe_run_length #(
      .Runs(2),
      .CounterWidth(3),
      .PcWidth(4),
      .ValueWidth(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i(1'b0), .longest_run_i, .valid_i, .tuple_i, .ready_o(ready), .msg_valid_o(msg_valid),
      .msg_tuple_o(message), .msg_count_o(msg_count), .msg_ready_i, .table_index_i, .table_valid_o(table_valid),
      .table_tuple_o(table_tuple), .table_count_o(table_count), .init_o(init), .idle_o(idle)
  );

  initial assume (!rst_ni);

  // The watched tuple: how often it was taken less what messages reported of it, modulo 2^8.
  logic [7:0] open_q;
  logic [13:0] message_q;
  logic waits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      open_q <= '0;
      waits_q <= 1'b0;
    end else begin
      open_q <= open_q + 8'(valid_i && ready && tuple_i == watched) -
                (msg_valid && msg_ready_i && message == watched ? 8'(msg_count) : 8'd0);
      waits_q <= msg_valid && !msg_ready_i;
    end
  end
  always_ff @(posedge clk_i) message_q <= {message, msg_count};

  // What the two runs hold of it: 13 bits each, {tuple, count}.
// peek: held u_dut.held_q
// peek: entries u_dut.entry_q
  logic [1:0] held;
  logic [25:0] entries;
  logic [7:0] in_runs;
  logic here;
  assign here = watched[3];  // bit 1 of pc
  always_comb begin
    in_runs = '0;
    for (int r = 0; r < 2; r++) begin
      if (held[r] && entries[13*r+3+:10] == watched) in_runs = in_runs + 8'(entries[13*r+:3]);
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      RunLengthConserves : assert (open_q == in_runs + (msg_valid && message == watched ? 8'(msg_count) : 8'd0));
      RunLengthHasItsPlace : assert (!held[!here] || entries[13*!here+3+:10] != watched);
      RunLengthCountsSomething : assert (!held[0] || entries[2:0] != '0);
      RunLengthCountsSomethingToo : assert (!held[1] || entries[15:13] != '0);
      RunLengthMessageWaits : assert (!waits_q || (msg_valid && message_q == {message, msg_count}));
      RunLengthFills : cover (msg_valid && msg_count == 4'd8);
      RunLengthEnds : cover (msg_valid && msg_count == 4'd2 && held == 2'd3);
    end
  end
endmodule
