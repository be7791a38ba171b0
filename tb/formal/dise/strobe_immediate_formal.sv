// SPDX-License-Identifier: Apache-2.0
// The inverse: any immediate of each format, put into an instruction as the base ISA places it, comes out
// again, sign-extended. Every other opcode has no immediate and gives 0. So every instruction is covered.
// prove: induction 1
// prove: cover 2
`include "strobe_assert.svh"

module strobe_immediate_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [31:0] insn_i,      // all fields but the immediate
    input logic [31:0] immediate_i  // a format uses some of its bits
);
  localparam int I = 0, S = 1, B = 2, U = 3, J = 4, None = 5;
  logic [2:0] format;
  always_comb begin
    case (insn_i[6:0])
      7'h03, 7'h07, 7'h13, 7'h1b, 7'h67: format = 3'(I);  // load, load-fp, op-imm, op-imm-32, jalr
      7'h23, 7'h27: format = 3'(S);                       // store, store-fp
      7'h63: format = 3'(B);                              // branch
      7'h37, 7'h17: format = 3'(U);                       // lui, auipc
      7'h6f: format = 3'(J);                              // jal
      default: format = 3'(None);
    endcase
  end

  logic signed [63:0] expected;
  logic [31:0] insn;
  always_comb begin
    insn = insn_i;
    expected = '0;
    case (format)
      3'(I): begin
        expected = $signed(immediate_i[11:0]);
        insn[31:20] = expected[11:0];
      end
      3'(S): begin
        expected = $signed(immediate_i[11:0]);
        insn[31:25] = expected[11:5];
        insn[11:7] = expected[4:0];
      end
      3'(B): begin
        expected = $signed({immediate_i[12:1], 1'b0});
        insn[31] = expected[12];
        insn[7] = expected[11];
        insn[30:25] = expected[10:5];
        insn[11:8] = expected[4:1];
      end
      3'(U): begin
        expected = $signed({immediate_i[31:12], 12'd0});
        insn[31:12] = expected[31:12];
      end
      3'(J): begin
        expected = $signed({immediate_i[20:1], 1'b0});
        insn[31] = expected[20];
        insn[19:12] = expected[19:12];
        insn[20] = expected[11];
        insn[30:21] = expected[10:1];
      end
      default: ;
    endcase
  end

  logic has_immediate;
  logic [63:0] value;
  strobe_immediate u_dut (
      .insn_i(insn),
      .has_immediate_o(has_immediate),
      .value_o(value)
  );
  `STROBE_ASSERT(ImmediateComesOut, value == expected)
  `STROBE_ASSERT(ImmediateIsThere, has_immediate == (format != 3'(None)))
  `STROBE_ASSERT(ItsSignIsBit31, !has_immediate || value[63] == insn[31])
  always @(posedge clk_i) begin
    if (rst_ni) begin
      Lowest : cover (has_immediate && value == -64'sd1048576 && format == 3'(J));
      Highest : cover (has_immediate && value == 64'sd4094 && format == 3'(B));
    end
  end
endmodule
