// SPDX-License-Identifier: Apache-2.0
// The selector as docs/blocks/selector.md states it, lane by lane and slot by slot, with markers and opcode
// classes from the tables there: which lanes have a tuple, and what it is. A selector of narrow tuples
// selects the same instructions and keeps the low bits.
// prove: induction 2
// prove: cover 6
// peek: user_mark u_dut.user_mark_q
// peek: supervisor_mark u_dut.supervisor_mark_q
// peek: machine_mark u_dut.machine_mark_q
// peek: narrow_user_mark u_narrow.user_mark_q
// peek: narrow_supervisor_mark u_narrow.supervisor_mark_q
// peek: narrow_machine_mark u_narrow.machine_mark_q
module strobe_selector_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic enable_i,
    input logic [1:0] slot_enable_i,
    input logic [3:0] slot_kind_i,
    input logic [1:0] slot_user_i,
    input logic [1:0] slot_supervisor_i,
    input logic [1:0] slot_machine_i,
    input logic [1:0] slot_marked_i,
    input logic [1:0] slot_in_burst_i,
    input logic [3:0] slot_prediction_i,
    input logic [7:0] slot_tag_i,
    input logic [31:0] slot_opclass_i,
    input logic [127:0] slot_pc_lo_i,
    input logic [127:0] slot_pc_hi_i,
    input logic [1:0] valid_i,
    input logic [63:0] insn_i,
    input logic [1:0] trap_i,
    input logic [3:0] mode_i,
    input logic [127:0] pc_i,
    input logic [127:0] next_pc_i,
    input logic [127:0] result_i,
    input logic [127:0] address_i,
    input logic [1:0] mispredicted_i,
    input logic [1:0] in_burst_i
);
  logic [1:0] valid;
  logic [7:0] tag;
  logic [127:0] pc, value;
  strobe_selector #(
      .Lanes(2),
      .Selectors(2)
  ) u_dut (
      .clk_i, .rst_ni, .clear_i, .enable_i, .slot_enable_i, .slot_kind_i, .slot_user_i,
      .slot_supervisor_i, .slot_machine_i, .slot_marked_i, .slot_in_burst_i, .slot_prediction_i, .slot_tag_i, .slot_opclass_i, .slot_pc_lo_i,
      .slot_pc_hi_i, .rvfi_valid_i(valid_i), .rvfi_insn_i(insn_i), .rvfi_trap_i(trap_i), .rvfi_mode_i(mode_i),
      .rvfi_pc_rdata_i(pc_i), .rvfi_pc_wdata_i(next_pc_i), .rvfi_rd_wdata_i(result_i),
      .rvfi_mem_addr_i(address_i), .retire_mispredicted_i(mispredicted_i), .retire_in_burst_i(in_burst_i),
      .valid_o(valid), .tuple_o({tag[7:4], pc[127:64], value[127:64], tag[3:0], pc[63:0], value[63:0]})
  );
  logic [1:0] narrow_valid;
  logic [119:0] narrow;  // for each lane: tag, 40 bits of pc, 16 bits of value
  strobe_selector #(
      .Lanes(2),
      .Selectors(2),
      .PcWidth(40),
      .ValueWidth(16)
  ) u_narrow (
      .clk_i, .rst_ni, .clear_i, .enable_i, .slot_enable_i, .slot_kind_i, .slot_user_i,
      .slot_supervisor_i, .slot_machine_i, .slot_marked_i, .slot_in_burst_i, .slot_prediction_i, .slot_tag_i, .slot_opclass_i, .slot_pc_lo_i,
      .slot_pc_hi_i, .rvfi_valid_i(valid_i), .rvfi_insn_i(insn_i), .rvfi_trap_i(trap_i), .rvfi_mode_i(mode_i),
      .rvfi_pc_rdata_i(pc_i), .rvfi_pc_wdata_i(next_pc_i), .rvfi_rd_wdata_i(result_i),
      .rvfi_mem_addr_i(address_i), .retire_mispredicted_i(mispredicted_i), .retire_in_burst_i(in_burst_i),
      .valid_o(narrow_valid), .tuple_o(narrow)
  );
  initial assume (!rst_ni);

  function automatic logic is_link(input logic [4:0] register);
    is_link = register == 5'd1 || register == 5'd5;
  endfunction

  // An instruction's number in the table of classes.
  function automatic logic [3:0] class_of(input logic [31:0] insn);
    logic [6:0] op;
    logic [4:0] rd, rs1;
    op  = insn[6:0];
    rd  = insn[11:7];
    rs1 = insn[19:15];
    class_of = 4'd0;
    if (op == 7'b0110011 || op == 7'b0111011) begin
      if (insn[31:25] == 7'b0000001) class_of = insn[14] ? 4'd2 : 4'd1;
    end
    if (op == 7'b0000011 || op == 7'b0000111) class_of = 4'd3;
    if (op == 7'b0100011 || op == 7'b0100111) class_of = 4'd4;
    if (op == 7'b0101111) class_of = 4'd5;
    if (op == 7'b1100011) class_of = 4'd6;
    if (op == 7'b1101111) class_of = is_link(rd) ? 4'd9 : 4'd7;
    if (op == 7'b1100111) class_of = is_link(rd) ? 4'd10 : is_link(rs1) ? 4'd11 : 4'd8;
    if (op == 7'b1010011)
      class_of = insn[31:27] == 5'b00011 || insn[31:27] == 5'b01011 ? 4'd13 : 4'd12;
    if (op == 7'b1000011 || op == 7'b1000111 || op == 7'b1001011 || op == 7'b1001111) class_of = 4'd12;
    if (op == 7'b1110011) class_of = 4'd14;
    if (op == 7'b0001111) class_of = 4'd15;
  endfunction

  // {the last instruction of the mode was a marker, its number}
  logic [4:0] user_q, supervisor_q, machine_q, user_d, supervisor_d, machine_d, last;
  logic [1:0] has_tuple;
  logic [7:0] tags;
  logic [127:0] values;
  logic follows;
  assign follows = enable_i && (slot_enable_i & slot_marked_i) != '0;
  always_comb begin
    user_d = user_q;
    supervisor_d = supervisor_q;
    machine_d = machine_q;
    has_tuple = '0;
    tags = '0;
    values = '0;
    last = '0;
    for (int k = 0; k < 2; k++) begin
      if (valid_i[k] && !trap_i[k]) begin
        last = mode_i[2*k+:2] == 2'd0 ? user_d : mode_i[2*k+:2] == 2'd1 ? supervisor_d : machine_d;
        for (int s = 0; s < 2; s++) begin
          if (enable_i && !has_tuple[k] && slot_enable_i[s] &&
              ((mode_i[2*k+:2] == 2'd0 && slot_user_i[s]) || (mode_i[2*k+:2] == 2'd1 && slot_supervisor_i[s]) ||
               (mode_i[2*k+:2] == 2'd3 && slot_machine_i[s])) &&
              slot_opclass_i[16*s+class_of(insn_i[32*k+:32])] &&
              slot_pc_lo_i[64*s+:64] <= pc_i[64*k+:64] && pc_i[64*k+:64] <= slot_pc_hi_i[64*s+:64] &&
              (!slot_marked_i[s] || last == {1'b1, slot_tag_i[4*s+:4]}) &&
              (!slot_in_burst_i[s] || in_burst_i[k]) &&
              (slot_prediction_i[2*s+:2] != 2'd1 || mispredicted_i[k]) &&
              (slot_prediction_i[2*s+:2] != 2'd2 || !mispredicted_i[k])) begin
            has_tuple[k] = 1'b1;
            tags[4*k+:4] = slot_tag_i[4*s+:4];
            values[64*k+:64] = slot_kind_i[2*s+:2] == 2'd1 ? next_pc_i[64*k+:64] :
                               slot_kind_i[2*s+:2] == 2'd2 ? address_i[64*k+:64] : result_i[64*k+:64];
          end
        end
        last = '0;
        if (insn_i[32*k+24+:8] == '0 && insn_i[32*k+:20] == 20'h03013)  // sltiu x0, x0, 0 to 15
          last = {1'b1, insn_i[32*k+20+:4]};
        if (mode_i[2*k+:2] == 2'd0) user_d = last;
        if (mode_i[2*k+:2] == 2'd1) supervisor_d = last;
        if (mode_i[2*k+:2] == 2'd3) machine_d = last;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      user_q <= '0;
      supervisor_q <= '0;
      machine_q <= '0;
    end else begin
      user_q <= follows && !clear_i ? user_d : '0;
      supervisor_q <= follows && !clear_i ? supervisor_d : '0;
      machine_q <= follows && !clear_i ? machine_d : '0;
    end
  end
  logic [4:0] user_mark, supervisor_mark, machine_mark;
  logic [4:0] narrow_user_mark, narrow_supervisor_mark, narrow_machine_mark;
  logic [1:0] is_right, narrow_is_right;
  for (genvar k = 0; k < 2; k++) begin : gen_lane
    assign is_right[k] = tag[4*k+:4] == tags[4*k+:4] && pc[64*k+:64] == pc_i[64*k+:64] &&
                         value[64*k+:64] == values[64*k+:64];
    assign narrow_is_right[k] = narrow[60*k+:60] == {tags[4*k+:4], pc_i[64*k+:40], values[64*k+:16]};
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      SelectorKnowsTheLastMarkers :
      assert (user_mark[4] == user_q[4] && supervisor_mark[4] == supervisor_q[4] &&
              machine_mark[4] == machine_q[4] && (!user_q[4] || user_mark == user_q) &&
              (!supervisor_q[4] || supervisor_mark == supervisor_q) && (!machine_q[4] || machine_mark == machine_q));
      SelectorPicksWhatASlotMatches : assert (valid == has_tuple);
      SelectorMakesTheTuple : assert ((has_tuple & ~is_right) == '0);
      NarrowKnowsTheSameMarkers :
      assert ({narrow_user_mark, narrow_supervisor_mark, narrow_machine_mark} ==
              {user_mark, supervisor_mark, machine_mark});
      NarrowPicksTheSame : assert (narrow_valid == has_tuple);
      NarrowKeepsTheLowBits : assert ((has_tuple & ~narrow_is_right) == '0);
      BothLanes : cover (valid == 2'b11 && tag[3:0] != tag[7:4]);
      AfterAMarker : cover (valid != '0 && slot_marked_i == 2'b11 && slot_enable_i == 2'b11 && user_q[4]);
    end
  end
endmodule
