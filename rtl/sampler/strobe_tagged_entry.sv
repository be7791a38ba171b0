// What one tuple does to one entry of the tagged sampler: the state machine of ISCA 2001, Figure 6.
//
// docs/blocks/tagged_sampler.md has the table of transitions. Combinational. Both outcomes, as the
// entry's own tuple (hit) and as another one (miss, or allocation of an Empty entry), are worked
// out while the tags are compared; the comparison only selects.
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
    output logic                               emit_o,   // a message is due, with count_o
    output logic [HitWidth:0]                  count_o,
    output logic [TagBits+MissWidth+HitWidth:0] next_o
);
  `STROBE_REQUIRE(TaggedTag, TagBits >= 1 && TagBits <= 16,
                  "strobe_tagged_entry: TagBits must be 1 to 16")
  `STROBE_REQUIRE(TaggedHits, HitWidth >= 1 && HitWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_tagged_entry: HitWidth must be 1 to 12")
  `STROBE_REQUIRE(TaggedMisses, MissWidth >= 1 && MissWidth <= HitWidth,
                  "strobe_tagged_entry: MissWidth must be 1 to HitWidth")

  localparam int EntryWidth = 1 + TagBits + MissWidth + HitWidth;

  logic live, evict;
  logic [TagBits-1:0] tag;
  logic [MissWidth-1:0] misses;
  logic [HitWidth-1:0] hits;
  assign {live, tag, misses, hits} = entry_i;
  assign evict = misses != '0;
  assign empty_o = !live;
  assign match_o = live && tag == tag_i;

  // How far a count with this tuple is beyond a limit, each in one sum: the limit is reached unless it
  // is negative. A full counter has reached period_i or does not fit its width.
  localparam int MarginWidth = strobe_pkg::PeriodWidth + 2;
  logic [MarginWidth-1:0] hit_margin, evict_margin, take_margin;
  assign hit_margin = MarginWidth'(hits) + MarginWidth'(1) - MarginWidth'(period_i);
  assign evict_margin = MarginWidth'(hits) + MarginWidth'(1) - MarginWidth'(should_evict_i);
  assign take_margin = MarginWidth'(hits) + MarginWidth'(misses) + MarginWidth'(1) -
                       MarginWidth'(period_i);

  // As a hit: E3, E2, E6a, E6.
  logic [HitWidth:0] hit_count;
  logic hit_due;
  logic [EntryWidth-1:0] hit_next;
  assign hit_count = {1'b0, hits} + (HitWidth + 1)'(1);
  assign hit_due = hits == '1 || !hit_margin[MarginWidth-1] ||
                   (evict && !evict_margin[MarginWidth-1]);
  assign hit_next = hit_due ? {1'b0, tag, MissWidth'(0), HitWidth'(misses)} :
                              {1'b1, tag, misses, hit_count[HitWidth-1:0]};

  // As a tuple that takes the entry with all its counts: E1, E5, and E2 at once when they are full.
  logic [HitWidth:0] take_count;
  logic take_due;
  logic [EntryWidth-1:0] take_next;
  assign take_count = {1'b0, hits} + (HitWidth + 1)'(misses) + (HitWidth + 1)'(1);
  assign take_due = take_count[HitWidth] || !take_margin[MarginWidth-1];
  assign take_next = take_due ? {1'b0, tag_i, MissWidth'(0), HitWidth'(0)} :
                                {1'b1, tag_i, MissWidth'(0), take_count[HitWidth-1:0]};

  // As a counted miss: E4, E5a.
  logic [MissWidth:0] miss_count;
  logic take;
  assign miss_count = {1'b0, misses} + (MissWidth + 1)'(1);
  assign take = !live || (evict && (miss_count[MissWidth] ||
                                    32'(miss_count) >= 32'(should_replace_i)));

  assign use_o = match_o || take;
  assign emit_o = match_o ? hit_due : take && take_due;
  assign count_o = match_o ? hit_count : take_count;
  assign next_o = match_o ? hit_next :
                  take ? take_next : {1'b1, tag, miss_count[MissWidth-1:0], hits};
endmodule
