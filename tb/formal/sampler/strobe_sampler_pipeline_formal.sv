// SPDX-License-Identifier: Apache-2.0
// The sampler pipeline under any rule. The rule sees each tuple once, two advances after it was accepted,
// with the word that the last tuple of the same place wrote, or 0 after initialization. The message is that
// tuple with the rule's count, and does not change while it waits. Initialization takes one cycle for each
// word. At rest the read-out shows the word at its index. In a bank, ready does not depend on whether the
// message is taken.
//
// The rule's answer is free in every cycle, so the proof holds for every rule.
//
// prove: induction 3
// prove: cover 14
// peek: u_plain.word_0 u_plain.u_dut.gen_table.u_table.mem[0]
// peek: u_plain.word_1 u_plain.u_dut.gen_table.u_table.mem[1]
// peek: u_plain.s1_valid u_plain.u_dut.s1_valid_q
// peek: u_plain.s2_valid u_plain.u_dut.s2_valid_q
// peek: u_plain.s1_index u_plain.u_dut.s1_index_q
// peek: u_plain.s2_index u_plain.u_dut.s2_index_q
// peek: u_plain.s1_tuple u_plain.u_dut.s1_tuple_q
// peek: u_plain.s2_tuple u_plain.u_dut.s2_tuple_q
// peek: u_plain.s1_word u_plain.u_dut.s1_word
// peek: u_plain.init_index u_plain.u_dut.init_index_q
// peek: u_plain.reading u_plain.u_dut.table_read_q
// peek: u_bank.word_0 u_bank.u_dut.gen_table.u_table.mem[0]
// peek: u_bank.word_1 u_bank.u_dut.gen_table.u_table.mem[1]
// peek: u_bank.s1_valid u_bank.u_dut.s1_valid_q
// peek: u_bank.s2_valid u_bank.u_dut.s2_valid_q
// peek: u_bank.s1_index u_bank.u_dut.s1_index_q
// peek: u_bank.s2_index u_bank.u_dut.s2_index_q
// peek: u_bank.s1_tuple u_bank.u_dut.s1_tuple_q
// peek: u_bank.s2_tuple u_bank.u_dut.s2_tuple_q
// peek: u_bank.s1_word u_bank.u_dut.s1_word
// peek: u_bank.init_index u_bank.u_dut.init_index_q
// peek: u_bank.reading u_bank.u_dut.table_read_q
module strobe_sampler_pipeline_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,
    input logic [3:0] tuple_i,
    input logic index_i,
    input logic [2:0] word_i,
    input logic due_i,
    input logic [1:0] count_i,
    input logic msg_ready_i,
    input logic table_index_i
);
  initial assume (!rst_ni);
  strobe_sampler_pipeline_properties #(
      .Bank(0)
  ) u_plain (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i, .index_i, .word_i, .due_i, .count_i, .msg_ready_i,
      .table_index_i
  );
  strobe_sampler_pipeline_properties #(
      .Bank(1)
  ) u_bank (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i, .index_i, .word_i, .due_i, .count_i, .msg_ready_i,
      .table_index_i
  );
endmodule

