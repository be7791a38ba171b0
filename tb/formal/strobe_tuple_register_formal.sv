// The tuple register: every group that comes in leaves once, whole and in order, in the next cycle at
// the earliest; while nothing is held, a group enters.
//
// prove: induction 2
// prove: cover 6
// peek: held u_dut.valid_q
module strobe_tuple_register_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic [1:0] valid_i,
    input logic [263:0] tuples_i,
    input logic ready_i
);
  logic ready;
  logic [1:0] valid, held;
  logic [263:0] tuples;
  strobe_tuple_register #(
      .Heads(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .valid_i, .tag_i(tuples_i[263:256]), .pc_i(tuples_i[255:128]),
      .value_i(tuples_i[127:0]), .ready_o(ready), .valid_o(valid), .tag_o(tuples[263:256]),
      .pc_o(tuples[255:128]), .value_o(tuples[127:0]), .ready_i
  );

  initial assume (!rst_ni);

  // What came in and has not left.
  logic [1:0] inside_q;
  logic [263:0] group_q;
  logic enters, leaves;
  assign enters = valid_i[0] && ready;
  assign leaves = valid[0] && ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inside_q <= '0;
    else if (clear_i) inside_q <= '0;
    else if (enters) inside_q <= valid_i;
    else if (leaves) inside_q <= '0;
  end
  always_ff @(posedge clk_i) if (enters) group_q <= tuples_i;

  always @(posedge clk_i) begin
    assume (valid_i != 2'b10);
    if (rst_ni) begin
      RegisterHoldsTheGroup : assert (valid == inside_q && held == inside_q);
      RegisterKeepsItWhole : assert (!valid[0] || tuples == group_q);
      RegisterDoublesNothing : assert (!enters || !valid[0] || leaves);
      RegisterTakesWhenEmpty : assert (valid[0] || ready);
      RegisterFlows : cover (enters && leaves && inside_q == 2'b11);
    end
  end
endmodule
