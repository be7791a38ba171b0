// SPDX-License-Identifier: Apache-2.0
// The word of a list that a one-hot select names, 0 for none: an AND-OR tree of log2(Inputs) levels.
`include "strobe_assert.svh"

module strobe_onehot_mux #(
    parameter int Width = 8,
    parameter int Inputs = 4
) (
    input  logic [Inputs*Width-1:0] data_i,
    input  logic [Inputs-1:0]       select_i,
    output logic [Width-1:0]        data_o
);
  `STROBE_REQUIRE(MuxWidth, Width >= 1, "strobe_onehot_mux: Width must be at least 1")
  `STROBE_REQUIRE(MuxInputs, Inputs >= 1, "strobe_onehot_mux: Inputs must be at least 1")

  // A heap: node n is the OR of nodes 2n + 1 and 2n + 2, the leaves are the last Inputs nodes.
  logic [(2*Inputs-1)*Width-1:0] nodes;
  always_comb begin
    for (int k = 0; k < Inputs; k++) begin
      nodes[Width*(Inputs-1+k)+:Width] = data_i[Width*k+:Width] & {Width{select_i[k]}};
    end
    for (int n = Inputs - 2; n >= 0; n--) begin
      nodes[Width*n+:Width] = nodes[Width*(2*n+1)+:Width] | nodes[Width*(2*n+2)+:Width];
    end
  end
  assign data_o = nodes[Width-1:0];
endmodule
