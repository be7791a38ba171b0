// SPDX-License-Identifier: Apache-2.0
// Condition mask: what one instruction does under one state of the flags. Combinational.
//
// docs/blocks/dise.md, "Productions". fit_i has the entries whose pattern the instruction matches and whose
// condition the flags meet; where nothing may be injected, only those without a replacement.
// The result is one step, or two when FlagTiming is 1: the entries without a replacement, then those with
// one. A step has the bits strobe_dise_pkg::Step* and, for each counter, Op*. Each field of the table comes
// as one mask over all entries.
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
    input logic [Counters*Patterns-1:0]   minus_one_i,  // the set writes -1; one_i: it writes 1
    input logic [Counters*Patterns-1:0]   one_i,

    output logic [Patterns-1:0] replacing_o,  // one-hot: the entry that replaces the instruction
    output logic [(FlagTiming+1)*(strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*Counters)-1:0] steps_o
);
  `STROBE_REQUIRE(MaskCounters, Counters >= 1 && Counters <= strobe_dise_pkg::MaxCounters,
                  "strobe_condition_mask: Counters must be 1 to 3")
  `STROBE_REQUIRE(MaskTiming, FlagTiming == 0 || FlagTiming == 1,
                  "strobe_condition_mask: FlagTiming must be 0 or 1")
  localparam int OpBits = strobe_dise_pkg::OpBits;
  localparam int StepBits = strobe_dise_pkg::StepCounter + OpBits * Counters;
  localparam int Last = FlagTiming;  // the step of the entries with a replacement

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

    // The first entry without a replacement that operates on the counter.
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

    // The first of all entries that operate on the counter, found without waiting for the replacing entry. It
    // is used only when the replacing entry operates on the counter: then no other entry with a replacement
    // precedes it.
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
