// SPDX-License-Identifier: Apache-2.0
// Multiply-shift hash: the top bits of pc * MultiplyPc + value * MultiplyValue, modulo 2^64
// (Dietzfelbinger et al., Journal of Algorithms 25, 1997), in three stages:
//
//     45 numbers to 10 ─▶ 10 to 2 ─▶ their sum
//
// Both factors are odd constants, so a product is a sum of shifted words: one for each digit of the
// factor's canonical signed form (Reitwiesner, Advances in Computers 1, 1960), which has fewer
// nonzero digits than the factor has ones. A negative digit adds the inverted word, and 1 at its
// place.
// The first two stages end at registers that load with advance_i: index_o belongs to the tuple of
// two such cycles before. The last stage makes only the carries into the index, with the parallel
// prefix of Kogge and Stone (IEEE Trans. Computers C-22, 1973).
`include "strobe_assert.svh"

module strobe_hash_multiply_shift #(
    parameter int IndexBits = 11
) (
    input  logic                 clk_i,
    input  logic                 advance_i,
    input  logic [63:0]          pc_i,
    input  logic [63:0]          value_i,
    output logic [IndexBits-1:0] index_o
);
  `STROBE_REQUIRE(MultiplyIndexBits, IndexBits >= 1 && IndexBits <= strobe_pkg::MaxHashBits,
                  "strobe_hash_multiply_shift: IndexBits must be 1 to 32")

  // The places of the digits 1 and -1, the pc's below the value's. Digit k is nonzero where 3/2 and
  // 1/2 of the factor differ in bit k; it is 1 where 3/2 of the factor has the one.
  localparam logic [63:0] Pc = strobe_hash_pkg::MultiplyPc;
  localparam logic [63:0] Value = strobe_hash_pkg::MultiplyValue;
  localparam logic [63:0] PcAndHalf = Pc + (Pc >> 1);
  localparam logic [63:0] ValueAndHalf = Value + (Value >> 1);
  localparam logic [127:0] Adds = {ValueAndHalf & ~(Value >> 1), PcAndHalf & ~(Pc >> 1)};
  localparam logic [127:0] Subtracts = {(Value >> 1) & ~ValueAndHalf, (Pc >> 1) & ~PcAndHalf};

  function automatic int digits_below(int place);
    digits_below = 0;
    for (int k = 0; k < place; k++) begin
      if (Adds[k] || Subtracts[k]) digits_below = digits_below + 1;
    end
  endfunction
  localparam int Rows = digits_below(128) + 1;
  `STROBE_REQUIRE(MultiplyRows, Rows == 45,
                  "strobe_hash_multiply_shift: its levels are for factors of 44 digits")

  logic [64*Rows-1:0] rows;
  for (genvar k = 0; k < 128; k++) begin : gen_digit
    if (Adds[k] || Subtracts[k]) begin : gen_row
      logic [63:0] word;
      assign word = k < 64 ? pc_i : value_i;
      assign rows[64*digits_below(k)+:64] = (Adds[k] ? word : ~word) << (k % 64);
    end
  end
  assign rows[64*(Rows-1)+:64] = Subtracts[127:64] + Subtracts[63:0];

  // Levels of carry-save adders: 45 numbers, 30, 20, 14, 10 | 7, 5, 4, 3, 2 | 1.
  logic [64*30-1:0] thirty;
  logic [64*20-1:0] twenty;
  logic [64*14-1:0] fourteen;
  logic [64*10-1:0] ten, s1_ten_q;
  logic [64*7-1:0] seven;
  logic [64*5-1:0] five;
  logic [64*4-1:0] four;
  logic [64*3-1:0] three;
  logic [64*2-1:0] two, s2_two_q;
  strobe_carry_save #(.Width(64), .Rows(45)) u_thirty (.rows_i(rows), .rows_o(thirty));
  strobe_carry_save #(.Width(64), .Rows(30)) u_twenty (.rows_i(thirty), .rows_o(twenty));
  strobe_carry_save #(.Width(64), .Rows(20)) u_fourteen (.rows_i(twenty), .rows_o(fourteen));
  strobe_carry_save #(.Width(64), .Rows(14)) u_ten (.rows_i(fourteen), .rows_o(ten));
  strobe_carry_save #(.Width(64), .Rows(10)) u_seven (.rows_i(s1_ten_q), .rows_o(seven));
  strobe_carry_save #(.Width(64), .Rows(7)) u_five (.rows_i(seven), .rows_o(five));
  strobe_carry_save #(.Width(64), .Rows(5)) u_four (.rows_i(five), .rows_o(four));
  strobe_carry_save #(.Width(64), .Rows(4)) u_three (.rows_i(four), .rows_o(three));
  strobe_carry_save #(.Width(64), .Rows(3)) u_two (.rows_i(three), .rows_o(two));
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      s1_ten_q <= ten;
      s2_two_q <= two;
    end
  end

  // After level l, a bit says of the 2^(l+1) places up to it whether they generate a carry, and
  // whether they propagate one.
  logic [63:0] differ, generates, passes, sum;
  assign differ = s2_two_q[127:64] ^ s2_two_q[63:0];
  always_comb begin
    generates = s2_two_q[127:64] & s2_two_q[63:0];
    passes = differ;
    for (int l = 0; l < 6; l++) begin
      generates = generates | (passes & (generates << (1 << l)));
      passes = passes & (passes << (1 << l));
    end
    sum = differ ^ (generates << 1);
  end
  assign index_o = sum[63-:IndexBits];
  logic unused_sum;
  assign unused_sum = ^{sum[63-IndexBits:0], passes, generates[63]};
endmodule
