// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite to the profiler's registers: 64 data bits, one access at a time, a write before a read.
//
// docs/integration.md is the contract. An access is chosen in one cycle and made in the next, from
// flip-flops, so that a read of the registers has a cycle of its own. The response is OKAY or SLVERR. SLVERR
// is for an address without a register, a write of less than a whole register, and an unprivileged access,
// which reaches no register.
module strobe_axi_registers (
    input logic clk_i,
    input logic rst_ni,

    input  logic        s_axi_awvalid_i,
    output logic        s_axi_awready_o,
    input  logic [11:0] s_axi_awaddr_i,
    input  logic [2:0]  s_axi_awprot_i,
    input  logic        s_axi_wvalid_i,
    output logic        s_axi_wready_o,
    input  logic [63:0] s_axi_wdata_i,
    input  logic [7:0]  s_axi_wstrb_i,
    output logic        s_axi_bvalid_o,
    input  logic        s_axi_bready_i,
    output logic [1:0]  s_axi_bresp_o,
    input  logic        s_axi_arvalid_i,
    output logic        s_axi_arready_o,
    input  logic [11:0] s_axi_araddr_i,
    input  logic [2:0]  s_axi_arprot_i,
    output logic        s_axi_rvalid_o,
    input  logic        s_axi_rready_i,
    output logic [63:0] s_axi_rdata_o,
    output logic [1:0]  s_axi_rresp_o,

    output logic        reg_re_o,
    output logic        reg_we_o,
    output logic [11:0] reg_addr_o,
    output logic [63:0] reg_wdata_o,
    input  logic [63:0] reg_rdata_i,
    input  logic        reg_error_i
);
  localparam logic [1:0] Okay = 2'b00, SlvErr = 2'b10;

  logic aw_full_q, w_full_q, ar_full_q, b_valid_q, r_valid_q, whole_q;
  logic [11:0] aw_addr_q, ar_addr_q;
  logic [63:0] w_data_q, r_data_q;
  logic [1:0] b_resp_q, r_resp_q;
  logic aw_privileged_q, ar_privileged_q;  // AxPROT[0]: the access is privileged
  logic unused_prot;
  assign unused_prot = ^{s_axi_awprot_i[2:1], s_axi_arprot_i[2:1]};

  // The access that is made in this cycle, and the one chosen for the next. Its channels stay full until it
  // is made.
  logic write_q, read_q, next_write, next_read;
  logic [11:0] addr_q;
  assign next_write = aw_full_q && w_full_q && !b_valid_q && !write_q;
  assign next_read = ar_full_q && !r_valid_q && !read_q && !next_write;

  assign s_axi_awready_o = !aw_full_q;
  assign s_axi_wready_o = !w_full_q;
  assign s_axi_arready_o = !ar_full_q;
  assign s_axi_bvalid_o = b_valid_q;
  assign s_axi_bresp_o = b_resp_q;
  assign s_axi_rvalid_o = r_valid_q;
  assign s_axi_rdata_o = r_data_q;
  assign s_axi_rresp_o = r_resp_q;
  assign reg_we_o = write_q && whole_q && aw_privileged_q;
  assign reg_re_o = read_q && ar_privileged_q;
  assign reg_addr_o = addr_q;
  assign reg_wdata_o = w_data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q <= 1'b0;
      w_full_q  <= 1'b0;
      ar_full_q <= 1'b0;
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
      write_q   <= 1'b0;
      read_q    <= 1'b0;
    end else begin
      aw_full_q <= aw_full_q ? !write_q : s_axi_awvalid_i;
      w_full_q  <= w_full_q ? !write_q : s_axi_wvalid_i;
      ar_full_q <= ar_full_q ? !read_q : s_axi_arvalid_i;
      b_valid_q <= b_valid_q ? !s_axi_bready_i : write_q;
      r_valid_q <= r_valid_q ? !s_axi_rready_i : read_q;
      write_q   <= next_write;
      read_q    <= next_read;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!aw_full_q) begin
      aw_addr_q <= s_axi_awaddr_i;
      aw_privileged_q  <= s_axi_awprot_i[0];
    end
    if (!w_full_q) begin
      w_data_q <= s_axi_wdata_i;
      whole_q  <= s_axi_wstrb_i == '1;
    end
    if (!ar_full_q) begin
      ar_addr_q <= s_axi_araddr_i;
      ar_privileged_q  <= s_axi_arprot_i[0];
    end
    addr_q <= next_write ? aw_addr_q : ar_addr_q;
    if (write_q) b_resp_q <= reg_error_i || !whole_q || !aw_privileged_q ? SlvErr : Okay;
    if (read_q) begin
      r_data_q <= ar_privileged_q ? reg_rdata_i : '0;
      r_resp_q <= reg_error_i || !ar_privileged_q ? SlvErr : Okay;
    end
  end
endmodule
