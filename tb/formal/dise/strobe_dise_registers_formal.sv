// SPDX-License-Identifier: Apache-2.0
// What software writes stays until it is written again: a control copy, an index, the enable. A write of an
// entry of the replacement table goes to the index, which then advances by one. A read gives what was
// written, a counter, or 0 for what is write-only.
// prove: induction 2
// prove: cover 6
module strobe_dise_registers_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic we_i,
    input logic [11:0] address_i,
    input logic [63:0] wdata_i,
    input logic [3:0] flags_i,
    input logic [39:0] counters_i,
    input logic [27:0] jitter_i,
    input logic [2:0] copy_i  // any one copy
);
  logic enable, clear, write_word, write_kind, write_condition, write_ops, write_replacement;
  logic [1:0] write_counter;
  logic write_jitter;
  logic [63:0] rdata;
  logic [159:0] copies;
  logic [4:0] pattern;
  logic [10:0] replacement;
  strobe_dise_registers u_dut (
      .clk_i, .rst_ni, .we_i, .address_i, .wdata_i, .rdata_o(rdata), .enable_o(enable), .clear_o(clear),
      .copies_o(copies), .flags_i, .counters_i, .write_counter_o(write_counter),
      .write_jitter_o(write_jitter), .jitter_i, .write_word_o(write_word),
      .write_kind_o(write_kind), .write_condition_o(write_condition), .write_ops_o(write_ops), .pattern_o(pattern),
      .write_replacement_o(write_replacement), .replacement_o(replacement)
  );
  initial assume (!rst_ni);

  logic known_q, we_q, enable_q, takes_entry_q;
  logic [11:0] address_q;
  logic [63:0] wdata_q;
  logic [159:0] copies_q;
  logic [4:0] pattern_q;
  logic [10:0] replacement_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) known_q <= 1'b0;
    else known_q <= 1'b1;
  end
  always_ff @(posedge clk_i) begin
    we_q <= we_i;
    enable_q <= enable;
    takes_entry_q <= write_replacement;
    address_q <= address_i;
    wdata_q <= wdata_i;
    copies_q <= copies;
    pattern_q <= pattern;
    replacement_q <= replacement;
  end

  logic [11:0] address_of_copy;
  logic [8:0] strobes;  // what a write goes to besides registers
  assign address_of_copy = strobe_dise_pkg::RegOffset + {6'd0, copy_i, 3'd0};
  assign strobes = {write_jitter, clear, write_counter, write_word, write_kind, write_condition, write_ops, write_replacement};
  always @(posedge clk_i) begin
    if (rst_ni && known_q) begin
      CopyHoldsWhatWasWritten :
      assert (copies[20*copy_i+:20] ==
              (we_q && address_q == address_of_copy ? wdata_q[19:0] : copies_q[20*copy_i+:20]));
      EnableHoldsWhatWasWritten :
      assert (enable == (we_q && address_q == strobe_dise_pkg::CtrlOffset ? wdata_q[0] : enable_q));
      PatternHoldsWhatWasWritten :
      assert (pattern == (we_q && address_q == strobe_dise_pkg::PatternIndexOffset ? wdata_q[4:0] : pattern_q));
      NextEntryIsNext :
      assert (replacement == (takes_entry_q ? replacement_q + 11'd1 :
                              we_q && address_q == strobe_dise_pkg::ReplacementIndexOffset ? wdata_q[10:0] : replacement_q));
      WritesAnEntry : cover (takes_entry_q && replacement == 11'd0);
    end
    if (rst_ni) begin
      CopyIsRead : assert (address_i != address_of_copy || rdata == 64'(copies[20*copy_i+:20]));
      EnableIsRead : assert (address_i != strobe_dise_pkg::CtrlOffset || rdata == 64'(enable));
      IndicesAreRead :
      assert ((address_i != strobe_dise_pkg::PatternIndexOffset || rdata == 64'(pattern)) &&
              (address_i != strobe_dise_pkg::ReplacementIndexOffset || rdata == 64'(replacement)));
      TablesReadZero :
      assert ((address_i != strobe_dise_pkg::PatternWordOffset && address_i != strobe_dise_pkg::ReplacementDataOffset) || rdata == '0);
      CounterIsRead :
      assert (address_i != strobe_dise_pkg::CounterOffset + 12'd8 || rdata == 64'(counters_i[39:20]));
      JitterIsRead : assert (address_i != 12'h028 || rdata == 64'(jitter_i));
      AWriteGoesToOnePlace : assert ((strobes & (strobes - 9'd1)) == '0 && (we_i || strobes == '0));
    end
  end
endmodule
