// SPDX-License-Identifier: Apache-2.0
// The tagged sampler: for every set, the tuples that went in are those that its messages count or
// that its entries hold (TaggedConserves and the other assertions of the block); messages carry a
// tuple that came in and wait unchanged; the pipeline empties when it is let.
//
// The pc has eight bits, which reach every set and tag, and the value one: what the hash and the fold
// make of all 128 bits is the benches' matter, and far too much for the solver.
//
// prove: induction 8
// prove: cover 12
module strobe_tagged_sampler_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [12:0] period_i,
    input logic [12:0] should_evict_i,
    input logic [12:0] should_replace_i,
    input logic valid_i,
    input logic [12:0] tuple_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  logic ready, msg_valid, init, idle;
  logic [12:0] message;
  logic [2:0] msg_count, table_data;
  strobe_tagged_sampler #(
      .Strata(4),
      .Ways(2),
      .TagBits(2),
      .HitWidth(2),
      .MissWidth(2),
      .PcWidth(8),
      .ValueWidth(1)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .period_i, .should_evict_i, .should_replace_i,
      .valid_i, .tuple_i, .ready_o(ready), .msg_valid_o(msg_valid), .msg_tuple_o(message),
      .msg_count_o(msg_count), .msg_ready_i,
      .table_index_i, .table_data_o(table_data), .init_o(init), .idle_o(idle)
  );

  initial assume (!rst_ni);

  // A message that was not taken is the one offered in the next cycle.
  logic waits_q;
  logic [15:0] message_q;
  // Cycles in a row after initialisation in which messages are taken and no tuple comes.
  logic [2:0] quiet_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      quiet_q <= '0;
    end else begin
      waits_q <= msg_valid && !msg_ready_i && !clear_i;
      quiet_q <= init || clear_i || !msg_ready_i || valid_i ? '0 :
                 quiet_q == 3'd7 ? 3'd7 : quiet_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) message_q <= {message, msg_count};

  always @(posedge clk_i) begin
    if (rst_ni) begin
      TaggedTakesWhenItMay : assert (ready == (!init && (!msg_valid || msg_ready_i)));
      TaggedMessageWaits :
      assert (!waits_q || (msg_valid && message_q == {message, msg_count}));
      TaggedEmpties : assert (quiet_q < 3'd3 || idle);
      // Four tuples of one signature.
      TaggedFills : cover (msg_count == 3'd4);
    end
  end
endmodule
