// SPDX-License-Identifier: Apache-2.0
// Instantiation logic: makes one instruction from an entry of the replacement table and the trigger.
//
// docs/blocks/dise.md, "Replacement table". Combinational. The register fields are resolved first; then the
// trigger's immediate is inserted.
module strobe_instantiate (
    input logic [strobe_dise_pkg::ReplacementBits-1:0] entry_i,

    input logic [31:0] insn_i,  // the trigger
    input logic [63:0] pc_i,
    input logic [63:0] next_pc_i,
    input logic [63:0] target_i,
    input logic [31:0] immediate_i,

    output logic [31:0] insn_o,
    output logic [2:0]  dise_o,   // {rs2, rs1, rd}: the field names a dise register
    output logic [2:0]  kind_o,
    output logic [63:0] value_o,
    output logic        last_o
);
  logic [31:0] template;
  logic [2:0] kind, what;
  logic [10:0] go_to;
  assign template = entry_i[31:0];
  assign kind = entry_i[44:42] > strobe_dise_pkg::KindCall ? strobe_dise_pkg::KindInstruction : entry_i[44:42];
  assign what = entry_i[47:45];
  assign go_to = entry_i[58:48];

  logic is_trigger;
  logic [31:0] base;
  assign is_trigger = kind == strobe_dise_pkg::KindTrigger;
  assign base = is_trigger ? insn_i : template;

  // rd, rs1 and rs2 are bits 11:7, 19:15 and 24:20 of the word.
  logic [31:0] resolved;
  logic [14:0] fields;
  logic [2:0] is_dise;
  for (genvar r = 0; r < 3; r++) begin : gen_register
    localparam int At = r == 0 ? 7 : r == 1 ? 15 : 20;
    always_comb begin
      is_dise[r] = 1'b0;
      case (entry_i[32+3*r+:3])
        3'd1: fields[5*r+:5] = insn_i[11:7];
        3'd2: fields[5*r+:5] = insn_i[19:15];
        3'd3: fields[5*r+:5] = insn_i[24:20];
        3'd4: begin
          fields[5*r+:5] = {2'b00, template[At+:3]};
          is_dise[r] = 1'b1;
        end
        default: fields[5*r+:5] = base[At+:5];
      endcase
    end
  end
  assign resolved = {base[31:25], fields[14:5], base[14:12], fields[4:0], base[6:0]};

  logic stores;
  assign stores = template[6:0] == 7'b0100011 || template[6:0] == 7'b0100111;
  always_comb begin
    insn_o = resolved;
    if (entry_i[41] && !is_trigger) begin
      if (stores) {insn_o[31:25], insn_o[11:7]} = immediate_i[11:0];
      else insn_o[31:20] = immediate_i[11:0];
    end
  end

  always_comb begin
    value_o = '0;
    case (kind)
      strobe_dise_pkg::KindValueLoad: begin
        case (what)
          3'd0: value_o = pc_i;
          3'd1: value_o = next_pc_i;
          3'd2: value_o = target_i;
          3'd3: value_o = {{32{immediate_i[31]}}, immediate_i};
          3'd4: value_o = {{32{insn_i[31]}}, insn_i};
          default: value_o = '0;
        endcase
      end
      strobe_dise_pkg::KindBranch: value_o = {53'd0, go_to};
      strobe_dise_pkg::KindCall: value_o = {32'd0, template};
      default: value_o = '0;
    endcase
  end
  assign dise_o = is_dise;
  assign kind_o = kind;
  assign last_o = entry_i[59];
endmodule
