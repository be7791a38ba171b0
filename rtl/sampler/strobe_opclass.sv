// SPDX-License-Identifier: Apache-2.0
// Opcode class of a 32-bit RISC-V instruction: the numbers of docs/blocks/selector.md.
//
// The output is one-hot: a match against a set of classes is one AND-OR of it, without a decoder.
// Only the major opcode, funct3[2], funct7 and the link registers are looked at, so the decoder is
// a few gate levels deep and needs nothing from the core's own decoder.
module strobe_opclass (
    input  logic                           valid_i,  // the class of an invalid instruction is don't-care
    input  logic [31:0]                    insn_i,
    output logic [strobe_pkg::Classes-1:0] class_o
);
  localparam logic [strobe_pkg::Classes-1:0] Alu = 1 << 0;
  localparam logic [strobe_pkg::Classes-1:0] Mul = 1 << 1;
  localparam logic [strobe_pkg::Classes-1:0] Div = 1 << 2;
  localparam logic [strobe_pkg::Classes-1:0] Load = 1 << 3;
  localparam logic [strobe_pkg::Classes-1:0] Store = 1 << 4;
  localparam logic [strobe_pkg::Classes-1:0] Amo = 1 << 5;
  localparam logic [strobe_pkg::Classes-1:0] Branch = 1 << 6;
  localparam logic [strobe_pkg::Classes-1:0] Jump = 1 << 7;
  localparam logic [strobe_pkg::Classes-1:0] JumpIndirect = 1 << 8;
  localparam logic [strobe_pkg::Classes-1:0] Call = 1 << 9;
  localparam logic [strobe_pkg::Classes-1:0] CallIndirect = 1 << 10;
  localparam logic [strobe_pkg::Classes-1:0] Return = 1 << 11;
  localparam logic [strobe_pkg::Classes-1:0] Fp = 1 << 12;
  localparam logic [strobe_pkg::Classes-1:0] FpDivSqrt = 1 << 13;
  localparam logic [strobe_pkg::Classes-1:0] System = 1 << 14;
  localparam logic [strobe_pkg::Classes-1:0] Fence = 1 << 15;

  // x1 and x5 are the link registers of the calling convention: 00001 and 00101.
  logic rd_link, rs1_link;
  assign rd_link  = insn_i[11:10] == 2'b00 && insn_i[8:7] == 2'b01;
  assign rs1_link = insn_i[19:18] == 2'b00 && insn_i[16:15] == 2'b01;

  logic muldiv, div_sqrt;
  assign muldiv   = insn_i[31:25] == 7'b0000001;
  assign div_sqrt = insn_i[31:27] == 5'b00011 || insn_i[31:27] == 5'b01011;

  always_comb begin
    class_o = 'x;
    if (valid_i) begin
      case (insn_i[6:0])
        7'b0110011, 7'b0111011: class_o = !muldiv ? Alu : insn_i[14] ? Div : Mul;
        7'b0000011, 7'b0000111: class_o = Load;
        7'b0100011, 7'b0100111: class_o = Store;
        7'b0101111: class_o = Amo;
        7'b1100011: class_o = Branch;
        7'b1101111: class_o = rd_link ? Call : Jump;
        7'b1100111: class_o = rd_link ? CallIndirect : rs1_link ? Return : JumpIndirect;
        7'b1010011: class_o = div_sqrt ? FpDivSqrt : Fp;
        7'b1000011, 7'b1000111, 7'b1001011, 7'b1001111: class_o = Fp;
        7'b1110011: class_o = System;
        7'b0001111: class_o = Fence;
        default: class_o = Alu;
      endcase
    end
  end

  logic unused_insn;
  assign unused_insn = ^{insn_i[24:20], insn_i[17], insn_i[13:12], insn_i[9]};
endmodule
