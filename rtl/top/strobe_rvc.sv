// SPDX-License-Identifier: Apache-2.0
// Expands a compressed RV64GC instruction to its 32-bit form ("C" extension, version 2.0, sections 16.3 to
// 16.7). Combinational.
//
// 32-bit instructions pass unchanged. The output for a reserved or illegal encoding is undefined, because it
// never retires.
module strobe_rvc (
    input  logic [31:0] insn_i,  // as fetched: a compressed instruction is in the low half
    output logic [31:0] insn_o
);
  localparam logic [6:0] Load = 7'b0000011, LoadFp = 7'b0000111, OpImm = 7'b0010011;
  localparam logic [6:0] OpImm32 = 7'b0011011, Store = 7'b0100011, StoreFp = 7'b0100111;
  localparam logic [6:0] Op = 7'b0110011, Lui = 7'b0110111, Op32 = 7'b0111011;
  localparam logic [6:0] Branch = 7'b1100011, Jalr = 7'b1100111, Jal = 7'b1101111;
  localparam logic [4:0] Zero = 5'd0, Ra = 5'd1, Sp = 5'd2;

  logic [15:0] c;
  logic [2:0] funct3;
  logic [4:0] rd, rs2, rd_low, rs1_low;  // _low: one of x8 to x15
  assign c = insn_i[15:0];
  assign funct3 = c[15:13];
  assign rd = c[11:7];
  assign rs2 = c[6:2];
  assign rd_low = {2'b01, c[4:2]};
  assign rs1_low = {2'b01, c[9:7]};

  logic [11:0] imm6;  // sign-extended
  assign imm6 = {{7{c[12]}}, c[6:2]};

  logic [31:0] addi4spn, lui_addi16sp, misc_alu, jump, branch, arithmetic, jalr_mv_add;
  // c.addi4spn, c.addi16sp, c.lui
  assign addi4spn = {2'b00, c[10:7], c[12:11], c[5], c[6], 2'b00, Sp, 3'b000, rd_low, OpImm};
  assign lui_addi16sp = rd == Sp ?
      {{3{c[12]}}, c[4:3], c[5], c[2], c[6], 4'd0, Sp, 3'b000, Sp, OpImm} :
      {{15{c[12]}}, c[6:2], rd, Lui};
  // c.j, c.beqz, c.bnez
  assign jump = {
    c[12], c[8], c[10:9], c[6], c[7], c[2], c[11], c[5:3], {9{c[12]}}, Zero, Jal
  };
  assign branch = {
    {4{c[12]}}, c[6:5], c[2], Zero, rs1_low, 2'b00, c[13], c[11:10], c[4:3], c[12], Branch
  };
  // c.sub, c.xor, c.or, c.and, c.subw, c.addw
  always_comb begin
    case ({c[12], c[6:5]})
      3'b000:  arithmetic = {7'b0100000, rd_low, rs1_low, 3'b000, rs1_low, Op};
      3'b001:  arithmetic = {7'b0000000, rd_low, rs1_low, 3'b100, rs1_low, Op};
      3'b010:  arithmetic = {7'b0000000, rd_low, rs1_low, 3'b110, rs1_low, Op};
      3'b011:  arithmetic = {7'b0000000, rd_low, rs1_low, 3'b111, rs1_low, Op};
      3'b100:  arithmetic = {7'b0100000, rd_low, rs1_low, 3'b000, rs1_low, Op32};
      default: arithmetic = {7'b0000000, rd_low, rs1_low, 3'b000, rs1_low, Op32};
    endcase
  end
  // c.srli, c.srai, c.andi
  always_comb begin
    case (c[11:10])
      2'b00:   misc_alu = {6'b000000, c[12], c[6:2], rs1_low, 3'b101, rs1_low, OpImm};
      2'b01:   misc_alu = {6'b010000, c[12], c[6:2], rs1_low, 3'b101, rs1_low, OpImm};
      2'b10:   misc_alu = {imm6, rs1_low, 3'b111, rs1_low, OpImm};
      default: misc_alu = arithmetic;
    endcase
  end
  // c.jr, c.mv, c.ebreak, c.jalr, c.add
  always_comb begin
    if (rs2 != Zero) jalr_mv_add = {7'd0, rs2, c[12] ? rd : Zero, 3'b000, rd, Op};
    else if (c[12] && rd == Zero) jalr_mv_add = 32'h00100073;
    else jalr_mv_add = {12'd0, rd, 3'b000, c[12] ? Ra : Zero, Jalr};
  end

  always_comb begin
    case ({c[1:0], funct3})
      {2'b00, 3'd0}: insn_o = addi4spn;
      // c.fld, c.lw, c.ld, c.fsd, c.sw, c.sd
      {2'b00, 3'd1}:
      insn_o = {4'd0, c[6:5], c[12:10], 3'd0, rs1_low, 3'b011, rd_low, LoadFp};
      {2'b00, 3'd2}:
      insn_o = {5'd0, c[5], c[12:10], c[6], 2'd0, rs1_low, 3'b010, rd_low, Load};
      {2'b00, 3'd3}: insn_o = {4'd0, c[6:5], c[12:10], 3'd0, rs1_low, 3'b011, rd_low, Load};
      {2'b00, 3'd5}:
      insn_o = {4'd0, c[6:5], c[12], rd_low, rs1_low, 3'b011, c[11:10], 3'd0, StoreFp};
      {2'b00, 3'd6}:
      insn_o = {5'd0, c[5], c[12], rd_low, rs1_low, 3'b010, c[11:10], c[6], 2'd0, Store};
      {2'b00, 3'd7}:
      insn_o = {4'd0, c[6:5], c[12], rd_low, rs1_low, 3'b011, c[11:10], 3'd0, Store};
      // c.addi, c.addiw, c.li
      {2'b01, 3'd0}: insn_o = {imm6, rd, 3'b000, rd, OpImm};
      {2'b01, 3'd1}: insn_o = {imm6, rd, 3'b000, rd, OpImm32};
      {2'b01, 3'd2}: insn_o = {imm6, Zero, 3'b000, rd, OpImm};
      {2'b01, 3'd3}: insn_o = lui_addi16sp;
      {2'b01, 3'd4}: insn_o = misc_alu;
      {2'b01, 3'd5}: insn_o = jump;
      {2'b01, 3'd6}, {2'b01, 3'd7}: insn_o = branch;
      // c.slli, c.fldsp, c.lwsp, c.ldsp
      {2'b10, 3'd0}: insn_o = {6'd0, c[12], c[6:2], rd, 3'b001, rd, OpImm};
      {2'b10, 3'd1}: insn_o = {3'd0, c[4:2], c[12], c[6:5], 3'd0, Sp, 3'b011, rd, LoadFp};
      {2'b10, 3'd2}: insn_o = {4'd0, c[3:2], c[12], c[6:4], 2'd0, Sp, 3'b010, rd, Load};
      {2'b10, 3'd3}: insn_o = {3'd0, c[4:2], c[12], c[6:5], 3'd0, Sp, 3'b011, rd, Load};
      {2'b10, 3'd4}: insn_o = jalr_mv_add;
      // c.fsdsp, c.swsp, c.sdsp
      {2'b10, 3'd5}: insn_o = {3'd0, c[9:7], c[12], rs2, Sp, 3'b011, c[11:10], 3'd0, StoreFp};
      {2'b10, 3'd6}: insn_o = {4'd0, c[8:7], c[12], rs2, Sp, 3'b010, c[11:9], 2'd0, Store};
      {2'b10, 3'd7}: insn_o = {3'd0, c[9:7], c[12], rs2, Sp, 3'b011, c[11:10], 3'd0, Store};
      default: insn_o = insn_i;
    endcase
  end
endmodule
