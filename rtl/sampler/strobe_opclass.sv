// Opcode class of a 32-bit RISC-V instruction: the numbers of docs/blocks/selector.md.
//
// Only the major opcode, funct3[2], funct7 and the link registers are looked at, so the decoder is
// a few gate levels deep and needs nothing from the core's own decoder.
module strobe_opclass (
    input  logic [31:0] insn_i,
    output logic [3:0]  class_o
);
  localparam logic [3:0] Alu = 4'd0;
  localparam logic [3:0] Mul = 4'd1;
  localparam logic [3:0] Div = 4'd2;
  localparam logic [3:0] Load = 4'd3;
  localparam logic [3:0] Store = 4'd4;
  localparam logic [3:0] Amo = 4'd5;
  localparam logic [3:0] Branch = 4'd6;
  localparam logic [3:0] Jump = 4'd7;
  localparam logic [3:0] JumpIndirect = 4'd8;
  localparam logic [3:0] Call = 4'd9;
  localparam logic [3:0] CallIndirect = 4'd10;
  localparam logic [3:0] Return = 4'd11;
  localparam logic [3:0] Fp = 4'd12;
  localparam logic [3:0] FpDivSqrt = 4'd13;
  localparam logic [3:0] System = 4'd14;
  localparam logic [3:0] Fence = 4'd15;

  // x1 and x5 are the link registers of the calling convention: 00001 and 00101.
  logic rd_link, rs1_link;
  assign rd_link  = insn_i[11:10] == 2'b00 && insn_i[8:7] == 2'b01;
  assign rs1_link = insn_i[19:18] == 2'b00 && insn_i[16:15] == 2'b01;

  logic muldiv, div_sqrt;
  assign muldiv   = insn_i[31:25] == 7'b0000001;
  assign div_sqrt = insn_i[31:27] == 5'b00011 || insn_i[31:27] == 5'b01011;

  always_comb begin
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

  logic unused_insn;
  assign unused_insn = ^{insn_i[24:20], insn_i[17], insn_i[13:12], insn_i[9]};
endmodule
