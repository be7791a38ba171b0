// SPDX-License-Identifier: Apache-2.0
// What every stratified sampler guarantees, whatever its rule. Included by the harnesses.
//
// A tuple has one bit of pc and one of value, so that the stratum (xor_fold) is the xor of both and the
// solver need not reason about a hash.
//
// peek: u_sampler.s1_valid u_sampler.u_dut.u_strata.u_pipeline.s1_valid_q
// peek: u_sampler.s2_valid u_sampler.u_dut.u_strata.u_pipeline.s2_valid_q
// peek: u_sampler.s1_tuple u_sampler.u_dut.u_strata.u_pipeline.s1_tuple_q
// peek: u_sampler.s2_tuple u_sampler.u_dut.u_strata.u_pipeline.s2_tuple_q
// peek: u_sampler.s1_index u_sampler.u_dut.u_strata.u_pipeline.s1_index_q
// peek: u_sampler.s2_index u_sampler.u_dut.u_strata.u_pipeline.s2_index_q
// peek: u_sampler.init_index u_sampler.u_dut.u_strata.u_pipeline.init_index_q
module sampler_properties #(
    parameter int Sampler = 0,
    parameter int Strata = 2,
    parameter int CounterWidth = 2
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [CounterWidth:0] period_i,
    input logic [31:0] threshold_i,
    input logic valid_i,
    input logic [5:0] tuple_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i,
    output logic accept_o,  // a tuple goes in
    output logic report_o,  // a message goes out
    output logic [CounterWidth:0] msg_count_o,
    output logic msg_valid_o,
    output logic init_o
);
  localparam int IndexWidth = Strata > 1 ? $clog2(Strata) : 1;
  logic ready, idle;
  logic [5:0] message;
  logic [CounterWidth-1:0] table_data;
  strobe_stratified_sampler #(
      .Sampler(Sampler),
      .Hash(strobe_pkg::HashXorFold),
      .Strata(Strata),
      .CounterWidth(CounterWidth),
      .PcWidth(1),
      .ValueWidth(1)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .period_i(strobe_pkg::PeriodWidth'(period_i)),
      .threshold_i,
      .seed_i(64'd0),
      .valid_i,
      .tuple_i,
      .ready_o(ready),
      .msg_valid_o,
      .msg_tuple_o(message),
      .msg_count_o,
      .msg_ready_i,
      .table_index_i,
      .table_data_o(table_data),
      .init_o,
      .idle_o(idle)
  );
  assign accept_o = valid_i && ready && !clear_i;
  assign report_o = msg_valid_o && msg_ready_i && !clear_i;

  initial assume (!rst_ni);
  always_comb assume (32'(period_i) <= 1 << CounterWidth);

  // The message is the tuple that was accepted two advances of the pipeline before, for each single tuple,
  // the free constant.
  (* anyconst *) logic [5:0] tuple;
  logic move;
  logic [2:0] full_q, equal_q;
  assign move = !msg_valid_o || msg_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) full_q <= '0;
    else if (clear_i) full_q <= '0;
    else if (move) full_q <= {full_q[1:0], accept_o};
  end
  always_ff @(posedge clk_i) begin
    if (move) equal_q <= {equal_q[1:0], tuple_i == tuple};
  end

  // Cycles that a tuple has waited although messages are taken.
  logic [7:0] waited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= '0;
    else if (clear_i || accept_o || !valid_i || !msg_ready_i) waited_q <= '0;
    else waited_q <= waited_q + 8'd1;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      MessageHasATuple : assert (!msg_valid_o || full_q[2]);
      MessageIsItsTuple : assert (!msg_valid_o || (message == tuple) == equal_q[2]);
      MessageCountsSomething : assert (!msg_valid_o || msg_count_o != '0);
      TupleIsTaken : assert (32'(waited_q) <= Strata);
      IdleHoldsNothing : assert (!idle || (full_q[1:0] == '0 && !msg_valid_o));
    end
    if (rst_ni && $past(rst_ni && !clear_i && msg_valid_o && !msg_ready_i)) begin
      MessageStays : assert (msg_valid_o && $stable({message, msg_count_o}));
    end
    if (rst_ni && $past(rst_ni)) begin
      MessagesFollowEachOther : cover (report_o && $past(report_o));
      MessageWaits : cover (msg_valid_o && !msg_ready_i && full_q == 3'b111);
    end
  end

  // For induction: what the stages hold.
  (* keep *) logic s1_valid, s2_valid;
  (* keep *) logic [5:0] s1_tuple, s2_tuple;
  (* keep *) logic [IndexWidth-1:0] s1_index, s2_index, init_index;
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StagesAreTold : assert (full_q[1:0] == {s2_valid, s1_valid});
      StageOneIsTold : assert (!s1_valid || (s1_tuple == tuple) == equal_q[0]);
      StageTwoIsTold : assert (!s2_valid || (s2_tuple == tuple) == equal_q[1]);
      InitialisationGoesOn : assert (!init_o || (32'(waited_q) <= 32'(init_index) && full_q[1:0] == '0));
      NoOneWaitsOtherwise : assert (init_o || 32'(waited_q) <= Strata);
    end
  end
endmodule
