// SPDX-License-Identifier: Apache-2.0
// Counter bank: counters and flags, and the loop in which a bundle's operations change them in one cycle.
//
// docs/blocks/dise.md, "The loop". The steps of a bundle are taken in passes. rows_i is what each step does
// under the present flags; after changed_o the next pass waits for the rows under the new ones. A pass runs
// under one state of the flags: it ends with the first step that is replaced, sets a counter, or counts a
// counter near 0, because only such a step can change the flags. If a pattern concerns a later step, hold_o
// is 1 and the next pass continues there; otherwise the bundle is done.
// Priority: load > clear > write > pass. The caller keeps advance_i at 0 while there is no bundle or it
// cannot leave.
`include "strobe_assert.svh"

module strobe_counter_bank #(
    parameter int Lanes = 4,
    parameter int Counters = 2,
    parameter int CounterWidth = 20,
    parameter int FlagTiming = 0,
    parameter int Jitter = 0
) (
    input logic clk_i,
    input logic rst_ni,

    // The control copies as they were written, and as the conditional table sees them: with jitter.
    input  logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_i,
    output logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] copies_o,

    input  logic        settle_i,        // a register is written
    input  logic        write_jitter_i,  // DISE_JITTER is
    input  logic [27:0] write_word_i,
    output logic [27:0] jitter_o,

    input logic [Counters-1:0]     write_i,  // software sets a counter
    input logic [CounterWidth-1:0] write_value_i,

    input logic                             clear_i,
    input logic                             load_i,
    input logic [CounterWidth*Counters-1:0] load_counters_i,
    input logic [2*Counters-1:0]            load_flags_i,
    input logic [11:0] load_random_i,

    input logic                            advance_i,
    input logic [Lanes-1:0]                valid_i,
    input logic [Lanes*(FlagTiming+1)-1:0] concerned_i,
    input logic [Lanes*(FlagTiming+1)*(strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*Counters)-1:0] rows_i,

    output logic             hold_o,
    output logic             near_next_o,  // early; 0: no counter is near 0 in the next cycle, unless this pass sets one
    output logic [Lanes-1:0] replaced_o,  // one-hot; later lanes are not consumed

    output logic [2*Counters-1:0]            flags_o,
    output logic                             burst_o,  // counter 1 has overflowed, counter 2 has not
    output logic [CounterWidth*Counters-1:0] counters_o,  // exact while neither this cycle nor the last one has a pass

    output logic [(1<<(2*Counters))-1:0]     state_o,    // the flags, one-hot
    output logic                             changed_o,  // this pass changes the flags

    // The state after each lane of the last pass.
    output logic [Lanes-1:0]                                  save_o,
    output logic [(CounterWidth*Counters+2*Counters+12*Jitter)*Lanes-1:0] saved_o,  // {random, flags, counters} after each lane
    output logic [Lanes-1:0]                                    in_burst_o  // a burst was on before the lane
);
  `STROBE_REQUIRE(BankLanes, Lanes == 1 || Lanes == 2 || Lanes == 4,
                  "strobe_counter_bank: Lanes must be 1, 2 or 4")
  `STROBE_REQUIRE(BankCounters, Counters >= 1 && Counters <= strobe_dise_pkg::MaxCounters,
                  "strobe_counter_bank: Counters must be 1 to 3")
  `STROBE_REQUIRE(BankJitter, Jitter == 0 || Jitter == 1, "strobe_counter_bank: Jitter must be 0 or 1")
  `STROBE_REQUIRE(BankTiming, FlagTiming == 0 || FlagTiming == 1,
                  "strobe_counter_bank: FlagTiming must be 0 or 1")
  localparam int Flags = 2 * Counters;
  localparam int States = 1 << Flags;
  localparam int PerLane = FlagTiming + 1;
  localparam int Steps = Lanes * PerLane;
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * Counters;
  localparam int SaveBits = CounterWidth * Counters + Flags + 12 * Jitter;

  logic [States-1:0] state_q;  // one-hot
  logic [Flags-1:0] flags_q, flags_before_q;
  logic [Steps-1:0] executed_q;

  logic [Counters-1:0] near, near_next, minus_one, one;
  logic [Steps-1:0] waiting, stops, last, runs, replaces, changes, jittered;
  logic [strobe_dise_pkg::DiseRegisters-1:0] jitters;
  logic [strobe_dise_pkg::DiseRegisters*CounterWidth-1:0] set_copies;
  logic stopped;
  logic [States*Steps-1:0] state_after;
  logic [Flags*Steps-1:0] flags_after;
  for (genvar j = 0; j < Steps; j++) begin : gen_step
    logic [StepBits-1:0] bits;
    logic [Counters-1:0] acts;
    assign bits = rows_i[StepBits*j+:StepBits];
    for (genvar n = 0; n < Counters; n++) begin : gen_counter
      assign acts[n] = bits[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*n+strobe_dise_pkg::OpActs];
    end
    assign waiting[j] = valid_i[j/PerLane] && !executed_q[j];
    assign stops[j] = waiting[j] && (bits[strobe_dise_pkg::StepStops] || (acts & near) != '0);
    assign replaces[j] = bits[strobe_dise_pkg::StepReplaced];

    // The flags after the step if the pass ends with it, decoded before that is known.
    logic [Flags-1:0] flags;
    for (genvar n = 0; n < Counters; n++) begin : gen_flags
      localparam int At = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * n;
      logic inc, dec, set;
      assign inc = acts[n] && bits[At+strobe_dise_pkg::OpIsInc];
      assign dec = acts[n] && !bits[At+strobe_dise_pkg::OpIsInc];
      assign set = bits[At+strobe_dise_pkg::OpIsSet];
      assign flags[2*n] = !set && (flags_q[2*n] || (inc && minus_one[n]));
      assign flags[2*n+1] = !set && (flags_q[2*n+1] || (dec && one[n]));
    end
    for (genvar f = 0; f < States; f++) begin : gen_state
      assign state_after[States*j+f] = flags == Flags'(f);
    end
    assign flags_after[Flags*j+:Flags] = flags;
    // A set with jitter makes the rows stale too: the next one sets another value.
    always_comb begin
      jittered[j] = 1'b0;
      for (int n = 0; n < Counters; n++) begin
        jittered[j] = jittered[j] || (bits[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*n+strobe_dise_pkg::OpIsSet] &&
                                      jitters[bits[strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*n+strobe_dise_pkg::OpRegister+:3]]);
      end
    end
    assign changes[j] = flags != flags_q || jittered[j];
  end
  always_comb begin
    last = '0;
    runs = '0;
    stopped = 1'b0;
    for (int j = 0; j < Steps; j++) begin
      runs[j] = waiting[j] && !stopped;
      last[j] = stops[j] && !stopped;
      stopped = stopped || stops[j];
    end
  end
  for (genvar k = 0; k < Lanes; k++) begin : gen_replaced
    assign replaced_o[k] = last[PerLane*k+PerLane-1] && replaces[PerLane*k+PerLane-1];
  end
  assign near_next_o = near_next != '0;
  assign changed_o = advance_i && (last & changes) != '0;
  assign hold_o = (waiting & ~runs & concerned_i) != '0 && replaced_o == '0;

  logic [Lanes-1:0] lane_waits, ended, ended_q, save_q;
  logic drop;  // a pass has no effect
  assign drop = clear_i || load_i;

  if (Jitter == 1) begin : gen_jitter
    logic [11:0] random, random_before_q;
    strobe_counter_jitter #(
        .CounterWidth(CounterWidth)
    ) u_jitter (
        .clk_i,
        .rst_ni,
        .copies_i,
        .settle_i,
        .write_i     (write_jitter_i),
        .wdata_i     (write_word_i),
        .load_i,
        .load_state_i(load_random_i),
        .step_i      (advance_i && !drop && (last & jittered) != '0),
        .word_o      (jitter_o),
        .jitters_o   (jitters),
        .state_o     (random),
        .copies_o,
        .set_copies_o(set_copies)
    );
    always_ff @(posedge clk_i) if (advance_i) random_before_q <= random;
    for (genvar k = 0; k < Lanes; k++) begin : gen_random
      assign saved_o[SaveBits*k+CounterWidth*Counters+Flags+:12] =
          ended_q[k] ? random : random_before_q;
    end
  end else begin : gen_no_jitter
    assign jitters = '0;
    assign jitter_o = '0;
    assign copies_o = copies_i;
    assign set_copies = copies_i;
    logic unused_jitter;
    assign unused_jitter = &{1'b0, settle_i, write_jitter_i, write_word_i, load_random_i};
  end
  logic [Counters-1:0] set_q;
  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    localparam int At = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * n;
    logic [Steps-1:0] acts, inc, dec, is_inc, is_set, to_minus_one, to_one;
    logic [3*Steps-1:0] registers;
    for (genvar j = 0; j < Steps; j++) begin : gen_step
      assign acts[j] = rows_i[StepBits*j+At+strobe_dise_pkg::OpActs];
      assign is_inc[j] = rows_i[StepBits*j+At+strobe_dise_pkg::OpIsInc];
      assign is_set[j] = rows_i[StepBits*j+At+strobe_dise_pkg::OpIsSet];
      assign to_minus_one[j] = rows_i[StepBits*j+At+strobe_dise_pkg::OpMinusOne];
      assign to_one[j] = rows_i[StepBits*j+At+strobe_dise_pkg::OpOne];
      for (genvar b = 0; b < 3; b++) begin : gen_register
        assign registers[Steps*b+j] = rows_i[StepBits*j+At+strobe_dise_pkg::OpRegister+b];
      end
    end
    assign inc = runs & acts & is_inc;
    assign dec = runs & acts & ~is_inc;

    logic set;
    assign set = (last & is_set) != '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) set_q[n] <= 1'b0;
      else set_q[n] <= set && advance_i && !drop;
    end

    logic [CounterWidth-1:0] value;
    logic [CounterWidth*Lanes-1:0] lane_value;
    strobe_counter #(
        .Steps(Steps),
        .Lanes(Lanes),
        .Width(CounterWidth)
    ) u_counter (
        .clk_i,
        .rst_ni,
        .copies_i       (set_copies),
        .clear_i        (clear_i && !load_i),
        .load_i         (load_i || write_i[n]),
        .load_value_i   (load_i ? load_counters_i[CounterWidth*n+:CounterWidth] : write_value_i),
        .inc_i          (advance_i ? inc : '0),
        .dec_i          (advance_i ? dec : '0),
        .set_i          (set && advance_i),
        .set_register_i ({
          (last & registers[2*Steps+:Steps]) != '0,
          (last & registers[Steps+:Steps]) != '0,
          (last & registers[0+:Steps]) != '0
        }),
        .set_minus_one_i((last & to_minus_one) != '0),
        .set_one_i      ((last & to_one) != '0),
        .near_o         (near[n]),
        .near_next_o    (near_next[n]),
        .minus_one_o    (minus_one[n]),
        .one_o          (one[n]),
        .value_o        (value),
        .base_o         (counters_o[CounterWidth*n+:CounterWidth]),
        .lane_set_i     (set_q[n] ? ended_q : '0),
        .lane_value_o   (lane_value)
    );
    logic unused_value;
    assign unused_value = ^value;
    for (genvar k = 0; k < Lanes; k++) begin : gen_save
      assign saved_o[SaveBits*k+CounterWidth*n+:CounterWidth] = lane_value[CounterWidth*k+:CounterWidth];
    end
  end

  logic [States-1:0] state_stopped;
  logic [Flags-1:0] flags_stopped, flags_written;
  strobe_onehot_mux #(
      .Width (States),
      .Inputs(Steps)
  ) u_state (
      .data_i  (state_after),
      .select_i(last),
      .data_o  (state_stopped)
  );
  strobe_onehot_mux #(
      .Width (Flags),
      .Inputs(Steps)
  ) u_flags (
      .data_i  (flags_after),
      .select_i(last),
      .data_o  (flags_stopped)
  );
  for (genvar n = 0; n < Counters; n++) begin : gen_written
    assign flags_written[2*n+:2] = write_i[n] ? 2'b00 : flags_q[2*n+:2];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= States'(1);
      flags_q <= '0;
    end else if (load_i) begin
      for (int f = 0; f < States; f++) state_q[f] <= load_flags_i == Flags'(f);
      flags_q <= load_flags_i;
    end else if (clear_i) begin
      state_q <= States'(1);
      flags_q <= '0;
    end else if (write_i != '0) begin
      for (int f = 0; f < States; f++) state_q[f] <= flags_written == Flags'(f);
      flags_q <= flags_written;
    end else if (advance_i && stopped) begin
      state_q <= state_stopped;
      flags_q <= flags_stopped;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) executed_q <= '0;
    else if (drop) executed_q <= '0;
    else if (advance_i) executed_q <= hold_o ? executed_q | runs : '0;
  end

  // After a lane whose last step is at or after the pass's end, the flags are the new ones.
  always_comb begin
    lane_waits = '0;
    ended = '0;
    for (int k = 0; k < Lanes; k++) begin
      lane_waits[k] = waiting[PerLane*k+PerLane-1];
      for (int j = 0; j < Steps; j++) ended[k] = ended[k] || (j < PerLane * (k + 1) && last[j]);
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) save_q <= '0;
    else save_q <= advance_i && !drop ? lane_waits : '0;
  end
  always_ff @(posedge clk_i) begin
    if (advance_i) begin
      ended_q <= ended;
      flags_before_q <= flags_q;
    end
  end
  for (genvar k = 0; k < Lanes; k++) begin : gen_flags
    assign saved_o[SaveBits*k+CounterWidth*Counters+:Flags] = ended_q[k] ? flags_q : flags_before_q;
  end
  // A lane has the flags of the pass that ran its first step, or those after the last pass if none did.
  logic burst;
  logic [Lanes-1:0] begun_q, begun_in_burst_q;
  if (Counters == 1) begin : gen_one_counter
    assign burst = flags_q[0];
  end else begin : gen_two_counters
    assign burst = flags_q[0] && !flags_q[2];
  end
  always_ff @(posedge clk_i) begin
    for (int k = 0; k < Lanes; k++) begin
      if (advance_i) begun_q[k] <= runs[PerLane*k] || executed_q[PerLane*k];
      if (advance_i && runs[PerLane*k]) begun_in_burst_q[k] <= burst;
    end
  end
  assign in_burst_o = (begun_q & begun_in_burst_q) | (burst ? ~begun_q : '0);

  assign burst_o = burst;
  assign flags_o = flags_q;
  assign state_o = state_q;
  assign save_o  = save_q;
endmodule
