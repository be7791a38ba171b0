// SPDX-License-Identifier: Apache-2.0
// Where the sequence of the replaced instruction of a bundle starts.
//
// Not in the loop: in its cycle the start of each lane's replacing entry, should that lane be the replaced one, and in the
// next, behind advance_i, that of the replaced lane. start_o follows from it, entry_o a cycle with advance_i later.
`include "strobe_assert.svh"

module strobe_sequence_start #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int EntryBits = 11
) (
    input logic clk_i,

    input logic [Patterns*Lanes-1:0]     replacing_i,  // of each lane one-hot
    input logic [EntryBits*Patterns-1:0] starts_i,

    input  logic                 advance_i,
    input  logic [Lanes-1:0]     lane_i,  // one-hot, of the bundle of the last advance_i
    output logic [EntryBits-1:0] start_o,
    output logic [EntryBits-1:0] entry_o
);
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
      .data_i  (starts_q),
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
