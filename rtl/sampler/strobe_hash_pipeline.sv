// SPDX-License-Identifier: Apache-2.0
// A hash with the tuples beside it: takes tuples and gives them with their strata.
//
// docs/blocks/hash.md is the contract. Most hashes end in the cycle in which they begin, and the
// module adds no latency to them. Multiply-shift has two stages with a group of tuples in each;
// both advance together. Priority: clear > everything.
`include "strobe_assert.svh"

module strobe_hash_pipeline #(
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int IndexBits = 11,
    parameter int Lanes = 1,  // tuples of a group
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // A group; lane 0 is the oldest. Its tuples advance together.
    input  logic [Lanes-1:0]                                           valid_i,
    input  logic [(strobe_pkg::TagWidth+PcWidth+ValueWidth)*Lanes-1:0] tuple_i,
    output logic                                                       ready_o,

    output logic [Lanes-1:0]                                           valid_o,
    output logic [(strobe_pkg::TagWidth+PcWidth+ValueWidth)*Lanes-1:0] tuple_o,
    output logic [strobe_pkg::IndexWidth*Lanes-1:0]                    index_o,
    input  logic                                                       ready_i,

    output logic idle_o
);
  localparam int IndexWidth = strobe_pkg::IndexWidth;
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  `STROBE_REQUIRE(HashPipelineBits, IndexBits >= 0 && IndexBits <= IndexWidth,
                  "strobe_hash_pipeline: IndexBits must be 0 to 12")
  `STROBE_REQUIRE(HashPipelineLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_hash_pipeline: Lanes must be 1 to 8")
  `STROBE_REQUIRE(HashPipelinePc, PcWidth >= 1 && PcWidth <= strobe_pkg::MaxPcWidth,
                  "strobe_hash_pipeline: PcWidth must be 1 to 64")
  `STROBE_REQUIRE(HashPipelineValue, ValueWidth >= 1 && ValueWidth <= strobe_pkg::MaxValueWidth,
                  "strobe_hash_pipeline: ValueWidth must be 1 to 64")

  // The hashes see pc and value zero-extended to 64 bits each.
  logic [64*Lanes-1:0] pc, value;
  for (genvar k = 0; k < Lanes; k++) begin : gen_word
    assign pc[64*k+:64] = 64'(tuple_i[TupleWidth*k+ValueWidth+:PcWidth]);
    assign value[64*k+:64] = 64'(tuple_i[TupleWidth*k+:ValueWidth]);
  end

  if (Hash == strobe_pkg::HashMultiplyShift) begin : gen_stages
    logic advance;
    logic [Lanes-1:0] s1_valid_q, s2_valid_q;
    assign advance = s2_valid_q == '0 || ready_i;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        s1_valid_q <= '0;
        s2_valid_q <= '0;
      end else if (clear_i) begin
        s1_valid_q <= '0;
        s2_valid_q <= '0;
      end else if (advance) begin
        s1_valid_q <= valid_i;
        s2_valid_q <= s1_valid_q;
      end
    end

    logic [TupleWidth*Lanes-1:0] s1_tuples_q, s2_tuples_q;
    always_ff @(posedge clk_i) begin
      if (advance) begin
        s1_tuples_q <= tuple_i;
        s2_tuples_q <= s1_tuples_q;
      end
    end

    for (genvar k = 0; k < Lanes; k++) begin : gen_lane
      logic [IndexWidth-1:0] index;
      strobe_hash_multiply_shift #(
          .IndexBits(IndexWidth)
      ) u_hash (
          .clk_i,
          .advance_i(advance),
          .pc_i(pc[64*k+:64]),
          .value_i(value[64*k+:64]),
          .index_o(index)
      );
      assign index_o[IndexWidth*k+:IndexWidth] = index >> (IndexWidth - IndexBits);
    end

    assign valid_o = s2_valid_q;
    assign tuple_o = s2_tuples_q;
    assign ready_o = advance;
    assign idle_o = s1_valid_q == '0 && s2_valid_q == '0;
  end else begin : gen_direct
    for (genvar k = 0; k < Lanes; k++) begin : gen_lane
      logic [(IndexBits > 0 ? IndexBits : 1)-1:0] index;
      strobe_hash #(
          .Hash(Hash),
          .IndexBits(IndexBits)
      ) u_hash (
          .pc_i(pc[64*k+:64]),
          .value_i(value[64*k+:64]),
          .index_o(index)
      );
      assign index_o[IndexWidth*k+:IndexWidth] = IndexWidth'(index);
    end

    assign valid_o = valid_i;
    assign tuple_o = tuple_i;
    assign ready_o = ready_i;
    assign idle_o = 1'b1;
    logic unused_clock;
    assign unused_clock = ^{clk_i, rst_ni, clear_i};
  end
endmodule
