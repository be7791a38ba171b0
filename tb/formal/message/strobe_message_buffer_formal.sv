// SPDX-License-Identifier: Apache-2.0
// The message buffer: messages leave unchanged, in the order in which they came; none is lost or doubled. A
// message that comes alone is the head three cycles later.
//
// prove: induction 4
// prove: cover 18
// peek: slot_0 u_dut.u_ram.mem[0]
// peek: slot_1 u_dut.u_ram.mem[1]
// peek: slot_2 u_dut.u_ram.mem[2]
// peek: slot_3 u_dut.u_ram.mem[3]
// peek: stored u_dut.stored_q
// peek: read u_dut.read_q
// peek: next_valid u_dut.next_valid_q
// peek: next_word u_dut.next_word
module strobe_message_buffer_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,
    input logic [27:0] message_i,  // a count of 8 bits, a tuple of 20 bits
    input logic pop_i
);
  localparam int Depth = 4;
  logic ready, valid, arriving;
  logic [27:0] head;
  logic [2:0] level, high_water;
  strobe_message_buffer #(
      .Depth(Depth),
      .CountWidth(8),
      .TupleWidth(20)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i,
      .valid_i, .count_i(message_i[27:20]), .tuple_i(message_i[19:0]), .ready_o(ready),
      .valid_o(valid), .count_o(head[27:20]), .tuple_o(head[19:0]), .pop_i, .arriving_o(arriving),
      .level_o(level), .high_water_o(high_water)
  );

  initial assume (!rst_ni);

  // Messages are numbered as they come in; the last Depth of them are recorded.
  logic [7:0] in_q, out_q, most_q;
  logic [27:0] message_q[Depth];
  logic [7:0] held, held_d;
  logic pops;
  logic [2:0] alone_q;  // a message came 1, 2, 3 cycles ago, none was held before it, none left since
  assign held = in_q - out_q;
  assign pops = pop_i && valid;
  assign held_d = held + 8'(valid_i && held < 8'(Depth)) - 8'(pops);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      in_q   <= '0;
      out_q  <= '0;
      most_q <= '0;
      alone_q <= '0;
    end else if (clear_i) begin
      in_q   <= '0;
      out_q  <= '0;
      most_q <= '0;
      alone_q <= '0;
    end else begin
      in_q  <= in_q + 8'(valid_i && held < 8'(Depth));
      out_q <= out_q + 8'(pops);
      if (held_d > most_q) most_q <= held_d;
      alone_q <= {alone_q[1:0], valid_i && held == '0};
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid_i && held < 8'(Depth)) message_q[in_q[1:0]] <= message_i;
  end

  // Where the block holds them: one at the head, the next one at the RAM's output, the others in the RAM.
  logic [27:0] slot_0, slot_1, slot_2, slot_3, next_word;
  logic [1:0] stored, read;
  logic next_valid;
  logic [7:0] out_of_ram;  // the head and the next one
  logic [Depth-1:0] kept;  // what waits in the RAM is in its place
  logic [1:0] place_0, place_1, place_2, place_3;  // distance from the oldest place
  assign out_of_ram = 8'(valid) + 8'(next_valid);
  assign place_0 = 2'd0 - read;
  assign place_1 = 2'd1 - read;
  assign place_2 = 2'd2 - read;
  assign place_3 = 2'd3 - read;
  assign kept = {
    8'(place_3) >= held - out_of_ram || slot_3 == message_q[3],
    8'(place_2) >= held - out_of_ram || slot_2 == message_q[2],
    8'(place_1) >= held - out_of_ram || slot_1 == message_q[1],
    8'(place_0) >= held - out_of_ram || slot_0 == message_q[0]
  };

  always @(posedge clk_i) begin
    if (rst_ni) begin
      BufferCounts : assert (held <= 8'(Depth) && 8'(level) == held && out_of_ram <= held);
      BufferTakesUntilFull : assert (ready == (held < 8'(Depth)));
      BufferShowsTheOldest : assert (!valid || head == message_q[out_q[1:0]]);
      BufferRemembersItsHighest : assert (8'(high_water) == most_q);
      BufferSaysWhatArrives : assert (arriving == (!valid && held != '0));
      BufferPlaces : assert (stored == in_q[1:0] && read == 2'(out_q + out_of_ram));
      BufferReadsTheNext : assert (!next_valid || next_word == message_q[2'(out_q + 8'(valid))]);
      BufferReadsAhead : assert (held - out_of_ram < 8'(Depth));
      BufferKeeps : assert (kept == '1);
      BufferIsThereInThreeCycles : assert (!alone_q[2] || valid);
      // For induction: a message that came one or two cycles ago is in its place.
      BufferBringsIt : assert ((!alone_q[0] || held != '0) && (!alone_q[1] || next_valid));
      BufferFills : cover (held == 8'(Depth) && valid_i);
      BufferGoesAround : cover (in_q == 8'd6 && held == 8'd0);
      BufferGivesOneEachCycle : cover (pops && next_valid && out_q == 8'd2 && in_q == 8'd5);
    end
  end
endmodule
