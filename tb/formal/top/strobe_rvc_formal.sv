// SPDX-License-Identifier: Apache-2.0
// The inverse: any operands of each instruction of RV64GC's "C" extension (version 2.0, tables 16.5 to 16.7)
// are put into both of its forms, each as the specification lays it out. The block must make the 32-bit form
// from the compressed one, whatever the upper half holds. 32-bit instructions pass. Reserved encodings are
// left out, because they never retire.
// prove: induction 1
// prove: cover 2
`include "strobe_assert.svh"

module strobe_rvc_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [5:0] which_i,
    input logic [17:0] m_i,      // the immediate; each instruction uses some of its bits
    input logic [4:0] rd_i,      // rd, or rs1 of c.jr and c.jalr
    input logic [4:0] rs2_i,
    input logic [2:0] d_i,       // x8 to x15: rd', or rs2' of a store
    input logic [2:0] s_i,       // x8 to x15: rs1', or rd' where it is both
    input logic [15:0] upper_i  // the upper half of the fetched word
);
  logic [17:0] m;
  logic [4:0] x, y, d, s;
  assign m = m_i;
  assign x = rd_i;
  assign y = rs2_i;
  assign d = 5'd8 + 5'(d_i);
  assign s = 5'd8 + 5'(s_i);

  // The base formats.
  function automatic logic [31:0] r_type(input logic [6:0] f7, input logic [4:0] b, input logic [4:0] a,
                                         input logic [2:0] f3, input logic [4:0] r, input logic [6:0] op);
    r_type = {f7, b, a, f3, r, op};
  endfunction
  function automatic logic [31:0] i_type(input logic [11:0] i, input logic [4:0] a, input logic [2:0] f3,
                                         input logic [4:0] r, input logic [6:0] op);
    i_type = {i, a, f3, r, op};
  endfunction
  function automatic logic [31:0] s_type(input logic [11:0] i, input logic [4:0] b, input logic [4:0] a,
                                         input logic [2:0] f3, input logic [6:0] op);
    s_type = {i[11:5], b, a, f3, i[4:0], op};
  endfunction
  function automatic logic [31:0] b_type(input logic [12:0] i, input logic [4:0] a, input logic [2:0] f3);
    b_type = {i[12], i[10:5], 5'd0, a, f3, i[4:1], i[11], 7'h63};
  endfunction
  function automatic logic [31:0] j_type(input logic [20:0] i, input logic [4:0] r);
    j_type = {i[20], i[10:1], i[11], i[19:12], r, 7'h6f};
  endfunction

  // The immediates, in bytes; w, l: words and doubles with base x8 to x15; _sp: on the stack.
  logic [11:0] i6, i10, w, l, w_sp, l_sp, four;
  logic [12:0] b9;
  logic [20:0] j12;
  assign i6 = {{6{m[5]}}, m[5:0]};
  assign i10 = {{2{m[9]}}, m[9:4], 4'd0};
  assign four = {2'd0, m[9:2], 2'd0};
  assign w = {5'd0, m[6:2], 2'd0};
  assign l = {4'd0, m[7:3], 3'd0};
  assign w_sp = {4'd0, m[7:2], 2'd0};
  assign l_sp = {3'd0, m[8:3], 3'd0};
  assign b9 = {{4{m[8]}}, m[8:1], 1'b0};
  assign j12 = {{9{m[11]}}, m[11:1], 1'b0};

  logic [15:0] c;
  logic [31:0] e;
  logic legal;
  always_comb begin
    c = '0;
    e = '0;
    legal = 1'b1;
    case (which_i)
      // Quadrant 0: c.addi4spn, fld, lw, ld, fsd, sw, sd
      0: begin c = {3'd0, m[5:4], m[9:6], m[2], m[3], d_i, 2'd0}; e = i_type(four, 2, 0, d, 7'h13); end
      1: begin c = {3'd1, m[5:3], s_i, m[7:6], d_i, 2'd0}; e = i_type(l, s, 3, d, 7'h07); end
      2: begin c = {3'd2, m[5:3], s_i, m[2], m[6], d_i, 2'd0}; e = i_type(w, s, 2, d, 7'h03); end
      3: begin c = {3'd3, m[5:3], s_i, m[7:6], d_i, 2'd0}; e = i_type(l, s, 3, d, 7'h03); end
      4: begin c = {3'd5, m[5:3], s_i, m[7:6], d_i, 2'd0}; e = s_type(l, d, s, 3, 7'h27); end
      5: begin c = {3'd6, m[5:3], s_i, m[2], m[6], d_i, 2'd0}; e = s_type(w, d, s, 2, 7'h23); end
      6: begin c = {3'd7, m[5:3], s_i, m[7:6], d_i, 2'd0}; e = s_type(l, d, s, 3, 7'h23); end
      // Quadrant 1: c.addi, addiw, li, addi16sp, lui
      7: begin c = {3'd0, m[5], x, m[4:0], 2'd1}; e = i_type(i6, x, 0, x, 7'h13); end
      8: begin c = {3'd1, m[5], x, m[4:0], 2'd1}; e = i_type(i6, x, 0, x, 7'h1b); end
      9: begin c = {3'd2, m[5], x, m[4:0], 2'd1}; e = i_type(i6, 0, 0, x, 7'h13); end
      10: begin c = {3'd3, m[9], 5'd2, m[4], m[6], m[8:7], m[5], 2'd1}; e = i_type(i10, 2, 0, 2, 7'h13); end
      11: begin
        c = {3'd3, m[17], x, m[16:12], 2'd1};
        e = {{15{m[17]}}, m[16:12], x, 7'h37};
        legal = x != 5'd2;
      end
      // c.srli, srai, andi, sub, xor, or, and, subw, addw
      12: begin c = {3'd4, m[5], 2'd0, s_i, m[4:0], 2'd1}; e = i_type({6'h00, m[5:0]}, s, 5, s, 7'h13); end
      13: begin c = {3'd4, m[5], 2'd1, s_i, m[4:0], 2'd1}; e = i_type({6'h10, m[5:0]}, s, 5, s, 7'h13); end
      14: begin c = {3'd4, m[5], 2'd2, s_i, m[4:0], 2'd1}; e = i_type(i6, s, 7, s, 7'h13); end
      15: begin c = {6'b100_0_11, s_i, 2'd0, d_i, 2'd1}; e = r_type(7'h20, d, s, 0, s, 7'h33); end
      16: begin c = {6'b100_0_11, s_i, 2'd1, d_i, 2'd1}; e = r_type(7'h00, d, s, 4, s, 7'h33); end
      17: begin c = {6'b100_0_11, s_i, 2'd2, d_i, 2'd1}; e = r_type(7'h00, d, s, 6, s, 7'h33); end
      18: begin c = {6'b100_0_11, s_i, 2'd3, d_i, 2'd1}; e = r_type(7'h00, d, s, 7, s, 7'h33); end
      19: begin c = {6'b100_1_11, s_i, 2'd0, d_i, 2'd1}; e = r_type(7'h20, d, s, 0, s, 7'h3b); end
      20: begin c = {6'b100_1_11, s_i, 2'd1, d_i, 2'd1}; e = r_type(7'h00, d, s, 0, s, 7'h3b); end
      // c.j, beqz, bnez
      21: begin c = {3'd5, m[11], m[4], m[9:8], m[10], m[6], m[7], m[3:1], m[5], 2'd1}; e = j_type(j12, 0); end
      22: begin c = {3'd6, m[8], m[4:3], s_i, m[7:6], m[2:1], m[5], 2'd1}; e = b_type(b9, s, 0); end
      23: begin c = {3'd7, m[8], m[4:3], s_i, m[7:6], m[2:1], m[5], 2'd1}; e = b_type(b9, s, 1); end
      // Quadrant 2: c.slli, fldsp, lwsp, ldsp, fsdsp, swsp, sdsp
      24: begin c = {3'd0, m[5], x, m[4:0], 2'd2}; e = i_type({6'h00, m[5:0]}, x, 1, x, 7'h13); end
      25: begin c = {3'd1, m[5], x, m[4:3], m[8:6], 2'd2}; e = i_type(l_sp, 2, 3, x, 7'h07); end
      26: begin c = {3'd2, m[5], x, m[4:2], m[7:6], 2'd2}; e = i_type(w_sp, 2, 2, x, 7'h03); end
      27: begin c = {3'd3, m[5], x, m[4:3], m[8:6], 2'd2}; e = i_type(l_sp, 2, 3, x, 7'h03); end
      28: begin c = {3'd5, m[5:3], m[8:6], y, 2'd2}; e = s_type(l_sp, y, 2, 3, 7'h27); end
      29: begin c = {3'd6, m[5:2], m[7:6], y, 2'd2}; e = s_type(w_sp, y, 2, 2, 7'h23); end
      30: begin c = {3'd7, m[5:3], m[8:6], y, 2'd2}; e = s_type(l_sp, y, 2, 3, 7'h23); end
      // c.jr, jalr, mv, add, ebreak
      31: begin c = {4'b1000, x, 5'd0, 2'd2}; e = i_type(0, x, 0, 0, 7'h67); legal = x != '0; end
      32: begin c = {4'b1001, x, 5'd0, 2'd2}; e = i_type(0, x, 0, 1, 7'h67); legal = x != '0; end
      33: begin c = {4'b1000, x, y, 2'd2}; e = r_type(0, y, 0, 0, x, 7'h33); legal = y != '0; end
      34: begin c = {4'b1001, x, y, 2'd2}; e = r_type(0, y, x, 0, x, 7'h33); legal = y != '0; end
      35: begin c = {4'b1001, 10'd0, 2'd2}; e = 32'h0010_0073; end
      default: legal = 1'b0;
    endcase
  end

  logic [31:0] expanded, passed, whole;
  assign whole = {upper_i, m[13:0], 2'd3};
  strobe_rvc u_compressed (.insn_i({upper_i, c}), .insn_o(expanded));
  strobe_rvc u_whole (.insn_i(whole), .insn_o(passed));
  `STROBE_ASSERT(ExpansionIsTheInstruction, !legal || expanded == e)
  `STROBE_ASSERT(WholeInstructionPasses, passed == whole)
  always @(posedge clk_i) begin
    if (rst_ni) begin
      CAddi : cover (expanded == 32'hfff5_0513);  // addi a0, a0, -1
      CJr : cover (expanded == 32'h0000_8067);    // ret
    end
  end
endmodule
