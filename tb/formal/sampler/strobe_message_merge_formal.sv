// SPDX-License-Identifier: Apache-2.0
// The message merge: one bank's message is at the output, unchanged, and only that bank is served. While
// messages wait, the next one at the output is one of them. A waiting message is overtaken by at most one
// message of each other bank.
//
// prove: induction 2
// prove: cover 12
// peek: turn u_dut.turn_q
module strobe_message_merge_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [3:0] valid_i,
    input logic [111:0] message_i,  // a count of 8 bits and a tuple of 20 bits for each bank
    input logic ready_i
);
  logic [3:0] ready;
  logic valid;
  logic [7:0] count;
  logic [19:0] tuple;
  logic [31:0] counts;
  logic [79:0] tuples;
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    assign counts[8*b+:8] = message_i[28*b+20+:8];
    assign tuples[20*b+:20] = message_i[28*b+:20];
  end
  strobe_message_merge #(
      .Banks(4),
      .CountWidth(8),
      .TupleWidth(20)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tuple_i(tuples), .count_i(counts), .ready_o(ready),
      .valid_o(valid), .tuple_o(tuple), .count_o(count), .ready_i
  );

  initial assume (!rst_ni);

  logic [3:0] turn, goes;
  logic [27:0] served;  // the message of the bank whose turn it is
  assign goes = ready & valid_i;
  always_comb begin
    case (turn)
      4'b0001: served = message_i[27:0];
      4'b0010: served = message_i[55:28];
      4'b0100: served = message_i[83:56];
      default: served = message_i[111:84];
    endcase
  end

  // How often each bank's message was overtaken, and how many banks have their turn before it.
  logic [7:0] overtaken_q;
  logic [1:0] number;
  logic [3:0] fair;
  assign number = {turn[3] || turn[2], turn[3] || turn[1]};
  for (genvar b = 0; b < 4; b++) begin : gen_fair
    logic [1:0] ahead;
    assign ahead = 2'(b) - number;
    assign fair[b] = 3'(overtaken_q[2*b+:2]) + 3'(ahead) <= 3'd3;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) overtaken_q[2*b+:2] <= '0;
      else if (clear_i || !valid_i[b] || goes[b]) overtaken_q[2*b+:2] <= '0;
      else overtaken_q[2*b+:2] <= overtaken_q[2*b+:2] + 2'(goes != '0);
    end
  end

  // The banks whose message waited in the last cycle.
  logic [3:0] stayed_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stayed_q <= '0;
    else stayed_q <= clear_i ? '0 : valid_i & ~ready;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      MergeTurnIsOneBanks :
      assert (turn == 4'd1 || turn == 4'd2 || turn == 4'd4 || turn == 4'd8);
      MergeServesOne : assert (ready == (ready_i ? turn : '0));
      MergeOffersWhatIsThere : assert (valid == ((valid_i & turn) != '0));
      MergeOffersWhatStayed : assert (stayed_q == '0 || (stayed_q & turn) != '0);
      MergeGivesItWhole : assert ({count, tuple} == served);
      MergeIsFair : assert (fair == '1);
      MergeOvertakes : cover (overtaken_q[7:6] == 2'd3 && goes[3]);
    end
  end
endmodule
