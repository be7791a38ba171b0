// Stratified periodic sampler H[P_r]_n (ISCA 2001, sections 3.2 and 3.5, Figure 5).
//
// docs/blocks/stratified_sampler.md is the contract. Three stages that move together:
//
//     accept: hash ─▶ stage 1: read counter ─▶ stage 2: count, compare, write ─▶ message register
//
// A counter that stage 2 writes while stage 1 reads it is forwarded, so tuples of one stratum may
// follow each other back to back.
// Nothing moves while a message waits for msg_ready_i. Priority: clear > initialisation > advance;
// a table read-out uses the read port only in cycles in which the pipeline does not.
`include "strobe_assert.svh"

module strobe_stratified_sampler #(
    parameter int Strata = 2048,
    parameter int CounterWidth = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    // r; 0 counts as 1. At most 2^CounterWidth: the registers see to it.
    input logic [strobe_pkg::PeriodWidth-1:0] period_i,

    input  logic                              valid_i,
    input  logic [strobe_pkg::TagWidth-1:0]   tag_i,
    input  logic [strobe_pkg::PcWidth-1:0]    pc_i,
    input  logic [strobe_pkg::ValueWidth-1:0] value_i,
    output logic                              ready_o,

    output logic                              msg_valid_o,
    output logic [strobe_pkg::TagWidth-1:0]   msg_tag_o,
    output logic [strobe_pkg::PcWidth-1:0]    msg_pc_o,
    output logic [strobe_pkg::ValueWidth-1:0] msg_value_o,
    output logic [CounterWidth:0]             msg_count_o,
    input  logic                              msg_ready_i,

    input  logic [15:0]             table_index_i,
    output logic [CounterWidth-1:0] table_data_o,

    output logic init_o,
    output logic idle_o
);
  `STROBE_REQUIRE(SamplerStrata, Strata >= 1 && Strata <= strobe_pkg::MaxStrata &&
                  (Strata & (Strata - 1)) == 0,
                  "strobe_stratified_sampler: Strata must be a power of two from 1 to 4096")
  `STROBE_REQUIRE(SamplerCounter, CounterWidth >= 1 &&
                  CounterWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_stratified_sampler: CounterWidth must be 1 to 12")

  localparam int IndexBits = $clog2(Strata);
  localparam int IndexWidth = IndexBits > 0 ? IndexBits : 1;
  localparam logic [IndexWidth-1:0] LastIndex = IndexWidth'(Strata - 1);
  localparam int TupleWidth = strobe_pkg::TupleWidth;

  logic advance, accept;
  assign advance = !msg_valid_o || msg_ready_i;
  assign ready_o = advance && !init_o;
  assign accept  = valid_i && ready_o;

  // Initialisation: one entry a cycle.
  logic init_q;
  logic [IndexWidth-1:0] init_index_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (clear_i) begin
      init_q <= 1'b1;
      init_index_q <= '0;
    end else if (init_q) begin
      init_q <= init_index_q != LastIndex;
      init_index_q <= init_index_q + IndexWidth'(1);
    end
  end
  assign init_o = init_q;

  // Which stages hold something.
  logic s1_valid_q, s2_valid_q, msg_valid_q, emit;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (clear_i) begin
      s1_valid_q  <= 1'b0;
      s2_valid_q  <= 1'b0;
      msg_valid_q <= 1'b0;
    end else if (advance) begin
      s1_valid_q  <= accept;
      s2_valid_q  <= s1_valid_q;
      msg_valid_q <= emit;
    end
  end

  // Stage 1: the tuple and its index; the counter is being read.
  logic [IndexWidth-1:0] index, s1_index_q;
  logic [TupleWidth-1:0] s1_tuple_q;
  strobe_hash_paper #(
      .IndexBits(IndexBits)
  ) u_hash (
      .pc_i,
      .value_i,
      .index_o(index)
  );
  always_ff @(posedge clk_i) begin
    if (accept) begin
      s1_index_q <= index;
      s1_tuple_q <= {tag_i, pc_i, value_i};
    end
  end

  // Stage 2: the counter is here, from the RAM or forwarded.
  logic [IndexWidth-1:0] s2_index_q;
  logic [TupleWidth-1:0] s2_tuple_q;
  logic s2_forward_q;
  logic [CounterWidth-1:0] s2_forwarded_q, ram_rdata, held, next;
  logic [CounterWidth:0] counted;
  assign held = s2_forward_q ? s2_forwarded_q : ram_rdata;
  assign counted = {1'b0, held} + (CounterWidth + 1)'(1);
  assign emit = s2_valid_q && 32'(counted) >= 32'(period_i);
  assign next = emit ? '0 : counted[CounterWidth-1:0];
  always_ff @(posedge clk_i) begin
    if (advance && s1_valid_q) begin
      s2_index_q <= s1_index_q;
      s2_tuple_q <= s1_tuple_q;
      s2_forward_q <= s2_valid_q && s1_index_q == s2_index_q;
      s2_forwarded_q <= next;
    end
  end

  // Message register.
  logic [TupleWidth-1:0] msg_tuple_q;
  logic [CounterWidth:0] msg_count_q;
  always_ff @(posedge clk_i) begin
    if (advance && emit) begin
      msg_tuple_q <= s2_tuple_q;
      msg_count_q <= counted;
    end
  end
  assign msg_valid_o = msg_valid_q;
  assign {msg_tag_o, msg_pc_o, msg_value_o} = msg_valid_q ? msg_tuple_q : '0;
  assign msg_count_o = msg_valid_q ? msg_count_q : '0;

  // Table read-out through the idle read port: read in t, in table_data_o from t+2 on.
  logic empty, table_read, table_read_q;
  logic [CounterWidth-1:0] table_data_q;
  assign empty = !s1_valid_q && !s2_valid_q && !msg_valid_q;
  assign table_read = empty && !init_q && !accept;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      table_read_q <= 1'b0;
      table_data_q <= '0;
    end else if (clear_i) begin
      table_read_q <= 1'b0;
      table_data_q <= '0;
    end else begin
      table_read_q <= table_read;
      if (table_read_q) table_data_q <= ram_rdata;
    end
  end
  assign table_data_o = table_data_q;
  assign idle_o = empty && !init_q;

  // The counters.
  localparam logic [15:0] TableMask = 16'(Strata - 1);
  logic count_write;
  assign count_write = advance && s2_valid_q;
  strobe_ram_1r1w #(
      .Width(CounterWidth),
      .Depth(Strata)
  ) u_table (
      .clk_i,
      .we_i(init_q || count_write),
      .waddr_i(init_q ? init_index_q : s2_index_q),
      .wdata_i(init_q ? '0 : next),
      .re_i((advance && s1_valid_q) || table_read),
      .raddr_i(s1_valid_q ? s1_index_q : IndexWidth'(table_index_i & TableMask)),
      .rdata_o(ram_rdata)
  );

  `STROBE_ASSERT(SamplerInitialisesOnlyWhenEmpty, !init_q || empty)
  `STROBE_ASSERT(SamplerReadsForOneUser, !(s1_valid_q && table_read))
  `STROBE_ASSERT(SamplerMessageCountsSomething, !msg_valid_q || msg_count_q != '0)
endmodule
