// SPDX-License-Identifier: Apache-2.0
// For any of the slots 0, 10, 21 and 31 and any lane, while all slots are saved and read: a read gives the
// word last saved for that lane before the read's cycle, until the next read. 2 lanes, 32 slots, 2 bits a
// word.
// prove: induction 2
// prove: cover 6
// peek: slot_0_lane_0 u_dut.gen_lane[0].u_ram.mem[0]
// peek: slot_0_lane_1 u_dut.gen_lane[1].u_ram.mem[0]
// peek: slot_10_lane_0 u_dut.gen_lane[0].u_ram.mem[10]
// peek: slot_10_lane_1 u_dut.gen_lane[1].u_ram.mem[10]
// peek: slot_21_lane_0 u_dut.gen_lane[0].u_ram.mem[21]
// peek: slot_21_lane_1 u_dut.gen_lane[1].u_ram.mem[21]
// peek: slot_31_lane_0 u_dut.gen_lane[0].u_ram.mem[31]
// peek: slot_31_lane_1 u_dut.gen_lane[1].u_ram.mem[31]
module strobe_checkpoints_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [1:0] save_i,
    input logic [strobe_dise_pkg::SlotBits-1:0] save_slot_i,
    input logic [3:0] saved_i,
    input logic read_i,
    input logic [strobe_dise_pkg::SlotBits-1:0] read_slot_i,
    input logic [1:0] read_lane_i
);
  logic [1:0] word;
  strobe_checkpoints #(
      .Lanes(2),
      .Width(2)
  ) u_dut (
      .clk_i, .save_i, .save_slot_i, .saved_i, .read_i, .read_slot_i, .read_lane_i, .word_o(word)
  );
  initial assume (!rst_ni);

  (* anyconst *) logic [1:0] which;
  (* anyconst *) logic lane;
  logic [4:0] slot;
  assign slot = {which[1], which[0], which[1], which[0], which[1]};
  logic [1:0] slot_0_lane_0, slot_0_lane_1, slot_10_lane_0, slot_10_lane_1;
  logic [1:0] slot_21_lane_0, slot_21_lane_1, slot_31_lane_0, slot_31_lane_1;
  logic [15:0] four_slots;
  assign four_slots = {slot_31_lane_1, slot_31_lane_0, slot_21_lane_1, slot_21_lane_0,
                       slot_10_lane_1, slot_10_lane_0, slot_0_lane_1, slot_0_lane_0};
  logic held_q, shown_q;
  logic [1:0] held_word_q, shown_word_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= 1'b0;
      shown_q <= 1'b0;
    end else begin
      if (save_i[lane] && save_slot_i == slot) held_q <= 1'b1;
      if (read_i) shown_q <= held_q && read_slot_i == slot && read_lane_i == {1'b0, lane};
    end
  end
  always_ff @(posedge clk_i) begin
    if (save_i[lane] && save_slot_i == slot) held_word_q <= saved_i[2*lane+:2];
    if (read_i) shown_word_q <= held_word_q;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RamHoldsIt : assert (!held_q || four_slots[2*{which, lane}+:2] == held_word_q);
      RestoreGivesWhatWasSaved : assert (!shown_q || word == shown_word_q);
      SavedAgainMeanwhile : cover (shown_q && lane && held_word_q != word && word != '0);
    end
  end
endmodule
