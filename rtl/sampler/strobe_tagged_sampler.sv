// SPDX-License-Identifier: Apache-2.0
// Tagged sampler T (ISCA 2001, section 4, Figure 6).
//
// docs/blocks/tagged_sampler.md is the contract. The pipeline with the table of sets is
// strobe_sampler_pipeline. A set is one word, its entries in order of last use. In stage 2 a
// strobe_tagged_entry computes for each of them what the tuple would do to it; then one is
// selected.
`include "strobe_assert.svh"

module strobe_tagged_sampler #(
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int Strata = 2048,
    parameter int Ways = 2,
    parameter int TagBits = 2,
    parameter int HitWidth = 8,
    parameter int MissWidth = 3,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input logic [strobe_pkg::PeriodWidth-1:0] period_i,          // r
    input logic [strobe_pkg::PeriodWidth-1:0] should_evict_i,    // hits
    input logic [strobe_pkg::PeriodWidth-1:0] should_replace_i,  // misses

    input  logic                                               valid_i,
    input  logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] tuple_i,
    output logic                                               ready_o,

    output logic                                               msg_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_o,
    output logic [HitWidth:0]                                  msg_count_o,
    input  logic                                               msg_ready_i,

    input  logic [15:0]       table_index_i,
    output logic [HitWidth:0] table_data_o,

    output logic init_o,
    output logic idle_o
);
  `STROBE_REQUIRE(TaggedWays, Ways == 1 || Ways == 2 || Ways == 4,
                  "strobe_tagged_sampler: Ways must be 1, 2 or 4")
  `STROBE_REQUIRE(TaggedStrata, Strata >= Ways && Strata <= strobe_pkg::MaxStrata &&
                  (Strata & (Strata - 1)) == 0,
                  "strobe_tagged_sampler: Strata must be a power of two from Ways to 4096")

  localparam int Sets = Strata / Ways;
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  localparam int EntryWidth = 1 + TagBits + MissWidth + HitWidth;
  localparam int SetWidth = Ways * EntryWidth;
  localparam int Last = Ways - 1;

  // The tuple that is offered, with its set and its tag.
  logic valid, ready, hash_idle;
  logic [TupleWidth-1:0] offered;
  logic [strobe_pkg::IndexWidth-1:0] index;
  logic [TagBits-1:0] tag;
  strobe_hash_pipeline #(
      .Hash(Hash),
      .IndexBits($clog2(Sets)),
      .PcWidth(PcWidth),
      .ValueWidth(ValueWidth)
  ) u_hash (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .tuple_i,
      .ready_o,
      .valid_o(valid),
      .tuple_o(offered),
      .index_o(index),
      .ready_i(ready),
      .idle_o(hash_idle)
  );
  strobe_xor_fold #(
      .Bits(TagBits)
  ) u_tag (
      .word_i(64'(offered[ValueWidth+:PcWidth]) ^ 64'(offered[0+:ValueWidth])),
      .folded_o(tag)
  );

  // The pipeline, and the tuple's tag, which advances with its stages.
  logic accept, s1_advance, due, pipeline_idle, table_read;
  logic [SetWidth-1:0] set, next_set, table_set;
  logic [HitWidth:0] count;
  logic [HitWidth+MissWidth-1:0] table_entry, table_shown;
  strobe_sampler_pipeline #(
      .Entries(Sets),
      .WordWidth(SetWidth),
      .CountWidth(HitWidth + 1),
      .TableWidth(HitWidth + MissWidth),
      .TupleWidth(TupleWidth)
  ) u_pipeline (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(valid),
      .tuple_i(offered),
      .index_i(index),
      .ready_o(ready),
      .accept_o(accept),
      .s1_advance_o(s1_advance),
      .word_o(set),
      .word_i(next_set),
      .due_i(due),
      .count_i(count),
      .msg_valid_o,
      .msg_tuple_o,
      .msg_count_o,
      .msg_ready_i,
      .table_index_i(table_index_i >> $clog2(Ways)),
      .table_read_o(table_read),
      .table_word_o(table_set),
      .table_data_i(table_entry),
      .table_data_o(table_shown),
      .init_o,
      .idle_o(pipeline_idle)
  );
  assign idle_o = hash_idle && pipeline_idle;
  logic [TagBits-1:0] s1_tag_q, s2_tag_q;
  always_ff @(posedge clk_i) begin
    if (accept) s1_tag_q <= tag;
    if (s1_advance) s2_tag_q <= s1_tag_q;
  end

  // Each strobe_tagged_entry computes what the tuple in stage 2 does to its entry.
  logic [Ways-1:0] empty, match, use_it, due_of, taken;
  logic [Ways*(HitWidth+1)-1:0] counts;
  logic [Ways*MissWidth-1:0] keeps;
  logic [Ways*EntryWidth-1:0] missed;
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    strobe_tagged_entry #(
        .TagBits(TagBits),
        .HitWidth(HitWidth),
        .MissWidth(MissWidth)
    ) u_entry (
        .entry_i(set[EntryWidth*w+:EntryWidth]),
        .tag_i(s2_tag_q),
        .period_i,
        .should_evict_i,
        .should_replace_i,
        .empty_o(empty[w]),
        .match_o(match[w]),
        .use_o(use_it[w]),
        .due_o(due_of[w]),
        .count_o(counts[(HitWidth+1)*w+:HitWidth+1]),
        .kept_o(keeps[MissWidth*w+:MissWidth]),
        .missed_o(missed[EntryWidth*w+:EntryWidth])
    );
  end

  // The tuple is counted by the entry of its tag, else by the first Empty one, else by the last
  // one.
  localparam logic [Ways-1:0] LastWay = Ways'(1 << Last);
  assign taken = match != '0 ? match : empty != '0 ? empty & (~empty + Ways'(1)) : LastWay;

  logic uses, is_due;
  logic [MissWidth-1:0] kept;
  logic [EntryWidth-1:0] used;  // the entry, if the tuple is its own
  assign uses = (taken & use_it) != '0;
  assign is_due = (taken & due_of) != '0;
  assign due = uses && is_due;
  always_comb begin
    count = '0;
    kept = '0;
    for (int w = 0; w < Ways; w++) begin
      if (taken[w]) begin
        count = count | counts[(HitWidth+1)*w+:HitWidth+1];
        kept = kept | keeps[MissWidth*w+:MissWidth];
      end
    end
  end
  assign used = is_due ? {1'b0, s2_tag_q, MissWidth'(0), HitWidth'(kept)} :
                         {1'b1, s2_tag_q, kept, count[HitWidth-1:0]};

  // A used entry goes to position 0 and those before it shift down; an entry with a counted miss
  // keeps its place. So the sums that decide on a message, which come late, reach only position 0.
  logic [Ways*EntryWidth-1:0] older;  // one position down, the used entry first
  if (Ways == 1) begin : gen_direct
    assign older = used;
  end else begin : gen_list
    assign older = {set[Last*EntryWidth-1:0], used};
  end
  logic [Ways-1:0] passed;  // the counting entry was before this position
  always_comb begin
    passed = '0;
    for (int w = 1; w < Ways; w++) passed[w] = passed[w-1] | taken[w-1];
    next_set = set;
    for (int w = 0; w < Ways; w++) begin
      if (uses && !passed[w]) next_set[EntryWidth*w+:EntryWidth] = older[EntryWidth*w+:EntryWidth];
      else if (!uses && taken[w]) begin
        next_set[EntryWidth*w+:EntryWidth] = missed[EntryWidth*w+:EntryWidth];
      end
    end
  end

  // The table read-out is the sum of hits and misses of one entry of the set.
  localparam logic [15:0] WayMask = 16'(Ways - 1);
  logic [Ways-1:0] table_way_q;
  logic [HitWidth-1:0] table_hits;
  logic [MissWidth-1:0] table_misses;
  always_ff @(posedge clk_i) begin
    if (table_read) table_way_q <= Ways'(1) << (table_index_i & WayMask);
  end
  always_comb begin
    table_entry = '0;
    for (int w = 0; w < Ways; w++) begin
      if (table_way_q[w]) begin
        table_entry = table_entry | table_set[EntryWidth*w+:MissWidth+HitWidth];
      end
    end
  end
  assign {table_misses, table_hits} = table_shown;
  assign table_data_o = {1'b0, table_hits} + (HitWidth + 1)'(table_misses);

  `STROBE_ASSERT(TaggedMessageCountsSomething, !msg_valid_o || msg_count_o != '0)
endmodule
