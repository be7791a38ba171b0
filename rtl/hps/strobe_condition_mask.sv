// Condition masking: what one instruction does under one state of the flags.
//
// docs/blocks/dise.md, "Productions". hits_i are the entries whose pattern the instruction has, condition_i those whose condition
// this state of the flags fulfils. The result is one step, or two when FlagTiming is 1: the entries without a replacement,
// then those with one. A step is the bits strobe_dise_pkg::Step* and, for each counter, Op*.
// Combinational. The tables' fields come as one mask over all entries each.
`include "strobe_assert.svh"

module strobe_condition_mask #(
    parameter int Patterns = 32,
    parameter int Counters = 2,
    parameter int FlagTiming = 0
) (
    input logic [Patterns-1:0] hits_i,
    input logic [Patterns-1:0] condition_i,
    input logic [Patterns-1:0] replaces_i,
    input logic                expand_i,

    input logic [Counters*Patterns-1:0]   inc_i,
    input logic [Counters*Patterns-1:0]   dec_i,
    input logic [Counters*Patterns-1:0]   set_i,
    input logic [3*Counters*Patterns-1:0] register_i,   // bit b of counter n at [Patterns*(3*n+b) +: Patterns]
    input logic [Counters*Patterns-1:0]   minus_one_i,  // sets to -1, sets to 1
    input logic [Counters*Patterns-1:0]   one_i,

    output logic [(FlagTiming+1)*(strobe_dise_pkg::StepCounter+strobe_dise_pkg::OpBits*Counters)-1:0] steps_o
);
  `STROBE_REQUIRE(MaskCounters, Counters >= 1 && Counters <= strobe_dise_pkg::MaxCounters,
                  "strobe_condition_mask: Counters must be 1 to 3")
  `STROBE_REQUIRE(MaskTiming, FlagTiming == 0 || FlagTiming == 1,
                  "strobe_condition_mask: FlagTiming must be 0 or 1")
  localparam int Steps = FlagTiming + 1;
  localparam int StepBits = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * Counters;

  logic [Patterns-1:0] fit, wants, replacing, silent;
  assign fit = hits_i & condition_i;
  assign wants   = expand_i ? fit & replaces_i : '0;
  assign silent  = fit & ~replaces_i;
  strobe_first_one #(
      .Width(Patterns)
  ) u_replacing (
      .bits_i (wants),
      .first_o(replacing)
  );

  for (genvar s = 0; s < Steps; s++) begin : gen_step
    localparam bit Replaces = s == Steps - 1;
    logic [Patterns-1:0] fires;
    assign fires = (s == 0 ? silent : '0) | (Replaces ? replacing : '0);

    logic [StepBits-1:0] step;
    logic [Counters-1:0] sets;
    assign step[strobe_dise_pkg::StepReplaced] = Replaces && wants != '0;
    assign step[strobe_dise_pkg::StepStops] = (Replaces && wants != '0) || sets != '0;
    for (genvar n = 0; n < Counters; n++) begin : gen_counter
      localparam int At = strobe_dise_pkg::StepCounter + strobe_dise_pkg::OpBits * n;
      logic [Patterns-1:0] inc, dec, set, supplies;
      assign inc = inc_i[Patterns*n+:Patterns];
      assign dec = dec_i[Patterns*n+:Patterns];
      assign set = set_i[Patterns*n+:Patterns];
      strobe_first_one #(
          .Width(Patterns)
      ) u_supplies (
          .bits_i (fires & (inc | dec | set)),
          .first_o(supplies)
      );
      assign sets[n] = (supplies & set) != '0;
      assign step[At+strobe_dise_pkg::OpActs] = (supplies & (inc | dec)) != '0;
      assign step[At+strobe_dise_pkg::OpIsInc] = (supplies & inc) != '0;
      assign step[At+strobe_dise_pkg::OpIsSet] = sets[n];
      assign step[At+strobe_dise_pkg::OpMinusOne] = (supplies & minus_one_i[Patterns*n+:Patterns]) != '0;
      assign step[At+strobe_dise_pkg::OpOne] = (supplies & one_i[Patterns*n+:Patterns]) != '0;
      for (genvar b = 0; b < 3; b++) begin : gen_register
        assign step[At+strobe_dise_pkg::OpRegister+b] =
            (supplies & register_i[Patterns*(3*n+b)+:Patterns]) != '0;
      end
    end
    assign steps_o[StepBits*s+:StepBits] = step;
  end
endmodule
