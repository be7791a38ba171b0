// The tuple register: every group that comes in leaves once, whole and in order, in the next cycle at
// the earliest; while one or none is held, a group enters.
//
// prove: induction 2
// prove: cover 6
// peek: held u_dut.valid_q
// peek: spare u_dut.spare_valid_q
// peek: spare_tuples u_dut.spare_tuples_q
module strobe_tuple_register_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [263:0] tuples_i,
    input logic ready_i
);
  logic ready;
  logic [1:0] valid, held, spare;
  logic [263:0] tuples, spare_tuples;
  strobe_tuple_register #(
      .Heads(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tag_i(tuples_i[263:256]), .pc_i(tuples_i[255:128]),
      .value_i(tuples_i[127:0]), .ready_o(ready), .valid_o(valid), .tag_o(tuples[263:256]),
      .pc_o(tuples[255:128]), .value_o(tuples[127:0]), .ready_i
  );

  initial assume (!rst_ni);

  // What came in and has not left: the older group and the younger.
  logic [1:0] older_q, younger_q;
  logic [263:0] older_tuples_q, younger_tuples_q;
  logic enters, leaves;
  assign enters = valid_i[0] && ready;
  assign leaves = valid[0] && ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      older_q   <= '0;
      younger_q <= '0;
    end else if (clear_i) begin
      older_q   <= '0;
      younger_q <= '0;
    end else if (leaves || older_q == '0) begin
      older_q   <= younger_q != '0 ? younger_q : enters ? valid_i : '0;
      younger_q <= younger_q != '0 && enters ? valid_i : '0;
    end else if (enters) begin
      younger_q <= valid_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (leaves || older_q == '0) older_tuples_q <= younger_q != '0 ? younger_tuples_q : tuples_i;
    if (enters) younger_tuples_q <= tuples_i;
  end

  always @(posedge clk_i) begin
    assume (valid_i != 2'b10);
    if (rst_ni) begin
      RegisterHoldsTheOlder : assert (valid == older_q && held == older_q);
      RegisterSparesTheYounger : assert (spare == younger_q && (older_q != '0 || younger_q == '0));
      RegisterKeepsItWhole : assert (!valid[0] || tuples == older_tuples_q);
      RegisterKeepsTheSpareWhole : assert (!spare[0] || spare_tuples == younger_tuples_q);
      RegisterTakesUntilFull : assert (ready == (younger_q == '0));
      RegisterFlows : cover (enters && leaves && older_q == 2'b11);
      RegisterFills : cover (spare == 2'b11 && leaves);
    end
  end
endmodule
