// SPDX-License-Identifier: Apache-2.0
// The tuple queue with one head: what leaves is what came in and found room, in order.
//
// prove: induction 2
// prove: cover 12
module strobe_tuple_queue_order_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic ready_i
);
  localparam int Heads = 1;
`include "tuple_queue_order.svh"

  always @(posedge clk_i) begin
    if (rst_ni) begin
      QueueShowsALane : assert (valid == (head_q != '0) && head_q != 2'b11);
      QueueShowsTheOldest : assert (is_at(2'(valid), 264'(tuple), head_number_q));
    end
  end
endmodule
