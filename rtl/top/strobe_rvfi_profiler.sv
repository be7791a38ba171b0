// SPDX-License-Identifier: Apache-2.0
// The profiler for any core with RVFI: an RVFI port, AXI4-Lite for the registers, AXI4-Lite for the ring in
// memory.
//
//     RVFI ─▶ strobe_rvfi ─▶ strobe_profiler ─▶ strobe_axi_writer ─▶ memory
//     AXI4-Lite ─▶ strobe_axi_registers ─▶┘ └─▶ irq_o
//
// docs/integration.md is the contract.
module strobe_rvfi_profiler #(
    parameter int RingProt = 1,  // AxPROT of the ring's writes: data, secure, privileged
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

    // RVFI of riscv-formal with NRET = Lanes and XLEN = 64, without the signals that the profiler does not
    // use.
    input logic [Lanes-1:0]    rvfi_valid_i,
    input logic [64*Lanes-1:0] rvfi_order_i,
    input logic [32*Lanes-1:0] rvfi_insn_i,
    input logic [Lanes-1:0]    rvfi_trap_i,
    input logic [2*Lanes-1:0]  rvfi_mode_i,
    input logic [64*Lanes-1:0] rvfi_pc_rdata_i,
    input logic [64*Lanes-1:0] rvfi_pc_wdata_i,
    input logic [64*Lanes-1:0] rvfi_rd_wdata_i,
    input logic [64*Lanes-1:0] rvfi_mem_addr_i,
    // Not part of RVFI; 0 if the core cannot tell.
    input logic [Lanes-1:0]    retire_mispredicted_i,
    input logic [Lanes-1:0]    retire_in_burst_i,

    // The system's permission: while it is 0, no retiring instruction is selected, whatever the registers
    // say. 1 if unused.
    input logic profile_en_i,

    // Registers.
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

    // The ring in memory; idle when Ring is 0.
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
    output logic        m_axi_error_o,

    output logic irq_o,
    output logic idle_o
);
  logic [Lanes-1:0] valid, trap, mispredicted, in_burst;
  logic [32*Lanes-1:0] insn;
  logic [2*Lanes-1:0] mode;
  logic [64*Lanes-1:0] pc_rdata, pc_wdata, rd_wdata, mem_addr;
  strobe_rvfi #(
      .Lanes(Lanes)
  ) u_rvfi (
      .clk_i,
      .rst_ni,
      .rvfi_valid_i,
      .rvfi_order_i,
      .rvfi_insn_i,
      .rvfi_trap_i,
      .rvfi_mode_i,
      .rvfi_pc_rdata_i,
      .rvfi_pc_wdata_i,
      .rvfi_rd_wdata_i,
      .rvfi_mem_addr_i,
      .retire_mispredicted_i,
      .retire_in_burst_i,
      .valid_o(valid),
      .insn_o(insn),
      .trap_o(trap),
      .mode_o(mode),
      .pc_rdata_o(pc_rdata),
      .pc_wdata_o(pc_wdata),
      .rd_wdata_o(rd_wdata),
      .mem_addr_o(mem_addr),
      .mispredicted_o(mispredicted),
      .in_burst_o(in_burst)
  );

  // Delayed as the lanes are, which come one cycle after the core's channels.
  logic profile_en_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) profile_en_q <= 1'b0;
    else profile_en_q <= profile_en_i;
  end

  logic reg_re, reg_we, reg_error;
  logic [11:0] reg_addr;
  logic [63:0] reg_wdata, reg_rdata;
  strobe_axi_registers u_registers (
      .clk_i,
      .rst_ni,
      .s_axi_awvalid_i,
      .s_axi_awready_o,
      .s_axi_awaddr_i,
      .s_axi_awprot_i,
      .s_axi_wvalid_i,
      .s_axi_wready_o,
      .s_axi_wdata_i,
      .s_axi_wstrb_i,
      .s_axi_bvalid_o,
      .s_axi_bready_i,
      .s_axi_bresp_o,
      .s_axi_arvalid_i,
      .s_axi_arready_o,
      .s_axi_araddr_i,
      .s_axi_arprot_i,
      .s_axi_rvalid_o,
      .s_axi_rready_i,
      .s_axi_rdata_o,
      .s_axi_rresp_o,
      .reg_re_o(reg_re),
      .reg_we_o(reg_we),
      .reg_addr_o(reg_addr),
      .reg_wdata_o(reg_wdata),
      .reg_rdata_i(reg_rdata),
      .reg_error_i(reg_error)
  );

  logic mem_valid, mem_ready;
  logic [63:0] ring_addr, ring_data;
  logic profiler_idle, writer_idle;
  strobe_profiler #(
      // strobe-gen: profiler
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
  ) u_profiler (
      .clk_i,
      .rst_ni,
      .rvfi_valid_i(valid),
      .rvfi_insn_i(insn),
      .rvfi_trap_i(trap),
      .rvfi_mode_i(mode),
      .rvfi_pc_rdata_i(pc_rdata),
      .rvfi_pc_wdata_i(pc_wdata),
      .rvfi_rd_wdata_i(rd_wdata),
      .rvfi_mem_addr_i(mem_addr),
      .retire_mispredicted_i(mispredicted),
      .retire_in_burst_i(in_burst),
      .profile_en_i(profile_en_q),
      .reg_re_i(reg_re),
      .reg_we_i(reg_we),
      .reg_addr_i(reg_addr),
      .reg_wdata_i(reg_wdata),
      .reg_rdata_o(reg_rdata),
      .reg_error_o(reg_error),
      .mem_valid_o(mem_valid),
      .mem_addr_o(ring_addr),
      .mem_data_o(ring_data),
      .mem_ready_i(mem_ready),
      .mem_idle_i(writer_idle),
      .irq_o,
      .idle_o(profiler_idle)
  );

  strobe_axi_writer #(
      .Prot(RingProt)
  ) u_writer (
      .clk_i,
      .rst_ni,
      .mem_valid_i(mem_valid),
      .mem_addr_i(ring_addr),
      .mem_data_i(ring_data),
      .mem_ready_o(mem_ready),
      .m_axi_awvalid_o,
      .m_axi_awready_i,
      .m_axi_awaddr_o,
      .m_axi_awprot_o,
      .m_axi_wvalid_o,
      .m_axi_wready_i,
      .m_axi_wdata_o,
      .m_axi_wstrb_o,
      .m_axi_bvalid_i,
      .m_axi_bready_o,
      .m_axi_bresp_i,
      .idle_o(writer_idle),
      .error_o(m_axi_error_o)
  );

  assign idle_o = valid == '0 && profiler_idle;
endmodule
