// Opcode class of a 32-bit RISC-V instruction: the numbers of docs/blocks/selector.md.
//
// The output is one-hot: a user that asks for a set of classes needs one AND-OR behind it.
// Only the major opcode, funct3[2], funct7 and the link registers are looked at, so the decoder is
// a few gate levels deep and needs nothing from the core's own decoder.
module strobe_opclass (
    input  logic [31:0]                    insn_i,
    output logic [strobe_pkg::Classes-1:0] class_o
);
  localparam int Alu = 0;
  localparam int Mul = 1;
  localparam int Div = 2;
  localparam int Load = 3;
  localparam int Store = 4;
  localparam int Amo = 5;
  localparam int Branch = 6;
  localparam int Jump = 7;
  localparam int JumpIndirect = 8;
  localparam int Call = 9;
  localparam int CallIndirect = 10;
  localparam int Return = 11;
  localparam int Fp = 12;
  localparam int FpDivSqrt = 13;
  localparam int System = 14;
  localparam int Fence = 15;

  // x1 and x5 are the link registers of the calling convention: 00001 and 00101.
  logic rd_link, rs1_link;
  assign rd_link  = insn_i[11:10] == 2'b00 && insn_i[8:7] == 2'b01;
  assign rs1_link = insn_i[19:18] == 2'b00 && insn_i[16:15] == 2'b01;

  logic muldiv, div_sqrt;
  assign muldiv   = insn_i[31:25] == 7'b0000001;
  assign div_sqrt = insn_i[31:27] == 5'b00011 || insn_i[31:27] == 5'b01011;

  always_comb begin
    class_o = '0;
    case (insn_i[6:0])
      7'b0110011, 7'b0111011: begin
        class_o[Alu] = !muldiv;
        class_o[Mul] = muldiv && !insn_i[14];
        class_o[Div] = muldiv && insn_i[14];
      end
      7'b0000011, 7'b0000111: class_o[Load] = 1'b1;
      7'b0100011, 7'b0100111: class_o[Store] = 1'b1;
      7'b0101111: class_o[Amo] = 1'b1;
      7'b1100011: class_o[Branch] = 1'b1;
      7'b1101111: begin
        class_o[Jump] = !rd_link;
        class_o[Call] = rd_link;
      end
      7'b1100111: begin
        class_o[JumpIndirect] = !rd_link && !rs1_link;
        class_o[CallIndirect] = rd_link;
        class_o[Return] = !rd_link && rs1_link;
      end
      7'b1010011: begin
        class_o[Fp] = !div_sqrt;
        class_o[FpDivSqrt] = div_sqrt;
      end
      7'b1000011, 7'b1000111, 7'b1001011, 7'b1001111: class_o[Fp] = 1'b1;
      7'b1110011: class_o[System] = 1'b1;
      7'b0001111: class_o[Fence] = 1'b1;
      default: class_o[Alu] = 1'b1;
    endcase
  end

  logic unused_insn;
  assign unused_insn = ^{insn_i[24:20], insn_i[17], insn_i[13:12], insn_i[9]};
endmodule
