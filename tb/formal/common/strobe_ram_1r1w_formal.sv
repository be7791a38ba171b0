// SPDX-License-Identifier: Apache-2.0
// The memory: a read gives the word last written to its address before the read's cycle.
//
// prove: bmc 40
// prove: cover 8
module strobe_ram_1r1w_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic we_i,
    input logic [1:0] waddr_i,
    input logic [3:0] wdata_i,
    input logic re_i,
    input logic [1:0] raddr_i
);
  logic [3:0] rdata;
  strobe_ram_1r1w #(
      .Width(4),
      .Depth(4)
  ) u_dut (
      .clk_i, .we_i, .waddr_i, .wdata_i, .re_i, .raddr_i, .rdata_o(rdata)
  );

  initial assume (!rst_ni);

  (* anyconst *) logic [1:0] watched;
  logic [3:0] word_q, read_q;
  logic written_q, reads_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      written_q <= 1'b0;
      reads_q   <= 1'b0;
    end else begin
      if (we_i && waddr_i == watched) written_q <= 1'b1;
      if (re_i) reads_q <= raddr_i == watched && written_q;
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && we_i && waddr_i == watched) word_q <= wdata_i;
    if (re_i) read_q <= word_q;
  end
  always @(posedge clk_i) begin
    if (rst_ni) begin
      RamGivesWhatWasWritten : assert (!reads_q || rdata == read_q);
      RamReadsOldWhileWriting : cover (reads_q && word_q != rdata);
    end
  end
endmodule
