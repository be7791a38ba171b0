// SPDX-License-Identifier: Apache-2.0
// A tuple queue of two lanes and two rows, with Heads heads: what leaves is what came in and found room,
// unchanged, in order, each once. docs/blocks/tuple_queue.md says which rows find room and when they advance;
// that is counted here again. Tuples are numbered as they find room, and each has its number in all of its
// bits. Included in a harness with the ports of these proofs.
//
// peek: taken u_dut.taken_q
// peek: count u_dut.count_q
// peek: place u_dut.front_q
// peek: remaining u_dut.remaining
// peek: stored_lanes u_dut.lanes_q
// peek: stored_row_0 u_dut.u_rows.mem[0]
// peek: stored_row_1 u_dut.u_rows.mem[1]
// peek: front_row u_dut.row

  function automatic logic [3:0] ones(input logic [1:0] bits);
    ones = 4'(bits[0]) + 4'(bits[1]);
  endfunction

  // The valid lanes of a row whose first tuple has a number; and whether they hold those tuples.
  function automatic logic [263:0] row_of(input logic [3:0] first, input logic [3:0] second);
    row_of = {{17{second}}, {16{~second}}, {17{first}}, {16{~first}}};
  endfunction
  function automatic logic is_at(input logic [1:0] lanes, input logic [263:0] row, input logic [3:0] first);
    logic [263:0] expected;
    expected = row_of(first, 4'(first + 4'(lanes[0])));
    is_at = (!lanes[0] || row[131:0] == expected[131:0]) &&
            (!lanes[1] || row[263:132] == expected[263:132]);
  endfunction

  // The tuples that found room, and those that left. At most eight are held.
  logic [3:0] in_q, out_q;
  logic empty, drop;
  logic [1:0] arrived;
  logic [263:0] row_in;
  logic [Heads-1:0] valid;
  logic [132*Heads-1:0] tuple;
  logic [31:0] dropped;
  assign row_in = row_of(in_q, 4'(in_q + 4'(valid_i[0])));
  strobe_tuple_queue #(
      .Lanes(2),
      .Depth(4),
      .Heads(Heads)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i(row_in), .valid_o(valid), .tuple_o(tuple), .ready_i,
      .empty_o(empty), .arrived_o(arrived), .drop_o(drop), .dropped_o(dropped)
  );

  initial assume (!rst_ni);

  // Valid lanes: of the rows in the store; of the front, those that remain; of the head. The numbers of their
  // first tuples go with them.
  logic [3:0] older_number_q, younger_number_q, front_number_q, head_number_q;
  logic [1:0] rows_q, older_q, younger_q, front_q, head_q, arrived_q, goes, stays;
  logic came_q, comes, head_advances, takes;
  assign comes = valid_i != '0 && rows_q != 2'd2;
  assign head_advances = head_q == '0 || ready_i;
  assign goes  = !head_advances ? 2'd0 : Heads == 1 && front_q[0] ? 2'd1 : front_q;
  assign stays = front_q & ~goes;
  assign takes = stays == '0 && (rows_q == 2'd2 || (rows_q == 2'd1 && !came_q));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {rows_q, older_q, younger_q, front_q, head_q, arrived_q, came_q, in_q, out_q} <= '0;
    end else if (clear_i) begin
      {rows_q, older_q, younger_q, front_q, head_q, arrived_q, came_q, in_q, out_q} <= '0;
    end else begin
      rows_q <= rows_q + 2'(comes) - 2'(takes);
      came_q <= comes;
      arrived_q <= valid_i;
      if (comes && rows_q == 2'(takes)) older_q <= valid_i;
      else if (takes) older_q <= younger_q;
      if (comes) younger_q <= valid_i;
      front_q <= takes ? older_q : stays;
      if (head_advances) head_q <= goes;
      if (comes) in_q <= in_q + ones(valid_i);
      if (ready_i) out_q <= out_q + ones(2'(valid));
    end
  end

  always_ff @(posedge clk_i) begin
    if (comes && rows_q == 2'(takes)) older_number_q <= in_q;
    else if (takes) older_number_q <= younger_number_q;
    if (comes) younger_number_q <= in_q;
    front_number_q <= takes ? older_number_q : 4'(front_number_q + ones(goes));
    if (head_advances) head_number_q <= front_number_q;
  end

  // Where the block holds them, and what follows what.
  logic taken, place;
  logic [1:0] count, remaining, older_lanes, younger_lanes;
  logic [3:0] stored_lanes;  // the younger row's in the low bits
  logic [263:0] stored_row_0, stored_row_1, front_row;
  logic [3:0] at_front, at_older, at_younger, end_of_older;
  assign at_front = out_q + ones(head_q);
  assign at_older = at_front + ones(front_q);
  assign at_younger = at_older + ones(older_q);
  assign end_of_older = rows_q == '0 ? at_older : at_younger;
  assign older_lanes = count == 2'd0 ? arrived : count == 2'd1 ? stored_lanes[1:0] : stored_lanes[3:2];
  assign younger_lanes = taken ? arrived : stored_lanes[1:0];

  always @(posedge clk_i) begin
    if (rst_ni) begin
      QueueHasTheRowsThatFoundRoom :
      assert (rows_q <= 2'd2 && 3'(count) + 3'(taken) == 3'(rows_q) && taken == came_q);
      QueueKnowsTheLanesOfTheOlder : assert (rows_q == '0 || (older_q != '0 && older_lanes == older_q));
      QueueKnowsTheLanesOfTheYounger :
      assert (rows_q != 2'd2 || (younger_q != '0 && younger_lanes == younger_q));
      QueueKnowsWhatRemains : assert (remaining == front_q);
      QueueHoldsThemInOrder :
      assert ((head_q == '0 || head_number_q == out_q) && (front_q == '0 || front_number_q == at_front) &&
              (rows_q == '0 || older_number_q == at_older) && (rows_q != 2'd2 || younger_number_q == at_younger));
      QueueHoldsEachOnce : assert (in_q == (rows_q == 2'd2 ? 4'(at_younger + ones(younger_q)) : end_of_older));
      QueueKeepsTheOlder :
      assert (rows_q == '0 || is_at(older_q, place ? stored_row_1 : stored_row_0, older_number_q));
      QueueKeepsTheYounger :
      assert (rows_q != 2'd2 || is_at(younger_q, place ? stored_row_0 : stored_row_1, younger_number_q));
      QueueKeepsTheFront : assert (is_at(front_q, front_row, front_number_q));
      QueueIsEmpty : assert (empty == (rows_q == '0 && front_q == '0 && head_q == '0));
      QueueSaysWhatArrived : assert (arrived == arrived_q && (!came_q || arrived_q != '0));
      QueueDropsWhatFindsNoRoom : assert (drop == (arrived_q != '0 && !came_q));
      QueueGoesAround : cover (place && rows_q == 2'd2);
      QueueIsFullToTheHead : cover (rows_q == 2'd2 && front_q != '0 && head_q != '0 && drop && ready_i);
      QueueFlows : cover (head_q != '0 && ready_i && front_q != '0 && takes && comes);
    end
  end
