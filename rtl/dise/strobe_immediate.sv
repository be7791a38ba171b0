// SPDX-License-Identifier: Apache-2.0
// The immediate of a 32-bit instruction, sign-extended to 64 bits. Combinational.
//
// The major opcode gives the format: I, S, B, U or J. For every other opcode, system and fence instructions
// included, has_immediate_o and value_o are 0.
module strobe_immediate (
    input  logic [31:0] insn_i,
    output logic        has_immediate_o,
    output logic [63:0] value_o
);
  logic [31:0] value;
  always_comb begin
    has_immediate_o = 1'b1;
    case (insn_i[6:0])
      7'b0000011, 7'b0000111, 7'b0010011, 7'b0011011, 7'b1100111:
      value = {{20{insn_i[31]}}, insn_i[31:20]};
      7'b0100011, 7'b0100111: value = {{20{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
      7'b1100011:
      value = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
      7'b0110111, 7'b0010111: value = {insn_i[31:12], 12'd0};
      7'b1101111:
      value = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
      default: begin
        has_immediate_o = 1'b0;
        value = '0;
      end
    endcase
  end
  assign value_o = {{32{value[31]}}, value};
endmodule
