// SPDX-License-Identifier: Apache-2.0
// Writes the ring writer's words over AXI4-Lite, one at a time. A write begins when the one before is
// answered, so the words of a record reach memory in their order.
//
// docs/integration.md is the contract. A word that was taken is written even if the profiler is cleared.
// error_o is 1 from the first response other than OKAY until reset. Prot is AxPROT of every write.
`include "strobe_assert.svh"

module strobe_axi_writer #(
    parameter int Prot = 1
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic        mem_valid_i,
    input  logic [63:0] mem_addr_i,
    input  logic [63:0] mem_data_i,
    output logic        mem_ready_o,

    output logic        m_axi_awvalid_o,
    input  logic        m_axi_awready_i,
    output logic [63:0] m_axi_awaddr_o,
    output logic [2:0]  m_axi_awprot_o,
    output logic        m_axi_wvalid_o,
    input  logic        m_axi_wready_i,
    output logic [63:0] m_axi_wdata_o,
    output logic [7:0]  m_axi_wstrb_o,
    input  logic        m_axi_bvalid_i,
    output logic        m_axi_bready_o,
    input  logic [1:0]  m_axi_bresp_i,

    output logic idle_o,
    output logic error_o
);
  `STROBE_REQUIRE(WriterProt, Prot >= 0 && Prot <= 7, "strobe_axi_writer: Prot must be 0 to 7")

  logic busy_q, aw_valid_q, w_valid_q, error_q;
  logic [63:0] addr_q, data_q;
  logic take;
  assign take = mem_valid_i && !busy_q;

  assign mem_ready_o = !busy_q;
  assign m_axi_awvalid_o = aw_valid_q;
  assign m_axi_awaddr_o = addr_q;
  assign m_axi_awprot_o = 3'(Prot);
  assign m_axi_wvalid_o = w_valid_q;
  assign m_axi_wdata_o = data_q;
  assign m_axi_wstrb_o = '1;
  assign m_axi_bready_o = busy_q && !aw_valid_q && !w_valid_q;
  assign idle_o = !busy_q;
  assign error_o = error_q;

  logic answered;
  assign answered = m_axi_bvalid_i && m_axi_bready_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      aw_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      busy_q <= take || (busy_q && !answered);
      aw_valid_q <= take || (aw_valid_q && !m_axi_awready_i);
      w_valid_q <= take || (w_valid_q && !m_axi_wready_i);
      error_q <= error_q || (answered && m_axi_bresp_i != 2'b00);
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      addr_q <= mem_addr_i;
      data_q <= mem_data_i;
    end
  end
endmodule