module strobe_sampler_pipeline_properties #(
    parameter int Bank = 0
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic valid_i,
    input logic [3:0] tuple_i,
    input logic index_i,
    input logic [2:0] word_i,
    input logic due_i,
    input logic [1:0] count_i,
    input logic msg_ready_i,
    input logic table_index_i
);
  logic ready, accept, s1_advance, msg_valid, table_read, init, idle;
  logic [3:0] message;
  logic [2:0] word, table_word, table_data;
  logic [1:0] msg_count;
  strobe_sampler_pipeline #(
      .Entries(2),
      .WordWidth(3),
      .CountWidth(2),
      .TableWidth(3),
      .TupleWidth(4),
      .Bank(Bank)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i, .index_i(12'(index_i)), .ready_o(ready), .accept_o(accept),
      .s1_advance_o(s1_advance), .word_o(word), .word_i, .due_i, .count_i, .msg_valid_o(msg_valid),
      .msg_tuple_o(message), .msg_count_o(msg_count), .msg_ready_i, .table_index_i(16'(table_index_i)),
      .table_read_o(table_read), .table_word_o(table_word), .table_data_i(~table_word), .table_data_o(table_data),
      .init_o(init), .idle_o(idle)
  );

  // The tuples in flight, counted by advances; the words as the rule wrote them; the message.
  logic move, enters;
  logic one_q, two_q, three_q, one_index_q, two_index_q;
  logic [3:0] one_tuple_q, two_tuple_q, three_tuple_q;
  logic [5:0] words_q;
  logic [1:0] three_count_q, inits_q;
  assign move   = !three_q || msg_ready_i;
  assign enters = valid_i && ready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {one_q, two_q, three_q} <= '0;
      words_q <= '0;
      inits_q <= '0;
    end else if (clear_i) begin
      {one_q, two_q, three_q} <= '0;
      words_q <= '0;
      inits_q <= '0;
    end else begin
      if (inits_q != 2'd2) inits_q <= inits_q + 2'd1;
      if (move) begin
        one_q   <= enters;
        two_q   <= one_q;
        three_q <= two_q && due_i;
        if (two_q) words_q[3*two_index_q+:3] <= word_i;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (move) begin
      one_index_q <= index_i;
      one_tuple_q <= tuple_i;
      two_index_q <= one_index_q;
      two_tuple_q <= one_tuple_q;
      three_tuple_q <= two_tuple_q;
      three_count_q <= count_i;
    end
  end

  // Cycles for which it has been at rest with the same index.
  logic [1:0] rested_q;
  logic at_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rested_q <= '0;
    else if (clear_i || !idle || valid_i) rested_q <= '0;
    else if (table_index_i != at_q) rested_q <= 2'd1;
    else if (rested_q != 2'd2) rested_q <= rested_q + 2'd1;
  end
  always_ff @(posedge clk_i) at_q <= table_index_i;

  // The last cycle's message, when it was not taken.
  logic waits_q;
  logic [5:0] message_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waits_q <= 1'b0;
    else waits_q <= msg_valid && !msg_ready_i && !clear_i;
  end
  always_ff @(posedge clk_i) message_q <= {message, msg_count};

  // For induction: what the block holds.
  (* keep *) logic [2:0] word_0, word_1, s1_word;
  (* keep *) logic [3:0] s1_tuple, s2_tuple;
  (* keep *) logic s1_valid, s2_valid, s1_index, s2_index, init_index, reading;

  always @(posedge clk_i) begin
    if (rst_ni) begin
      PipelineIsReady : assert (ready == (!init && (Bank == 1 ? !msg_valid : !msg_valid || msg_ready_i)));
      PipelineInitializesEachWord : assert (init == (inits_q != 2'd2));
      PipelineSaysWhatEnters : assert (accept == enters);
      PipelineSaysWhatGoesOn : assert (s1_advance == (move && one_q));
      PipelineShowsTheLastWord : assert (!two_q || word == words_q[3*two_index_q+:3]);
      PipelineGivesTheMessage :
      assert (msg_valid == three_q && (!three_q || (message == three_tuple_q && msg_count == three_count_q)));
      PipelineMessageWaits : assert (!waits_q || (msg_valid && message_q == {message, msg_count}));
      PipelineIsIdleWhenEmpty : assert (idle == (!init && !one_q && !two_q && !three_q));
      PipelineShowsTheTable : assert (rested_q != 2'd2 || table_data == ~words_q[3*at_q+:3]);

      StagesAreTold : assert ({s1_valid, s2_valid} == {one_q, two_q});
      StageOneIsTold : assert (!one_q || (s1_tuple == one_tuple_q && s1_index == one_index_q));
      StageTwoIsTold : assert (!two_q || (s2_tuple == two_tuple_q && s2_index == two_index_q));
      TheWordArrives : assert (!one_q || s1_word == words_q[3*one_index_q+:3]);
      WordsAreZeroedInOrder : assert (!init || (32'(init_index) == 32'(inits_q) && words_q == '0 && !one_q && !two_q && !three_q));
      TheTableHoldsTheWords :
      assert ((word_0 == words_q[2:0] || inits_q == 2'd0) && (word_1 == words_q[5:3] || inits_q != 2'd2));
      RestingReads : assert (rested_q == '0 || (reading && table_word == words_q[3*at_q+:3]));

      PipelineForwards : cover (two_q && one_q && two_index_q == one_index_q && word != word_i && move);
      PipelineWaits : cover (three_q && !msg_ready_i && one_q && two_q);
      PipelineRests : cover (rested_q == 2'd2 && words_q[2:0] != words_q[5:3]);
      PipelineGivesMessageAfterMessage : cover (waits_q && msg_valid && msg_ready_i && two_q && due_i);
    end
  end
endmodule
