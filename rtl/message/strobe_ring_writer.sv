// SPDX-License-Identifier: Apache-2.0
// Ring writer: takes messages from the buffer and writes them as records into a ring in memory.
//
// docs/blocks/ring_writer.md is the contract. A record is four 64-bit words, written in order. Its
// number is in the first and the last word: the last word tells software that the record is whole,
// the first that it was not overwritten meanwhile. The message stays at the buffer's head until the
// record's last word is taken.
// Priority: clear > everything but in_flight_o, because memory writes a word that it has taken in
// spite of a clear. The subtraction that gives the ring's fill level takes a cycle of its own, so a
// write of RING_CONS is seen one cycle late; the comparison adds the record that the writer
// finished since. The sum of counts also takes a cycle of its own: it is not needed before the next
// record begins.
`include "strobe_assert.svh"

module strobe_ring_writer #(
    parameter int CountWidth = 32,  // bits of a message's count
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // Configuration. All but enable_i and cons_i are stable while a record is written.
    input logic                                  enable_i,
    input logic                                  overwrite_i,
    input logic [4:0]                            log2_entries_i,  // at most MaxRingBits
    input logic [63:0]                           base_i,          // aligned to the ring's length
    input logic [strobe_pkg::RingCountWidth-1:0] cons_i,

    // The buffer's head.
    input  logic                                               valid_i,
    input  logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] tuple_i,
    input  logic [CountWidth-1:0]                              count_i,
    output logic                                               pop_o,

    // Memory: a word is written when both are 1. It is stable until then; only a clear withdraws
    // it.
    output logic        mem_valid_o,
    output logic [63:0] mem_addr_o,
    output logic [63:0] mem_data_o,
    input  logic        mem_ready_i,
    input  logic        mem_idle_i,   // every word that was taken in an earlier cycle is written
    output logic        in_flight_o,  // a taken word may not be written yet

    output logic                                  busy_o,  // a record is being written
    output logic [strobe_pkg::RingCountWidth-1:0] prod_o,
    output logic [strobe_pkg::RingCountWidth-1:0] overwritten_o,
    output logic [strobe_pkg::MaxRingBits:0]      high_water_o,
    output logic [31:0]                           stalls_o
);
  localparam int RingCountWidth = strobe_pkg::RingCountWidth;
  localparam int MaxRingBits = strobe_pkg::MaxRingBits;
  `STROBE_REQUIRE(RingCount, CountWidth >= 1 && CountWidth <= strobe_pkg::CountWidth,
                  "strobe_ring_writer: CountWidth must be 1 to 32")
  `STROBE_REQUIRE(RingPc, PcWidth >= 1 && PcWidth <= strobe_pkg::MaxPcWidth,
                  "strobe_ring_writer: PcWidth must be 1 to 64")
  `STROBE_REQUIRE(RingValue, ValueWidth >= 1 && ValueWidth <= strobe_pkg::MaxValueWidth,
                  "strobe_ring_writer: ValueWidth must be 1 to 64")

  logic writing_q, in_flight_q;
  logic [1:0] word_q;  // number of the word in its record
  logic last_word_q;   // it is the record's last, so the buffer waits for the pop
  logic [RingCountWidth-1:0] prod_q, overwritten_q;
  logic [31:0] total_q;  // sum of the counts of earlier messages
  logic [CountWidth-1:0] popped_count_q;
  logic [MaxRingBits:0] high_water_q;
  logic [31:0] stalls_q;

  logic [RingCountWidth-1:0] last_slot, waiting_q;  // records that wait, one cycle late
  logic popped_q;                                   // one more was finished since
  logic full, waits, taken;
  assign last_slot = ~({RingCountWidth{1'b1}} << log2_entries_i);
  assign full = (waiting_q & ~last_slot) != '0 ? !(popped_q && waiting_q == '1) :
                popped_q && waiting_q == last_slot;
  assign waits = enable_i && valid_i && !writing_q;
  assign taken = writing_q && mem_ready_i;
  assign pop_o = last_word_q && mem_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      writing_q <= 1'b0;
      word_q <= '0;
      last_word_q <= 1'b0;
      prod_q <= '0;
      total_q <= '0;
      overwritten_q <= '0;
      high_water_q <= '0;
      stalls_q <= '0;
      waiting_q <= '0;
      popped_q <= 1'b0;
    end else if (clear_i) begin
      writing_q <= 1'b0;
      word_q <= '0;
      last_word_q <= 1'b0;
      prod_q <= '0;
      total_q <= '0;
      overwritten_q <= '0;
      high_water_q <= '0;
      stalls_q <= '0;
      waiting_q <= '0;
      popped_q <= 1'b0;
    end else begin
      waiting_q <= prod_q - cons_i;
      popped_q  <= pop_o;
      if (popped_q) total_q <= total_q + 32'(popped_count_q);
      if (waits) writing_q <= overwrite_i || !full;
      else if (pop_o) writing_q <= 1'b0;
      if (taken) begin
        word_q <= word_q + 2'd1;
        last_word_q <= word_q == 2'd2;
      end
      if (pop_o) begin
        prod_q <= prod_q + RingCountWidth'(1);
        if (!full && 32'(high_water_q) <= waiting_q)
          high_water_q <= (MaxRingBits + 1)'(waiting_q) + (MaxRingBits + 1)'(1);
      end
      if (waits && full && overwrite_i && overwritten_q != '1)
        overwritten_q <= overwritten_q + RingCountWidth'(1);
      if (waits && full && !overwrite_i && stalls_q != '1) stalls_q <= stalls_q + 32'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (pop_o) popped_count_q <= count_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) in_flight_q <= 1'b0;
    else in_flight_q <= taken || (in_flight_q && !mem_idle_i);
  end
  assign in_flight_o = in_flight_q;

  logic [strobe_pkg::TagWidth-1:0] tag;
  logic [PcWidth-1:0] pc;
  logic [ValueWidth-1:0] value;
  assign {tag, pc, value} = tuple_i;

  logic [MaxRingBits-1:0] slot;
  assign slot = prod_q[MaxRingBits-1:0] & MaxRingBits'(last_slot);
  assign mem_valid_o = writing_q;
  assign mem_addr_o = !writing_q ? '0 : base_i | 64'({slot, word_q, 3'b0});
  always_comb begin
    case (word_q)
      2'd0: mem_data_o = {total_q, prod_q};
      2'd1: mem_data_o = 64'(pc);
      2'd2: mem_data_o = 64'(value);
      default: mem_data_o = {strobe_pkg::RingVersion, tag, prod_q[23:0], 32'(count_i)};
    endcase
    if (!writing_q) mem_data_o = '0;
  end

  assign busy_o = writing_q;
  assign prod_o = prod_q;
  assign overwritten_o = overwritten_q;
  assign high_water_o = high_water_q;
  assign stalls_o = stalls_q;

  `STROBE_ASSERT(RingWritesAMessage, !writing_q || valid_i || clear_i)
  `STROBE_ASSERT(RingBeginsWithTheFirstWord, writing_q || word_q == '0)
  `STROBE_ASSERT(RingKnowsTheLastWord, last_word_q == (writing_q && word_q == 2'd3))
  `STROBE_ASSERT(RingIsLookedAtBetweenPops, !writing_q || !popped_q)
endmodule
