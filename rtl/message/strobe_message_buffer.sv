// Message buffer: a first-in first-out queue that software empties.
//
// docs/blocks/message_buffer.md is the contract. A message pushed in cycle t can be the head in
// t+1. The head is in flip-flops, so that nobody waits for a RAM; the one behind it is at the RAM's
// output, read when it came to that place, or in a bypass register if it had just been pushed.
// Priority: clear > push and pop (both happen). A full buffer is not ready, also in a cycle in
// which it pops.
`include "strobe_assert.svh"

module strobe_message_buffer #(
    parameter int Depth = 256,
    parameter int CountWidth = 32  // bits of a message's count that are stored
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input  logic                              valid_i,
    input  logic [strobe_pkg::TagWidth-1:0]   tag_i,
    input  logic [strobe_pkg::PcWidth-1:0]    pc_i,
    input  logic [strobe_pkg::ValueWidth-1:0] value_i,
    input  logic [CountWidth-1:0]             count_i,
    output logic                              ready_o,

    // The head; its fields are 0 when there is none.
    output logic                              valid_o,
    output logic [strobe_pkg::TagWidth-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth-1:0] value_o,
    output logic [CountWidth-1:0]             count_o,
    input  logic                              pop_i,

    output logic [$clog2(Depth):0] level_o,
    output logic [$clog2(Depth):0] high_water_o
);
  `STROBE_REQUIRE(BufferDepth, Depth >= 2 && Depth <= strobe_pkg::MaxBufferDepth &&
                  (Depth & (Depth - 1)) == 0,
                  "strobe_message_buffer: Depth must be a power of two from 2 to 4096")
  `STROBE_REQUIRE(BufferCount, CountWidth >= 1 && CountWidth <= strobe_pkg::CountWidth,
                  "strobe_message_buffer: CountWidth must be 1 to 32")

  localparam int PtrWidth = $clog2(Depth);
  localparam int LevelWidth = PtrWidth + 1;
  localparam int Width = CountWidth + strobe_pkg::TupleWidth;

  logic [LevelWidth-1:0] level_q, level_up, level_down, high_water_q;
  logic [PtrWidth-1:0] rptr_q, wptr_q;
  logic push, pop, rises, falls, at_most_one, at_high_water;
  logic empty_q, one_q, two_q, full_q;  // of level_q, kept so that nothing waits for its comparison
  assign ready_o = !full_q;
  assign valid_o = !empty_q;
  assign push = valid_i && ready_o;
  assign pop = pop_i && valid_o;
  assign rises = push && !pop;
  assign falls = pop && !push;
  assign at_most_one = empty_q || one_q || (two_q && pop_i);  // is left by the pop
  assign level_up = level_q + LevelWidth'(1);  // what comes late only chooses
  assign level_down = level_q - LevelWidth'(1);
  assign at_high_water = level_q == high_water_q;  // the level rises by one at most

  logic bypass_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      level_q <= '0;
      empty_q <= 1'b1;
      one_q <= 1'b0;
      two_q <= 1'b0;
      full_q <= 1'b0;
      high_water_q <= '0;
      rptr_q <= '0;
      wptr_q <= '0;
      bypass_q <= 1'b0;
    end else if (clear_i) begin
      level_q <= '0;
      empty_q <= 1'b1;
      one_q <= 1'b0;
      two_q <= 1'b0;
      full_q <= 1'b0;
      high_water_q <= '0;
      rptr_q <= '0;
      wptr_q <= '0;
      bypass_q <= 1'b0;
    end else begin
      if (rises || falls) begin
        level_q <= rises ? level_up : level_down;
        empty_q <= falls && one_q;
        one_q   <= rises ? empty_q : two_q;
        two_q   <= rises ? one_q : level_q == LevelWidth'(3);
        full_q  <= rises && level_q == LevelWidth'(Depth - 1);
      end
      if (rises && at_high_water) high_water_q <= level_up;
      if (pop) rptr_q <= rptr_q + PtrWidth'(1);
      wptr_q <= wptr_q + PtrWidth'(push);
      if (pop || at_most_one) bypass_q <= at_most_one;
    end
  end

  // What did not come is not looked at.
  logic [Width-1:0] arriving, head_q, bypass_data_q, rdata, behind_head;
  assign arriving = {count_i, tag_i, pc_i, value_i};
  assign behind_head = bypass_q ? bypass_data_q : rdata;
  always_ff @(posedge clk_i) begin
    if (pop_i || empty_q) head_q <= empty_q || one_q ? arriving : behind_head;
    if (at_most_one) bypass_data_q <= arriving;
  end

  // Read when the head leaves, and only then: the address need not wait for pop_i.
  strobe_ram_1r1w #(
      .Width(Width),
      .Depth(Depth)
  ) u_ram (
      .clk_i,
      .we_i(push),
      .waddr_i(wptr_q),
      .wdata_i(arriving),
      .re_i(pop && !at_most_one),
      .raddr_i(rptr_q + PtrWidth'(2)),
      .rdata_o(rdata)
  );

  assign {count_o, tag_o, pc_o, value_o} = !valid_o ? '0 : head_q;
  assign level_o = level_q;
  assign high_water_o = high_water_q;

  `STROBE_ASSERT(BufferFlagsAreOfTheLevel, empty_q == (level_q == '0) &&
                 one_q == (level_q == LevelWidth'(1)) &&
                 two_q == (level_q == LevelWidth'(2)) && full_q == (level_q == LevelWidth'(Depth)))
  `STROBE_ASSERT(BufferNeverOverflows, 32'(level_q) <= Depth)
  `STROBE_ASSERT(BufferHighWaterCoversLevel, high_water_q >= level_q)
  `STROBE_ASSERT(BufferPointersGiveTheLevel, wptr_q - rptr_q == level_q[PtrWidth-1:0])
endmodule
