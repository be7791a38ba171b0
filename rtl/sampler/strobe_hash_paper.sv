// SPDX-License-Identifier: Apache-2.0
// The hash of ISCA 2001, section 3.5: index = xor_fold(flip(randomize(pc)) ^ randomize(value)).
//
// Combinational. randomize() replaces each byte through one random byte table, flip() reverses the
// order of the bytes. IndexBits = 0 (one stratum) gives index 0 in a port of one bit.
module strobe_hash_paper #(
    parameter int IndexBits = 11
) (
    input  logic [63:0]                                   pc_i,
    input  logic [63:0]                                   value_i,
    output logic [(IndexBits > 0 ? IndexBits : 1) - 1:0] index_o
);
  logic [63:0] mixed;
  for (genvar b = 0; b < 8; b++) begin : gen_byte
    logic [7:0] pc_byte, value_byte;
    strobe_hash_byte u_pc (
        .byte_i(pc_i[8*(7-b)+:8]),
        .byte_o(pc_byte)
    );
    strobe_hash_byte u_value (
        .byte_i(value_i[8*b+:8]),
        .byte_o(value_byte)
    );
    assign mixed[8*b+:8] = pc_byte ^ value_byte;
  end

  strobe_xor_fold #(
      .Bits(IndexBits)
  ) u_fold (
      .word_i(mixed),
      .folded_o(index_o)
  );
endmodule
