// SPDX-License-Identifier: Apache-2.0
// The word that a one-hot select names; 0 for an empty select; the OR of the words for several bits.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_onehot_mux_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [5*8-1:0] data_i,
    input logic [4:0] select_i,
    input logic [2:0] word_i,  // any one word
    input logic [2:0] bit_i
);
  logic [7:0] data;
  strobe_onehot_mux #(
      .Width(8),
      .Inputs(5)
  ) u_dut (
      .data_i,
      .select_i,
      .data_o(data)
  );
  logic [4:0] column;  // any one bit of all words
  for (genvar k = 0; k < 5; k++) assign column[k] = data_i[8*k+bit_i];
  `STROBE_ASSERT(MuxGivesTheWord, word_i > 3'd4 || select_i != 5'(1) << word_i ||
                 data == data_i[8*word_i+:8])
  `STROBE_ASSERT(MuxIsAnOrOfThoseSelected, data[bit_i] == ((column & select_i) != '0))
endmodule
