// SPDX-License-Identifier: Apache-2.0
// Selects the entry at which the replaced instruction's sequence starts.
//
// It works beside the loop. In the loop's cycle it selects a start for each lane, as if that lane were
// replaced; in the cycle after advance_i, lane_i selects the replaced lane's. With no stage, lane_i comes and
// selects in the loop's cycle. start_o depends on lane_i combinationally; entry_o is start_o registered with
// advance_i.
`include "strobe_assert.svh"

module strobe_sequence_start #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int EntryBits = 11,
    parameter int Stages = 1
) (
    input logic clk_i,

    input logic [Patterns*Lanes-1:0]     replacing_i,  // one-hot for each lane
    input logic [EntryBits*Patterns-1:0] starts_i,

    input  logic                 advance_i,
    input  logic [Lanes-1:0]     lane_i,  // one-hot: the replaced lane of the bundle of the last advance_i, or of now
    output logic [EntryBits-1:0] start_o,
    output logic [EntryBits-1:0] entry_o
);
  `STROBE_REQUIRE(StartStages, Stages == 0 || Stages == 1, "strobe_sequence_start: Stages must be 0 or 1")
  logic [EntryBits*Lanes-1:0] starts, starts_q;
  logic [EntryBits-1:0] entry_q;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    strobe_onehot_mux #(
        .Width (EntryBits),
        .Inputs(Patterns)
    ) u_start (
        .data_i  (starts_i),
        .select_i(replacing_i[Patterns*k+:Patterns]),
        .data_o  (starts[EntryBits*k+:EntryBits])
    );
  end
  strobe_onehot_mux #(
      .Width (EntryBits),
      .Inputs(Lanes)
  ) u_lane (
      .data_i  (Stages == 1 ? starts_q : starts),
      .select_i(lane_i),
      .data_o  (start_o)
  );
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      starts_q <= starts;
      entry_q <= start_o;
    end
  end
  assign entry_o = entry_q;
endmodule
