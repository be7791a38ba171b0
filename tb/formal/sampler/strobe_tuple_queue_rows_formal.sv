// SPDX-License-Identifier: Apache-2.0
// The tuple queue with a head for each lane: what leaves is what came in and found room, in order; what
// remains of a row leaves together.
//
// prove: induction 2
// prove: cover 12
module strobe_tuple_queue_rows_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic ready_i
);
  localparam int Heads = 2;
`include "tuple_queue_order.svh"

  always @(posedge clk_i) begin
    if (rst_ni) begin
      QueueShowsALaneInItsPlace : assert (valid == head_q);
      QueueShowsTheOldestRow : assert (is_at(valid, tuple, head_number_q));
    end
  end
endmodule
