// SPDX-License-Identifier: Apache-2.0
// A squash: a restore writes back exactly the counters and flags that were last saved for its lane, whatever
// was decoded, replaced, restored or written since, and empties the engine. One slot stands for any.
//
// That the saved state is the state after the lane is proven by strobe_counter_bank's harness. The blocks'
// own assertions are proven in their own harnesses.
//
// prove: induction 3
// prove: cover 14
// leave: u_dut
module strobe_dise_restore_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic we_i,
    input logic [11:0] address_i,
    input logic [63:0] wdata_i,
    input logic [1:0] valid_i,
    input logic [63:0] insn_i,
    input logic [127:0] pc_i,
    input logic [127:0] target_i,
    input logic [1:0] length4_i,
    input logic [1:0] expand_i,
    input logic [4:0] slot_i,
    input logic inject_i,
    input logic [1:0] inject_entry_i,
    input logic restore_i,
    input logic [4:0] restore_slot_i,
    input logic restore_lane_i,
    input logic out_ready_i,
    input logic resume_i,
    input logic [1:0] resume_entry_i,
    input logic resume_done_i
);
  localparam logic [4:0] Slot = 5'd5;  // any slot would do

  logic idle, out_valid;
  logic [1:0] flags;
  strobe_dise #(
      .Lanes(2),
      .Patterns(2),
      .Replacements(4),
      .Counters(1),
      .CounterWidth(8)
  ) u_dut (
      .clk_i, .rst_ni, .we_i, .address_i, .wdata_i, .rdata_o(),
      .valid_i, .insn_i, .pc_i, .length4_i, .target_i, .expand_i, .slot_i, .ready_o(),
      .inject_i, .inject_entry_i,
      .restore_i, .restore_slot_i, .restore_lane_i({1'b0, restore_lane_i}),
      .out_valid_o(out_valid), .valid_o(), .insn_o(), .dise_o(), .kind_o(), .pc_o(), .value_o(),
      .entry_o(), .last_o(), .in_burst_o(), .replaced_o(), .replaced_lane_o(), .replaced_entry_o(),
      .out_ready_i, .resume_i, .resume_entry_i, .resume_done_i,
      .idle_o(idle), .hps_flags_o(flags), .hps_position_o()
  );

  initial assume (!rst_ni);
  always @(posedge clk_i) begin
    if (rst_ni) begin
      LanesWithoutAGap : assume (valid_i != 2'b10);
      WritesWhileIdle : assume (!we_i || idle);
      InjectsWhileIdle : assume (!inject_i || idle);
    end
  end

  logic [1:0] save, restore, fsm;
  logic [4:0] save_slot;
  logic [19:0] saved;
  logic [9:0] kept0, kept1, word;
  logic [7:0] counter;
  logic [3:0] state;
  logic word_valid, hits_valid, loop_valid, start_valid, blocked;
// peek: save u_dut.save
// peek: save_slot u_dut.save_slot_q
// peek: saved u_dut.saved
// peek: restore u_dut.restore_q
// peek: fsm u_dut.u_sequencer.state_q
// peek: kept0 u_dut.u_checkpoints.gen_lane[0].u_ram.mem[5]
// peek: kept1 u_dut.u_checkpoints.gen_lane[1].u_ram.mem[5]
// peek: word u_dut.restored
// peek: counter u_dut.counters
// peek: state u_dut.state
// peek: word_valid u_dut.word_valid_q
// peek: hits_valid u_dut.hits_valid_q
// peek: loop_valid u_dut.loop_valid_q
// peek: start_valid u_dut.start_valid_q
// peek: blocked u_dut.blocked_q

  // What was last saved for each lane of the slot.
  logic [1:0] has_q;
  logic [9:0] want0_q, want1_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) has_q <= '0;
    else if (save_slot == Slot) has_q <= has_q | save;
  end
  always_ff @(posedge clk_i) begin
    if (save_slot == Slot && save[0]) want0_q <= saved[9:0];
    if (save_slot == Slot && save[1]) want1_q <= saved[19:10];
  end

  // A restore from the slot: requested in one cycle, read in the next, written back at the edge after that.
  logic asked_q, lane_q, read_q, loaded_q, squashed_q;
  logic [9:0] expect_q, loaded_expect_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      asked_q <= 1'b0;
      read_q <= 1'b0;
      loaded_q <= 1'b0;
      squashed_q <= 1'b0;
    end else begin
      asked_q <= restore_i && restore_slot_i == Slot;
      read_q <= asked_q && has_q[lane_q];
      loaded_q <= read_q;
      squashed_q <= restore_i;
    end
  end
  always_ff @(posedge clk_i) begin
    lane_q <= restore_lane_i;
    expect_q <= lane_q ? want1_q : want0_q;
    loaded_expect_q <= expect_q;
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      TheSquashedStateIsBack : assert (!loaded_q || {flags, counter} == loaded_expect_q);
      ItsFlagsSelectTheirRow : assert (!loaded_q || state == 4'b0001 << flags);
      NothingIsLeft :
      assert (!squashed_q || !(out_valid || word_valid || hits_valid || loop_valid || start_valid || blocked || fsm != '0));

      Kept : assert ((!has_q[0] || kept0 == want0_q) && (!has_q[1] || kept1 == want1_q));
      ReadBack : assert (!read_q || (restore[1] && word == expect_q));
      AskedIsOnTheWay : assert (!asked_q || restore[0]);

      Restores : cover (loaded_q && counter == 8'h5a);
    end
  end
endmodule
