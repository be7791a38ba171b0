// The tuple queue with two heads: what leaves is what came in and found a place, whole, in order,
// once. docs/blocks/tuple_queue.md says which tuples find one; that is counted here anew.
//
// prove: induction 3
// prove: cover 12
// peek: wptr u_dut.wptr_q
// peek: rptr u_dut.rptr_q
// peek: slot_0 u_dut.gen_bank[0].u_ram.mem[0]
// peek: slot_1 u_dut.gen_bank[1].u_ram.mem[0]
// peek: slot_2 u_dut.gen_bank[0].u_ram.mem[1]
// peek: slot_3 u_dut.gen_bank[1].u_ram.mem[1]
module strobe_tuple_queue_order_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [23:0] tuple_i,  // of each lane: tag, pc, value; the other bits are 0
    input logic ready_i
);
  localparam int Depth = 4;
  logic [1:0] valid;
  logic [7:0] tag;
  logic [127:0] pc, value;
  logic [2:0] count;
  logic drop;
  logic [31:0] dropped;
  strobe_tuple_queue #(
      .Lanes(2),
      .Depth(Depth),
      .Heads(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i,
      .tag_i({tuple_i[23:20], tuple_i[11:8]}),
      .pc_i({60'd0, tuple_i[19:16], 60'd0, tuple_i[7:4]}),
      .value_i({60'd0, tuple_i[15:12], 60'd0, tuple_i[3:0]}),
      .valid_o(valid), .tag_o(tag), .pc_o(pc), .value_o(value), .ready_i,
      .count_o(count), .drop_o(drop), .dropped_o(dropped)
  );

  initial assume (!rst_ni);

  // Places are numbered; the last Depth tuples that got one are kept.
  logic [2:0] in_q, out_q, held, arrive, take, leave;
  logic [1:0] first, second;  // places of the tuples that come, of the heads
  logic [1:0] oldest, next;
  logic [11:0] earlier;  // of the tuples that come the first
  logic [11:0] tuple_q[Depth];
  assign held = in_q - out_q;
  assign arrive = 3'(valid_i[0]) + 3'(valid_i[1]);
  assign take = arrive > 3'd4 - held ? 3'd4 - held : arrive;
  assign leave = !ready_i ? 3'd0 : held > 3'd2 ? 3'd2 : held;
  assign first = in_q[1:0];
  assign second = first + 2'd1;
  assign oldest = out_q[1:0];
  assign next = oldest + 2'd1;
  assign earlier = valid_i[0] ? tuple_i[11:0] : tuple_i[23:12];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q  <= '0;
      out_q <= '0;
    end else if (clear_i) begin
      in_q  <= '0;
      out_q <= '0;
    end else begin
      in_q  <= in_q + take;
      out_q <= out_q + leave;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take >= 3'd1) tuple_q[first] <= earlier;
    if (take == 3'd2) tuple_q[second] <= tuple_i[23:12];
  end

  function automatic logic [131:0] whole(input logic [11:0] tuple);
    whole = {tuple[11:8], 60'd0, tuple[7:4], 60'd0, tuple[3:0]};
  endfunction

  // Where the block keeps them: what waits is in its place.
  logic [1:0] wptr, rptr, behind_0, behind_1, behind_2, behind_3;
  logic [131:0] slot_0, slot_1, slot_2, slot_3;
  logic [Depth-1:0] kept;
  assign behind_0 = 2'd0 - oldest;
  assign behind_1 = 2'd1 - oldest;
  assign behind_2 = 2'd2 - oldest;
  assign behind_3 = 2'd3 - oldest;
  assign kept = {
    3'(behind_3) >= held || slot_3 == whole(tuple_q[3]),
    3'(behind_2) >= held || slot_2 == whole(tuple_q[2]),
    3'(behind_1) >= held || slot_1 == whole(tuple_q[1]),
    3'(behind_0) >= held || slot_0 == whole(tuple_q[0])
  };

  always @(posedge clk_i) begin
    if (rst_ni) begin
      QueueKeeps : assert (wptr == first && rptr == oldest && kept == '1);
      QueueHolds : assert (count == held && valid == {held >= 3'd2, held != 3'd0});
      QueueDropsWhatFindsNoPlace : assert (drop == (take != arrive));
      QueueShowsTheOldest :
      assert (!valid[0] || {tag[3:0], pc[63:0], value[63:0]} == whole(tuple_q[oldest]));
      QueueShowsTheNext :
      assert (!valid[1] || {tag[7:4], pc[127:64], value[127:64]} == whole(tuple_q[next]));
      QueueGoesAround : cover (in_q == 3'd6 && held == 3'd1);
      QueueDropsOne : cover (drop && take == 3'd1);
    end
  end
endmodule
