// The message buffer: the head is the message that came in after those that left, whole; none is
// lost, doubled or overtaken.
//
// prove: induction 3
// prove: cover 16
// peek: slot_0 u_dut.u_ram.mem[0]
// peek: slot_1 u_dut.u_ram.mem[1]
// peek: slot_2 u_dut.u_ram.mem[2]
// peek: slot_3 u_dut.u_ram.mem[3]
// peek: wptr u_dut.wptr_q
// peek: rptr u_dut.rptr_q
// peek: behind_head u_dut.behind_head
module strobe_message_buffer_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,
    input logic [27:0] message_i,  // count, tag, pc, value; the other bits are 0
    input logic pop_i
);
  localparam int Depth = 4;
  logic ready, valid;
  logic [27:0] head;
  logic [55:0] rest_pc, rest_value;
  logic [2:0] level, high_water;
  strobe_message_buffer #(
      .Depth(Depth),
      .CountWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i,
      .valid_i, .count_i(message_i[27:20]), .tag_i(message_i[19:16]),
      .pc_i(64'(message_i[15:8])), .value_i(64'(message_i[7:0])), .ready_o(ready),
      .valid_o(valid), .count_o(head[27:20]), .tag_o(head[19:16]), .pc_o({rest_pc, head[15:8]}),
      .value_o({rest_value, head[7:0]}), .pop_i, .level_o(level), .high_water_o(high_water)
  );

  initial assume (!rst_ni);

  // Messages are numbered as they come in; the last Depth of them are kept.
  logic [7:0] in_q, out_q, most_q;
  logic [27:0] message_q[Depth];
  logic [7:0] held, held_d;
  assign held = in_q - out_q;
  assign held_d = held + 8'(valid_i && held < 8'(Depth)) - 8'(pop_i && held != 0);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q   <= '0;
      out_q  <= '0;
      most_q <= '0;
    end else if (clear_i) begin
      in_q   <= '0;
      out_q  <= '0;
      most_q <= '0;
    end else begin
      in_q  <= in_q + 8'(valid_i && held < 8'(Depth));
      out_q <= out_q + 8'(pop_i && held != 0);
      if (held_d > most_q) most_q <= held_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i && held < 8'(Depth)) message_q[in_q[1:0]] <= message_i;
  end

  function automatic logic [139:0] word(input logic [27:0] message);
    word = {message[27:16], 56'd0, message[15:8], 56'd0, message[7:0]};
  endfunction

  // Where the block keeps them.
  logic [139:0] slot_0, slot_1, slot_2, slot_3, behind_head;
  logic [1:0] wptr, rptr;
  logic [Depth-1:0] kept;  // what waits is in its place
  logic [1:0] place_0, place_1, place_2, place_3;  // behind the oldest
  assign place_0 = 2'd0 - rptr;
  assign place_1 = 2'd1 - rptr;
  assign place_2 = 2'd2 - rptr;
  assign place_3 = 2'd3 - rptr;
  assign kept = {
    8'(place_3) >= held || slot_3 == word(message_q[3]),
    8'(place_2) >= held || slot_2 == word(message_q[2]),
    8'(place_1) >= held || slot_1 == word(message_q[1]),
    8'(place_0) >= held || slot_0 == word(message_q[0])
  };

  always @(posedge clk_i) begin
    if (rst_ni) begin
      BufferCounts : assert (held <= 8'(Depth) && 8'(level) == held);
      BufferTakesUntilFull : assert (ready == (held < 8'(Depth)));
      BufferShowsTheOldest :
      assert (valid == (held != 0) && head == (valid ? message_q[out_q[1:0]] : 28'd0));
      BufferAddsNothing : assert (rest_pc == '0 && rest_value == '0);
      BufferRemembersItsHighest : assert (8'(high_water) == most_q);
      BufferPointers : assert (wptr == in_q[1:0] && rptr == out_q[1:0]);
      BufferHasTheNextAtHand : assert (held < 2 || behind_head == word(message_q[2'(out_q + 8'd1)]));
      BufferKeeps : assert (kept == '1);
      BufferFills : cover (held == 8'(Depth) && valid_i);
      BufferGoesAround : cover (in_q == 8'd6 && held == 8'd0);
    end
  end
endmodule
