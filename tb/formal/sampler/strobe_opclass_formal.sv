// SPDX-License-Identifier: Apache-2.0
// A valid instruction has exactly one class, that of its row in the page's table; the rows are written here
// as whole words. Every class is reached. The class of an invalid instruction is don't-care.
// prove: induction 1
// prove: cover 2
`include "strobe_assert.svh"

module strobe_opclass_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [31:0] insn_i
);
  logic [15:0] classes;
  strobe_opclass u_dut (
      .valid_i(1'b1),
      .insn_i,
      .class_o(classes)
  );

  // The rows in the page's order, each by itself, so that none can mask another.
  logic rd_link, rs1_link;
  assign rd_link  = insn_i[11:7] == 5'd1 || insn_i[11:7] == 5'd5;
  assign rs1_link = insn_i[19:15] == 5'd1 || insn_i[19:15] == 5'd5;
  logic [15:0] rows;
  always_comb begin
    rows = '0;
    rows[1]  = (insn_i & 32'hfe00_4077) == 32'h0200_0033;  // both opcodes: bit 3 is free
    rows[2]  = (insn_i & 32'hfe00_4077) == 32'h0200_4033;
    rows[3]  = insn_i[6:0] == 7'h03 || insn_i[6:0] == 7'h07;
    rows[4]  = insn_i[6:0] == 7'h23 || insn_i[6:0] == 7'h27;
    rows[5]  = insn_i[6:0] == 7'h2f;
    rows[6]  = insn_i[6:0] == 7'h63;
    rows[7]  = insn_i[6:0] == 7'h6f && !rd_link;
    rows[8]  = insn_i[6:0] == 7'h67 && !rd_link && !rs1_link;
    rows[9]  = insn_i[6:0] == 7'h6f && rd_link;
    rows[10] = insn_i[6:0] == 7'h67 && rd_link;
    rows[11] = insn_i[6:0] == 7'h67 && !rd_link && rs1_link;
    rows[13] = insn_i[6:0] == 7'h53 && ((insn_i >> 27) == 32'd3 || (insn_i >> 27) == 32'd11);
    rows[12] = (insn_i[6:0] == 7'h53 && !rows[13]) || (insn_i[6:0] & 7'h73) == 7'h43;
    rows[14] = insn_i[6:0] == 7'h73;
    rows[15] = insn_i[6:0] == 7'h0f;
    rows[0]  = rows[15:1] == '0;
  end
  `STROBE_ASSERT(ClassIsThatOfItsRow, classes == rows)
  `STROBE_ASSERT(ClassIsOne, classes != '0 && (classes & (classes - 16'd1)) == '0)
  for (genvar n = 0; n < 16; n++) begin : gen_class
    always @(posedge clk_i) if (rst_ni) cover (classes[n]);
  end
endmodule
