// SPDX-License-Identifier: Apache-2.0
// Any one tuple: two advances later the index is the top bits of pc * A + value * B modulo 2^64, and stays
// until the next advance. Proven for tuples with at most one bit set, at every fourth place of the pc or the
// value: the product is then A or B, shifted. 11 bits of index.
// prove: induction 2
// peek: taken u_dut.s1_ten_q
// peek: made u_again.ten
module strobe_hash_multiply_shift_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic advance_i,
    input logic there_i,
    input logic [4:0] place_i  // of 32: 16 of the pc, then 16 of the value
);
  function automatic logic [127:0] tuple(input logic there, input logic [4:0] place);
    tuple = {127'd0, there} << {place, 2'd0};
  endfunction
  logic there_q;
  logic [4:0] place_q;
  logic [127:0] entering, in_stage_1;
  assign entering = tuple(there_i, place_i);
  assign in_stage_1 = tuple(there_q, place_q);

  logic [10:0] index, expected_q;
  (* keep *) logic [10:0] unused_index;
  logic [639:0] taken, made;
  strobe_hash_multiply_shift #(.IndexBits(11)) u_dut (
      .clk_i, .advance_i, .pc_i(entering[63:0]), .value_i(entering[127:64]), .index_o(index)
  );
  initial assume (!rst_ni);

  logic [63:0] product;
  always_comb begin
    product = place_q[4] ? strobe_hash_pkg::MultiplyValue : strobe_hash_pkg::MultiplyPc;
    product = there_q ? product << {place_q[3:0], 2'd0} : 64'd0;
  end
  logic holds_1_q, holds_2_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      holds_1_q <= 1'b0;
      holds_2_q <= 1'b0;
    end else if (advance_i) begin
      holds_1_q <= 1'b1;
      holds_2_q <= holds_1_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      there_q <= there_i;
      place_q <= place_i;
      expected_q <= product[63:53];
    end
  end

  // Stage 1 must hold the rows of the tuple that came in. A second instance, which is given that tuple, makes
  // them.
  strobe_hash_multiply_shift #(.IndexBits(11)) u_again (
      .clk_i, .advance_i(1'b1), .pc_i(in_stage_1[63:0]), .value_i(in_stage_1[127:64]), .index_o(unused_index)
  );
  always @(posedge clk_i) begin
    if (rst_ni) begin
      Stage1HoldsIt : assert (!holds_1_q || taken == made);
      IndexIsTheProducts : assert (!holds_2_q || index == expected_q);
    end
  end
endmodule
