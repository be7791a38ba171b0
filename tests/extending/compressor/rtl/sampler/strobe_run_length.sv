// SPDX-License-Identifier: Apache-2.0
// Run-length compressor L_k: equal tuples in a row become one message.
//
// docs/blocks/run_length.md is the contract. Low bits of pc choose one of Runs registers {held, tuple,
// count}. A tuple that equals the one held is counted; another one takes its place, and the run that
// ends is a message. A run that is long enough is one at once.
`include "strobe_assert.svh"

module strobe_run_length #(
    parameter int Runs = 4,
    parameter int CounterWidth = 8,
    parameter int IndexShift = 1,
    parameter int PcWidth = strobe_pkg::MaxPcWidth,
    parameter int ValueWidth = strobe_pkg::MaxValueWidth
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,

    input logic [strobe_pkg::LongestRunWidth-1:0] longest_run_i,

    input  logic                                               valid_i,
    input  logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] tuple_i,
    output logic                                               ready_o,

    output logic                                               msg_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] msg_tuple_o,
    output logic [CounterWidth:0]                              msg_count_o,
    input  logic                                               msg_ready_i,

    input  logic [15:0]                                        table_index_i,
    output logic                                               table_valid_o,
    output logic [strobe_pkg::TagWidth+PcWidth+ValueWidth-1:0] table_tuple_o,
    output logic [CounterWidth:0]                              table_count_o,

    output logic init_o,
    output logic idle_o
);
  localparam int TupleWidth = strobe_pkg::TagWidth + PcWidth + ValueWidth;
  localparam int EntryWidth = TupleWidth + CounterWidth;
  localparam int RunWidth = strobe_pkg::LongestRunWidth;
  localparam logic [15:0] RunMask = 16'(Runs - 1);

  `STROBE_REQUIRE(RunLengthRuns, Runs >= 1 && Runs <= 64 && (Runs & (Runs - 1)) == 0,
                  "strobe_run_length: Runs must be a power of two from 1 to 64")
  `STROBE_REQUIRE(RunLengthCounter, CounterWidth >= 1 && CounterWidth <= strobe_pkg::MaxCounterWidth,
                  "strobe_run_length: CounterWidth must be 1 to 12")
  `STROBE_REQUIRE(RunLengthShift, IndexShift >= 1 && IndexShift <= 8,
                  "strobe_run_length: IndexShift must be 1 to 8")

  // The run that the tuple belongs to, and the one that software reads.
  logic [15:0] index, table_index;
  assign index = 16'({16'd0, tuple_i[ValueWidth+:PcWidth]} >> IndexShift) & RunMask;
  assign table_index = table_index_i & RunMask;

  logic [Runs-1:0] held_q, here, table_here;
  logic [EntryWidth*Runs-1:0] entry_q;
  logic held, table_held;
  logic [EntryWidth-1:0] entry, table_entry;
  for (genvar r = 0; r < Runs; r++) begin : gen_choice
    assign here[r] = held_q[r] && index == 16'(r);
    assign table_here[r] = held_q[r] && table_index == 16'(r);
  end
  assign held = |here;
  assign table_held = |table_here;
  strobe_onehot_mux #(
      .Width(EntryWidth),
      .Inputs(Runs)
  ) u_entry (
      .data_i(entry_q),
      .select_i(here),
      .data_o(entry)
  );
  strobe_onehot_mux #(
      .Width(EntryWidth),
      .Inputs(Runs)
  ) u_table (
      .data_i(entry_q),
      .select_i(table_here),
      .data_o(table_entry)
  );

  // What the tuple does to its run.
  logic accept, same, ends, full;
  logic [TupleWidth-1:0] run_tuple;
  logic [CounterWidth-1:0] run_count;
  logic [CounterWidth:0] count;
  assign {run_tuple, run_count} = entry;
  assign same = held && run_tuple == tuple_i;
  assign ends = held && !same;
  assign count = same ? {1'b0, run_count} + (CounterWidth + 1)'(1) : (CounterWidth + 1)'(1);
  assign full = count[CounterWidth] || (RunWidth + 1)'(count) >= (RunWidth + 1)'(longest_run_i);
  assign ready_o = !msg_valid_o || msg_ready_i;
  assign accept = valid_i && ready_o;

  for (genvar r = 0; r < Runs; r++) begin : gen_run
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q[r] <= 1'b0;
      else if (clear_i) held_q[r] <= 1'b0;
      else if (accept && index == 16'(r)) held_q[r] <= ends || !full;
    end
    always_ff @(posedge clk_i) begin
      if (accept && index == 16'(r)) begin
        entry_q[EntryWidth*r+:EntryWidth] <= {tuple_i, count[CounterWidth-1:0]};
      end
    end
  end

  // The message: the run that ends, or the one that is full.
  logic msg_valid_q;
  logic [TupleWidth-1:0] msg_tuple_q;
  logic [CounterWidth:0] msg_count_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) msg_valid_q <= 1'b0;
    else if (clear_i) msg_valid_q <= 1'b0;
    else if (ready_o) msg_valid_q <= accept && (ends || full);
  end
  always_ff @(posedge clk_i) begin
    if (accept) begin
      msg_tuple_q <= ends ? run_tuple : tuple_i;
      msg_count_q <= ends ? {1'b0, run_count} : count;
    end
  end
  assign msg_valid_o = msg_valid_q;
  assign msg_tuple_o = msg_tuple_q;
  assign msg_count_o = msg_count_q;

  // The read-out, a cycle after the index.
  logic table_valid_q;
  logic [EntryWidth-1:0] table_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) table_valid_q <= 1'b0;
    else table_valid_q <= table_held && !clear_i;
  end
  always_ff @(posedge clk_i) table_q <= table_entry;
  assign table_valid_o = table_valid_q;
  assign table_tuple_o = table_valid_q ? table_q[CounterWidth+:TupleWidth] : '0;
  assign table_count_o = table_valid_q ? {1'b0, table_q[CounterWidth-1:0]} : '0;

  assign init_o = 1'b0;
  assign idle_o = !msg_valid_q;

  `STROBE_ASSERT(RunLengthMessageCountsSomething, !msg_valid_o || msg_count_o != '0)
endmodule
