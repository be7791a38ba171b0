// SPDX-License-Identifier: Apache-2.0
// Selector: one tuple for each retired instruction that one of the slots picks.
//
// docs/blocks/selector.md is the contract. Matching is combinational on the retire lanes, and the
// queue's RAM takes the tuples in the same cycle. The only state is the last markers.
// When several slots match, the lowest-numbered one makes the tuple. The slots' values do not wait
// for the match, which only selects among them.
// The fields of an invalid lane are don't-care. They and all other signals that are unused in a
// cycle are 'x, which costs neither gates nor simulation time.
`include "strobe_assert.svh"

module strobe_selector #(
    parameter int Lanes = 4,
    parameter int Selectors = 2,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic enable_i,

    // Slots, each field flat, slot 0 in the low bits.
    input logic [Selectors-1:0]                         slot_enable_i,
    input logic [2*Selectors-1:0]                       slot_kind_i,
    input logic [Selectors-1:0]                         slot_user_i,
    input logic [Selectors-1:0]                         slot_supervisor_i,
    input logic [Selectors-1:0]                         slot_machine_i,
    input logic [Selectors-1:0]                         slot_marked_i,
    input logic [Selectors-1:0]                         slot_in_burst_i,
    input logic [2*Selectors-1:0]                       slot_prediction_i,
    input logic [strobe_pkg::TagWidth*Selectors-1:0]    slot_tag_i,
    input logic [strobe_pkg::Classes*Selectors-1:0]     slot_opclass_i,
    input logic [64*Selectors-1:0]                      slot_pc_lo_i,
    input logic [64*Selectors-1:0]                      slot_pc_hi_i,

    // Retire lanes; lane 0 is the oldest and in the low bits.
    input logic [Lanes-1:0]    rvfi_valid_i,
    input logic [32*Lanes-1:0] rvfi_insn_i,
    input logic [Lanes-1:0]    rvfi_trap_i,
    input logic [2*Lanes-1:0]  rvfi_mode_i,
    input logic [64*Lanes-1:0] rvfi_pc_rdata_i,
    input logic [64*Lanes-1:0] rvfi_pc_wdata_i,
    input logic [64*Lanes-1:0] rvfi_rd_wdata_i,
    input logic [64*Lanes-1:0] rvfi_mem_addr_i,
    input logic [Lanes-1:0]    retire_mispredicted_i,
    input logic [Lanes-1:0]    retire_in_burst_i,

    // Tuples {tag, pc, value}, with the low bits of pc and value.
    output logic [Lanes-1:0]                                           valid_o,
    output logic [(strobe_pkg::TagWidth+PcWidth+ValueWidth)*Lanes-1:0] tuple_o
);
  `STROBE_REQUIRE(SelectorLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_selector: Lanes must be 1 to 8")
  `STROBE_REQUIRE(SelectorSlots, Selectors >= 1 && Selectors <= strobe_pkg::MaxSelectors,
                  "strobe_selector: Selectors must be 1 to 8")
  `STROBE_REQUIRE(SelectorPc, PcWidth >= 1 && PcWidth <= strobe_pkg::MaxPcWidth,
                  "strobe_selector: PcWidth must be 1 to 64")
  `STROBE_REQUIRE(SelectorValue, ValueWidth >= 1 && ValueWidth <= strobe_pkg::MaxValueWidth,
                  "strobe_selector: ValueWidth must be 1 to 64")

  localparam int TagWidth = strobe_pkg::TagWidth;
  localparam int TupleWidth = TagWidth + PcWidth + ValueWidth;
  localparam int Classes = strobe_pkg::Classes;

  logic [Lanes-1:0] lane_retires, lane_user, lane_supervisor, lane_machine;
  assign lane_retires = rvfi_valid_i & ~rvfi_trap_i;
  always_comb begin
    lane_user = 'x;
    lane_supervisor = 'x;
    lane_machine = 'x;
    if (lane_retires != '0) begin
      for (int k = 0; k < Lanes; k++) begin
        lane_user[k] = rvfi_mode_i[2*k+:2] == strobe_pkg::ModeUser;
        lane_supervisor[k] = rvfi_mode_i[2*k+:2] == strobe_pkg::ModeSupervisor;
        lane_machine[k] = rvfi_mode_i[2*k+:2] == strobe_pkg::ModeMachine;
      end
    end
  end

  // The last marker of each mode is state: whether there is one, and its number. Markers are
  // compared with the slots' numbers before they are put in order, so that only one bit for each
  // slot goes through the lanes.
  localparam int MarkWidth = TagWidth + 1;
  logic [MarkWidth*Lanes-1:0] lane_mark;
  logic [Selectors*Lanes-1:0] lane_marks, after_marker;
  logic [Selectors-1:0] user_marks, supervisor_marks, machine_marks;
  logic [MarkWidth-1:0] user_mark_q, user_mark_d, supervisor_mark_q, supervisor_mark_d;
  logic [MarkWidth-1:0] machine_mark_q, machine_mark_d;
  logic follow;
  assign follow = enable_i && (slot_enable_i & slot_marked_i) != '0;
  always_comb begin
    lane_mark = 'x;
    lane_marks = 'x;
    after_marker = 'x;
    user_marks = 'x;
    supervisor_marks = 'x;
    machine_marks = 'x;
    user_mark_d = 'x;
    supervisor_mark_d = 'x;
    machine_mark_d = 'x;
    if (follow) begin
      for (int k = 0; k < Lanes; k++) begin
        lane_mark[MarkWidth*k+:MarkWidth] = {
          {rvfi_insn_i[32*k+24+:8], rvfi_insn_i[32*k+:20]} == strobe_pkg::Marker,
          rvfi_insn_i[32*k+20+:TagWidth]
        };
        for (int s = 0; s < Selectors; s++) begin
          lane_marks[Selectors*k+s] =
              lane_mark[MarkWidth*k+:MarkWidth] == {1'b1, slot_tag_i[TagWidth*s+:TagWidth]};
        end
      end
      for (int s = 0; s < Selectors; s++) begin
        user_marks[s] = user_mark_q == {1'b1, slot_tag_i[TagWidth*s+:TagWidth]};
        supervisor_marks[s] = supervisor_mark_q == {1'b1, slot_tag_i[TagWidth*s+:TagWidth]};
        machine_marks[s] = machine_mark_q == {1'b1, slot_tag_i[TagWidth*s+:TagWidth]};
      end
      user_mark_d = user_mark_q;
      supervisor_mark_d = supervisor_mark_q;
      machine_mark_d = machine_mark_q;
      for (int k = 0; k < Lanes; k++) begin
        after_marker[Selectors*k+:Selectors] = lane_user[k] ? user_marks :
                                               lane_supervisor[k] ? supervisor_marks : machine_marks;
        if (lane_retires[k] && lane_user[k]) begin
          user_marks  = lane_marks[Selectors*k+:Selectors];
          user_mark_d = lane_mark[MarkWidth*k+:MarkWidth];
        end
        if (lane_retires[k] && lane_supervisor[k]) begin
          supervisor_marks  = lane_marks[Selectors*k+:Selectors];
          supervisor_mark_d = lane_mark[MarkWidth*k+:MarkWidth];
        end
        if (lane_retires[k] && lane_machine[k]) begin
          machine_marks  = lane_marks[Selectors*k+:Selectors];
          machine_mark_d = lane_mark[MarkWidth*k+:MarkWidth];
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      user_mark_q <= '0;
      supervisor_mark_q <= '0;
      machine_mark_q <= '0;
    end else if (clear_i || !follow) begin
      user_mark_q <= '0;
      supervisor_mark_q <= '0;
      machine_mark_q <= '0;
    end else begin
      user_mark_q <= user_mark_d;
      supervisor_mark_q <= supervisor_mark_d;
      machine_mark_q <= machine_mark_d;
    end
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [Classes-1:0] opclass;
    strobe_opclass u_opclass (
        .valid_i(lane_retires[k]),
        .insn_i (rvfi_insn_i[32*k+:32]),
        .class_o(opclass)
    );

    logic [63:0] pc;
    assign pc = rvfi_pc_rdata_i[64*k+:64];

    logic [Selectors-1:0] from_lo, to_hi;
    for (genvar s = 0; s < Selectors; s++) begin : gen_slot
      strobe_at_least u_from_lo (
          .a_i(pc),
          .b_i(slot_pc_lo_i[64*s+:64]),
          .at_least_o(from_lo[s])
      );
      strobe_at_least u_to_hi (
          .a_i(slot_pc_hi_i[64*s+:64]),
          .b_i(pc),
          .at_least_o(to_hi[s])
      );
    end

    logic [Selectors-1:0] hit, in_mode, in_order, in_time, predicted_so, in_class;
    always_comb begin
      hit = 'x;
      in_mode = 'x;
      in_order = 'x;
      in_time = 'x;
      predicted_so = 'x;
      in_class = 'x;
      if (lane_retires[k]) begin
        for (int s = 0; s < Selectors; s++) begin
          in_mode[s] = (lane_user[k] && slot_user_i[s]) ||
                       (lane_supervisor[k] && slot_supervisor_i[s]) ||
                       (lane_machine[k] && slot_machine_i[s]);
          in_order[s] = !slot_marked_i[s] || after_marker[Selectors*k+s];
          in_time[s] = !slot_in_burst_i[s] || retire_in_burst_i[k];
          case (slot_prediction_i[2*s+:2])
            strobe_pkg::PredictedWrong: predicted_so[s] = retire_mispredicted_i[k];
            strobe_pkg::PredictedRight: predicted_so[s] = !retire_mispredicted_i[k];
            default: predicted_so[s] = 1'b1;
          endcase
          in_class[s] = (opclass & slot_opclass_i[Classes*s+:Classes]) != '0;
        end
        hit = slot_enable_i & in_mode & in_order & in_time & predicted_so & in_class & from_lo & to_hi;
      end
    end

    // The lowest slot that matches, or the last slot if none does, which is don't-care.
    logic [Selectors-1:0] first;
    strobe_first_one #(
        .Width(Selectors)
    ) u_first (
        .bits_i (hit | Selectors'(1 << (Selectors - 1))),
        .first_o(first)
    );
    logic [ValueWidth-1:0] next_pc, address, result;
    assign next_pc = ValueWidth'(rvfi_pc_wdata_i[64*k+:64]);
    assign address = ValueWidth'(rvfi_mem_addr_i[64*k+:64]);
    assign result  = ValueWidth'(rvfi_rd_wdata_i[64*k+:64]);

    logic [TagWidth-1:0] tag;
    logic [ValueWidth-1:0] value;
    always_comb begin
      tag = 'x;
      value = 'x;
      if (lane_retires[k]) begin
        tag = '0;
        value = '0;
        for (int s = 0; s < Selectors; s++) begin
          tag = tag | ({TagWidth{first[s]}} & slot_tag_i[TagWidth*s+:TagWidth]);
          case (slot_kind_i[2*s+:2])
            strobe_pkg::KindNextPc:  value = value | ({ValueWidth{first[s]}} & next_pc);
            strobe_pkg::KindAddress: value = value | ({ValueWidth{first[s]}} & address);
            default:                 value = value | ({ValueWidth{first[s]}} & result);
          endcase
        end
      end
    end

    assign valid_o[k] = enable_i && lane_retires[k] && hit != '0;
    assign tuple_o[TupleWidth*k+:TupleWidth] = {tag, PcWidth'(pc), value};
  end
endmodule
