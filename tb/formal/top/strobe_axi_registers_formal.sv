// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite to registers. Every write that was taken gets one answer and, unless it is partial or
// unprivileged, makes one access with its address and data. Every privileged read makes one access and gets
// one answer with what the register gave; any other read gets an error and makes no access. An answer stays
// until it is taken. An access is made in the cycle after the one that chooses it, a write before a read.
// With a ready master a write waits at most two cycles for its access, a read three.
//
// prove: induction 5
// prove: cover 16
// peek: aw_full u_dut.aw_full_q
// peek: w_full u_dut.w_full_q
// peek: ar_full u_dut.ar_full_q
// peek: aw_addr u_dut.aw_addr_q
// peek: ar_addr u_dut.ar_addr_q
// peek: w_data u_dut.w_data_q
// peek: whole u_dut.whole_q
// peek: aw_privileged u_dut.aw_privileged_q
// peek: ar_privileged u_dut.ar_privileged_q
// peek: write u_dut.write_q
// peek: read u_dut.read_q
// peek: addr u_dut.addr_q
module strobe_axi_registers_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic awvalid_i,
    input logic [11:0] awaddr_i,
    input logic [2:0] awprot_i,
    input logic wvalid_i,
    input logic [63:0] wdata_i,
    input logic [7:0] wstrb_i,
    input logic bready_i,
    input logic arvalid_i,
    input logic [11:0] araddr_i,
    input logic [2:0] arprot_i,
    input logic rready_i,
    input logic [63:0] rdata_i,
    input logic error_i
);
  logic awready, wready, bvalid, arready, rvalid, re, we;
  logic [1:0] bresp, rresp;
  logic [63:0] rdata, reg_wdata;
  logic [11:0] reg_addr;
  strobe_axi_registers u_dut (
      .clk_i, .rst_ni,
      .s_axi_awvalid_i(awvalid_i), .s_axi_awready_o(awready), .s_axi_awaddr_i(awaddr_i),
      .s_axi_awprot_i(awprot_i), .s_axi_arprot_i(arprot_i),
      .s_axi_wvalid_i(wvalid_i), .s_axi_wready_o(wready), .s_axi_wdata_i(wdata_i),
      .s_axi_wstrb_i(wstrb_i), .s_axi_bvalid_o(bvalid), .s_axi_bready_i(bready_i),
      .s_axi_bresp_o(bresp), .s_axi_arvalid_i(arvalid_i), .s_axi_arready_o(arready),
      .s_axi_araddr_i(araddr_i), .s_axi_rvalid_o(rvalid), .s_axi_rready_i(rready_i),
      .s_axi_rdata_o(rdata), .s_axi_rresp_o(rresp),
      .reg_re_o(re), .reg_we_o(we), .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata),
      .reg_rdata_i(rdata_i), .reg_error_i(error_i)
  );

  initial assume (!rst_ni);

  // Taken and not accessed yet; chosen for this cycle; accessed and not answered yet.
  logic aw_full, w_full, ar_full, whole, write, read, aw_privileged, ar_privileged;
  logic [11:0] aw_addr, ar_addr, addr;
  logic [63:0] w_data;
  logic aw_q, w_q, ar_q, write_q, read_q, b_q, r_q, whole_q, error_q, r_error_q, aw_privileged_q, ar_privileged_q;
  logic [11:0] aw_addr_q, ar_addr_q;
  logic [63:0] w_data_q, r_data_q;
  logic takes_aw, takes_w, takes_ar, chooses_write, chooses_read;
  assign takes_aw = awvalid_i && awready;
  assign takes_w = wvalid_i && wready;
  assign takes_ar = arvalid_i && arready;
  assign chooses_write = aw_q && w_q && !write_q && !b_q;
  assign chooses_read = ar_q && !read_q && !r_q && !chooses_write;
  logic [2:0] writes_q, reads_q;  // cycles that a write, a read waited for its access with a ready master
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q <= 1'b0;
      ar_q <= 1'b0;
      write_q <= 1'b0;
      read_q <= 1'b0;
      b_q <= 1'b0;
      r_q <= 1'b0;
      writes_q <= '0;
      reads_q <= '0;
    end else begin
      aw_q <= takes_aw || (aw_q && !write_q);
      w_q <= takes_w || (w_q && !write_q);
      ar_q <= takes_ar || (ar_q && !read_q);
      write_q <= chooses_write;
      read_q <= chooses_read;
      b_q <= write_q || (b_q && !bready_i);
      r_q <= read_q || (r_q && !rready_i);
      writes_q <= !bready_i || !(aw_q && w_q) || write_q ? '0 : writes_q + 3'd1;
      reads_q <= !rready_i || !bready_i || !ar_q || read_q ? '0 : reads_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (takes_aw) begin
      aw_addr_q <= awaddr_i;
      aw_privileged_q  <= awprot_i[0];
    end
    if (takes_w) begin
      w_data_q <= wdata_i;
      whole_q  <= wstrb_i == 8'hff;
    end
    if (takes_ar) begin
      ar_addr_q <= araddr_i;
      ar_privileged_q  <= arprot_i[0];
    end
    if (write_q) error_q <= error_i || !whole_q || !aw_privileged_q;
    if (read_q) begin
      r_data_q  <= ar_privileged_q ? rdata_i : '0;
      r_error_q <= error_i || !ar_privileged_q;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      AxiHolds : assert (aw_full == aw_q && w_full == w_q && ar_full == ar_q);
      AxiHoldsThem :
      assert ((!aw_q || (aw_addr == aw_addr_q && aw_privileged == aw_privileged_q)) &&
              (!ar_q || (ar_addr == ar_addr_q && ar_privileged == ar_privileged_q)) &&
              (!w_q || (w_data == w_data_q && whole == whole_q)));
      AxiChooses : assert (write == write_q && read == read_q && !(write_q && read_q));
      AxiChoosesWhatItHolds :
      assert ((!write_q || (aw_q && w_q && !b_q && addr == aw_addr_q)) &&
              (!read_q || (ar_q && !r_q && addr == ar_addr_q)));
      AxiWritesOnce : assert (we == (write_q && whole_q && aw_privileged_q));
      AxiWritesWhatCame :
      assert (!we || (aw_q && w_q && reg_addr == aw_addr_q && reg_wdata == w_data_q));
      AxiReadsOnce : assert (re == (read_q && ar_privileged_q) && (!re || (ar_q && !r_q && reg_addr == ar_addr_q)));
      AxiOneAccess : assert (!(we && re));
      AxiAnswersWrites : assert (bvalid == b_q && (!b_q || bresp == (error_q ? 2'b10 : 2'b00)));
      AxiAnswersReads :
      assert (rvalid == r_q &&
              (!r_q || (rdata == r_data_q && rresp == (r_error_q ? 2'b10 : 2'b00))));
      AxiGoesOn : assert (writes_q < 3'd3 && reads_q < 3'd4);
      AxiMeets : cover (aw_q && w_q && ar_q && !write_q && !read_q && !b_q && !r_q);
      AxiFollows : cover (read_q && b_q && bready_i);
      AxiHalfWrite : cover (b_q && bresp == 2'b10 && !error_i && aw_privileged_q);
      AxiUnprivilegedWrite : cover (b_q && bresp == 2'b10 && whole_q && !aw_privileged_q);
      AxiUnprivilegedRead : cover (r_q && rresp == 2'b10 && !ar_privileged_q);
    end
  end
endmodule
