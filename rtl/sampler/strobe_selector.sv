// Selector: one tuple for each retired instruction that one of the slots picks.
//
// docs/blocks/selector.md is the contract. Matching is combinational on the retire lanes, and its
// result is registered: the output in cycle t+1 is the match of cycle t.
// When several slots match, the lowest-numbered makes the tuple.
// Data registers load only where a lane matches and are not reset: an output field is gated by its
// valid bit. Priority: clear > match.
`include "strobe_assert.svh"

module strobe_selector #(
    parameter int Lanes = 4,
    parameter int Selectors = 2
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    input logic enable_i,

    // Slots, each field flat, slot 0 lowest.
    input logic [Selectors-1:0]                         slot_enable_i,
    input logic [2*Selectors-1:0]                       slot_kind_i,
    input logic [Selectors-1:0]                         slot_user_i,
    input logic [Selectors-1:0]                         slot_machine_i,
    input logic [Selectors-1:0]                         slot_marked_i,
    input logic [2*Selectors-1:0]                       slot_prediction_i,
    input logic [strobe_pkg::TagWidth*Selectors-1:0]    slot_tag_i,
    input logic [strobe_pkg::Classes*Selectors-1:0]     slot_opclass_i,
    input logic [strobe_pkg::PcWidth*Selectors-1:0]     slot_pc_lo_i,
    input logic [strobe_pkg::PcWidth*Selectors-1:0]     slot_pc_hi_i,

    // Retire lanes, lane 0 the oldest and lowest.
    input logic [Lanes-1:0]    rvfi_valid_i,
    input logic [32*Lanes-1:0] rvfi_insn_i,
    input logic [Lanes-1:0]    rvfi_trap_i,
    input logic [2*Lanes-1:0]  rvfi_mode_i,
    input logic [64*Lanes-1:0] rvfi_pc_rdata_i,
    input logic [64*Lanes-1:0] rvfi_pc_wdata_i,
    input logic [64*Lanes-1:0] rvfi_rd_wdata_i,
    input logic [64*Lanes-1:0] rvfi_mem_addr_i,
    input logic [Lanes-1:0]    retire_mispredicted_i,

    // Tuples.
    output logic [Lanes-1:0]                         valid_o,
    output logic [strobe_pkg::TagWidth*Lanes-1:0]    tag_o,
    output logic [strobe_pkg::PcWidth*Lanes-1:0]     pc_o,
    output logic [strobe_pkg::ValueWidth*Lanes-1:0]  value_o
);
  `STROBE_REQUIRE(SelectorLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_selector: Lanes must be 1 to 8")
  `STROBE_REQUIRE(SelectorSlots, Selectors >= 1 && Selectors <= strobe_pkg::MaxSelectors,
                  "strobe_selector: Selectors must be 1 to 8")

  // The marker before each lane, in the lane's own mode: the number and whether there is one.
  localparam int MarkWidth = strobe_pkg::TagWidth + 1;
  logic [Lanes-1:0] lane_retires, lane_user, lane_machine;
  logic [MarkWidth*Lanes-1:0] lane_mark, mark_before;
  logic [MarkWidth-1:0] user_mark_q, user_mark_d, machine_mark_q, machine_mark_d;
  logic follow;
  assign follow = enable_i && (slot_enable_i & slot_marked_i) != '0;
  for (genvar k = 0; k < Lanes; k++) begin : gen_mark
    logic [31:0] insn;
    assign insn = rvfi_insn_i[32*k+:32];
    assign lane_retires[k] = rvfi_valid_i[k] && !rvfi_trap_i[k];
    assign lane_user[k] = rvfi_mode_i[2*k+:2] == strobe_pkg::ModeUser;
    assign lane_machine[k] = rvfi_mode_i[2*k+:2] == strobe_pkg::ModeMachine;
    assign lane_mark[MarkWidth*k+:MarkWidth] = {
      {insn[31:24], insn[19:0]} == strobe_pkg::Marker, insn[23:20]
    };
  end
  always_comb begin
    user_mark_d = user_mark_q;
    machine_mark_d = machine_mark_q;
    for (int k = 0; k < Lanes; k++) begin
      mark_before[MarkWidth*k+:MarkWidth] = lane_user[k] ? user_mark_d : machine_mark_d;
      if (lane_retires[k] && lane_user[k]) user_mark_d = lane_mark[MarkWidth*k+:MarkWidth];
      if (lane_retires[k] && lane_machine[k]) machine_mark_d = lane_mark[MarkWidth*k+:MarkWidth];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      user_mark_q <= '0;
      machine_mark_q <= '0;
    end else if (clear_i || !follow) begin
      user_mark_q <= '0;
      machine_mark_q <= '0;
    end else begin
      user_mark_q <= user_mark_d;
      machine_mark_q <= machine_mark_d;
    end
  end

  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    logic [3:0] opclass;
    strobe_opclass u_opclass (
        .insn_i (rvfi_insn_i[32*k+:32]),
        .class_o(opclass)
    );

    logic candidate;
    logic [63:0] pc;
    assign candidate = enable_i && lane_retires[k];
    assign pc = rvfi_pc_rdata_i[64*k+:64];

    logic [Selectors-1:0] hit;
    for (genvar s = 0; s < Selectors; s++) begin : gen_slot
      logic [strobe_pkg::Classes-1:0] classes;
      logic [1:0] prediction;
      logic in_mode, after_marker, predicted_so;
      assign classes = slot_opclass_i[strobe_pkg::Classes*s+:strobe_pkg::Classes];
      assign prediction = slot_prediction_i[2*s+:2];
      assign in_mode = (lane_user[k] && slot_user_i[s]) || (lane_machine[k] && slot_machine_i[s]);
      assign after_marker = !slot_marked_i[s] || mark_before[MarkWidth*k+:MarkWidth] == {
        1'b1, slot_tag_i[strobe_pkg::TagWidth*s+:strobe_pkg::TagWidth]
      };
      assign predicted_so = prediction == strobe_pkg::PredictedWrong ? retire_mispredicted_i[k] :
                            prediction != strobe_pkg::PredictedRight || !retire_mispredicted_i[k];
      assign hit[s] = candidate && slot_enable_i[s] && classes[opclass] && in_mode &&
                      after_marker && predicted_so && slot_pc_lo_i[64*s+:64] <= pc && pc <= slot_pc_hi_i[64*s+:64];
    end

    // From the highest slot down, so that the lowest one that matches is the last to assign.
    logic [1:0] kind;
    logic [strobe_pkg::TagWidth-1:0] tag;
    always_comb begin
      kind = 2'd0;
      tag  = '0;
      for (int s = Selectors - 1; s >= 0; s--) begin
        if (hit[s]) begin
          kind = slot_kind_i[2*s+:2];
          tag  = slot_tag_i[strobe_pkg::TagWidth*s+:strobe_pkg::TagWidth];
        end
      end
    end

    logic [63:0] value;
    always_comb begin
      case (kind)
        strobe_pkg::KindNextPc:  value = rvfi_pc_wdata_i[64*k+:64];
        strobe_pkg::KindAddress: value = rvfi_mem_addr_i[64*k+:64];
        default:                 value = rvfi_rd_wdata_i[64*k+:64];
      endcase
    end

    logic valid_q;
    logic [strobe_pkg::TagWidth-1:0] tag_q;
    logic [63:0] pc_q, value_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= |hit && !clear_i;
    end
    always_ff @(posedge clk_i) begin
      if (|hit) begin
        tag_q   <= tag;
        pc_q    <= pc;
        value_q <= value;
      end
    end

    assign valid_o[k] = valid_q;
    assign tag_o[strobe_pkg::TagWidth*k+:strobe_pkg::TagWidth] = valid_q ? tag_q : '0;
    assign pc_o[64*k+:64] = valid_q ? pc_q : '0;
    assign value_o[64*k+:64] = valid_q ? value_q : '0;
  end
endmodule
