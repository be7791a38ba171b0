// SPDX-License-Identifier: Apache-2.0
// Tagged sampler T (ISCA 2001, section 4, Figure 6).
//
// docs/blocks/tagged_sampler.md is the contract. Three stages that move together:
//
//     accept: hash, tag, read set ─▶ stage 1: set arrives ─▶ stage 2: count, reorder, write
//                                                                           ─▶ message register
//
// A set is one word, its entries in order of last use. What the tuple in stage 2 would do to each of
// them is worked out by a strobe_tagged_entry each; then one is chosen.
// The RAM is asked in the cycle of acceptance, so that its access time and the counting are in stages
// of their own. What stage 2 writes and what it has just written is forwarded to stage 1, so tuples
// of one set may follow each other back to back.
// Nothing moves while a message waits for msg_ready_i. Priority: clear > initialisation > advance;
// a table read-out uses the read port only in cycles in which the pipeline does not.
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
  localparam int IndexBits = $clog2(Sets);
  localparam int IndexWidth = IndexBits > 0 ? IndexBits : 1;
  localparam logic [IndexWidth-1:0] LastSet = IndexWidth'(Sets - 1);
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  localparam int EntryWidth = 1 + TagBits + MissWidth + HitWidth;
  localparam int Last = Ways - 1;

  logic advance, accept;
  assign advance = !msg_valid_o || msg_ready_i;

  // The tuple that is offered, with its set.
  logic valid, hash_idle;
  logic [TupleWidth-1:0] offered;
  logic [strobe_pkg::IndexWidth-1:0] set;
  strobe_hash_pipeline #(
      .Hash(Hash),
      .IndexBits(IndexBits),
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
      .index_o(set),
      .ready_i(advance && !init_o),
      .idle_o(hash_idle)
  );
  assign accept  = valid && advance && !init_o;

  // Initialisation: one set a cycle.
  logic init_q;
  logic [IndexWidth-1:0] init_index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (clear_i) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (init_q) begin
      init_q <= init_index_q != LastSet;
      init_index_q <= init_index_q + IndexWidth'(1);
    end
  end
  assign init_o = init_q;

  // Which stages hold something.
  logic s1_valid_q, s2_valid_q, msg_valid_q, emit;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (clear_i) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (advance) begin
      s1_valid_q  <= accept;
      s2_valid_q  <= s1_valid_q;
      msg_valid_q <= emit;
    end
  end

  // Stage 1: the tuple and its signature; the RAM gives the set. Where stage 2 wrote in the cycle of
  // acceptance, the RAM's word is an old one.
  logic [IndexWidth-1:0] index, s1_index_q, s2_index_q, written_index_q;
  logic written_q;
  logic [Ways*EntryWidth-1:0] ram_rdata, set_q, next_set, written_set_q, s1_set;
  logic [TagBits-1:0] tag, s1_tag_q;
  logic [TupleWidth-1:0] s1_tuple_q;
  assign index = IndexWidth'(set & strobe_pkg::IndexWidth'(Sets - 1));
  strobe_xor_fold #(
      .Bits(TagBits)
  ) u_tag (
      .word_i(64'(offered[ValueWidth+:PcWidth]) ^ 64'(offered[0+:ValueWidth])),
      .folded_o(tag)
  );
  always_ff @(posedge clk_i) begin
    if (accept) begin
      s1_index_q <= index;
      s1_tag_q   <= tag;
      s1_tuple_q <= offered;
    end
    if (advance) begin
      written_q <= s2_valid_q;
      written_index_q <= s2_index_q;
      written_set_q <= next_set;
    end
  end
  assign s1_set = written_q && s1_index_q == written_index_q ? written_set_q : ram_rdata;

  // Stage 2: the set, unless stage 2 is about to change it.
  logic [TagBits-1:0] s2_tag_q;
  logic [TupleWidth-1:0] s2_tuple_q;
  always_ff @(posedge clk_i) begin
    if (advance && s1_valid_q) begin
      s2_index_q <= s1_index_q;
      s2_tag_q <= s1_tag_q;
      s2_tuple_q <= s1_tuple_q;
      set_q <= s2_valid_q && s1_index_q == s2_index_q ? next_set : s1_set;
    end
  end

  logic [Ways-1:0] empty, match, use_it, due, taken;
  logic [Ways*(HitWidth+1)-1:0] counts;
  logic [Ways*MissWidth-1:0] keeps;
  logic [Ways*EntryWidth-1:0] missed;
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    strobe_tagged_entry #(
        .TagBits(TagBits),
        .HitWidth(HitWidth),
        .MissWidth(MissWidth)
    ) u_entry (
        .entry_i(set_q[EntryWidth*w+:EntryWidth]),
        .tag_i(s2_tag_q),
        .period_i,
        .should_evict_i,
        .should_replace_i,
        .empty_o(empty[w]),
        .match_o(match[w]),
        .use_o(use_it[w]),
        .due_o(due[w]),
        .count_o(counts[(HitWidth+1)*w+:HitWidth+1]),
        .kept_o(keeps[MissWidth*w+:MissWidth]),
        .missed_o(missed[EntryWidth*w+:EntryWidth])
    );
  end

  // The entry that counts the tuple: of its tag, else the first Empty one, else the last one.
  localparam logic [Ways-1:0] LastWay = Ways'(1 << Last);
  assign taken = match != '0 ? match : empty != '0 ? empty & (~empty + Ways'(1)) : LastWay;

  logic uses, is_due;
  logic [HitWidth:0] count;
  logic [MissWidth-1:0] kept;
  logic [EntryWidth-1:0] used;  // the entry, if the tuple is its own
  assign uses = (taken & use_it) != '0;
  assign is_due = (taken & due) != '0;
  assign emit = s2_valid_q && uses && is_due;
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

  // A used entry goes to position 0 and those before it move down; a counted miss stays in place. So
  // the sums that decide on a message, which come late, reach only position 0.
  logic [Ways*EntryWidth-1:0] older;  // one position down, the used entry first
  if (Ways == 1) begin : gen_direct
    assign older = used;
  end else begin : gen_list
    assign older = {set_q[Last*EntryWidth-1:0], used};
  end
  logic [Ways-1:0] passed;  // the counting entry was before this position
  always_comb begin
    passed = '0;
    for (int w = 1; w < Ways; w++) passed[w] = passed[w-1] | taken[w-1];
    next_set = set_q;
    for (int w = 0; w < Ways; w++) begin
      if (uses && !passed[w]) next_set[EntryWidth*w+:EntryWidth] = older[EntryWidth*w+:EntryWidth];
      else if (!uses && taken[w]) begin
        next_set[EntryWidth*w+:EntryWidth] = missed[EntryWidth*w+:EntryWidth];
      end
    end
  end

  // Message register. It takes every tuple of stage 2; its valid bit says whether a message is due.
  logic [TupleWidth-1:0] msg_tuple_q;
  logic [HitWidth:0] msg_count_q;
  always_ff @(posedge clk_i) begin
    if (advance) begin
      msg_tuple_q <= s2_tuple_q;
      msg_count_q <= count;
    end
  end
  assign msg_valid_o = msg_valid_q;
  assign msg_tuple_o = msg_tuple_q;
  assign msg_count_o = msg_count_q;

  // Table read-out through the idle read port: read in t, in table_data_o from t+2 on.
  localparam logic [15:0] WayMask = 16'(Ways - 1);
  localparam logic [15:0] SetMask = 16'(Sets - 1);
  logic empty_pipe, table_read, table_read_q;
  logic [Ways-1:0] table_way_q;
  logic [HitWidth-1:0] table_hits, table_hits_q;
  logic [MissWidth-1:0] table_misses, table_misses_q;
  assign empty_pipe = !s1_valid_q && !s2_valid_q && !msg_valid_q;
  assign table_read = empty_pipe && !init_q && !accept;
  always_comb begin
    table_hits   = '0;
    table_misses = '0;
    for (int w = 0; w < Ways; w++) begin
      if (table_way_q[w]) begin
        table_hits   = table_hits | ram_rdata[EntryWidth*w+:HitWidth];
        table_misses = table_misses | ram_rdata[EntryWidth*w+HitWidth+:MissWidth];
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (table_read) table_way_q <= Ways'(1) << (table_index_i & WayMask);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      table_read_q   <= 1'b0;
      table_hits_q   <= '0;
      table_misses_q <= '0;
    end else if (clear_i) begin
      table_read_q   <= 1'b0;
      table_hits_q   <= '0;
      table_misses_q <= '0;
    end else begin
      table_read_q <= table_read;
      if (table_read_q) begin
        table_hits_q   <= table_hits;
        table_misses_q <= table_misses;
      end
    end
  end
  assign table_data_o = {1'b0, table_hits_q} + (HitWidth + 1)'(table_misses_q);
  assign idle_o = hash_idle && empty_pipe && !init_q;

  // The sets.
  logic ram_we, ram_re;
  logic [IndexWidth-1:0] ram_waddr, ram_raddr;
  logic [Ways*EntryWidth-1:0] ram_wdata;
  assign ram_we = init_q || (advance && s2_valid_q);
  assign ram_waddr = init_q ? init_index_q : s2_index_q;
  assign ram_wdata = init_q ? '0 : next_set;
  assign ram_re = accept || table_read;
  assign ram_raddr = valid ? index : IndexWidth'((table_index_i >> $clog2(Ways)) & SetMask);
  strobe_ram_1r1w #(
      .Width(Ways * EntryWidth),
      .Depth(Sets)
  ) u_table (
      .clk_i,
      .we_i(ram_we),
      .waddr_i(ram_waddr),
      .wdata_i(ram_wdata),
      .re_i(ram_re),
      .raddr_i(ram_raddr),
      .rdata_o(ram_rdata)
  );

  `STROBE_ASSERT(TaggedInitialisesOnlyWhenEmpty, !init_q || empty_pipe)
  `STROBE_ASSERT(TaggedReadsForOneUser, !(valid && table_read))
  `STROBE_ASSERT(TaggedMessageCountsSomething, !msg_valid_q || msg_count_q != '0)
  `STROBE_ASSERT(TaggedMessageIsOfTheEntry,
                 !emit || used[MissWidth+HitWidth+:TagBits] == s2_tag_q)

`ifdef FORMAL
  // Any one set: its word as last written, and as the RAM last read it. That the RAM gives what was
  // written is assumed here and proven of the RAM.
  (* anyconst *) logic [IndexWidth-1:0] watched;
  logic [Ways*EntryWidth-1:0] word_q, read_q;
  logic reads_q;
  always_ff @(posedge clk_i) begin
    if (ram_we && ram_waddr == watched) word_q <= ram_wdata;
    if (ram_re) begin
      reads_q <= ram_raddr == watched;
      read_q  <= word_q;
    end
  end
  always @(posedge clk_i) if (reads_q) RamGivesWhatWasWritten : assume (ram_rdata == read_q);

  // Its tuples that came in and have not left in messages; whether any one tuple came in.
  (* anyconst *) logic [TupleWidth-1:0] tuple;
  logic zeroed_q, msg_watched_q, seen_q;
  logic [31:0] balance_q, owed;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zeroed_q  <= 1'b0;
      seen_q    <= 1'b0;
      balance_q <= '0;
    end else if (clear_i) begin
      zeroed_q  <= 1'b0;
      seen_q    <= 1'b0;
      balance_q <= '0;
    end else begin
      if (init_q && init_index_q == watched) zeroed_q <= 1'b1;
      if (accept && offered == tuple) seen_q <= 1'b1;
      balance_q <= balance_q + 32'(accept && index == watched) -
                   (msg_valid_q && msg_ready_i && msg_watched_q ? 32'(msg_count_q) : '0);
    end
  end
  always_ff @(posedge clk_i) if (advance && emit) msg_watched_q <= s2_index_q == watched;

  logic undefined, twice;
  always_comb begin
    undefined = 1'b0;
    twice = 1'b0;
    owed = 32'(s1_valid_q && s1_index_q == watched) + 32'(s2_valid_q && s2_index_q == watched) +
           (msg_valid_q && msg_watched_q ? 32'(msg_count_q) : '0);
    for (int w = 0; w < Ways; w++) begin
      owed = owed + 32'(word_q[EntryWidth*w+:HitWidth]) +
             32'(word_q[EntryWidth*w+HitWidth+:MissWidth]);
      undefined = undefined || (!word_q[EntryWidth*w+EntryWidth-1] &&
                                word_q[EntryWidth*w+HitWidth+:MissWidth] != '0);
      for (int other = 0; other < w; other++) begin
        twice = twice || (word_q[EntryWidth*w+EntryWidth-1] &&
                          word_q[EntryWidth*other+HitWidth+MissWidth+:TagBits+1] ==
                          word_q[EntryWidth*w+HitWidth+MissWidth+:TagBits+1]);
      end
    end
  end
  `STROBE_ASSERT(TaggedSetsAreZeroedInOrder, zeroed_q == (!init_q || init_index_q > watched))
  `STROBE_ASSERT(TaggedSetArrives, !s1_valid_q || s1_index_q != watched || s1_set == word_q)
  `STROBE_ASSERT(TaggedSetIsCurrent, !s2_valid_q || s2_index_q != watched || set_q == word_q)
  `STROBE_ASSERT(TaggedConserves, !zeroed_q || balance_q == owed)
  `STROBE_ASSERT(TaggedStateIsDefined, !zeroed_q || !undefined)
  `STROBE_ASSERT(TaggedTagIsHeldOnce, !zeroed_q || !twice)
  `STROBE_ASSERT(TaggedTupleInHandIsReal,
                 seen_q || ((!s1_valid_q || s1_tuple_q != tuple) &&
                            (!s2_valid_q || s2_tuple_q != tuple) &&
                            (!msg_valid_q || msg_tuple_q != tuple)))
`endif
endmodule
