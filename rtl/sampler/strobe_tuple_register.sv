// Tuple register: holds up to two groups between the tuple queue and the compressor, so that a RAM's
// access time, a hash and what the compressor says of its readiness are in cycles of their own.
//
// docs/blocks/tuple_register.md is the contract. Fields of a tuple that is not there mean nothing.
// Priority: clear > everything.
`include "strobe_assert.svh"

module strobe_tuple_register #(
    parameter int Heads = 1  // tuples of a group
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A group in, head 0 the oldest; its tuples move together.
    input  logic [Heads-1:0]                        valid_i,
    input  logic [strobe_pkg::TagWidth*Heads-1:0]   tag_i,
    input  logic [strobe_pkg::PcWidth*Heads-1:0]    pc_i,
    input  logic [strobe_pkg::ValueWidth*Heads-1:0] value_i,
    output logic                                    ready_o,

    output logic [Heads-1:0]                        valid_o,
    output logic [strobe_pkg::TagWidth*Heads-1:0]   tag_o,
    output logic [strobe_pkg::PcWidth*Heads-1:0]    pc_o,
    output logic [strobe_pkg::ValueWidth*Heads-1:0] value_o,
    input  logic                                    ready_i
);
  `STROBE_REQUIRE(TupleRegisterHeads, Heads >= 1 && Heads <= strobe_pkg::MaxLanes,
                  "strobe_tuple_register: Heads must be 1 to 8")

  logic [Heads-1:0] valid_q, spare_valid_q;  // the spare group came while the other had to stay
  logic [strobe_pkg::TupleWidth*Heads-1:0] tuples_q, spare_tuples_q;
  // Whether there is a spare group, twice: what chooses between groups drives too much to say ready.
  logic ready_q, spare, moves;
  assign ready_o = ready_q;
  assign spare   = spare_valid_q[0];
  assign moves   = !valid_q[0] || ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      spare_valid_q <= '0;
      ready_q <= 1'b1;
    end else if (clear_i) begin
      valid_q <= '0;
      spare_valid_q <= '0;
      ready_q <= 1'b1;
    end else if (moves) begin
      valid_q <= spare ? spare_valid_q : valid_i;
      spare_valid_q <= '0;
      ready_q <= 1'b1;
    end else if (!spare) begin
      spare_valid_q <= valid_i;
      ready_q <= !valid_i[0];
    end
  end
  always_ff @(posedge clk_i) begin
    if (moves) tuples_q <= spare ? spare_tuples_q : {tag_i, pc_i, value_i};
    if (!spare) spare_tuples_q <= {tag_i, pc_i, value_i};
  end
  assign valid_o = valid_q;
  assign {tag_o, pc_o, value_o} = tuples_q;

  `STROBE_ASSERT(TupleRegisterHasNoGaps, (valid_q & (valid_q + Heads'(1))) == '0)
  `STROBE_ASSERT(TupleRegisterIsReadyWithoutASpare, ready_q == !spare)
  `STROBE_ASSERT(TupleRegisterSparesTheYounger, valid_q[0] || !spare_valid_q[0])
endmodule
