// SPDX-License-Identifier: Apache-2.0
// Message buffer: a FIFO that software empties.
//
// docs/blocks/message_buffer.md is the contract. The head is in flip-flops, so that a reader does
// not wait for the RAM; the next message is at the RAM's output. pop_i arrives late, so it only
// decides whether both advance.
// Priority: clear > push and pop, which may coincide. A full buffer is not ready, even in a cycle
// with a pop.
`include "strobe_assert.svh"

module strobe_message_buffer #(
    parameter int Depth = 256,
    parameter int CountWidth = 32,  // bits of a message's count that are stored
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input  logic                  valid_i,
    input  logic [TupleWidth-1:0] tuple_i,
    input  logic [CountWidth-1:0] count_i,
    output logic                  ready_o,

    // The head; tuple and count are don't-care when there is none.
    output logic                  valid_o,
    output logic [TupleWidth-1:0] tuple_o,
    output logic [CountWidth-1:0] count_o,
    input  logic                  pop_i,

    output logic                   arriving_o,  // no head yet, but a message on its way to it
    output logic [$clog2(Depth):0] level_o,
    output logic [$clog2(Depth):0] high_water_o
);
  `STROBE_REQUIRE(BufferDepth, Depth >= 2 && Depth <= strobe_pkg::MaxBufferDepth &&
                  (Depth & (Depth - 1)) == 0,
                  "strobe_message_buffer: Depth must be a power of two from 2 to 4096")
  `STROBE_REQUIRE(BufferCount, CountWidth >= 1 && CountWidth <= strobe_pkg::CountWidth,
                  "strobe_message_buffer: CountWidth must be 1 to 32")
  `STROBE_REQUIRE(BufferTuple, TupleWidth >= 1,
                  "strobe_message_buffer: TupleWidth must be at least 1")

  localparam int PtrWidth = $clog2(Depth);
  localparam int LevelWidth = PtrWidth + 1;
  localparam int Width = CountWidth + TupleWidth;

  logic [LevelWidth-1:0] level_q, level_up, level_down, high_water_q;
  logic [PtrWidth-1:0] stored_q, read_q;  // where the next message is stored, and read
  logic push, pop, level_rises, level_falls, at_high_water, full_q;
  assign ready_o = !full_q;
  assign push = valid_i && ready_o;
  assign pop = pop_i && valid_o;
  assign level_rises = push && !pop;
  assign level_falls = pop && !push;
  assign level_up = level_q + LevelWidth'(1);  // pop_i arrives late and only selects
  assign level_down = level_q - LevelWidth'(1);
  assign at_high_water = level_q == high_water_q;  // the level rises by one at most

  logic head_valid_q, next_valid_q;  // there is a head; the RAM's output is a message
  logic in_store, head_advances, read;
  assign in_store = stored_q != read_q;  // the RAM never holds Depth messages that are not read
  assign head_advances = pop_i || !head_valid_q;
  assign read = in_store && (head_advances || !next_valid_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q <= '0;
      full_q <= 1'b0;
      high_water_q <= '0;
      stored_q <= '0;
      read_q <= '0;
      next_valid_q <= 1'b0;
      head_valid_q <= 1'b0;
    end else if (clear_i) begin
      level_q <= '0;
      full_q <= 1'b0;
      high_water_q <= '0;
      stored_q <= '0;
      read_q <= '0;
      next_valid_q <= 1'b0;
      head_valid_q <= 1'b0;
    end else begin
      if (level_rises || level_falls) begin
        level_q <= level_rises ? level_up : level_down;
        full_q  <= level_rises && level_q == LevelWidth'(Depth - 1);
      end
      if (level_rises && at_high_water) high_water_q <= level_up;
      if (push) stored_q <= stored_q + PtrWidth'(1);
      if (read) read_q <= read_q + PtrWidth'(1);
      if (head_advances || !next_valid_q) next_valid_q <= in_store;
      if (head_advances) head_valid_q <= next_valid_q;
    end
  end

  logic [Width-1:0] next_word, head_q;
  strobe_ram_1r1w #(
      .Width(Width),
      .Depth(Depth)
  ) u_ram (
      .clk_i,
      .we_i(push),
      .waddr_i(stored_q),
      .wdata_i({count_i, tuple_i}),
      .re_i(read),
      .raddr_i(read_q),
      .rdata_o(next_word)
  );
  always_ff @(posedge clk_i) if (head_advances) head_q <= next_word;

  assign valid_o = head_valid_q;
  assign {count_o, tuple_o} = head_q;
  assign arriving_o = !head_valid_q && level_q != '0;
  assign level_o = level_q;
  assign high_water_o = high_water_q;

  `STROBE_ASSERT(BufferNeverOverflows, 32'(level_q) <= Depth)
  `STROBE_ASSERT(BufferKnowsWhenItIsFull, full_q == (level_q == LevelWidth'(Depth)))
  `STROBE_ASSERT(BufferHighWaterCoversLevel, high_water_q >= level_q)
  `STROBE_ASSERT(BufferPlacesGiveTheLevel, {1'b0, PtrWidth'(stored_q - read_q)} +
                 LevelWidth'(next_valid_q) + LevelWidth'(head_valid_q) == level_q)
endmodule
