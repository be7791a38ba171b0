// The message merge: while a bank has a message, one bank's is at the output, whole, and that bank
// alone is served; a message that stays is overtaken by at most one of each other bank.
//
// prove: induction 2
// prove: cover 12
// peek: turn u_dut.turn_q
module strobe_message_merge_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [3:0] valid_i,
    input logic [111:0] message_i,  // of each bank: count, tag, pc, value; the other bits are 0
    input logic ready_i
);
  logic [3:0] ready;
  logic valid;
  logic [7:0] count;
  logic [3:0] tag;
  logic [63:0] pc, value;
  logic [31:0] counts;
  logic [15:0] tags;
  logic [255:0] pcs, values;
  for (genvar b = 0; b < 4; b++) begin : gen_bank
    assign counts[8*b+:8] = message_i[28*b+20+:8];
    assign tags[4*b+:4] = message_i[28*b+16+:4];
    assign pcs[64*b+:64] = {56'd0, message_i[28*b+8+:8]};
    assign values[64*b+:64] = {56'd0, message_i[28*b+:8]};
  end
  strobe_message_merge #(
      .Banks(4),
      .CountWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tag_i(tags), .pc_i(pcs), .value_i(values),
      .count_i(counts), .ready_o(ready), .valid_o(valid), .tag_o(tag), .pc_o(pc), .value_o(value),
      .count_o(count), .ready_i
  );

  initial assume (!rst_ni);

  logic [27:0] served;  // the message of the bank that is served
  always_comb begin
    case (ready)
      4'b0001: served = message_i[27:0];
      4'b0010: served = message_i[55:28];
      4'b0100: served = message_i[83:56];
      default: served = message_i[111:84];
    endcase
  end

  // How often each bank's message was overtaken, and how many banks have their turn before it.
  logic [7:0] overtaken_q;
  logic [1:0] turn;
  logic [3:0] fair;
  for (genvar b = 0; b < 4; b++) begin : gen_fair
    logic [1:0] before;
    assign before = 2'(b) - turn;
    assign fair[b] = 3'(overtaken_q[2*b+:2]) + 3'(before) <= 3'd3;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) overtaken_q[2*b+:2] <= '0;
      else if (clear_i || !valid_i[b] || ready[b]) overtaken_q[2*b+:2] <= '0;
      else overtaken_q[2*b+:2] <= overtaken_q[2*b+:2] + 2'(ready != '0);
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      MergeOffers : assert (valid == (valid_i != '0));
      MergeServesOne :
      assert (ready == '0 || ready == 4'd1 || ready == 4'd2 || ready == 4'd4 || ready == 4'd8);
      MergeServesWhatIsThere : assert ((ready & ~valid_i) == '0);
      MergeServesWhenItMay : assert ((ready != '0) == (valid && ready_i));
      MergeGivesItWhole :
      assert (ready == '0 ||
              {count, tag, pc, value} ==
              {served[27:16], 56'd0, served[15:8], 56'd0, served[7:0]});
      MergeGivesNothingOfNothing : assert (valid || {count, tag, pc, value} == '0);
      MergeIsFair : assert (fair == '1);
      MergeOvertakes : cover (overtaken_q[7:6] == 2'd3 && ready[3]);
    end
  end
endmodule
