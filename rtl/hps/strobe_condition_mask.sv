// SPDX-License-Identifier: Apache-2.0
// Condition masking: what one instruction does under one state of the flags.
//
// docs/blocks/dise.md, "Productions". fit_i are the entries whose pattern the instruction has and whose condition the flags fulfil,
// where nothing may be injected those without a replacement only.
// The result is one step, or two when FlagTiming is 1: the entries without a replacement,
// then those with one. A step is the bits strobe_dise_pkg::Step* and, for each counter, Op*.
// Combinational. The tables' fields come as one mask over all entries each.
`include "strobe_assert.svh"

module strobe_condition_mask #(
    parameter int Patterns = 32,
    parameter int Counters = 2,
    parameter int FlagTiming = 0
) (
    input logic [Patterns-1:0] fit_i,
    input logic [Patterns-1:0] replaces_i,

    input logic [Counters*Patterns-1:0]   inc_i,
    input logic [Counters*Patterns-1:0]   dec_i,
    input logic [Counters*Patterns-1:0]   set_i,
    input logic [3*Counters*Patterns-1:0] register_i,   // bit b of counter n at [Patterns*(3*n+b) +: Patterns]
    input logic [Counters*Patterns-1:0]   minus_one_i,  // sets to -1, sets to 1
    input logic [Counters*Patterns-1:0]   one_i,

    output logic [Patterns-1:0] replacing_o,  // one-hot: the entry that replaces it
    output logic [(FlagTiming+1)*(strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*Counters)-1:0] steps_o
);
  `STROBE_REQUIRE(MaskCounters, Counters >= 1 && Counters <= strobe_dise_pkg::MaxCounters,
                  "strobe_condition_mask: Counters must be 1 to 3")
  `STROBE_REQUIRE(MaskTiming, FlagTiming == 0 || FlagTiming == 1,
                  "strobe_condition_mask: FlagTiming must be 0 or 1")
  localparam int OpBits = strobe_dise_pkg::OpBits;
  localparam int StepBits = strobe_dise_pkg::StepCounter + OpBits * Counters;
  localparam int Last = FlagTiming;  // the step of the entry with a replacement

  logic [Patterns-1:0] wants, silent;
  assign wants  = fit_i & replaces_i;
  assign silent = fit_i & ~replaces_i;
  strobe_first_one #(
      .Width(Patterns)
  ) u_replacing (
      .bits_i (wants),
      .first_o(replacing_o)
  );

  logic [Counters-1:0] sets, last_sets;
  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    localparam int At = strobe_dise_pkg::StepCounter + OpBits * n;
    logic [Patterns-1:0] inc, dec, set, operates;
    logic [Patterns*OpBits-1:0] fields;
    assign inc = inc_i[Patterns*n+:Patterns];
    assign dec = dec_i[Patterns*n+:Patterns];
    assign set = set_i[Patterns*n+:Patterns];
    assign operates = inc | dec | set;
    assign fields[Patterns*strobe_dise_pkg::OpActs+:Patterns] = inc | dec;
    assign fields[Patterns*strobe_dise_pkg::OpIsInc+:Patterns] = inc;
    assign fields[Patterns*strobe_dise_pkg::OpIsSet+:Patterns] = set;
    assign fields[Patterns*strobe_dise_pkg::OpMinusOne+:Patterns] = minus_one_i[Patterns*n+:Patterns];
    assign fields[Patterns*strobe_dise_pkg::OpOne+:Patterns] = one_i[Patterns*n+:Patterns];
    assign fields[Patterns*strobe_dise_pkg::OpRegister+:3*Patterns] = register_i[Patterns*3*n+:3*Patterns];

    // The first of the entries without a replacement that operate on the counter.
    logic [Patterns-1:0] quiet;
    strobe_first_one #(
        .Width(Patterns)
    ) u_quiet (
        .bits_i (silent & operates),
        .first_o(quiet)
    );
    logic [OpBits-1:0] by_quiet;
    for (genvar b = 0; b < OpBits; b++) begin : gen_quiet
      assign by_quiet[b] = (quiet & fields[Patterns*b+:Patterns]) != '0;
    end

    // That of all entries, without a wait for which one replaces: should that one operate on the counter, no other
    // with a replacement is in front of it.
    logic [OpBits-1:0] by_last;
    if (FlagTiming == 0) begin : gen_one_step
      logic [Patterns-1:0] any;
      logic [OpBits-1:0] by_any;
      strobe_first_one #(
          .Width(Patterns)
      ) u_any (
          .bits_i (fit_i & operates),
          .first_o(any)
      );
      for (genvar b = 0; b < OpBits; b++) begin : gen_any
        assign by_any[b] = (any & fields[Patterns*b+:Patterns]) != '0;
      end
      assign by_last = (replacing_o & operates) != '0 ? by_any : by_quiet;
    end else begin : gen_two_steps
      for (genvar b = 0; b < OpBits; b++) begin : gen_replacing
        assign by_last[b] = (replacing_o & fields[Patterns*b+:Patterns]) != '0;
      end
      assign steps_o[At+:OpBits] = by_quiet;
    end
    assign sets[n] = by_quiet[strobe_dise_pkg::OpIsSet];
    assign last_sets[n] = by_last[strobe_dise_pkg::OpIsSet];
    assign steps_o[StepBits*Last+At+:OpBits] = by_last;
  end

  if (FlagTiming == 1) begin : gen_silent_step
    assign steps_o[strobe_dise_pkg::StepReplaced] = 1'b0;
    assign steps_o[strobe_dise_pkg::StepStops] = sets != '0;
  end else begin : gen_no_silent_step
    logic unused_sets;
    assign unused_sets = ^sets;
  end
  assign steps_o[StepBits*Last+strobe_dise_pkg::StepReplaced] = wants != '0;
  assign steps_o[StepBits*Last+strobe_dise_pkg::StepStops] = wants != '0 || last_sets != '0;
endmodule
