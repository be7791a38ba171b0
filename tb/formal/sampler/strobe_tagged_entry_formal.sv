// SPDX-License-Identifier: Apache-2.0
// The transitions of ISCA 2001, Figure 6, row by row as docs/blocks/tagged_sampler.md has them, with the sums
// written out. All rows are reached.
// prove: induction 2
// prove: cover 3
`include "strobe_assert.svh"

module strobe_tagged_entry_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic live_i,
    input logic [1:0] entry_tag_i,
    input logic [2:0] misses_i,
    input logic [7:0] hits_i,
    input logic [1:0] tag_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,
    input logic [strobe_pkg::PeriodWidth-1:0] should_evict_i,
    input logic [strobe_pkg::PeriodWidth-1:0] should_replace_i
);
  localparam int HitWidth = 8;
  localparam int MissWidth = 3;
  logic empty, match, use_it, due;
  logic [HitWidth:0] count;
  logic [MissWidth-1:0] kept;
  logic [1+2+MissWidth+HitWidth-1:0] missed;
  strobe_tagged_entry #(
      .TagBits(2),
      .HitWidth(HitWidth),
      .MissWidth(MissWidth)
  ) u_dut (
      .entry_i({live_i, entry_tag_i, misses_i, hits_i}),
      .tag_i,
      .period_i,
      .should_evict_i,
      .should_replace_i,
      .empty_o(empty),
      .match_o(match),
      .use_o(use_it),
      .due_o(due),
      .count_o(count),
      .kept_o(kept),
      .missed_o(missed)
  );

  // The terms of the rows: h + 1, h + m + 1 and m + 1.
  logic [15:0] one_more, all_and_one, next_miss;
  assign one_more = 16'(hits_i) + 16'd1;
  assign all_and_one = 16'(hits_i) + 16'(misses_i) + 16'd1;
  assign next_miss = 16'(misses_i) + 16'd1;
  logic one_more_is_full, all_are_full, is_enough, are_too_many;
  assign one_more_is_full = one_more >= 16'(period_i) || one_more >= 16'(1 << HitWidth);
  assign all_are_full = all_and_one >= 16'(period_i) || all_and_one >= 16'(1 << HitWidth);
  assign is_enough = one_more_is_full || one_more >= 16'(should_evict_i);
  assign are_too_many = next_miss >= 16'(should_replace_i) || next_miss >= 16'(1 << MissWidth);

  logic evict, hit;
  assign evict = misses_i != '0;
  assign hit = live_i && entry_tag_i == tag_i;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      assume (live_i || !evict);  // an Empty entry has no misses (TaggedStateIsDefined)
      EntryIsEmptyOrNot : assert (empty == !live_i);
      EntryKnowsItsTag : assert (match == hit);
      // E1, E2, E3, E6, E6a, E5 make the tuple the entry's own; E4 and E5a do not.
      EntryIsUsed : assert (use_it == (!live_i || hit || (evict && are_too_many)));
      if (!live_i) begin
        EmptyTakesTheTuple : assert (due == one_more_is_full && 16'(count) == one_more && kept == '0);
        E1 : cover (!due);
        E1E2 : cover (due);
      end else if (hit && !evict) begin
        ValidCounts : assert (due == one_more_is_full && 16'(count) == one_more && kept == '0);
        E2 : cover (due);
        E3 : cover (!due);
      end else if (hit) begin
        EvictCounts : assert (due == is_enough && 16'(count) == one_more && kept == misses_i);
        E6 : cover (due);
        E6a : cover (!due);
      end else if (!use_it) begin
        MissIsCounted :
        assert (missed == {1'b1, entry_tag_i, next_miss[MissWidth-1:0], hits_i} && missed[HitWidth+:MissWidth] != '0);
        E4 : cover (!evict);
        E5a : cover (evict);
      end else begin
        MissTakesAllCounts : assert (due == all_are_full && 16'(count) == all_and_one && kept == '0);
        E5 : cover (!due);
        E5E2 : cover (due);
      end
    end
  end
endmodule
