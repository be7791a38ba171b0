// SPDX-License-Identifier: Apache-2.0
// Jitter of the counters: adds random bits to the control copy of one dise register.
//
// docs/blocks/dise.md, "Jitter". copies_o are the control copies with the next set's random number in place.
// step_i says that a pass of this cycle sets a counter from the register; from the next cycle on copies_o has
// the next number. set_copies_o is copies_o of the cycle before, because a counter reads its copy one cycle
// after the pass. After a register write (settle_i) or a load copies_o is right from the second cycle on.
// Priority: load > write > step. step_i arrives late and passes only the last gate before a flip-flop.
`include "strobe_assert.svh"

module strobe_counter_jitter #(
    parameter int CounterWidth = 20
) (
    input logic clk_i,
    input logic rst_ni,

    input logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_i,

    input logic        settle_i,  // a register is written
    input logic        write_i,   // DISE_JITTER is
    input logic [27:0] wdata_i,

    input logic                                    load_i,
    input logic [11:0] load_state_i,

    input logic step_i,

    output logic [27:0]                                            word_o,     // what DISE_JITTER reads
    output logic [strobe_dise_pkg::DiseRegisters-1:0]              jitters_o,  // one-hot: the register; 0: none
    output logic [11:0]                state_o,
    output logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_o,
    output logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] set_copies_o
);
  `STROBE_REQUIRE(JitterCounter, CounterWidth >= 8 && CounterWidth <= 32,
                  "strobe_counter_jitter: CounterWidth must be 8 to 32")
  localparam int Bits = 8;    // at most, in a set
  localparam int State = 12;  // the linear-feedback shift register's width

  localparam int Registers = strobe_dise_pkg::DiseRegisters;

  logic [Registers-1:0] register_q;  // one-hot, because it selects in the longest path
  logic [3:0] bits_q;
  logic [State-1:0] state_q, first, second, stepped;
  assign first = state_q ^ (state_q << 5);
  assign second = first ^ (first >> 7);
  assign stepped = second ^ (second << 11);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      register_q <= Registers'(1);
      bits_q <= '0;
      state_q <= State'(1);
    end else begin
      if (write_i) begin
        register_q <= Registers'(1) << wdata_i[2:0];
        bits_q <= wdata_i[7:4];
      end
      if (load_i) state_q <= load_state_i;
      else if (write_i) state_q <= wdata_i[16+:State] == '0 ? State'(1) : wdata_i[16+:State];
      else if (step_i) state_q <= stepped;
    end
  end

  // The sum for the next state is ready before step_i; in the cycle after a write or a load it is the one for
  // the present state.
  logic refill_q;
  logic [Bits-1:0] random, used;
  logic [CounterWidth-1:0] base, sum, sum_q, previous_q;
  assign random = refill_q ? state_q[Bits-1:0] : stepped[Bits-1:0];
  for (genvar b = 0; b < Bits; b++) begin : gen_bit
    assign used[b] = random[b] && bits_q > 4'(b);
  end
  strobe_onehot_mux #(
      .Width (CounterWidth),
      .Inputs(Registers)
  ) u_base (
      .data_i  (copies_i),
      .select_i(register_q),
      .data_o  (base)
  );
  assign sum = base + CounterWidth'(used);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      refill_q <= 1'b0;
      sum_q <= '0;
    end else begin
      refill_q <= settle_i || load_i;
      if (refill_q || step_i) sum_q <= sum;
    end
  end
  always_ff @(posedge clk_i) previous_q <= sum_q;

  logic [2:0] number;
  always_comb begin
    number = '0;
    for (int r = 0; r < Registers; r++) if (register_q[r]) number |= 3'(r);
  end
  for (genvar r = 0; r < Registers; r++) begin : gen_copy
    assign jitters_o[r] = bits_q != '0 && register_q[r];
    assign copies_o[CounterWidth*r+:CounterWidth] = register_q[r] ? sum_q : copies_i[CounterWidth*r+:CounterWidth];
    assign set_copies_o[CounterWidth*r+:CounterWidth] =
        register_q[r] ? previous_q : copies_i[CounterWidth*r+:CounterWidth];
  end
  assign state_o = state_q;
  assign word_o = {state_q, 8'd0, bits_q, 1'b0, number};

  logic unused_wdata;
  assign unused_wdata = &{1'b0, wdata_i[15:8], wdata_i[3]};

  `STROBE_ASSERT(JitterIsNeverZero, state_q != '0)
  `STROBE_ASSERT(JitterIsOfOneRegister, register_q != '0 && (register_q & (register_q - 1'b1)) == '0)
  `STROBE_ASSERT(JitterStepsSettled, !(step_i && refill_q))
endmodule
