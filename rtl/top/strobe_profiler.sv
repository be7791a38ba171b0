// SPDX-License-Identifier: Apache-2.0
// The profiling path: retire lanes to registers and interrupt.
//
//     selector ─▶ tuple queue ─▶ compressor ─▶ message buffer ─┬▶ registers
//                                                              └▶ ring writer
//
// docs/blocks/profiling_path.md is the contract, cycle by cycle. Everything between the blocks is
// valid/ready; nothing here has state of its own. The file is long because each connection is a line.
`include "strobe_assert.svh"

module strobe_profiler #(
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

    // Retirement; lane 0 is the oldest.
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

    // The system's permission: while it is 0 nothing is selected, whatever the registers say.
    input logic profile_en_i,

    // Registers.
    input  logic        reg_re_i,
    input  logic        reg_we_i,
    input  logic [11:0] reg_addr_i,
    input  logic [63:0] reg_wdata_i,
    output logic [63:0] reg_rdata_o,
    output logic        reg_error_o,

    // Memory, for the ring writer: a 64-bit word is written when both are 1.
    output logic        mem_valid_o,
    output logic [63:0] mem_addr_o,
    output logic [63:0] mem_data_o,
    input  logic        mem_ready_i,
    input  logic        mem_idle_i,  // every word that was taken in an earlier cycle is written

    output logic irq_o,
    output logic idle_o
);
  `STROBE_REQUIRE(PathRing, Ring == 0 || Ring == 1, "strobe_profiler: Ring must be 0 or 1")

  localparam int TagWidth = strobe_pkg::TagWidth;
  localparam int TupleWidth = TagWidth + PcWidth + ValueWidth;
  localparam int Heads = Banks > 1 ? Lanes : 1;
  localparam int MsgCountWidth = (SecondEntries > 0 ? SecondWidth : CounterWidth) + 1;

  logic clear, enable, unlocked;
  logic [strobe_pkg::PeriodWidth-1:0] period;
  logic [strobe_pkg::ThresholdWidth-1:0] threshold;
  logic [strobe_pkg::SeedWidth-1:0] seed;
  logic [strobe_pkg::SettingsWidth-1:0] settings;
  logic [15:0] table_index;
  logic table_valid;
  logic [TupleWidth-1:0] table_tuple;
  logic [strobe_pkg::CountWidth-1:0] table_count;

  logic [Selectors-1:0] slot_enable, slot_user, slot_supervisor, slot_machine;
  logic [Selectors-1:0] slot_marked, slot_in_burst;
  logic [2*Selectors-1:0] slot_kind, slot_prediction;
  logic [TagWidth*Selectors-1:0] slot_tag;
  logic [strobe_pkg::Classes*Selectors-1:0] slot_opclass;
  logic [64*Selectors-1:0] slot_pc_lo, slot_pc_hi;

  logic [Lanes-1:0] sel_valid;
  logic [TupleWidth*Lanes-1:0] sel_tuple;
  strobe_selector #(
      .Lanes(Lanes),
      .Selectors(Selectors),
      .PcWidth(PcWidth),
      .ValueWidth(ValueWidth)
  ) u_selector (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .enable_i(enable && profile_en_i),
      .slot_enable_i(slot_enable),
      .slot_kind_i(slot_kind),
      .slot_user_i(slot_user),
      .slot_supervisor_i(slot_supervisor),
      .slot_machine_i(slot_machine),
      .slot_marked_i(slot_marked),
      .slot_in_burst_i(slot_in_burst),
      .slot_prediction_i(slot_prediction),
      .slot_tag_i(slot_tag),
      .slot_opclass_i(slot_opclass),
      .slot_pc_lo_i(slot_pc_lo),
      .slot_pc_hi_i(slot_pc_hi),
      .rvfi_valid_i,
      .rvfi_insn_i,
      .rvfi_trap_i,
      .rvfi_mode_i,
      .rvfi_pc_rdata_i,
      .rvfi_pc_wdata_i,
      .rvfi_rd_wdata_i,
      .rvfi_mem_addr_i,
      .retire_mispredicted_i,
      .retire_in_burst_i,
      .valid_o(sel_valid),
      .tuple_o(sel_tuple)
  );

  logic drop, queue_empty, group_ready;
  logic [Lanes-1:0] arrived;
  logic [Heads-1:0] group_valid;
  logic [TupleWidth*Heads-1:0] group_tuple;
  logic [31:0] dropped;
  strobe_tuple_queue #(
      .Lanes(Lanes),
      .Depth(QueueDepth),
      .Heads(Heads),
      .TupleWidth(TupleWidth)
  ) u_queue (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(sel_valid),
      .tuple_i(sel_tuple),
      .valid_o(group_valid),
      .tuple_o(group_tuple),
      .ready_i(group_ready),
      .empty_o(queue_empty),
      .arrived_o(arrived),
      .drop_o(drop),
      .dropped_o(dropped)
  );

  // Several banks have a clear from a flip-flop of their own: they are two thirds of its load.
  logic compressor_clear;
  if (Banks > 1) begin : gen_clear_of_banks
    strobe_bank_clear u_clear (
        .clk_i,
        .rst_ni,
        .reg_we_i,
        .reg_addr_i,
        .reg_wdata_i,
        .clear_o(compressor_clear)
    );
  end else begin : gen_clear
    assign compressor_clear = clear;
  end

  logic msg_valid, msg_ready, init, compressor_idle;
  logic [TupleWidth-1:0] msg_tuple;
  logic [MsgCountWidth-1:0] msg_count;
  strobe_compressor #(
      .Heads(Heads),
      // strobe-gen: compressor
      .Strata(Strata),
      .CounterWidth(CounterWidth),
      .Compressor(Compressor),
      .Sampler(Sampler),
      .Hash(Hash),
      .Banks(Banks),
      .Ways(Ways),
      .TagBits(TagBits),
      .MissWidth(MissWidth),
      .SecondEntries(SecondEntries),
      .SecondWidth(SecondWidth),
      .PcWidth(PcWidth),
      .ValueWidth(ValueWidth)
      // strobe-gen: end
  ) u_compressor (
      .clk_i,
      .rst_ni,
      .clear_i(compressor_clear),
      .period_i(period),
      .threshold_i(threshold),
      .seed_i(seed),
      .settings_i(settings),
      .valid_i(group_valid),
      .tuple_i(group_tuple),
      .ready_o(group_ready),
      .msg_valid_o(msg_valid),
      .msg_tuple_o(msg_tuple),
      .msg_count_o(msg_count),
      .msg_ready_i(msg_ready),
      .table_index_i(table_index),
      .table_valid_o(table_valid),
      .table_tuple_o(table_tuple),
      .table_count_o(table_count),
      .init_o(init),
      .idle_o(compressor_idle)
  );

  logic buf_valid, buf_arriving, msg_shown, pop, pop_by_msg_meta, pop_by_ring;
  logic [TupleWidth-1:0] buf_tuple;
  logic [MsgCountWidth-1:0] buf_count;
  logic [$clog2(BufferDepth):0] level, high_water;
  strobe_message_buffer #(
      .Depth(BufferDepth),
      .CountWidth(MsgCountWidth),
      .TupleWidth(TupleWidth)
  ) u_buffer (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(msg_valid),
      .tuple_i(msg_tuple),
      .count_i(msg_count),
      .ready_o(msg_ready),
      .valid_o(buf_valid),
      .tuple_o(buf_tuple),
      .count_o(buf_count),
      .pop_i(pop),
      .arriving_o(buf_arriving),
      .level_o(level),
      .high_water_o(high_water)
  );

  // The ring writer. While it has the buffer, the registers see an empty one.
  logic ring_has_buffer, ring_idle, ring_known;
  logic [63:0] ring_rdata;
  if (Ring == 1) begin : gen_ring
    logic ring_enable, busy, in_flight, overwrite;
    logic [4:0] log2_entries;
    logic [63:0] base;
    logic [strobe_pkg::RingCountWidth-1:0] cons, prod, overwritten;
    logic [strobe_pkg::MaxRingBits:0] ring_high_water;
    logic [31:0] ring_stalls;
    strobe_ring_registers u_registers (
        .clk_i,
        .rst_ni,
        .clear_i(clear),
        .unlocked_i(unlocked),
        .reg_we_i,
        .reg_addr_i,
        .reg_wdata_i,
        .reg_rdata_o(ring_rdata),
        .known_o(ring_known),
        .enable_o(ring_enable),
        .overwrite_o(overwrite),
        .log2_entries_o(log2_entries),
        .base_o(base),
        .cons_o(cons),
        .busy_i(busy),
        .prod_i(prod),
        .overwritten_i(overwritten),
        .high_water_i(ring_high_water),
        .stalls_i(ring_stalls)
    );
    strobe_ring_writer #(
        .CountWidth(MsgCountWidth),
        .PcWidth(PcWidth),
        .ValueWidth(ValueWidth)
    ) u_writer (
        .clk_i,
        .rst_ni,
        .clear_i(clear),
        .enable_i(ring_enable),
        .overwrite_i(overwrite),
        .log2_entries_i(log2_entries),
        .base_i(base),
        .cons_i(cons),
        .valid_i(buf_valid),
        .tuple_i(buf_tuple),
        .count_i(buf_count),
        .pop_o(pop_by_ring),
        .mem_valid_o,
        .mem_addr_o,
        .mem_data_o,
        .mem_ready_i,
        .mem_idle_i,
        .in_flight_o(in_flight),
        .busy_o(busy),
        .prod_o(prod),
        .overwritten_o(overwritten),
        .high_water_o(ring_high_water),
        .stalls_o(ring_stalls)
    );
    assign ring_has_buffer = ring_enable || busy;
    assign ring_idle = !(ring_has_buffer && buf_valid) && !in_flight;
  end else begin : gen_no_ring
    logic unused;
    assign unused = ^{mem_ready_i, mem_idle_i, unlocked};
    assign pop_by_ring = 1'b0;
    assign mem_valid_o = 1'b0;
    assign mem_addr_o = '0;
    assign mem_data_o = '0;
    assign ring_has_buffer = 1'b0;
    assign ring_idle = 1'b1;
    assign ring_known = 1'b0;
    assign ring_rdata = '0;
  end

  assign idle_o = queue_empty && compressor_idle && !buf_arriving && ring_idle;

  logic registers_error;
  // The pop is decoded here and not in the registers, because the load of their read multiplexer delays the
  // address.
  assign pop_by_msg_meta = reg_re_i && reg_addr_i == strobe_reg_pkg::MsgMetaOffset && msg_shown;
  assign pop = pop_by_ring || (pop_by_msg_meta && !ring_has_buffer);
  logic [63:0] registers_rdata;
  assign reg_rdata_o = registers_rdata | ring_rdata;
  assign reg_error_o = registers_error && !ring_known;
  strobe_registers #(
      // strobe-gen: registers
      .Lanes(Lanes),
      .Selectors(Selectors),
      .QueueDepth(QueueDepth),
      .Strata(Strata),
      .CounterWidth(CounterWidth),
      .BufferDepth(BufferDepth),
      .Compressor(Compressor),
      .Sampler(Sampler),
      .Hash(Hash),
      .Banks(Banks),
      .Ways(Ways),
      .TagBits(TagBits),
      .MissWidth(MissWidth),
      .SecondEntries(SecondEntries),
      .SecondWidth(SecondWidth),
      .Ring(Ring),
      .PcWidth(PcWidth),
      .ValueWidth(ValueWidth)
      // strobe-gen: end
  ) u_registers (
      .clk_i,
      .rst_ni,
      .reg_re_i,
      .reg_we_i,
      .reg_addr_i,
      .reg_wdata_i,
      .reg_rdata_o(registers_rdata),
      .reg_error_o(registers_error),
      .irq_o,
      .clear_o(clear),
      .enable_o(enable),
      .unlocked_o(unlocked),
      .period_o(period),
      .threshold_o(threshold),
      .seed_o(seed),
      .settings_o(settings),
      .table_index_o(table_index),
      .slot_enable_o(slot_enable),
      .slot_kind_o(slot_kind),
      .slot_user_o(slot_user),
      .slot_supervisor_o(slot_supervisor),
      .slot_machine_o(slot_machine),
      .slot_marked_o(slot_marked),
      .slot_in_burst_o(slot_in_burst),
      .slot_prediction_o(slot_prediction),
      .slot_tag_o(slot_tag),
      .slot_opclass_o(slot_opclass),
      .slot_pc_lo_o(slot_pc_lo),
      .slot_pc_hi_o(slot_pc_hi),
      .event_i(arrived),
      .drop_i(drop),
      .dropped_i(dropped),
      .stall_i(msg_valid && !msg_ready),
      .init_i(init),
      .idle_i(idle_o),
      .table_valid_i(table_valid),
      .table_tuple_i(table_tuple),
      .table_count_i(table_count),
      .level_i(level),
      .high_water_i(high_water),
      .msg_valid_i(buf_valid && !ring_has_buffer),
      .msg_tuple_i(buf_tuple),
      .msg_count_i(buf_count),
      .msg_shown_o(msg_shown)
  );

  `STROBE_ASSERT(PathClearsAtOnce, compressor_clear == clear)
  `STROBE_ASSERT(PathOneAccess, !(reg_re_i && reg_we_i))
  `STROBE_ASSERT(PathTakesWhatWasShown, !pop || buf_valid)
  `STROBE_ASSERT(PathIdleMeansNothingWaits, !idle_o || group_valid == '0)
endmodule
