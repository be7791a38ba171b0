// SPDX-License-Identifier: Apache-2.0
// The bank router: every tuple of a group goes once to the bank of its index, with its row, and the tuples of
// one bank go in lane order. While the banks are ready, a group of two leaves in two cycles.
//
// prove: induction 3
// prove: cover 12
// peek: pending u_dut.pending_q
// peek: held_tuple u_dut.tuple_q
// peek: held_index u_dut.index_q
module strobe_bank_router_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [39:0] tuple_i,
    input logic [5:0] index_i,   // {row, bank} of each lane
    input logic [1:0] ready_i
);
  localparam int RowBits = 2;
  logic ready, idle;
  logic [1:0] valid;
  logic [39:0] tuple;
  logic [23:0] row;
  strobe_bank_router #(
      .Lanes(2),
      .Banks(2),
      .RowBits(RowBits),
      .TupleWidth(20)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i,
      .index_i({9'd0, index_i[5:3], 9'd0, index_i[2:0]}),
      .ready_o(ready), .valid_o(valid), .tuple_o(tuple), .row_o(row), .ready_i, .idle_o(idle)
  );

  initial assume (!rst_ni);

  // What waits for each bank, the oldest in the low third: {row, tuple}.
  logic [1:0] came_0, came_1, to_bank_0, to_bank_1;
  logic [21:0] lane_0, lane_1;
  assign lane_0 = {index_i[2:1], tuple_i[19:0]};
  assign lane_1 = {index_i[5:4], tuple_i[39:20]};
  assign came_0 = {valid_i[1] && !index_i[3], valid_i[0] && !index_i[0]};
  assign came_1 = {valid_i[1] && index_i[3], valid_i[0] && index_i[0]};
  assign to_bank_0 = ready ? came_0 : 2'b00;
  assign to_bank_1 = ready ? came_1 : 2'b00;

  logic [1:0] number_0_q, number_1_q, left_0, left_1, in_group_0, in_group_1;
  logic [65:0] waits_0_q, waits_1_q, stays_0, stays_1;
  logic out_0, out_1, offers_0_q, offers_1_q;
  assign out_0 = valid[0] && ready_i[0];
  assign out_1 = valid[1] && ready_i[1];
  assign left_0 = number_0_q - 2'(out_0);
  assign left_1 = number_1_q - 2'(out_1);
  assign in_group_0 = number_0_q - 2'(valid[0]);  // and not offered yet
  assign in_group_1 = number_1_q - 2'(valid[1]);
  assign stays_0 = out_0 ? {22'd0, waits_0_q[65:22]} : waits_0_q;
  assign stays_1 = out_1 ? {22'd0, waits_1_q[65:22]} : waits_1_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      number_0_q <= '0;
      number_1_q <= '0;
      offers_0_q <= 1'b0;
      offers_1_q <= 1'b0;
    end else if (clear_i) begin
      number_0_q <= '0;
      number_1_q <= '0;
      offers_0_q <= 1'b0;
      offers_1_q <= 1'b0;
    end else begin
      number_0_q <= left_0 + 2'(to_bank_0[0]) + 2'(to_bank_0[1]);
      number_1_q <= left_1 + 2'(to_bank_1[0]) + 2'(to_bank_1[1]);
      offers_0_q <= ready_i[0] ? in_group_0 != '0 : valid[0];
      offers_1_q <= ready_i[1] ? in_group_1 != '0 : valid[1];
    end
  end
  function automatic logic [65:0] appended(input logic one_stays, input logic [21:0] oldest,
                                         input logic [43:0] group);
    appended = one_stays ? {group, oldest} : {22'd0, group};
  endfunction
  always_ff @(posedge clk_i) begin
    waits_0_q <= to_bank_0 == '0 ? stays_0 :
        appended(left_0 != '0, stays_0[21:0], {lane_1, to_bank_0[0] ? lane_0 : lane_1});
    waits_1_q <= to_bank_1 == '0 ? stays_1 :
        appended(left_1 != '0, stays_1[21:0], {lane_1, to_bank_1[0] ? lane_0 : lane_1});
  end

  // The group as the block holds it. Its lanes follow what is offered to their bank.
  logic [1:0] pending, in_0, in_1;
  logic [39:0] held_tuple;
  logic [23:0] held_index;
  logic [30:0] held_0, held_1;
  assign held_0 = {held_index[11:1], held_tuple[19:0]};
  assign held_1 = {held_index[23:13], held_tuple[39:20]};
  assign in_0 = {pending[1] && !held_index[12], pending[0] && !held_index[0]};
  assign in_1 = {pending[1] && held_index[12], pending[0] && held_index[0]};

  function automatic logic [30:0] place(input logic [65:0] waits, input logic [1:0] at);
    place = {9'd0, at == 2'd0 ? waits[21:0] : at == 2'd1 ? waits[43:22] : waits[65:44]};
  endfunction

  // In the last cycle both banks were ready and no group was taken.
  logic waited_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waited_q <= 1'b0;
    else waited_q <= !clear_i && !ready && ready_i == '1;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      RouterOffersWhatWaited : assert (valid == {offers_1_q, offers_0_q});
      RouterKeepsTheOrder0 :
      assert (!valid[0] || {row[10:0], tuple[19:0]} == place(waits_0_q, 2'd0));
      RouterKeepsTheOrder1 :
      assert (!valid[1] || {row[22:12], tuple[39:20]} == place(waits_1_q, 2'd0));
      RouterRowsAreOfABank : assert ((!valid[0] || !row[11]) && (!valid[1] || !row[23]));
      RouterTakesAGroupWhenTheLastGoes :
      assert (ready == (in_group_0 <= 2'(ready_i[0]) && in_group_1 <= 2'(ready_i[1])));
      RouterIsIdleWhenNothingWaits : assert (idle == (number_0_q == 0 && number_1_q == 0));
      RouterHoldsTheFirst :
      assert ((!in_0[0] || held_0 == place(waits_0_q, 2'(valid[0]))) &&
              (!in_1[0] || held_0 == place(waits_1_q, 2'(valid[1]))));
      RouterHoldsTheSecond :
      assert ((!in_0[1] || held_1 == place(waits_0_q, 2'(valid[0]) + 2'(in_0[0]))) &&
              (!in_1[1] || held_1 == place(waits_1_q, 2'(valid[1]) + 2'(in_1[0]))));
      RouterHoldsWhatWaits :
      assert (number_0_q == 2'(valid[0]) + 2'(in_0[0]) + 2'(in_0[1]) &&
              number_1_q == 2'(valid[1]) + 2'(in_1[0]) + 2'(in_1[1]));
      RouterGoesOn : assert (!waited_q || ready || ready_i != '1);
      RouterMeetsAConflict : cover (number_1_q == 2'd3 && out_1);
      RouterSpreads : cover (out_0 && out_1 && ready);
    end
  end
endmodule
