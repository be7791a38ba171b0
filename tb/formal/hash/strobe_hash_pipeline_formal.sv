// SPDX-License-Identifier: Apache-2.0
// The tuples beside a hash with stages: every group that comes in leaves once, unchanged and in order. It
// reaches the end two advances later, and nothing advances while one waits there.
//
// prove: induction 2
// prove: cover 6
// peek: first u_dut.gen_stages.s1_valid_q
// peek: first_tuples u_dut.gen_stages.s1_tuples_q
module strobe_hash_pipeline_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [263:0] tuples_i,
    input logic ready_i,
    input logic mark_i
);
  logic ready, idle;
  logic [1:0] valid, first;
  logic [263:0] tuples, first_tuples;
  logic [23:0] index;
  strobe_hash_pipeline #(
      .Hash(strobe_pkg::HashMultiplyShift),
      .Lanes(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i(tuples_i), .ready_o(ready), .valid_o(valid),
      .tuple_o(tuples), .index_o(index), .ready_i, .idle_o(idle)
  );
  logic unused_index;
  assign unused_index = ^index;

  initial assume (!rst_ni);

  // Number of groups inside; any one of them is marked, with the number of groups before it.
  logic [1:0] inside_q, ahead_q, marked_valid_q;
  logic marked_q, enters, leaves;
  logic [263:0] marked_tuples_q;
  assign enters = valid_i != '0 && ready;
  assign leaves = valid != '0 && ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      inside_q <= '0;
      marked_q <= 1'b0;
    end else if (clear_i) begin
      inside_q <= '0;
      marked_q <= 1'b0;
    end else begin
      inside_q <= inside_q + 2'(enters) - 2'(leaves);
      if (!marked_q) marked_q <= enters && mark_i;
      else if (leaves && ahead_q == '0) marked_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!marked_q) begin
      ahead_q <= inside_q - 2'(leaves);
      marked_valid_q <= valid_i;
      marked_tuples_q <= tuples_i;
    end else begin
      ahead_q <= ahead_q - 2'(leaves);
    end
  end

  logic is_first, is_last;
  assign is_first = first == marked_valid_q && first_tuples == marked_tuples_q;
  assign is_last  = valid == marked_valid_q && tuples == marked_tuples_q;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      PipelineHoldsWhatCame : assert (inside_q == 2'(first != '0) + 2'(valid != '0));
      PipelineKeepsItWholeAndInOrder :
      assert (!marked_q || (marked_valid_q != '0 && (ahead_q == '0 ? (valid != '0 ? is_last : is_first)
                                                     : ahead_q == 2'd1 && valid != '0 && is_first)));
      PipelineTakesUnlessOneWaits : assert (ready == (valid == '0 || ready_i));
      PipelineIsIdleWhenEmpty : assert (idle == (inside_q == '0));
      PipelineFlows : cover (enters && leaves && marked_q && ahead_q == '0 && inside_q == 2'd2);
      PipelineWaits : cover (!ready && inside_q == 2'd2);
    end
  end
endmodule
