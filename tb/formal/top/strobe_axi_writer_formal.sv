// SPDX-License-Identifier: Apache-2.0
// The ring writer's words on AXI4-Lite: every word that was taken is offered once, address and data, until
// both are taken. The next word is offered only after the answer. The error flag stays set.
//
// prove: induction 3
// prove: cover 16
// peek: busy u_dut.busy_q
// peek: addr_held u_dut.addr_q
// peek: data_held u_dut.data_q
module strobe_axi_writer_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic mem_valid_i,
    input logic [63:0] mem_addr_i,
    input logic [63:0] mem_data_i,
    input logic awready_i,
    input logic wready_i,
    input logic bvalid_i,
    input logic [1:0] bresp_i
);
  logic mem_ready, awvalid, wvalid, bready, idle, error;
  logic [63:0] awaddr, wdata;
  logic [2:0] awprot;
  logic [7:0] wstrb;
  strobe_axi_writer #(
      .Prot(2)
  ) u_dut (
      .clk_i, .rst_ni, .mem_valid_i, .mem_addr_i, .mem_data_i, .mem_ready_o(mem_ready),
      .m_axi_awvalid_o(awvalid), .m_axi_awready_i(awready_i), .m_axi_awaddr_o(awaddr),
      .m_axi_awprot_o(awprot), .m_axi_wvalid_o(wvalid), .m_axi_wready_i(wready_i),
      .m_axi_wdata_o(wdata), .m_axi_wstrb_o(wstrb), .m_axi_bvalid_i(bvalid_i),
      .m_axi_bready_o(bready), .m_axi_bresp_i(bresp_i), .idle_o(idle), .error_o(error)
  );

  initial assume (!rst_ni);

  logic busy;
  logic [63:0] addr_held, data_held;
  logic owes_addr_q, owes_data_q, owes_answer_q, error_q;  // what the taken word still lacks
  logic [63:0] addr_q, data_q;
  logic taken, answered;
  assign taken = mem_valid_i && mem_ready;
  assign answered = bvalid_i && bready;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      owes_addr_q <= 1'b0;
      owes_data_q <= 1'b0;
      owes_answer_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      owes_addr_q <= taken || (owes_addr_q && !(awvalid && awready_i));
      owes_data_q <= taken || (owes_data_q && !(wvalid && wready_i));
      owes_answer_q <= taken || (owes_answer_q && !answered);
      error_q <= error_q || (answered && bresp_i != 2'b00);
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      addr_q <= mem_addr_i;
      data_q <= mem_data_i;
    end
  end

  always @(posedge clk_i) begin
    if (rst_ni) begin
      WriterOffers : assert (awvalid == owes_addr_q && wvalid == owes_data_q);
      WriterHoldsTheWord :
      assert (!owes_answer_q || (addr_held == addr_q && data_held == data_q));
      WriterOffersTheWord :
      assert ((!awvalid || (awaddr == addr_q && awprot == 3'd2)) &&
              (!wvalid || (wdata == data_q && wstrb == 8'hff)));
      WriterTakesOneAtATime : assert (mem_ready == !owes_answer_q && idle == !owes_answer_q);
      WriterIsBusy : assert (busy == owes_answer_q);
      WriterAwaitsTheAnswerOfBoth :
      assert (bready == (owes_answer_q && !owes_addr_q && !owes_data_q));
      WriterKeepsTheError : assert (error == error_q);
      WriterGoesOn : cover (answered && bresp_i == 2'b10);
      WriterTakesTheNext : cover (taken && error);
    end
  end
endmodule
