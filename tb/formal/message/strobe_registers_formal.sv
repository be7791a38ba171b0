// SPDX-License-Identifier: Apache-2.0
// The lock holds: after REGWEN is 0, no configuration that it guards changes, whatever is written, cleared or
// counted. The seed, a slot and the table index read as last written; an address without a register reads 0
// with an error. The interrupt is a cause that was enabled in the cycle before. The watermark is a cause from
// the level on that was written last, or while it is tested. The period is one that the
// counters can reach, the watermark one that the buffer can reach, and a larger number is stored as the
// largest. A clear lasts one cycle.
// The narrower pc and value of a message read with zeros above.
// A message is read as a whole: MSG_META belongs to the message whose pc MSG_PC gave last, and takes only
// that one.
// prove: induction 2
// prove: cover 6
// peek: intr_enable u_dut.intr_enable_q
// peek: watermark u_dut.watermark_q
// peek: intr_test u_dut.intr_test_q
`include "strobe_assert.svh"

module strobe_registers_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic reg_re_i,
    input logic reg_we_i,
    input logic [11:0] reg_addr_i,
    input logic [63:0] reg_wdata_i,
    input logic [3:0] event_i,
    input logic drop_i,
    input logic stall_i,
    input logic [8:0] level_i,
    input logic msg_valid_i,
    input logic [39:0] msg_pc_i,
    input logic [15:0] msg_value_i
);
  localparam int PeriodWidth = strobe_pkg::PeriodWidth;
  logic irq, error, clear, enable, unlocked, shown;
  logic [63:0] rdata, seed;
  logic [PeriodWidth-1:0] period, should_evict, should_replace;
  logic [strobe_pkg::SettingsWidth-1:0] settings;
  assign should_evict = settings[strobe_pkg::ShouldEvictLow+:strobe_pkg::ShouldEvictWidth];
  assign should_replace = settings[strobe_pkg::ShouldReplaceLow+:strobe_pkg::ShouldReplaceWidth];
  logic [strobe_pkg::ThresholdWidth-1:0] threshold;
  logic [15:0] table_index;
  logic [1:0] slot_enable, slot_user, slot_supervisor, slot_machine, slot_marked, slot_in_burst;
  logic [3:0] slot_kind, slot_prediction;
  logic [7:0] slot_tag;
  logic [31:0] slot_opclass;
  logic [127:0] slot_pc_lo, slot_pc_hi;
  strobe_registers #(
      .PcWidth(40),
      .ValueWidth(16)
  ) u_dut (
      .clk_i, .rst_ni, .reg_re_i, .reg_we_i, .reg_addr_i, .reg_wdata_i, .reg_rdata_o(rdata), .reg_error_o(error),
      .irq_o(irq), .clear_o(clear), .enable_o(enable), .unlocked_o(unlocked), .period_o(period),
      .threshold_o(threshold), .seed_o(seed), .settings_o(settings), .table_index_o(table_index),
      .slot_enable_o(slot_enable),
      .slot_kind_o(slot_kind), .slot_user_o(slot_user), .slot_supervisor_o(slot_supervisor), .slot_machine_o(slot_machine),
      .slot_marked_o(slot_marked), .slot_in_burst_o(slot_in_burst), .slot_prediction_o(slot_prediction),
      .slot_tag_o(slot_tag), .slot_opclass_o(slot_opclass), .slot_pc_lo_o(slot_pc_lo),
      .slot_pc_hi_o(slot_pc_hi), .event_i, .drop_i, .dropped_i('0), .stall_i, .init_i(1'b0),
      .idle_i(1'b0), .level_i, .high_water_i('0), .table_valid_i(1'b0), .table_tuple_i('0),
      .table_count_i('0), .msg_valid_i, .msg_tuple_i({4'd0, msg_pc_i, msg_value_i}),
      .msg_count_i('0), .msg_shown_o(shown)
  );

  localparam int Guarded = PeriodWidth + strobe_pkg::SettingsWidth + strobe_pkg::ThresholdWidth + 64 + 6 * 2 + 2 * 4 + 8 + 32 + 2 * 128;
  logic [Guarded-1:0] guarded, guarded_q;
  assign guarded = {period, settings, threshold, seed, slot_enable, slot_user,
                    slot_supervisor, slot_machine, slot_marked, slot_in_burst, slot_kind, slot_prediction, slot_tag, slot_opclass,
                    slot_pc_lo, slot_pc_hi};

  // The cycle before.
  initial assume (!rst_ni);
  logic known_q, unlocked_q, wrote_q, clear_q;
  logic [11:0] address_q;
  logic [63:0] wdata_q, rdata_q;
  logic [1:0] enabled_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    guarded_q <= guarded;
    unlocked_q <= unlocked;
    wrote_q <= reg_we_i;
    clear_q <= clear;
    address_q <= reg_addr_i;
    wdata_q <= reg_wdata_i;
    rdata_q <= rdata;
    enabled_q <= intr_enable;
  end

  // The buffer keeps its head until it is taken, by software or by a clear. The ring writer takes heads that
  // software does not see. The pc that software read last is recorded.
  logic takes, stays_q;
  logic [55:0] head_q;
  logic [63:0] pc_read_q;
  assign takes = reg_re_i && reg_addr_i == strobe_reg_pkg::MsgMetaOffset && shown;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) stays_q <= 1'b0;
    else stays_q <= msg_valid_i && !takes && !clear;
  end
  always_ff @(posedge clk_i) begin
    head_q <= {msg_pc_i, msg_value_i};
    if (reg_re_i && reg_addr_i == strobe_reg_pkg::MsgPcOffset) pc_read_q <= rdata;
  end
  always_comb assume (!stays_q || !msg_valid_i || {msg_pc_i, msg_value_i} == head_q);

  logic [1:0] intr_enable, intr_test;
  logic [8:0] watermark, watermark_written_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) watermark_written_q <= '0;
    else if (reg_we_i && unlocked && reg_addr_i == strobe_reg_pkg::WatermarkOffset)
      watermark_written_q <= reg_wdata_i > 64'd256 ? 9'd256 : reg_wdata_i[8:0];
  end
  logic reached;
  assign reached = watermark_written_q != '0 && level_i >= watermark_written_q;
  logic reads_back, wrote_open;  // a register written in the cycle before
  assign reads_back = wrote_q && reg_addr_i == address_q;
  assign wrote_open = wrote_q && unlocked_q;
  logic [63:0] of_a_slot;  // fields of SEL_CTRL
  assign of_a_slot = 64'hffff_3fff;
  always @(posedge clk_i) begin
    if (rst_ni && known_q) begin
      LockStays : assert (unlocked_q || !unlocked);
      LockHolds : assert (unlocked_q || guarded == guarded_q);
      OnlyAWriteChangesThem : assert (wrote_q || guarded == guarded_q);
      SeedReadsBack : assert (!reads_back || !unlocked_q || address_q != strobe_reg_pkg::SeedOffset || rdata == wdata_q);
      SlotReadsBack :
      assert (!reads_back || !unlocked_q || address_q != strobe_reg_pkg::SelCtrlOffset || rdata == (wdata_q & of_a_slot));
      IndexReadsBack :
      assert (!reads_back || address_q != strobe_reg_pkg::TableIndexOffset || rdata == 64'(wdata_q[15:0]));
      PeriodIsWhatWasWrittenOrTheLargest :
      assert (!wrote_open || address_q != strobe_reg_pkg::PeriodOffset ||
              64'(period) == (wdata_q > 64'd256 ? 64'd256 : wdata_q));
      WatermarkIsWhatWasWrittenOrTheLargest :
      assert (!wrote_open || !reads_back || address_q != strobe_reg_pkg::WatermarkOffset ||
              rdata == (wdata_q > 64'd256 ? 64'd256 : wdata_q));
      ThresholdIsWhatWasWrittenOrTheLargest :
      assert (!wrote_open || address_q != strobe_reg_pkg::ThresholdOffset ||
              64'(threshold) == (wdata_q > 64'hffff_ffff ? 64'hffff_ffff : wdata_q));
      EvictionIsWhatWasWrittenOrTheLargest :
      assert (!wrote_open || address_q != strobe_reg_pkg::EvictionOffset ||
              (16'(should_evict) == (wdata_q[15:0] > 16'h1fff ? 16'h1fff : wdata_q[15:0]) &&
               48'(should_replace) == (wdata_q[63:16] > 48'h1fff ? 48'h1fff : wdata_q[63:16])));
      InterruptIsACauseEnabled :
      assert (address_q != strobe_reg_pkg::IntrStateOffset || irq == ((rdata_q[1:0] & enabled_q) != '0));
      ClearIsOneCycle : assert (clear == (wrote_q && address_q == strobe_reg_pkg::CtrlOffset && wdata_q[1]));
      ClearedEventsAreZero : assert (!clear_q || reg_addr_i != strobe_reg_pkg::EventsOffset || rdata == '0);
      Locked : cover (!unlocked_q && wrote_q && address_q == strobe_reg_pkg::SeedOffset && wdata_q != seed);
      Cleared : cover (clear_q);
    end
    if (rst_ni) begin
      NoRegisterBetweenTwo : assert (reg_addr_i[2:0] == '0 || error);
      ErrorReadsZero : assert (!error || rdata == '0);
      WatermarkIsStored : assert (watermark == watermark_written_q);
      WatermarkIsACauseFromItsLevelOn :
      assert (reg_addr_i != strobe_reg_pkg::IntrStateOffset || rdata[0] == (intr_test[0] || reached));
      StatusShowsTheLevel : assert (reg_addr_i != strobe_reg_pkg::StatusOffset || rdata[31:16] == 16'(level_i));
      PeriodCanBeReached : assert (period <= PeriodWidth'(256));
      WatermarkCanBeReached : assert (reg_addr_i != strobe_reg_pkg::WatermarkOffset || rdata <= 64'd256);
      ShownIsTheHead : assert (!shown || !msg_valid_i || (stays_q && 64'(msg_pc_i) == pc_read_q));
      MetaIsOfAMessageShown :
      assert (reg_addr_i != strobe_reg_pkg::MsgMetaOffset || rdata[63] == (shown && msg_valid_i));
      ValueIsOfTheMessageShown :
      assert (reg_addr_i != strobe_reg_pkg::MsgValueOffset || rdata == (shown && msg_valid_i ? 64'(msg_value_i) : 64'd0));
      Taken : cover (takes && msg_valid_i && msg_pc_i != '0);
      ArrivedTooLate : cover (stays_q && !shown && reg_re_i && reg_addr_i == strobe_reg_pkg::MsgMetaOffset && pc_read_q == '0);
      Interrupted : cover (irq);
      JustReached : cover (reached && level_i == watermark_written_q && irq);
    end
  end
endmodule
