// SPDX-License-Identifier: Apache-2.0
// Associative counter table A_k (ISCA 2001, section 3.4).
//
// docs/blocks/associative_table.md is the contract. Three stages advance together:
//
//     accept ─▶ stage 1: compare with all entries ─▶ stage 2: reorder ─▶ stage 3: add ─▶ message
//
// A tuple that arrives in the first cycle in which the stages stand still waits in a spare
// register, so that ready_o is from a flip-flop.
// The entries are stored in order of last use: a tuple enters position 0, the entries before the
// one it was found at shift down by one, and the entry that leaves the last position is evicted.
// The match bits of stage 1 shift with the entries in stage 2, so they are exact when they arrive.
// The stages stand still while a message waits for msg_ready_i. Priority: clear > advance. The
// table is read out only in cycles in which the pipeline is empty.
`include "strobe_assert.svh"

module strobe_associative_table #(
    parameter int Entries = 16,
    parameter int CountWidth = 16,
    parameter int InCountWidth = 9,
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input  logic                    valid_i,
    input  logic [TupleWidth-1:0]   tuple_i,
    input  logic [InCountWidth-1:0] count_i,
    output logic                    ready_o,

    output logic                  msg_valid_o,
    output logic [TupleWidth-1:0] msg_tuple_o,
    output logic [CountWidth:0]   msg_count_o,
    input  logic                  msg_ready_i,

    input  logic [15:0]           table_index_i,
    output logic                  table_valid_o,
    output logic [TupleWidth-1:0] table_tuple_o,
    output logic [CountWidth-1:0] table_count_o,

    output logic init_o,
    output logic idle_o
);
  `STROBE_REQUIRE(AssociativeEntries, Entries >= 4 && Entries <= 64 &&
                  (Entries & (Entries - 1)) == 0,
                  "strobe_associative_table: Entries must be a power of two from 4 to 64")
  `STROBE_REQUIRE(AssociativeCount, CountWidth >= 1 && CountWidth <= 24,
                  "strobe_associative_table: CountWidth must be 1 to 24")
  `STROBE_REQUIRE(AssociativeInCount, InCountWidth >= 1 && InCountWidth <= CountWidth,
                  "strobe_associative_table: InCountWidth must be 1 to CountWidth")
  `STROBE_REQUIRE(AssociativeTuple, TupleWidth >= 1,
                  "strobe_associative_table: TupleWidth must be at least 1")

  localparam int Last = Entries - 1;

  logic advance, accept, emit, evicts, spare_valid_q, ready_q;
  assign advance = !msg_valid_o || msg_ready_i;
  assign ready_o = ready_q;
  assign accept  = valid_i && !spare_valid_q;
  assign init_o  = 1'b0;

  // Which stages hold a tuple, an evicted entry or a message.
  logic s1_valid_q, s2_valid_q, s3_valid_q, msg_valid_q, exit_valid_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_valid_q   <= 1'b0;
      s2_valid_q   <= 1'b0;
      s3_valid_q   <= 1'b0;
      exit_valid_q <= 1'b0;
      msg_valid_q  <= 1'b0;
    end else if (clear_i) begin
      s1_valid_q   <= 1'b0;
      s2_valid_q   <= 1'b0;
      s3_valid_q   <= 1'b0;
      exit_valid_q <= 1'b0;
      msg_valid_q  <= 1'b0;
    end else if (advance) begin
      s1_valid_q   <= accept || spare_valid_q;
      s2_valid_q   <= s1_valid_q;
      s3_valid_q   <= s2_valid_q;
      exit_valid_q <= evicts;
      msg_valid_q  <= emit;
    end
  end

  logic [TupleWidth-1:0] spare_tuple_q;
  logic [InCountWidth-1:0] spare_count_q;
  // ready_q is !spare_valid_q, in a flip-flop of its own, because spare_valid_q drives the
  // multiplexer of the tuples.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      spare_valid_q <= 1'b0;
      ready_q <= 1'b1;
    end else if (clear_i) begin
      spare_valid_q <= 1'b0;
      ready_q <= 1'b1;
    end else begin
      spare_valid_q <= !advance && (accept || spare_valid_q);
      ready_q <= advance || !(accept || spare_valid_q);
    end
  end
  always_ff @(posedge clk_i) begin
    if (accept) begin
      spare_tuple_q <= tuple_i;
      spare_count_q <= count_i;
    end
  end

  // The list; position 0 is the most recently used.
  logic [Entries-1:0] valid_q;
  logic [Entries*TupleWidth-1:0] tuples_q;
  logic [Entries*CountWidth-1:0] counts_q, settled;

  // Stage 1: compare. The match bits shift with the entries that stage 2 shifts in this cycle.
  logic [TupleWidth-1:0] s1_tuple_q, s2_tuple_q;
  logic [InCountWidth-1:0] s1_count_q, s2_count_q, s3_count_q;
  logic [Entries-1:0] match, match_q, shifts;
  logic same;
  always_comb begin
    for (int k = 0; k < Entries; k++) begin
      match[k] = valid_q[k] && tuples_q[TupleWidth*k+:TupleWidth] == s1_tuple_q;
    end
  end
  assign same = s1_tuple_q == s2_tuple_q;
  always_ff @(posedge clk_i) begin
    if (advance && (valid_i || spare_valid_q)) begin
      s1_tuple_q <= spare_valid_q ? spare_tuple_q : tuple_i;
      s1_count_q <= spare_valid_q ? spare_count_q : count_i;
    end
    if (advance && s1_valid_q) begin
      s2_tuple_q <= s1_tuple_q;
      s2_count_q <= s1_count_q;
      match_q <= s2_valid_q ? (shifts & {match[Last-1:0], same}) | (~shifts & match) : match;
    end
    if (advance && s2_valid_q) s3_count_q <= s2_count_q;
  end

  // Stage 2: reorder. Position k takes the entry of position k - 1 unless the tuple was found
  // before k.
  logic [Entries-1:0] found;  // the tuple is at this position or before it
  logic reorders;
  always_comb begin
    found = match_q;
    for (int level = 0; level < $clog2(Entries); level++) found = found | (found << (1 << level));
  end
  assign shifts = ~(found << 1);
  assign reorders = advance && s2_valid_q;
  assign evicts = s2_valid_q && !found[Last] && valid_q[Last] &&
                  counts_q[CountWidth*Last+:CountWidth] != '0;

  // Stage 3: the tuple is at position 0 with the count it held; its own count is added here.
  logic [CountWidth:0] sum;
  assign sum = {1'b0, counts_q[0+:CountWidth]} +
               (s3_valid_q ? (CountWidth + 1)'(s3_count_q) : '0);
  // Without a tuple in stage 3 the sum may include a counter that was never written.
  assign emit = exit_valid_q || (s3_valid_q && sum[CountWidth]);
  assign settled = {counts_q[Entries*CountWidth-1:CountWidth], sum[CountWidth-1:0]};

  // The count that the tuple in stage 2 holds, 0 when it is not in the table. The sum comes late, so it
  // is selected last.
  logic [CountWidth-1:0] held, held_elsewhere;
  strobe_onehot_mux #(
      .Width(CountWidth),
      .Inputs(Entries)
  ) u_held (
      .data_i(counts_q),
      .select_i({match_q[Last:1], 1'b0}),
      .data_o(held_elsewhere)
  );
  assign held = match_q[0] ? sum[CountWidth-1:0] : held_elsewhere;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else if (clear_i) valid_q <= '0;
    else if (reorders) valid_q <= (shifts & {valid_q[Last-1:0], 1'b1}) | (~shifts & valid_q);
  end
  always_ff @(posedge clk_i) begin
    if (advance) begin
      counts_q[0+:CountWidth] <= s2_valid_q ? held : sum[CountWidth-1:0];
      if (s2_valid_q) tuples_q[0+:TupleWidth] <= s2_tuple_q;
    end
    for (int k = 1; k < Entries; k++) begin
      if (reorders && shifts[k]) begin
        counts_q[CountWidth*k+:CountWidth] <= settled[CountWidth*(k-1)+:CountWidth];
        tuples_q[TupleWidth*k+:TupleWidth] <= tuples_q[TupleWidth*(k-1)+:TupleWidth];
      end
    end
  end

  // The evicted entry waits one cycle, because the message of the tuple in stage 3 goes first.
  logic [TupleWidth-1:0] exit_tuple_q, msg_tuple_q;
  logic [CountWidth-1:0] exit_count_q;
  logic [CountWidth:0] msg_count_q;
  always_ff @(posedge clk_i) begin
    if (advance && evicts) begin
      exit_tuple_q <= tuples_q[TupleWidth*Last+:TupleWidth];
      exit_count_q <= counts_q[CountWidth*Last+:CountWidth];
    end
    if (advance && emit) begin
      msg_tuple_q <= exit_valid_q ? exit_tuple_q : tuples_q[0+:TupleWidth];
      msg_count_q <= exit_valid_q ? {1'b0, exit_count_q} : {1'b1, CountWidth'(0)};
    end
  end
  assign msg_valid_o = msg_valid_q;
  assign msg_tuple_o = msg_tuple_q;
  assign msg_count_o = msg_count_q;

  // The table is read out while the pipeline is empty.
  localparam logic [15:0] TableMask = 16'(Entries - 1);
  logic table_read, table_valid_q;
  logic [Entries-1:0] read_select;
  logic [TupleWidth-1:0] read_tuple, table_tuple_q;
  logic [CountWidth-1:0] read_count, table_count_q;
  assign idle_o = !s1_valid_q && !s2_valid_q && !s3_valid_q && !msg_valid_q;
  assign table_read = idle_o && !accept;
  assign read_select = Entries'(1) << (table_index_i & TableMask);
  strobe_onehot_mux #(
      .Width(TupleWidth),
      .Inputs(Entries)
  ) u_read_tuple (
      .data_i(tuples_q),
      .select_i(read_select),
      .data_o(read_tuple)
  );
  strobe_onehot_mux #(
      .Width(CountWidth),
      .Inputs(Entries)
  ) u_read_count (
      .data_i(counts_q),
      .select_i(read_select),
      .data_o(read_count)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) table_valid_q <= 1'b0;
    else if (clear_i) table_valid_q <= 1'b0;
    else if (table_read) table_valid_q <= (valid_q & read_select) != '0;
  end
  always_ff @(posedge clk_i) begin
    if (table_read) begin
      table_tuple_q <= read_tuple;
      table_count_q <= read_count;
    end
  end
  assign table_valid_o = table_valid_q;
  assign table_tuple_o = table_valid_q ? table_tuple_q : '0;
  assign table_count_o = table_valid_q ? table_count_q : '0;

  logic [Entries-1:0] wrong_match;  // match bits that differ from a comparison in stage 2
  always_comb begin
    for (int k = 0; k < Entries; k++) begin
      wrong_match[k] = match_q[k] != (valid_q[k] && tuples_q[TupleWidth*k+:TupleWidth] == s2_tuple_q);
    end
  end
  `STROBE_ASSERT(AssociativeIsReadyWithoutASpare, ready_q == !spare_valid_q)
  `STROBE_ASSERT(AssociativeSparesOnlyWithAMessage, !spare_valid_q || msg_valid_q)
  `STROBE_ASSERT(AssociativeMatchIsExact, !s2_valid_q || wrong_match == '0)
  `STROBE_ASSERT(AssociativeFillsFromTheFront, (valid_q & (valid_q + 1'b1)) == '0)
  `STROBE_ASSERT(AssociativeAddsToAnEntry, !s3_valid_q || valid_q[0])
  `STROBE_ASSERT(AssociativeOneMessageATuple, !exit_valid_q || (s3_valid_q && !sum[CountWidth]))
  `STROBE_ASSERT(AssociativeExitCountsSomething, !exit_valid_q || exit_count_q != '0)
  `STROBE_ASSERT(AssociativeMessageCountsSomething, !msg_valid_q || msg_count_q != '0)

`ifdef FORMAL
  // Conservation of any one tuple: what came in and has not left in its messages is held.
  (* anyconst *) logic [TupleWidth-1:0] watched;
  logic [31:0] balance_q, owed;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) balance_q <= '0;
    else if (clear_i) balance_q <= '0;
    else begin
      balance_q <= balance_q + (accept && tuple_i == watched ? 32'(count_i) : '0) -
                   (msg_valid_q && msg_ready_i && msg_tuple_q == watched ? 32'(msg_count_q) : '0);
    end
  end
  logic [Entries-1:0] is_watched;
  always_comb begin
    owed = (spare_valid_q && spare_tuple_q == watched ? 32'(spare_count_q) : '0) +
           (s1_valid_q && s1_tuple_q == watched ? 32'(s1_count_q) : '0) +
           (s2_valid_q && s2_tuple_q == watched ? 32'(s2_count_q) : '0) +
           (s3_valid_q && tuples_q[0+:TupleWidth] == watched ? 32'(s3_count_q) : '0) +
           (exit_valid_q && exit_tuple_q == watched ? 32'(exit_count_q) : '0) +
           (msg_valid_q && msg_tuple_q == watched ? 32'(msg_count_q) : '0);
    for (int k = 0; k < Entries; k++) begin
      is_watched[k] = valid_q[k] && tuples_q[TupleWidth*k+:TupleWidth] == watched;
      if (is_watched[k]) owed = owed + 32'(counts_q[CountWidth*k+:CountWidth]);
    end
  end
  `STROBE_ASSERT(AssociativeConserves, balance_q == owed)
  `STROBE_ASSERT(AssociativeHoldsNoTupleTwice, (is_watched & (is_watched - 1'b1)) == '0)
`endif
endmodule
