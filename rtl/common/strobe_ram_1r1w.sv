// SPDX-License-Identifier: Apache-2.0
// Memory with one synchronous read port and one write port: the only storage array of the design.
//
// A read in cycle t gives its word in rdata_o from t+1 on, until the next read.
// Read during write of one address: the read gives the OLD word. Users that need the new one
// forward it themselves (this is what an SRAM macro can promise).
// Contents are undefined until written; there is no reset.
// An address must be below Depth; with Depth = 1 it is one bit and must be 0.
`include "strobe_assert.svh"

module strobe_ram_1r1w #(
    parameter int Width = 8,
    parameter int Depth = 16
) (
    input logic clk_i,

    input logic                                        we_i,
    input logic [(Depth > 1 ? $clog2(Depth) : 1) - 1:0] waddr_i,
    input logic [Width-1:0]                            wdata_i,

    input  logic                                        re_i,
    input  logic [(Depth > 1 ? $clog2(Depth) : 1) - 1:0] raddr_i,
    output logic [Width-1:0]                            rdata_o
);
  `STROBE_REQUIRE(RamWidth, Width >= 1, "strobe_ram_1r1w: Width must be at least 1")
  `STROBE_REQUIRE(RamDepth, Depth >= 1, "strobe_ram_1r1w: Depth must be at least 1")

  logic [Width-1:0] mem[Depth];

  always_ff @(posedge clk_i) begin
    if (we_i) mem[waddr_i] <= wdata_i;
    if (re_i) rdata_o <= mem[raddr_i];
  end
endmodule
