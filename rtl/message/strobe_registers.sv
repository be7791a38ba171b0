// SPDX-License-Identifier: Apache-2.0
// Registers and interrupt: software's view of the path.
//
// docs/blocks/registers.md is the contract, configs/registers.yaml the map. A read is combinational
// from the state and the inputs of this cycle; a write changes its register at the end of the
// cycle. A number that is too large is stored as the largest possible one: PERIOD never exceeds
// what a counter can count to, its reset value included, and WATERMARK never exceeds the buffer's
// depth. irq_o is from a flip-flop. A read of MSG_PC shows a message; MSG_META reads, and takes,
// only a message that was shown.
// When things coincide: INTR_STATE.drop: clear > set > write of 1; EVENTS, STALLS: clear > count;
// msg_shown_o: clear and no message > reads.
// clear_o is 1 in the cycle after a write of CTRL.clear.
// It is one file, because all of it is the decoding of one access and the registers that it reaches.
`include "strobe_assert.svh"

module strobe_registers #(
    // strobe-gen: parameters
    parameter int Lanes = 4,
    parameter int Selectors = 2,
    parameter int QueueDepth = 128,
    parameter int Strata = 2048,
    parameter int CounterWidth = 8,
    parameter int BufferDepth = 256,
    parameter int Compressor = strobe_pkg::CompressorStratified,
    parameter int Sampler = strobe_pkg::SamplerPeriodic,
    parameter int Hash = strobe_pkg::HashPaper,
    parameter int Banks = 1,
    parameter int Ways = 2,
    parameter int TagBits = 2,
    parameter int MissWidth = 3,
    parameter int SecondEntries = 0,
    parameter int SecondWidth = 16,
    parameter int Ring = 0,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
    // strobe-gen: end
) (
    input logic clk_i,
    input logic rst_ni,

    // Bus. strobe_profiler decodes the read of MSG_META that takes a message.
    input  logic        reg_re_i,
    input  logic        reg_we_i,
    input  logic [11:0] reg_addr_i,
    input  logic [63:0] reg_wdata_i,
    output logic [63:0] reg_rdata_o,
    output logic        reg_error_o,
    output logic        irq_o,

    // Configuration.
    output logic                                      clear_o,
    output logic                                      enable_o,
    output logic                                      unlocked_o,  // REGWEN
    output logic [strobe_pkg::PeriodWidth-1:0]        period_o,
    output logic [strobe_pkg::ThresholdWidth-1:0]     threshold_o,
    output logic [strobe_pkg::SeedWidth-1:0]          seed_o,
    output logic [strobe_pkg::SettingsWidth-1:0]      settings_o,  // the compressors' own registers
    output logic [15:0]                               table_index_o,
    output logic [Selectors-1:0]                      slot_enable_o,
    output logic [2*Selectors-1:0]                    slot_kind_o,
    output logic [Selectors-1:0]                      slot_user_o,
    output logic [Selectors-1:0]                      slot_supervisor_o,
    output logic [Selectors-1:0]                      slot_machine_o,
    output logic [Selectors-1:0]                      slot_marked_o,
    output logic [Selectors-1:0]                      slot_in_burst_o,
    output logic [2*Selectors-1:0]                    slot_prediction_o,
    output logic [strobe_pkg::TagWidth*Selectors-1:0] slot_tag_o,
    output logic [strobe_pkg::Classes*Selectors-1:0]  slot_opclass_o,
    output logic [64*Selectors-1:0]                   slot_pc_lo_o,
    output logic [64*Selectors-1:0]                   slot_pc_hi_o,

    // State of the path.
    input logic [Lanes-1:0]             event_i,      // lanes that were selected in the last cycle
    input logic                         drop_i,       // those lanes were dropped
    input logic [31:0]                  dropped_i,
    input logic                         stall_i,      // a full buffer holds a message back
    input logic                         init_i,
    input logic                         idle_i,
    input logic [$clog2(BufferDepth):0] level_i,
    input logic [$clog2(BufferDepth):0] high_water_i,

    // The entry that the table index names.
    input logic                                               table_valid_i,  // its tuple is known
    input logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] table_tuple_i,
    input logic [strobe_pkg::CountWidth-1:0]                  table_count_i,

    // The oldest message.
    input  logic                                               msg_valid_i,
    input  logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_i,
    input  logic [(SecondEntries > 0 ? SecondWidth : CounterWidth):0] msg_count_i,
    output logic msg_shown_o  // its MSG_PC was read, its MSG_META not yet
);
  localparam int PeriodWidth = strobe_pkg::PeriodWidth;
  localparam int ThresholdWidth = strobe_pkg::ThresholdWidth;
  localparam int LevelWidth = $clog2(BufferDepth) + 1;
  // strobe-gen: limits
  localparam int LongestPeriod =
      Compressor == strobe_pkg::CompressorStratified && Sampler == strobe_pkg::SamplerCountdown ? (1 << (CounterWidth - 1)) :
      Compressor == strobe_pkg::CompressorStratified ? (1 << CounterWidth) :
      Compressor == strobe_pkg::CompressorTagged ? (1 << CounterWidth) :
      Compressor == strobe_pkg::CompressorAssociative ? (1 << CounterWidth) :
      1;
  localparam logic [63:0] Cap2 =
      Compressor == strobe_pkg::CompressorStratified ?
      64'(8'(Sampler)) << 0 | 64'(8'(Hash)) << 8 | 64'(8'(Banks)) << 16 | 64'(8'(SecondEntries)) << 48 | 64'(8'(SecondWidth)) << 56 :
      Compressor == strobe_pkg::CompressorTagged ?
      64'(8'(Hash)) << 8 | 64'(8'(Ways)) << 24 | 64'(8'(TagBits)) << 32 | 64'(8'(MissWidth)) << 40 | 64'(8'(SecondEntries)) << 48 | 64'(8'(SecondWidth)) << 56 :
      Compressor == strobe_pkg::CompressorAssociative ?
      64'(8'(SecondEntries)) << 48 | 64'(8'(SecondWidth)) << 56 :
      64'd0;
  // strobe-gen: end
  localparam logic [PeriodWidth-1:0] MaxPeriod = PeriodWidth'(LongestPeriod);
  localparam logic [PeriodWidth-1:0] ResetPeriod =
      strobe_reg_pkg::PeriodResetValue[PeriodWidth-1:0] > MaxPeriod ? MaxPeriod :
      strobe_reg_pkg::PeriodResetValue[PeriodWidth-1:0];

  // The slots are an aligned block of registers, a power of two apart.
  localparam int SlotLow = $clog2(32'(strobe_reg_pkg::SelCtrlStride));
  localparam int SlotBits = $clog2(strobe_pkg::MaxSelectors);
  localparam logic [11:0] SlotCtrl = strobe_reg_pkg::SelCtrlOffset;
  localparam logic [11:0] SlotPcLo = strobe_reg_pkg::SelPcLoOffset;
  localparam logic [11:0] SlotPcHi = strobe_reg_pkg::SelPcHiOffset;

  `STROBE_REQUIRE(RegisterLanes, Lanes >= 1 && Lanes <= strobe_pkg::MaxLanes,
                  "strobe_registers: Lanes must be 1 to 8")
  `STROBE_REQUIRE(RegisterSelectors, Selectors >= 1 && Selectors <= strobe_pkg::MaxSelectors,
                  "strobe_registers: Selectors must be 1 to 8")
  `STROBE_REQUIRE(RegisterCounter, CounterWidth >= 1 &&
                  CounterWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_registers: CounterWidth must be 1 to 12")
  `STROBE_REQUIRE(RegisterSecond, SecondEntries == 0 ||
                  (SecondWidth >= 1 && SecondWidth < strobe_pkg::CountWidth),
                  "strobe_registers: SecondWidth must be 1 to 31")
  `STROBE_REQUIRE(RegisterPc, PcWidth >= 1 && PcWidth <= strobe_pkg::MaxPcWidth,
                  "strobe_registers: PcWidth must be 1 to 64")
  `STROBE_REQUIRE(RegisterValue, ValueWidth >= 1 && ValueWidth <= strobe_pkg::MaxValueWidth,
                  "strobe_registers: ValueWidth must be 1 to 64")
  `STROBE_REQUIRE(RegisterBuffer, BufferDepth >= 2 && BufferDepth <= strobe_pkg::MaxBufferDepth,
                  "strobe_registers: BufferDepth must be 2 to 4096")
  `STROBE_REQUIRE(RegisterSlots, SlotCtrl[SlotLow+SlotBits-1:0] == '0,
                  "strobe_registers: the slots' registers must be aligned to their block")

  // Numbers are reset synchronously, control bits asynchronously: a flip-flop with an asynchronous
  // reset is nearly twice as large and slower, and a selector's critical path begins at these
  // numbers.
  logic in_reset;
  assign in_reset = !rst_ni;

  // State.
  logic enable_q, clear_q, unlocked_q, drop_q, irq_q, shown_q;
  logic [1:0] intr_enable_q, intr_test_q;
  logic [PeriodWidth-1:0] period_q;
  logic [ThresholdWidth-1:0] threshold_q;
  logic [strobe_pkg::SeedWidth-1:0] seed_q;
  logic [LevelWidth-1:0] watermark_q;
  logic [15:0] table_index_q;
  logic [47:0] events;
  logic [31:0] stalls_q;

  // Address decoding of the slots. The offset inside a slot selects one of its registers.
  logic slot_block, slot_ctrl, slot_pc_lo, slot_pc_hi;
  logic [SlotBits-1:0] slot;
  assign slot_block = reg_addr_i[11:SlotLow+SlotBits] == SlotCtrl[11:SlotLow+SlotBits];
  assign slot = reg_addr_i[SlotLow+:SlotBits];
  assign slot_ctrl = slot_block && reg_addr_i[SlotLow-1:0] == SlotCtrl[SlotLow-1:0];
  assign slot_pc_lo = slot_block && reg_addr_i[SlotLow-1:0] == SlotPcLo[SlotLow-1:0];
  assign slot_pc_hi = slot_block && reg_addr_i[SlotLow-1:0] == SlotPcHi[SlotLow-1:0];

  // Selector slots.
  logic [64*Selectors-1:0] slot_rdata;
  for (genvar s = 0; s < Selectors; s++) begin : gen_slot
    logic enable_s_q, user_q, supervisor_q, machine_q, marked_q, in_burst_q;
    logic [1:0] kind_q, prediction_q;
    logic [3:0] tag_q;
    logic [15:0] opclass_q;
    logic [63:0] pc_lo_q, pc_hi_q;
    logic write;
    assign write = reg_we_i && unlocked_q && 32'(slot) == s;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) enable_s_q <= strobe_reg_pkg::SelCtrlResetValue[0];
      else if (write && slot_ctrl) enable_s_q <= reg_wdata_i[0];
    end
    always_ff @(posedge clk_i) begin
      if (in_reset) begin
        kind_q <= strobe_reg_pkg::SelCtrlResetValue[2:1];
        supervisor_q <= strobe_reg_pkg::SelCtrlResetValue[3];
        user_q <= strobe_reg_pkg::SelCtrlResetValue[4];
        machine_q <= strobe_reg_pkg::SelCtrlResetValue[5];
        marked_q <= strobe_reg_pkg::SelCtrlResetValue[6];
        in_burst_q <= strobe_reg_pkg::SelCtrlResetValue[7];
        prediction_q <= strobe_reg_pkg::SelCtrlResetValue[13:12];
        tag_q <= strobe_reg_pkg::SelCtrlResetValue[11:8];
        opclass_q <= strobe_reg_pkg::SelCtrlResetValue[31:16];
        pc_lo_q <= strobe_reg_pkg::SelPcLoResetValue;
        pc_hi_q <= strobe_reg_pkg::SelPcHiResetValue;
      end else if (write) begin
        if (slot_ctrl) begin
          kind_q <= reg_wdata_i[2:1];
          supervisor_q <= reg_wdata_i[3];
          user_q <= reg_wdata_i[4];
          machine_q <= reg_wdata_i[5];
          marked_q <= reg_wdata_i[6];
          in_burst_q <= reg_wdata_i[7];
          prediction_q <= reg_wdata_i[13:12];
          tag_q <= reg_wdata_i[11:8];
          opclass_q <= reg_wdata_i[31:16];
        end
        if (slot_pc_lo) pc_lo_q <= reg_wdata_i;
        if (slot_pc_hi) pc_hi_q <= reg_wdata_i;
      end
    end

    assign slot_enable_o[s] = enable_s_q;
    assign slot_kind_o[2*s+:2] = kind_q;
    assign slot_user_o[s] = user_q;
    assign slot_supervisor_o[s] = supervisor_q;
    assign slot_machine_o[s] = machine_q;
    assign slot_marked_o[s] = marked_q;
    assign slot_in_burst_o[s] = in_burst_q;
    assign slot_prediction_o[2*s+:2] = prediction_q;
    assign slot_tag_o[4*s+:4] = tag_q;
    assign slot_opclass_o[16*s+:16] = opclass_q;
    assign slot_pc_lo_o[64*s+:64] = pc_lo_q;
    assign slot_pc_hi_o[64*s+:64] = pc_hi_q;

    logic [63:0] ctrl;
    assign ctrl = {
      32'd0,
      opclass_q,
      2'd0,
      prediction_q,
      tag_q,
      in_burst_q,
      marked_q,
      machine_q,
      user_q,
      supervisor_q,
      kind_q,
      enable_s_q
    };
    assign slot_rdata[64*s+:64] = slot_ctrl ? ctrl : slot_pc_lo ? pc_lo_q : pc_hi_q;
  end

  // Causes as software reads them.
  logic watermark_cause, drop_cause;
  assign watermark_cause = intr_test_q[0] || (watermark_q != '0 && level_i >= watermark_q);
  assign drop_cause = intr_test_q[1] || drop_q;

  logic [strobe_pkg::TagWidth-1:0] table_tag, msg_tag;
  logic [PcWidth-1:0] table_pc, msg_pc;
  logic [ValueWidth-1:0] table_value, msg_value;
  assign {table_tag, table_pc, table_value} = table_tuple_i;
  assign {msg_tag, msg_pc, msg_value} = msg_tuple_i;

  // A message is read as a whole: the one that MSG_PC showed, or none.
  logic shown;
  assign shown = shown_q && msg_valid_i;

  // The registers of the compressors.
  logic settings_known;
  logic [63:0] settings_rdata;
  strobe_settings u_settings (
      .clk_i,
      .rst_ni,
      .write_i(reg_we_i && unlocked_q),
      .reg_addr_i,
      .reg_wdata_i,
      .reg_rdata_o(settings_rdata),
      .known_o(settings_known),
      .settings_o
  );

  // Reads. Everything but the slots, then the slots.
  logic known;
  logic [63:0] rdata, slot_read;
  always_comb begin
    known = 1'b1;
    case (reg_addr_i)
      strobe_reg_pkg::IdOffset: rdata = strobe_reg_pkg::IdResetValue;
      strobe_reg_pkg::Cap0Offset:
      rdata = {
        16'(BufferDepth),
        16'(QueueDepth),
        8'(strobe_pkg::CountWidth),
        8'(strobe_pkg::TagWidth),
        8'(Selectors),
        8'(Lanes)
      };
      strobe_reg_pkg::Cap1Offset:
      rdata = {32'(Ring), 8'(Compressor + 1), 8'(CounterWidth), 16'(Strata)};
      strobe_reg_pkg::Cap2Offset: rdata = Cap2;
      strobe_reg_pkg::CtrlOffset: rdata = 64'(enable_q);
      strobe_reg_pkg::StatusOffset: rdata = {32'd0, 16'(level_i), 14'd0, idle_i, init_i};
      strobe_reg_pkg::IntrStateOffset: rdata = 64'({drop_cause, watermark_cause});
      strobe_reg_pkg::IntrEnableOffset: rdata = 64'(intr_enable_q);
      strobe_reg_pkg::IntrTestOffset: rdata = 64'(intr_test_q);
      strobe_reg_pkg::RegwenOffset: rdata = 64'(unlocked_q);
      strobe_reg_pkg::PeriodOffset: rdata = 64'(period_q);
      strobe_reg_pkg::ThresholdOffset: rdata = 64'(threshold_q);
      strobe_reg_pkg::SeedOffset: rdata = seed_q;
      strobe_reg_pkg::WatermarkOffset: rdata = 64'(watermark_q);
      strobe_reg_pkg::EventsOffset: rdata = 64'(events);
      strobe_reg_pkg::DroppedOffset: rdata = 64'(dropped_i);
      strobe_reg_pkg::HighWaterOffset: rdata = 64'(high_water_i);
      strobe_reg_pkg::StallsOffset: rdata = 64'(stalls_q);
      strobe_reg_pkg::MsgPcOffset: rdata = msg_valid_i ? 64'(msg_pc) : '0;
      strobe_reg_pkg::MsgValueOffset: rdata = shown ? 64'(msg_value) : '0;
      strobe_reg_pkg::MsgMetaOffset:
      rdata = shown ? {1'b1, 27'd0, msg_tag, 32'(msg_count_i)} : '0;
      strobe_reg_pkg::TableIndexOffset: rdata = 64'(table_index_q);
      strobe_reg_pkg::TableDataOffset:
      rdata = {table_valid_i, 27'd0, table_tag, table_count_i};
      strobe_reg_pkg::TablePcOffset: rdata = 64'(table_pc);
      strobe_reg_pkg::TableValueOffset: rdata = 64'(table_value);
      default: begin
        rdata = settings_rdata;
        known = settings_known || slot_ctrl || slot_pc_lo || slot_pc_hi;
      end
    endcase
  end
  always_comb begin
    slot_read = '0;
    for (int s = 0; s < Selectors; s++) begin
      if (known && slot_block && 32'(slot) == s) slot_read = slot_rdata[64*s+:64];
    end
  end
  assign reg_rdata_o = rdata | slot_read;
  assign reg_error_o = !known;

  // Writes of control and configuration. A 1 above a number's field makes the number too large.
  logic [PeriodWidth-1:0] period_written;
  logic [ThresholdWidth-1:0] threshold_written;
  logic [LevelWidth-1:0] watermark_written;
  assign period_written = reg_wdata_i > 64'(MaxPeriod) ? MaxPeriod : reg_wdata_i[PeriodWidth-1:0];
  assign threshold_written = |reg_wdata_i[63:ThresholdWidth] ? '1 : reg_wdata_i[ThresholdWidth-1:0];
  assign watermark_written = reg_wdata_i > 64'(BufferDepth) ? LevelWidth'(BufferDepth) :
                             reg_wdata_i[LevelWidth-1:0];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      enable_q <= strobe_reg_pkg::CtrlResetValue[0];
      clear_q <= 1'b0;
      irq_q <= 1'b0;
      shown_q <= 1'b0;
      unlocked_q <= strobe_reg_pkg::RegwenResetValue[0];
      intr_enable_q <= strobe_reg_pkg::IntrEnableResetValue[1:0];
      intr_test_q <= strobe_reg_pkg::IntrTestResetValue[1:0];
      period_q <= ResetPeriod;
      watermark_q <= strobe_reg_pkg::WatermarkResetValue[LevelWidth-1:0];
      table_index_q <= strobe_reg_pkg::TableIndexResetValue[15:0];
    end else begin
      clear_q <= reg_we_i && reg_addr_i == strobe_reg_pkg::CtrlOffset && reg_wdata_i[1];
      irq_q <= |({drop_cause, watermark_cause} & intr_enable_q);
      if (clear_q || !msg_valid_i) shown_q <= 1'b0;
      else if (reg_re_i && reg_addr_i == strobe_reg_pkg::MsgPcOffset) shown_q <= 1'b1;
      else if (reg_re_i && reg_addr_i == strobe_reg_pkg::MsgMetaOffset) shown_q <= 1'b0;
      if (reg_we_i) begin
        case (reg_addr_i)
          strobe_reg_pkg::CtrlOffset: enable_q <= reg_wdata_i[0];
          strobe_reg_pkg::IntrEnableOffset: intr_enable_q <= reg_wdata_i[1:0];
          strobe_reg_pkg::IntrTestOffset: intr_test_q <= reg_wdata_i[1:0];
          strobe_reg_pkg::RegwenOffset: unlocked_q <= unlocked_q && reg_wdata_i[0];
          strobe_reg_pkg::PeriodOffset: if (unlocked_q) period_q <= period_written;
          strobe_reg_pkg::WatermarkOffset: if (unlocked_q) watermark_q <= watermark_written;
          strobe_reg_pkg::TableIndexOffset: table_index_q <= reg_wdata_i[15:0];
          default: ;
        endcase
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (in_reset) begin
      threshold_q <= strobe_reg_pkg::ThresholdResetValue[ThresholdWidth-1:0];
      seed_q <= strobe_reg_pkg::SeedResetValue;
    end else if (reg_we_i && unlocked_q) begin
      if (reg_addr_i == strobe_reg_pkg::ThresholdOffset) threshold_q <= threshold_written;
      if (reg_addr_i == strobe_reg_pkg::SeedOffset) seed_q <= reg_wdata_i;
    end
  end
  assign irq_o = irq_q;
  assign msg_shown_o = shown_q;
  assign clear_o = clear_q;
  assign enable_o = enable_q;
  assign unlocked_o = unlocked_q;
  assign period_o = period_q;
  assign threshold_o = threshold_q;
  assign seed_o = seed_q;
  assign table_index_o = table_index_q;

  // Events, stalls, and whether anything was dropped. Events are counted in two parts: the low part
  // adds, and its carry increments the high part.
  logic [3:0] events_low_q;
  logic [43:0] events_high_q;
  logic [4:0] events_sum;
  assign events = {events_high_q, events_low_q};
  always_comb begin
    events_sum = {1'b0, events_low_q};
    for (int k = 0; k < Lanes; k++) events_sum = events_sum + 5'(event_i[k]);
  end
  always_ff @(posedge clk_i) begin
    if (in_reset || clear_q) begin
      events_low_q <= '0;
      events_high_q <= '0;
      stalls_q <= '0;
    end else begin
      events_low_q <= events_sum[3:0];
      if (events_sum[4]) events_high_q <= events_high_q + 44'd1;
      if (stall_i && stalls_q != '1) stalls_q <= stalls_q + 32'd1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) drop_q <= 1'b0;
    else if (clear_q) drop_q <= 1'b0;
    else if (drop_i) drop_q <= 1'b1;
    else if (reg_we_i && reg_addr_i == strobe_reg_pkg::IntrStateOffset && reg_wdata_i[1])
      drop_q <= 1'b0;
  end

  `STROBE_ASSERT(RegistersErrorReadsZero, !reg_error_o || reg_rdata_o == '0)
  `STROBE_ASSERT(RegistersPeriodInRange, period_q <= MaxPeriod)
  `STROBE_ASSERT(RegistersWatermarkInRange, 32'(watermark_q) <= BufferDepth)
endmodule
