// SPDX-License-Identifier: Apache-2.0
// The tagged sampler: for every set, the tuples that went in are those that its messages count or its entries
// hold. A set has no undefined state and no tag twice. A waiting message does not change. The pipeline
// empties when messages are taken and no tuple comes. That a message is the tuple that caused it is proven
// for strobe_sampler_pipeline.
//
// The pc has eight bits, which reach every set and tag, and the value one. What hash and fold make of all 128
// bits is tested by the benches; it is far too much for the solver.
//
// prove: induction 8
// prove: cover 12
// peek: word_0 u_dut.u_pipeline.gen_table.u_table.mem[0]
// peek: word_1 u_dut.u_pipeline.gen_table.u_table.mem[1]
// peek: accept u_dut.accept
// peek: index u_dut.u_pipeline.index
// peek: s1_valid u_dut.u_pipeline.s1_valid_q
// peek: s1_index u_dut.u_pipeline.s1_index_q
// peek: s1_set u_dut.u_pipeline.s1_word
// peek: s2_valid u_dut.u_pipeline.s2_valid_q
// peek: s2_index u_dut.u_pipeline.s2_index_q
// peek: set u_dut.set
// peek: init_index u_dut.u_pipeline.init_index_q
module strobe_tagged_sampler_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [12:0] period_i,
    input logic [12:0] should_evict_i,
    input logic [12:0] should_replace_i,
    input logic valid_i,
    input logic [12:0] tuple_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  logic ready, msg_valid, init, idle;
  logic [12:0] message;
  logic [2:0] msg_count, table_data;
  strobe_tagged_sampler #(
      .Strata(4),
      .Ways(2),
      .TagBits(2),
      .HitWidth(2),
      .MissWidth(2),
      .PcWidth(8),
      .ValueWidth(1)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .period_i, .should_evict_i, .should_replace_i,
      .valid_i, .tuple_i, .ready_o(ready), .msg_valid_o(msg_valid), .msg_tuple_o(message),
      .msg_count_o(msg_count), .msg_ready_i,
      .table_index_i, .table_data_o(table_data), .init_o(init), .idle_o(idle)
  );

  initial assume (!rst_ni);

  // A message that was not taken is the one offered in the next cycle.
  logic waits_q;
  logic [15:0] message_q;
  // Successive cycles after initialization in which messages are taken and no tuple comes.
  logic [2:0] quiet_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      quiet_q <= '0;
    end else begin
      waits_q <= msg_valid && !msg_ready_i && !clear_i;
      quiet_q <= init || clear_i || !msg_ready_i || valid_i ? '0 :
                 quiet_q == 3'd7 ? 3'd7 : quiet_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) message_q <= {message, msg_count};

  // Any one set: the tuples that came in and have not left in messages, modulo 2^8, which is more than the
  // block can hold. An entry is {live, tag, misses, hits}, of 1 + 2 + 2 + 2 bits.
  localparam int EntryWidth = 7;
  (* anyconst *) logic watched;
  (* keep *) logic [2*EntryWidth-1:0] word_0, word_1, s1_set, set;
  (* keep *) logic accept, index, s1_valid, s1_index, s2_valid, s2_index, init_index;
  logic [2*EntryWidth-1:0] word;
  logic zeroed_q, msg_watched_q;
  logic [7:0] balance_q, owed;
  assign word = watched ? word_1 : word_0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zeroed_q  <= 1'b0;
      balance_q <= '0;
    end else if (clear_i) begin
      zeroed_q  <= 1'b0;
      balance_q <= '0;
    end else begin
      if (init && init_index == watched) zeroed_q <= 1'b1;
      balance_q <= balance_q + 8'(accept && index == watched) -
                   (msg_valid && msg_ready_i && msg_watched_q ? 8'(msg_count) : 8'd0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!msg_valid || msg_ready_i) msg_watched_q <= s2_index == watched;
  end

  logic undefined, twice;
  always_comb begin
    undefined = 1'b0;
    owed = 8'(s1_valid && s1_index == watched) + 8'(s2_valid && s2_index == watched) +
           (msg_valid && msg_watched_q ? 8'(msg_count) : 8'd0);
    for (int w = 0; w < 2; w++) begin
      owed = owed + 8'(word[EntryWidth*w+:2]) + 8'(word[EntryWidth*w+2+:2]);
      undefined = undefined || (!word[EntryWidth*w+6] && word[EntryWidth*w+2+:2] != '0);
    end
    twice = word[6] && word[4+:3] == word[EntryWidth+4+:3];
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      TaggedTakesWhenItMay : assert (ready == (!init && (!msg_valid || msg_ready_i)));
      TaggedMessageWaits :
      assert (!waits_q || (msg_valid && message_q == {message, msg_count}));
      TaggedEmpties : assert (quiet_q < 3'd3 || idle);
      TaggedSetsAreZeroedInOrder : assert (zeroed_q == (!init || init_index > watched));
      TaggedSetArrives : assert (!s1_valid || s1_index != watched || s1_set == word);
      TaggedSetIsCurrent : assert (!s2_valid || s2_index != watched || set == word);
      TaggedConserves : assert (!zeroed_q || balance_q == owed);
      TaggedStateIsDefined : assert (!zeroed_q || !undefined);
      TaggedTagIsHeldOnce : assert (!zeroed_q || !twice);
      // Four tuples of one signature.
      TaggedFills : cover (msg_count == 3'd4);
    end
  end
endmodule
