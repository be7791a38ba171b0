// SPDX-License-Identifier: Apache-2.0
// Tuple queue: stores the tuples of a cycle as a row, gives one tuple or the rest of a row a cycle,
// and counts the tuples that find no room.
//
// docs/blocks/tuple_queue.md is the contract.
//
//     a cycle's lanes ─▶ RAM, a row a word ─▶ front, the RAM's output ─▶ head, in flip-flops
//
// A row is written to the RAM in the cycle in which it comes. Which of its lanes are valid is known
// late in that cycle, so these bits enter a shift register in the next one; the pointer and the
// number of rows change with them. The front thus knows its lanes before the RAM gives their
// tuples. ready_i also arrives late: it decides whether head and front advance, and selects no
// tuples.
// Priority: clear > everything.
`include "strobe_assert.svh"

module strobe_tuple_queue #(
    parameter int Lanes = 4,
    parameter int Depth = 128,  // places of the RAM; a row has the power of two from Lanes up
    parameter int Heads = 1,    // 1, or Lanes
    parameter int TupleWidth = strobe_pkg::MaxTupleWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A row: the valid lanes of a cycle; lane 0 is the oldest.
    input logic [Lanes-1:0]            valid_i,
    input logic [TupleWidth*Lanes-1:0] tuple_i,

    // The head: one tuple, or those of a row, each in its lane's place; they leave together. A
    // tuple that is not valid is don't-care.
    output logic [Heads-1:0]            valid_o,
    output logic [TupleWidth*Heads-1:0] tuple_o,
    input  logic                        ready_i,

    output logic             empty_o,
    output logic [Lanes-1:0] arrived_o,  // the lanes that were valid in the last cycle
    output logic             drop_o,     // those lanes were dropped
    output logic [31:0]      dropped_o   // saturates
);
  localparam int Rows = Depth >> $clog2(Lanes);

  `STROBE_REQUIRE(QueueLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_tuple_queue: Lanes must be 1 to 8")
  `STROBE_REQUIRE(QueueDepth, Rows >= 2 && Depth <= strobe_pkg::MaxQueueDepth &&
                  (Depth & (Depth - 1)) == 0,
                  "strobe_tuple_queue: Depth must be a power of two from two rows to 1024")
  `STROBE_REQUIRE(QueueHeads, Heads == 1 || Heads == Lanes,
                  "strobe_tuple_queue: Heads must be 1 or Lanes")
  `STROBE_REQUIRE(QueueTuple, TupleWidth >= 1,
                  "strobe_tuple_queue: TupleWidth must be at least 1")

  localparam int RowBits = Rows > 1 ? $clog2(Rows) : 1;
  localparam int CntWidth = $clog2(Rows) + 1;
  localparam int LostWidth = $clog2(Lanes + 1);

  // A row is stored in the cycle in which it comes. Its lanes enter the shift register in the next
  // cycle, and it can be read from then on.
  logic full, taken_q;
  logic [Lanes-1:0] arrived_q;
  logic [CntWidth-1:0] count_q, stored;  // rows that can be read, and with the last one
  logic [RowBits-1:0] last_q, place;     // the last row's place, and the next one's
  assign stored = count_q + CntWidth'(taken_q);
  assign full   = stored == CntWidth'(Rows);
  assign place  = last_q + RowBits'(taken_q);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      arrived_q <= '0;
      taken_q <= 1'b0;
    end else if (clear_i) begin
      arrived_q <= '0;
      taken_q <= 1'b0;
    end else begin
      arrived_q <= valid_i;
      taken_q <= valid_i != '0 && !full;
    end
  end

  // The front is the word at the RAM's output, with those of its lanes that have not gone to the
  // head.
  logic [RowBits-1:0] front_q;  // the place of the next row
  logic [Lanes-1:0] row_lanes_q, gone_q, remaining, leaving;
  logic head_advances, front_advances;
  logic [Heads-1:0] head_valid_q, head_valid;
  assign remaining = row_lanes_q & ~gone_q;
  assign head_advances = head_valid_q == '0 || ready_i;
  assign front_advances = count_q != '0 && (remaining == '0 || (head_advances && remaining == leaving));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      last_q  <= '0;
      front_q <= '0;
      gone_q  <= '1;
      head_valid_q <= '0;
    end else if (clear_i) begin
      count_q <= '0;
      last_q  <= '0;
      front_q <= '0;
      gone_q  <= '1;
      head_valid_q <= '0;
    end else begin
      count_q <= front_advances ? stored - CntWidth'(1) : stored;
      last_q  <= place;
      if (front_advances) begin
        front_q <= front_q + RowBits'(1);
        gone_q  <= '0;
      end else if (head_advances) begin
        gone_q <= gone_q | leaving;
      end
      if (head_advances) head_valid_q <= head_valid;
    end
  end

  logic [TupleWidth*Lanes-1:0] row;
  strobe_ram_1r1w #(
      .Width(TupleWidth * Lanes),
      .Depth(Rows)
  ) u_rows (
      .clk_i,
      .we_i(valid_i != '0 && !full),
      .waddr_i(place),
      .wdata_i(tuple_i),
      .re_i(front_advances),
      .raddr_i(front_q),
      .rdata_o(row)
  );

  // The valid lanes of each row in the store, the last row's lowest.
  logic [Lanes*Rows-1:0] lanes_q;
  logic [Lanes-1:0] oldest;
  always_comb begin
    oldest = '0;
    for (int r = 0; r < Rows; r++) begin
      if (32'(count_q) == r + 1) oldest = oldest | lanes_q[Lanes*r+:Lanes];
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken_q) lanes_q <= {lanes_q[Lanes*(Rows-1)-1:0], arrived_q};
    if (front_advances) row_lanes_q <= oldest;
  end

  // The head.
  logic [TupleWidth*Heads-1:0] head, head_q;
  if (Heads == 1) begin : gen_tuple
    strobe_first_one #(
        .Width(Lanes)
    ) u_first (
        .bits_i (remaining),
        .first_o(leaving)
    );
    strobe_onehot_mux #(
        .Width (TupleWidth),
        .Inputs(Lanes)
    ) u_head (
        .data_i  (row),
        .select_i(leaving),
        .data_o  (head)
    );
    assign head_valid = remaining != '0;
  end else begin : gen_row
    assign leaving = remaining;
    assign head = row;
    assign head_valid = remaining;
  end
  always_ff @(posedge clk_i) if (head_advances) head_q <= head;
  assign valid_o = head_valid_q;
  assign tuple_o = head_q;

  assign empty_o = stored == '0 && remaining == '0 && head_valid_q == '0;
  assign arrived_o = arrived_q;
  assign drop_o = arrived_q != '0 && !taken_q;

  logic [LostWidth-1:0] lost;
  always_comb begin
    lost = '0;
    for (int k = 0; k < Lanes; k++) lost = lost + LostWidth'(drop_o && arrived_q[k]);
  end
  logic [31:0] dropped_q, dropped_d;
  logic [LostWidth:0] dropped_low;              // with its carry
  logic [31-LostWidth:0] dropped_high, high_up;  // the carry only selects
  assign dropped_high = dropped_q[31:LostWidth];
  assign dropped_low  = {1'b0, dropped_q[LostWidth-1:0]} + (LostWidth + 1)'(lost);
  strobe_increment #(
      .Width(32 - LostWidth)
  ) u_high_up (
      .value_i(dropped_high),
      .value_o(high_up)
  );
  always_comb begin
    dropped_d = {dropped_high, dropped_low[LostWidth-1:0]};
    if (dropped_low[LostWidth]) begin
      dropped_d = dropped_high == '1 ? '1 : {high_up, dropped_low[LostWidth-1:0]};
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) dropped_q <= '0;
    else if (clear_i) dropped_q <= '0;
    else dropped_q <= dropped_d;
  end
  assign dropped_o = dropped_q;

  `STROBE_ASSERT(QueueNeverOverflows, 32'(stored) <= Rows)
  `STROBE_ASSERT(QueueCountsItsRows, RowBits'(place - front_q) == RowBits'(stored))
  `STROBE_ASSERT(QueueTakesWhatWasThere, !front_advances || count_q != '0)
endmodule
