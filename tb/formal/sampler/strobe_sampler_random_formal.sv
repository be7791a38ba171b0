// SPDX-License-Identifier: Apache-2.0
// R: a tuple's outcome does not depend on the number of strata (ISCA 2001, footnote of section 3.3). Two
// samplers that differ in strata and hash have equal outputs in every cycle.
//
// For induction, the stages and the generators agree, too.
// peek: gen_sampler[0].s1_valid gen_sampler[0].u_dut.u_strata.u_pipeline.s1_valid_q
// peek: gen_sampler[1].s1_valid gen_sampler[1].u_dut.u_strata.u_pipeline.s1_valid_q
// peek: gen_sampler[0].s2_valid gen_sampler[0].u_dut.u_strata.u_pipeline.s2_valid_q
// peek: gen_sampler[1].s2_valid gen_sampler[1].u_dut.u_strata.u_pipeline.s2_valid_q
// peek: gen_sampler[0].s1_hit gen_sampler[0].u_dut.u_strata.gen_hit.u_draw.s1_hit_q
// peek: gen_sampler[1].s1_hit gen_sampler[1].u_dut.u_strata.gen_hit.u_draw.s1_hit_q
// peek: gen_sampler[0].s2_hit gen_sampler[0].u_dut.u_strata.gen_hit.u_draw.s2_hit_q
// peek: gen_sampler[1].s2_hit gen_sampler[1].u_dut.u_strata.gen_hit.u_draw.s2_hit_q
// peek: gen_sampler[0].s1_tuple gen_sampler[0].u_dut.u_strata.u_pipeline.s1_tuple_q
// peek: gen_sampler[1].s1_tuple gen_sampler[1].u_dut.u_strata.u_pipeline.s1_tuple_q
// peek: gen_sampler[0].s2_tuple gen_sampler[0].u_dut.u_strata.u_pipeline.s2_tuple_q
// peek: gen_sampler[1].s2_tuple gen_sampler[1].u_dut.u_strata.u_pipeline.s2_tuple_q
// peek: gen_sampler[0].lfsr gen_sampler[0].u_dut.u_strata.gen_random.u_lfsr.state_q
// peek: gen_sampler[1].lfsr gen_sampler[1].u_dut.u_strata.gen_random.u_lfsr.state_q
// peek: gen_sampler[0].init_index gen_sampler[0].u_dut.u_strata.u_pipeline.init_index_q
// peek: gen_sampler[1].init_index gen_sampler[1].u_dut.u_strata.u_pipeline.init_index_q
// peek: gen_sampler[0].table_read gen_sampler[0].u_dut.u_strata.u_pipeline.table_read_q
// peek: gen_sampler[1].table_read gen_sampler[1].u_dut.u_strata.u_pipeline.table_read_q
//
// prove: induction 2
// prove: cover 10
module strobe_sampler_random_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,
    input logic [31:0] threshold_i,
    input logic [63:0] seed_i,
    input logic valid_i,
    input logic [131:0] tuple_i,
    input logic msg_ready_i,
    input logic [15:0] table_index_i
);
  localparam int Width = 8;
  localparam int Outputs = 4 + 132 + Width + 1 + Width;
  localparam int Stages = 4 + 2 * 133 + 64;
  logic [2*Outputs-1:0] outputs;
  logic [2*Stages-1:0] stages;
  for (genvar k = 0; k < 2; k++) begin : gen_sampler
    logic ready, msg_valid, init, idle;
    logic [131:0] msg_tuple;
    logic [Width:0] msg_count;
    logic [Width-1:0] table_data;
    strobe_stratified_sampler #(
        .Sampler(strobe_pkg::SamplerRandom),
        .Hash(k == 0 ? strobe_pkg::HashPaper : strobe_pkg::HashH3),
        .Strata(k == 0 ? 1 : 2048),
        .CounterWidth(Width)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .clear_i,
        .period_i,
        .threshold_i,
        .seed_i,
        .valid_i,
        .tuple_i,
        .ready_o(ready),
        .msg_valid_o(msg_valid),
        .msg_tuple_o(msg_tuple),
        .msg_count_o(msg_count),
        .msg_ready_i,
        .table_index_i,
        .table_data_o(table_data),
        .init_o(init),
        .idle_o(idle)
    );
    logic [132+Width:0] message;
    assign message = {msg_tuple, msg_count};
    assign outputs[Outputs*k+:Outputs] = {
      ready, msg_valid, init, idle, msg_valid ? message : '0, table_data
    };
    (* keep *) logic s1_valid, s2_valid, s1_hit, s2_hit, init_index, table_read;
    (* keep *) logic [131:0] s1_tuple, s2_tuple;
    (* keep *) logic [63:0] lfsr;
    assign stages[Stages*k+:Stages] = {
      s1_valid, s2_valid, s1_valid ? {s1_hit, s1_tuple} : 133'd0,
      s2_valid ? {s2_hit, s2_tuple} : 133'd0, lfsr, init && init_index, table_read
    };
  end

  initial assume (!rst_ni);
  always_comb assume (32'(period_i) <= 1 << Width);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      StrataMakeNoDifference : assert (outputs[Outputs-1:0] == outputs[2*Outputs-1:Outputs]);
      StagesAgree : assert (stages[Stages-1:0] == stages[2*Stages-1:Stages]);
      SomethingIsReported : cover (outputs[Outputs-2] && msg_ready_i);
    end
  end
endmodule
