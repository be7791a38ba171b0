// SPDX-License-Identifier: Apache-2.0
// The paper's formula step by step on whole words: randomize, flip, xor-fold. A byte of the pc has four free
// bits and a byte of the value one, at each place of the words; the other bits are 0. The byte table is
// proven by strobe_hash_byte's harness. 11 bits of index, and 5.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_hash_paper_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [3:0] pc_digit_i,
    input logic [3:0] value_digit_i
);
  logic [7:0] zero;
  strobe_hash_byte u_zero (.byte_i(8'd0), .byte_o(zero));
  for (genvar b = 0; b < 8; b++) begin : gen_place
    logic [7:0] pc_byte, value_byte, random_pc, random_value;
    assign pc_byte = b % 2 == 0 ? {4'd0, pc_digit_i} : {pc_digit_i, 4'd0};
    assign value_byte = b % 2 == 0 ? {value_digit_i, 4'd0} : {4'd0, value_digit_i};
    strobe_hash_byte u_pc (.byte_i(pc_byte), .byte_o(random_pc));
    strobe_hash_byte u_value (.byte_i(value_byte), .byte_o(random_value));

    logic [63:0] pc, value, mixed;
    logic [10:0] eleven, of_eleven;
    logic [4:0] five, of_five;
    always_comb begin
      pc = '0;
      pc[8*b+:8] = pc_byte;
      value = '0;
      value[8*b+:8] = value_byte;
      // A byte that is 0 in both words adds table[0] twice, which cancels.
      mixed = '0;
      mixed[8*(7-b)+:8] = random_pc ^ zero;
      mixed[8*b+:8] = random_value ^ zero;
    end
    strobe_hash_paper #(.IndexBits(11)) u_eleven (.pc_i(pc), .value_i(value), .index_o(eleven));
    strobe_hash_paper #(.IndexBits(5)) u_five (.pc_i(pc), .value_i(value), .index_o(five));
    assign of_eleven = mixed[10:0] ^ mixed[21:11] ^ mixed[32:22] ^ mixed[43:33] ^ mixed[54:44] ^ {2'd0, mixed[63:55]};
    assign of_five = mixed[4:0] ^ mixed[9:5] ^ mixed[14:10] ^ mixed[19:15] ^ mixed[24:20] ^ mixed[29:25] ^ mixed[34:30] ^
                     mixed[39:35] ^ mixed[44:40] ^ mixed[49:45] ^ mixed[54:50] ^ mixed[59:55] ^ {1'b0, mixed[63:60]};
    always @(posedge clk_i) if (rst_ni) assert (eleven == of_eleven);
    always @(posedge clk_i) if (rst_ni) assert (five == of_five);
  end
endmodule
