// Which entry's replacement the replaced instruction of a bundle gets: the first in table order that matches
// under the state of the flags it was decided in.
//
// Not in the loop: it runs behind it, in two cycles, while the lanes before the instruction leave.
// The first cycle's result is registered with advance_i, start_o follows from it.
`include "strobe_assert.svh"

module strobe_sequence_start #(
    parameter int Lanes = 4,
    parameter int Patterns = 32,
    parameter int States = 16,
    parameter int EntryBits = 11
) (
    input logic clk_i,

    input logic [Lanes-1:0]          lane_i,   // one-hot
    input logic [Patterns*Lanes-1:0] hits_i,
    input logic [Patterns-1:0]       replaces_i,
    input logic [States-1:0]         state_i,  // one-hot
    input logic [Patterns*States-1:0] conditions_i,
    input logic [EntryBits*Patterns-1:0] starts_i,

    input  logic                 advance_i,
    output logic [EntryBits-1:0] start_o
);
  logic [Patterns-1:0] hits, condition, first, first_q;
  strobe_onehot_mux #(
      .Width (Patterns),
      .Inputs(Lanes)
  ) u_hits (
      .data_i  (hits_i),
      .select_i(lane_i),
      .data_o  (hits)
  );
  strobe_onehot_mux #(
      .Width (Patterns),
      .Inputs(States)
  ) u_condition (
      .data_i  (conditions_i),
      .select_i(state_i),
      .data_o  (condition)
  );
  strobe_first_one #(
      .Width(Patterns)
  ) u_first (
      .bits_i (hits & condition & replaces_i),
      .first_o(first)
  );
  always_ff @(posedge clk_i) if (advance_i) first_q <= first;
  strobe_onehot_mux #(
      .Width (EntryBits),
      .Inputs(Patterns)
  ) u_start (
      .data_i  (starts_i),
      .select_i(first_q),
      .data_o  (start_o)
  );
endmodule
