// SPDX-License-Identifier: Apache-2.0
// Checkpoints: for each lane a RAM that holds one word for each slot.
//
// docs/blocks/dise.md, "Checkpoints". word_o is the word of {read_slot_i, read_lane_i} from the cycle after
// read_i on, until the next read.
`include "strobe_assert.svh"

module strobe_checkpoints #(
    parameter int Lanes = 4,
    parameter int Width = 44
) (
    input logic clk_i,

    input logic [Lanes-1:0]                    save_i,
    input logic [strobe_dise_pkg::SlotBits-1:0] save_slot_i,
    input logic [Width*Lanes-1:0]              saved_i,

    input  logic                                read_i,
    input  logic [strobe_dise_pkg::SlotBits-1:0] read_slot_i,
    input  logic [1:0]                          read_lane_i,
    output logic [Width-1:0]                    word_o
);
  `STROBE_REQUIRE(CheckpointLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_checkpoints: Lanes must be 1, 2 or 4")
  logic [Width*Lanes-1:0] words;
  logic [1:0] lane_q;
  for (genvar k = 0; k < Lanes; k++) begin : gen_lane
    strobe_ram_1r1w #(
        .Width(Width),
        .Depth(strobe_dise_pkg::Slots)
    ) u_ram (
        .clk_i,
        .we_i   (save_i[k]),
        .waddr_i(save_slot_i),
        .wdata_i(saved_i[Width*k+:Width]),
        .re_i   (read_i),
        .raddr_i(read_slot_i),
        .rdata_o(words[Width*k+:Width])
    );
  end
  always_ff @(posedge clk_i) if (read_i) lane_q <= read_lane_i;
  always_comb begin
    word_o = '0;
    for (int k = 0; k < Lanes; k++) begin
      if (lane_q == 2'(k)) word_o = word_o | words[Width*k+:Width];
    end
  end
endmodule
