// The tuple queue: the tuples that went in are those that came out, were dropped or wait.
//
// prove: induction 3
// prove: cover 12
module strobe_tuple_queue_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [7:0] tag_i,
    input logic [127:0] pc_i,
    input logic [127:0] value_i,
    input logic ready_i
);
  localparam int Depth = 4;
  logic valid, drop;
  logic [3:0] tag;
  logic [63:0] pc, value;
  logic [2:0] count;
  logic [31:0] dropped;
  strobe_tuple_queue #(
      .Lanes(2),
      .Depth(Depth)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tag_i, .pc_i, .value_i,
      .valid_o(valid), .tag_o(tag), .pc_o(pc), .value_o(value), .ready_i,
      .count_o(count), .drop_o(drop), .dropped_o(dropped)
  );

  initial assume (!rst_ni);

  // What the last cycle dropped is counted in this one.
  logic [1:0] lost;
// peek: lost u_dut.lost_q
  // Modulo 2^32, so that nothing saturates here; dropped_o itself stops at its maximum.
  logic [31:0] in_q, out_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else if (clear_i) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      in_q  <= in_q + 32'(valid_i[0]) + 32'(valid_i[1]);
      out_q <= out_q + 32'(valid && ready_i);
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      QueueConserves : assert (dropped == '1 || in_q == out_q + dropped + 32'(lost) + 32'(count));
      QueueHoldsItsDepth : assert (count <= 3'(Depth) && valid == (count != 0));
      QueueFills : cover (count == 3'(Depth) && drop);
      QueueDrains : cover (count == 0 && out_q == 32'd5);
    end
  end
endmodule
