// SPDX-License-Identifier: Apache-2.0
// The tuple queue, with one head and with a head for each lane: the tuples that went in are those that came
// out, were dropped or wait.
//
// prove: induction 2
// prove: cover 14
// peek: u_tuple.taken u_tuple.u_dut.taken_q
// peek: u_tuple.count u_tuple.u_dut.count_q
// peek: u_tuple.remaining u_tuple.u_dut.remaining
// peek: u_tuple.lanes u_tuple.u_dut.lanes_q
// peek: u_row.taken u_row.u_dut.taken_q
// peek: u_row.count u_row.u_dut.count_q
// peek: u_row.remaining u_row.u_dut.remaining
// peek: u_row.lanes u_row.u_dut.lanes_q
module strobe_tuple_queue_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [15:0] tuple_i,
    input logic [1:0] ready_i  // for the one and for the other queue
);
  initial assume (!rst_ni);

  strobe_tuple_queue_conserves #(
      .Heads(1)
  ) u_tuple (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i, .ready_i(ready_i[0])
  );
  strobe_tuple_queue_conserves #(
      .Heads(2)
  ) u_row (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i, .ready_i(ready_i[1])
  );
endmodule

module strobe_tuple_queue_conserves #(
    parameter int Heads = 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [15:0] tuple_i,
    input logic ready_i
);
  logic empty, drop;
  logic [1:0] arrived;
  logic [Heads-1:0] valid;
  logic [8*Heads-1:0] tuple;
  logic [31:0] dropped;
  strobe_tuple_queue #(
      .Lanes(2),
      .Depth(4),
      .Heads(Heads),
      .TupleWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i,
      .valid_o(valid), .tuple_o(tuple), .ready_i,
      .empty_o(empty), .arrived_o(arrived), .drop_o(drop), .dropped_o(dropped)
  );

  function automatic logic [3:0] ones(input logic [1:0] bits);
    ones = 4'(bits[0]) + 4'(bits[1]);
  endfunction

  // Rows in the store that the front can take, and their lanes, the younger row's in the low bits; whether a
  // row came in the last cycle, whose lanes are the arrived ones.
  logic taken;
  logic [1:0] count, remaining;
  logic [3:0] lanes;
  logic [3:0] held;
  assign held = (count != 2'd0 ? ones(lanes[1:0]) : '0) + (count == 2'd2 ? ones(lanes[3:2]) : '0) +
                (taken ? ones(arrived) : '0) + ones(remaining) + ones(2'(valid));

  // Modulo 16; at most 8 are held. A drop is known one cycle later, and counted in dropped_o one cycle after
  // that.
  logic [1:0] arrived_q;
  logic [3:0] in_q, out_q, dropped_q;
  logic [31:0] all_dropped_q, all_dropped;
  logic carry;
  assign {carry, all_dropped} = {1'b0, all_dropped_q} + (drop ? 33'(ones(arrived)) : '0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {in_q, out_q, dropped_q, all_dropped_q, arrived_q} <= '0;
    end else if (clear_i) begin
      {in_q, out_q, dropped_q, all_dropped_q, arrived_q} <= '0;
    end else begin
      arrived_q <= valid_i;
      in_q <= in_q + ones(valid_i);
      if (ready_i) out_q <= out_q + ones(2'(valid));
      if (drop) dropped_q <= dropped_q + ones(arrived);
      all_dropped_q <= carry ? '1 : all_dropped;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      QueueConserves :
      assert (in_q == 4'(out_q + dropped_q + (drop ? ones(arrived) : 4'd0) + held));
      QueueCountsWhatItDrops : assert (dropped == all_dropped_q);
      QueueSaysWhatArrived : assert (arrived == arrived_q);
      QueueIsEmptyWhenItHoldsNothing : assert (empty == (held == '0));
      QueueHoldsTwoRows : assert (3'(count) + 3'(taken) <= 3'd2);
      QueueHoldsNoRowWithoutALane :
      assert ((count == 2'd0 || lanes[1:0] != '0) && (count != 2'd2 || lanes[3:2] != '0));
      QueueTakesRowsOfLanes : assert (!taken || arrived != '0);
      QueueFills : cover (drop && arrived == 2'b11 && dropped == 32'd1);
      QueueDrains : cover (empty && out_q == 4'd5);
    end
  end
endmodule
