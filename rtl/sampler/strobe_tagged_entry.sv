// SPDX-License-Identifier: Apache-2.0
// What one tuple does to one entry of the tagged sampler: the state machine of ISCA 2001, Figure 6.
//
// docs/blocks/tagged_sampler.md has the table of transitions. Combinational. Both outcomes, as the
// entry's own tuple (hit) and as another one (miss, or allocation of an Empty entry), are computed
// while the tags are compared; the comparison only selects.
// An entry is {live, tag, misses, hits}: Empty is live = 0, Evict is live = 1 with misses.
`include "strobe_assert.svh"

module strobe_tagged_entry #(
    parameter int TagBits = 2,
    parameter int HitWidth = 8,
    parameter int MissWidth = 3
) (
    input logic [TagBits+MissWidth+HitWidth:0] entry_i,
    input logic [TagBits-1:0]                  tag_i,
    input logic [strobe_pkg::PeriodWidth-1:0]  period_i,
    input logic [strobe_pkg::PeriodWidth-1:0]  should_evict_i,
    input logic [strobe_pkg::PeriodWidth-1:0]  should_replace_i,

    output logic                               empty_o,
    output logic                               match_o,  // not Empty, and of this tag
    output logic                               use_o,    // the tuple is now the entry's own
    output logic                               due_o,    // if so, a message is due, with count_o
    output logic [HitWidth:0]                  count_o,
    output logic [MissWidth-1:0]               kept_o,   // misses that stay with the entry
    output logic [TagBits+MissWidth+HitWidth:0] missed_o  // the entry after a counted miss
);
  `STROBE_REQUIRE(TaggedTag, TagBits >= 1 && TagBits <= 16,
                  "strobe_tagged_entry: TagBits must be 1 to 16")
  `STROBE_REQUIRE(TaggedHits, HitWidth >= 1 && HitWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_tagged_entry: HitWidth must be 1 to 12")
  `STROBE_REQUIRE(TaggedMisses, MissWidth >= 1 && MissWidth <= HitWidth,
                  "strobe_tagged_entry: MissWidth must be 1 to HitWidth")

  logic live, evict;
  logic [TagBits-1:0] tag;
  logic [MissWidth-1:0] misses;
  logic [HitWidth-1:0] hits;
  assign {live, tag, misses, hits} = entry_i;
  assign evict = misses != '0;
  assign empty_o = !live;
  assign match_o = live && tag == tag_i;

  // A full counter has reached its limit or the end of its width. A limit that does not fit the
  // width is reached only when the counter is full; other limits are compared at that width.
  logic period_fits, should_evict_fits;
  assign period_fits = (period_i >> HitWidth) == '0;
  assign should_evict_fits = (should_evict_i >> HitWidth) == '0;

  // Whether hits + misses + 1 reaches period_i, without adding all bits: the low bits, which
  // misses also has, carry -1, 0 or 1 into the high bits, which meanwhile are compared for each
  // carry.
  logic [MissWidth-1:0] not_period_low;
  logic [MissWidth+1:0] low;  // with 2^MissWidth added, so that the carry is not negative
  logic [HitWidth:0] hits_high, period_high;
  logic reaches_period;
  assign not_period_low = ~period_i[MissWidth-1:0];
  assign low = (MissWidth + 2)'(hits[MissWidth-1:0]) + (MissWidth + 2)'(misses) +
               (MissWidth + 2)'(not_period_low) + (MissWidth + 2)'(2);
  assign hits_high = {1'b0, hits} >> MissWidth;
  assign period_high = {1'b0, period_i[HitWidth-1:0]} >> MissWidth;
  assign reaches_period = low[MissWidth+1] ? hits_high + (HitWidth + 1)'(1) >= period_high :
                          low[MissWidth]   ? hits_high >= period_high :
                                             hits_high > period_high;

  // As a hit: E3, E2, E6a, E6.
  logic [HitWidth:0] hit_count;
  logic hit_due;
  assign hit_count = {1'b0, hits} + (HitWidth + 1)'(1);
  assign hit_due = hits == '1 ||
                   (period_fits && hit_count >= {1'b0, period_i[HitWidth-1:0]}) ||
                   (evict && should_evict_fits &&
                    hit_count >= {1'b0, should_evict_i[HitWidth-1:0]});

  // As a tuple that takes the entry with all its counts: E1, E5, and E2 at once when they are full.
  logic [HitWidth:0] take_count;
  logic take_due;
  assign take_count = {1'b0, hits} + (HitWidth + 1)'(misses) + (HitWidth + 1)'(1);
  assign take_due = take_count[HitWidth] || (period_fits && reaches_period);

  // As a counted miss: E4, E5a.
  logic [MissWidth:0] miss_count;
  logic take;
  assign miss_count = {1'b0, misses} + (MissWidth + 1)'(1);
  assign take = !live || (evict && (miss_count[MissWidth] ||
                                    32'(miss_count) >= 32'(should_replace_i)));

  assign use_o = match_o || take;
  assign due_o = match_o ? hit_due : take_due;
  assign count_o = match_o ? hit_count : take_count;
  assign kept_o = match_o ? misses : '0;
  assign missed_o = {1'b1, tag, miss_count[MissWidth-1:0], hits};
endmodule
