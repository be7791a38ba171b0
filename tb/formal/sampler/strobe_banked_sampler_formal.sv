// SPDX-License-Identifier: Apache-2.0
// The banked sampler conserves counts: tuples accepted, up to two a cycle, equal counts reported plus counts
// in the banks' tables plus tuples in flight. At rest, a table index shows its own bank's word.
//
// A tuple has one bit of pc and one of value, whose xor is the bank (xor_fold), and a bank has one stratum.
// The router's rows are proven in its own harness.
//
// prove: induction 4
// prove: cover 16
// peek: pending u_dut.u_router.pending_q
// peek: routed u_dut.u_router.out_valid_q
// peek: gen_bank[0].word u_dut.gen_bank[0].u_strata.u_pipeline.gen_table.u_table.mem[0]
// peek: gen_bank[0].arriving u_dut.gen_bank[0].u_strata.u_pipeline.s1_word
// peek: gen_bank[0].held u_dut.gen_bank[0].u_strata.u_pipeline.s2_word_q
// peek: gen_bank[0].s1_valid u_dut.gen_bank[0].u_strata.u_pipeline.s1_valid_q
// peek: gen_bank[0].s2_valid u_dut.gen_bank[0].u_strata.u_pipeline.s2_valid_q
// peek: gen_bank[0].s1_index u_dut.gen_bank[0].u_strata.u_pipeline.s1_index_q
// peek: gen_bank[0].s2_index u_dut.gen_bank[0].u_strata.u_pipeline.s2_index_q
// peek: gen_bank[0].init_index u_dut.gen_bank[0].u_strata.u_pipeline.init_index_q
// peek: gen_bank[0].period u_dut.gen_bank[0].u_strata.period
// peek: gen_bank[0].count u_dut.gen_bank[0].u_strata.u_pipeline.msg_count_q
// peek: gen_bank[0].reading u_dut.gen_bank[0].u_strata.u_pipeline.table_read_q
// peek: gen_bank[0].read u_dut.gen_bank[0].u_strata.u_pipeline.ram_rdata
// peek: gen_bank[1].word u_dut.gen_bank[1].u_strata.u_pipeline.gen_table.u_table.mem[0]
// peek: gen_bank[1].arriving u_dut.gen_bank[1].u_strata.u_pipeline.s1_word
// peek: gen_bank[1].held u_dut.gen_bank[1].u_strata.u_pipeline.s2_word_q
// peek: gen_bank[1].s1_valid u_dut.gen_bank[1].u_strata.u_pipeline.s1_valid_q
// peek: gen_bank[1].s2_valid u_dut.gen_bank[1].u_strata.u_pipeline.s2_valid_q
// peek: gen_bank[1].s1_index u_dut.gen_bank[1].u_strata.u_pipeline.s1_index_q
// peek: gen_bank[1].s2_index u_dut.gen_bank[1].u_strata.u_pipeline.s2_index_q
// peek: gen_bank[1].init_index u_dut.gen_bank[1].u_strata.u_pipeline.init_index_q
// peek: gen_bank[1].period u_dut.gen_bank[1].u_strata.period
// peek: gen_bank[1].count u_dut.gen_bank[1].u_strata.u_pipeline.msg_count_q
// peek: gen_bank[1].reading u_dut.gen_bank[1].u_strata.u_pipeline.table_read_q
// peek: gen_bank[1].read u_dut.gen_bank[1].u_strata.u_pipeline.ram_rdata
// peek: bank_init u_dut.bank_init
// peek: bank_msg_valid u_dut.out_valid
module strobe_banked_sampler_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [2:0] period_i,
    input logic [1:0] valid_i,
    input logic [11:0] tuple_i,
    input logic msg_ready_i,
    input logic table_index_i
);
  localparam int CounterWidth = 2;
  logic ready, msg_valid, init, idle;
  logic [5:0] message;
  logic [CounterWidth:0] msg_count;
  logic [CounterWidth-1:0] table_data;
  strobe_banked_sampler #(
      .Lanes(2),
      .Banks(2),
      .Hash(strobe_pkg::HashXorFold),
      .Strata(2),
      .CounterWidth(CounterWidth),
      .PcWidth(1),
      .ValueWidth(1)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .period_i(strobe_pkg::PeriodWidth'(period_i)), .threshold_i('0),
      .seed_i('0), .valid_i, .tuple_i, .ready_o(ready), .msg_valid_o(msg_valid),
      .msg_tuple_o(message), .msg_count_o(msg_count), .msg_ready_i,
      .table_index_i(16'(table_index_i)), .table_data_o(table_data), .init_o(init), .idle_o(idle)
  );

  initial assume (!rst_ni);
  always_comb assume (32'(period_i) <= 1 << CounterWidth);

  // Accepted minus reported, modulo 2^8, which is more than the block can hold.
  logic [7:0] balance_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) balance_q <= '0;
    else if (clear_i) balance_q <= '0;
    else
      balance_q <= balance_q + (ready ? 8'(valid_i[0]) + 8'(valid_i[1]) : 8'd0) -
                   (msg_valid && msg_ready_i ? 8'(msg_count) : 8'd0);
  end

  // Cycles for which the sampler has been at rest with the same index.
  logic [1:0] rested_q;
  logic index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rested_q <= '0;
    else if (clear_i || !idle || valid_i != '0 || init) rested_q <= '0;
    else if (table_index_i != index_q) rested_q <= 2'd1;
    else if (rested_q != 2'd2) rested_q <= rested_q + 2'd1;
  end
  always_ff @(posedge clk_i) index_q <= table_index_i;

  (* keep *) logic [1:0] pending, routed, bank_init, bank_msg_valid;
  logic [2*CounterWidth-1:0] words;
  logic [15:0] held_in;  // tuples that each bank holds
  logic [1:0] stages_hold_the_word, initializes_empty, has_one_stratum, period_fits, reads_its_word;
  for (genvar b = 0; b < 2; b++) begin : gen_bank
    (* keep *) logic [CounterWidth-1:0] word, arriving, held, read;
    (* keep *) logic s1_valid, s2_valid, s1_index, s2_index, init_index, reading;
    (* keep *) logic [strobe_pkg::PeriodWidth-1:0] period;
    (* keep *) logic [CounterWidth:0] count;
    assign words[CounterWidth*b+:CounterWidth] = word;
    assign held_in[8*b+:8] = 8'(routed[b]) + 8'(s1_valid) + 8'(s2_valid) +
                             (bank_init[b] ? 8'd0 : 8'(word)) +
                             (bank_msg_valid[b] ? 8'(count) : 8'd0);
    assign stages_hold_the_word[b] = (!s1_valid || arriving == word) && (!s2_valid || held == word);
    assign initializes_empty[b] = !bank_init[b] || !(s1_valid || s2_valid || bank_msg_valid[b]);
    assign has_one_stratum[b] = !(s1_valid && s1_index) && !(s2_valid && s2_index) &&
                                !(bank_init[b] && init_index);
    assign period_fits[b] = 32'(period) <= 1 << CounterWidth;
    assign reads_its_word[b] = reading && read == word;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      CountsAreConserved : assert (balance_q == 8'(pending[0]) + 8'(pending[1]) + held_in[7:0] +
                                   held_in[15:8]);
      StagesHoldTheWord : assert (stages_hold_the_word == '1);
      InitialisationIsEmpty : assert (initializes_empty == '1);
      BankHasOneStratum : assert (has_one_stratum == '1);
      PeriodFits : assert ($past(!rst_ni) || period_fits == '1);
      RestingReads : assert (rested_q == '0 || reads_its_word == '1);
      IndexShowsItsBank : assert (rested_q != 2'd2 || table_index_i != index_q ||
                                  table_data == words[CounterWidth*table_index_i+:CounterWidth]);
      WordsAreFull : cover (words == '1);
      BothBanksHaveAMessage : cover (bank_msg_valid == 2'b11);
      TwoOfOneBankAreTaken : cover (ready && valid_i == 2'b11 && ^tuple_i[1:0] == ^tuple_i[7:6] && pending == '0);
      RestsWithTwoWords : cover (rested_q == 2'd2 && words[1:0] != words[3:2] && words[1:0] != '0 &&
                                 words[3:2] != '0);
    end
  end
endmodule
