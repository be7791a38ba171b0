// SPDX-License-Identifier: Apache-2.0
// The entry that comes out is the start of the pattern that replaced the selected lane, both as of the last
// advance; it stays from the next advance until another one. 2 lanes, 4 patterns, 3 bits an entry.
// prove: induction 2
// prove: cover 6
// peek: held u_dut.starts_q
module strobe_sequence_start_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [7:0] replacing_i,
    input logic [11:0] starts_i,
    input logic advance_i,
    input logic [1:0] lane_i
);
  logic [2:0] start, entry;
  logic [5:0] held;
  strobe_sequence_start #(
      .Lanes(2),
      .Patterns(4),
      .EntryBits(3)
  ) u_dut (
      .clk_i, .replacing_i, .starts_i, .advance_i, .lane_i, .start_o(start), .entry_o(entry)
  );
  initial assume (!rst_ni);
  always_comb begin
    assume ($onehot0(replacing_i[3:0]));
    assume ($onehot0(replacing_i[7:4]));
    assume ($onehot0(lane_i));
  end

  // Any pattern on any lane; both are fixed.
  (* anyconst *) logic lane;
  (* anyconst *) logic [1:0] pattern;
  logic replaced_q, named_q;  // the pattern replaced the lane; the lane was selected an advance later
  logic [2:0] start_q, entry_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      replaced_q <= 1'b0;
      named_q <= 1'b0;
    end else if (advance_i) begin
      replaced_q <= replacing_i[{lane, pattern}];
      named_q <= replaced_q && lane_i[lane];
    end
  end
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      start_q <= starts_i[3*pattern+:3];
      entry_q <= start_q;
    end
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LaneHoldsItsStart : assert (!replaced_q || held[3*lane+:3] == start_q);
      StartIsThatOfTheLane : assert (!replaced_q || !lane_i[lane] || start == start_q);
      NoLaneNoStart : assert (lane_i != '0 || start == '0);
      EntryIsTheStartBefore : assert (!named_q || entry == entry_q);
      Waits : cover (named_q && replaced_q && !advance_i && lane && pattern == 2'd2 && start != entry);
    end
  end
endmodule
