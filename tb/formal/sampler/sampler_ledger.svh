// SPDX-License-Identifier: Apache-2.0
// Conservation: tuples accepted = counts reported + counts held, for a sampler with a table of two words.
// Included by the harnesses after sampler_properties.svh.
//
// peek: u_ledger.word_0 u_sampler.u_dut.u_strata.u_pipeline.gen_table.u_table.mem[0]
// peek: u_ledger.word_1 u_sampler.u_dut.u_strata.u_pipeline.gen_table.u_table.mem[1]
// peek: u_ledger.arriving u_sampler.u_dut.u_strata.u_pipeline.s1_word
// peek: u_ledger.held u_sampler.u_dut.u_strata.u_pipeline.s2_word_q
// peek: u_ledger.s1_valid u_sampler.u_dut.u_strata.u_pipeline.s1_valid_q
// peek: u_ledger.s2_valid u_sampler.u_dut.u_strata.u_pipeline.s2_valid_q
// peek: u_ledger.s1_index u_sampler.u_dut.u_strata.u_pipeline.s1_index_q
// peek: u_ledger.s2_index u_sampler.u_dut.u_strata.u_pipeline.s2_index_q
// peek: u_ledger.init_index u_sampler.u_dut.u_strata.u_pipeline.init_index_q
module sampler_ledger #(
    parameter int CounterWidth = 2
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic accept_i,
    input logic report_i,
    input logic msg_valid_i,
    input logic [CounterWidth:0] msg_count_i,
    input logic init_i
);
  // Accepted minus reported, modulo 2^8, which is more than the block can hold.
  logic [7:0] balance_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) balance_q <= '0;
    else if (clear_i) balance_q <= '0;
    else balance_q <= balance_q + 8'(accept_i) - (report_i ? 8'(msg_count_i) : 8'd0);
  end

  (* keep *) logic [CounterWidth-1:0] word_0, word_1, arriving, held;
  (* keep *) logic s1_valid, s2_valid, s1_index, s2_index, init_index;
  logic [7:0] in_flight;
  assign in_flight = 8'(s1_valid) + 8'(s2_valid) + (msg_valid_i ? 8'(msg_count_i) : 8'd0);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      CountsAreConserved : assert (init_i || balance_q == 8'(word_0) + 8'(word_1) + in_flight);
      StageOneGetsTheTable : assert (!s1_valid || arriving == (s1_index ? word_1 : word_0));
      StageTwoHoldsTheTable : assert (!s2_valid || held == (s2_index ? word_1 : word_0));
      InitialisationZeroes : assert (!init_i || (balance_q == 8'd0 && in_flight == 8'd0));
      FirstWordIsZeroed : assert (!init_i || init_index == 1'b0 || word_0 == '0);
      BothStrataAreFull : cover (word_0 == '1 && word_1 == '1);
      ReportsEverything : cover (msg_valid_i && msg_count_i[CounterWidth]);
    end
  end
endmodule
