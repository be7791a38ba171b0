// SPDX-License-Identifier: Apache-2.0
// For every pc and value: CRC-32C is what the register of RFC 3720 makes of the message bit by bit; H3 is the
// xor of the columns of the bits that are 1, drawn here again as the page says. 32 bits of index; narrower
// indices are its low bits.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_hash_linear_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [63:0] pc_i,
    input logic [63:0] value_i
);
  // One step of the CRC register for a bit of the message; the polynomial is 0x1edc6f41, reflected.
  function automatic logic [31:0] step(input logic [31:0] register, input logic message);
    step = (register >> 1) ^ ((register[0] ^ message) ? 32'h82f6_3b78 : 32'd0);
  endfunction
  // The register is linear: its value after the last bit is the sum of a contribution of each bit that is 1,
  // [32*k+:32] for bit k, and of the initial ones, [4096+:32].
  function automatic logic [4127:0] left(input int bits);
    logic [31:0] register;
    register = step(32'd0, 1'b1);
    for (int k = bits - 1; k >= 0; k--) begin
      left[32*k+:32] = register;
      register = step(register, 1'b0);
    end
    register = 32'hffff_ffff;
    for (int k = 0; k < bits; k++) register = step(register, 1'b0);
    left[32*bits+:32] = ~register;
  endfunction
  // xorshift64* from the state 2; column k is the upper half of the k-th number.
  function automatic logic [4095:0] drawn(input int columns);
    logic [63:0] s, next;
    s = 64'd2;
    for (int k = 0; k < columns; k++) begin
      s = s ^ (s >> 12);
      s = s ^ (s << 25);
      s = s ^ (s >> 27);
      next = s * 64'h2545_f491_4f6c_dd1d;
      drawn[32*k+:32] = next[63:32];
    end
  endfunction
  localparam logic [4127:0] Left = left(128);
  localparam logic [4095:0] Drawn = drawn(128);

  logic [31:0] crc, h3, crc_sum, h3_sum;
  logic [10:0] narrow;
  strobe_hash_linear #(
      .IndexBits(32),
      .Columns(strobe_hash_pkg::CrcColumns),
      .Offset(strobe_hash_pkg::CrcOffset)
  ) u_crc (
      .pc_i, .value_i, .index_o(crc)
  );
  strobe_hash_linear #(.IndexBits(32)) u_h3 (.pc_i, .value_i, .index_o(h3));
  strobe_hash_linear u_narrow (.pc_i, .value_i, .index_o(narrow));
  // Each bit of the sum: the parity of the message's bits that contribute a 1 to it.
  for (genvar i = 0; i < 32; i++) begin : gen_bit
    logic [127:0] crc_row, h3_row;
    for (genvar k = 0; k < 128; k++) begin : gen_row
      assign crc_row[k] = Left[32*k+i];
      assign h3_row[k] = Drawn[32*k+i];
    end
    assign crc_sum[i] = Left[4096+i] ^ (^(crc_row & {value_i, pc_i}));
    assign h3_sum[i] = ^(h3_row & {value_i, pc_i});
  end
  `STROBE_ASSERT(CrcIsTheRegisters, crc == crc_sum)
  `STROBE_ASSERT(H3IsTheSumOfItsColumns, h3 == h3_sum)
  `STROBE_ASSERT(NarrowIsTheLowBits, narrow == h3[10:0])
endmodule
