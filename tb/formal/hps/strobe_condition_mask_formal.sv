// SPDX-License-Identifier: Apache-2.0
// The productions' rules, one entry after another as docs/blocks/dise.md states them, for both values of
// FlagTiming: which entry replaces, and what each counter does.
// prove: induction 1
`include "strobe_assert.svh"

module strobe_condition_mask_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic [5:0] fit_i,
    input logic [5:0] replaces_i,
    input logic [11:0] inc_i,
    input logic [11:0] dec_i,
    input logic [11:0] set_i,
    input logic [35:0] register_i,
    input logic [11:0] minus_one_i,
    input logic [11:0] one_i
);
  localparam int Patterns = 6;
  localparam int Counters = 2;
  localparam int OpBits = strobe_dise_pkg::OpBits;
  localparam int StepBits = strobe_dise_pkg::StepCounter + OpBits * Counters;

  logic [Patterns-1:0] replacing, replacing_after, first_that_replaces;
  logic [StepBits-1:0] one_step, expected;
  logic [2*StepBits-1:0] two_steps, expected_two;
  strobe_condition_mask #(.Patterns(Patterns), .Counters(Counters), .FlagTiming(0)) u_before (
      .fit_i, .replaces_i, .inc_i, .dec_i, .set_i, .register_i, .minus_one_i, .one_i,
      .replacing_o(replacing), .steps_o(one_step)
  );
  strobe_condition_mask #(.Patterns(Patterns), .Counters(Counters), .FlagTiming(1)) u_after (
      .fit_i, .replaces_i, .inc_i, .dec_i, .set_i, .register_i, .minus_one_i, .one_i,
      .replacing_o(replacing_after), .steps_o(two_steps)
  );

  // What each entry does to each counter; 0 is no operation.
  logic [OpBits*Patterns*Counters-1:0] ops;
  for (genvar n = 0; n < Counters; n++) begin : gen_counter
    for (genvar e = 0; e < Patterns; e++) begin : gen_entry
      localparam int At = Patterns * n + e;
      logic operates;
      assign operates = inc_i[At] || dec_i[At] || set_i[At];
      assign ops[OpBits*At+:OpBits] = operates ? {
        register_i[Patterns*(3*n+2)+e], register_i[Patterns*(3*n+1)+e], register_i[Patterns*3*n+e],
        one_i[At], minus_one_i[At], set_i[At], inc_i[At], inc_i[At] || dec_i[At]
      } : '0;
    end
  end

  always_comb begin
    first_that_replaces = '0;
    expected = '0;
    expected_two = '0;
    for (int e = 0; e < Patterns; e++) begin
      if (fit_i[e] && replaces_i[e] && first_that_replaces == '0) first_that_replaces[e] = 1'b1;
    end
    for (int n = 0; n < Counters; n++) begin
      for (int e = 0; e < Patterns; e++) begin
        if (fit_i[e] && (!replaces_i[e] || first_that_replaces[e])) begin
          // One step: the first entry that fires and operates.
          if (expected[2+OpBits*n+:OpBits] == '0)
            expected[2+OpBits*n+:OpBits] = ops[OpBits*(Patterns*n+e)+:OpBits];
          // Two steps: the first entry without a replacement, then the one that replaces.
          if (replaces_i[e])
            expected_two[StepBits+2+OpBits*n+:OpBits] = ops[OpBits*(Patterns*n+e)+:OpBits];
          else if (expected_two[2+OpBits*n+:OpBits] == '0)
            expected_two[2+OpBits*n+:OpBits] = ops[OpBits*(Patterns*n+e)+:OpBits];
        end
      end
      if (expected[2+OpBits*n+strobe_dise_pkg::OpIsSet]) expected[1] = 1'b1;
      if (expected_two[2+OpBits*n+strobe_dise_pkg::OpIsSet]) expected_two[1] = 1'b1;
      if (expected_two[StepBits+2+OpBits*n+strobe_dise_pkg::OpIsSet]) expected_two[StepBits+1] = 1'b1;
    end
    if (first_that_replaces != '0) begin
      expected[1:0] = 2'b11;
      expected_two[StepBits+:2] = 2'b11;
    end
  end
  `STROBE_ASSERT(TheFirstReplaces, replacing == first_that_replaces && replacing_after == first_that_replaces)
  `STROBE_ASSERT(OneStepIsWhatFires, one_step == expected)
  // Bits that are compared. Fields of a replacing entry are don't-care for a counter on which it does not
  // operate.
  logic [2*StepBits-1:0] looked_at;
  always_comb begin
    looked_at = '1;
    for (int n = 0; n < Counters; n++) begin
      if (expected_two[StepBits+2+OpBits*n+:OpBits] == '0) begin
        looked_at[StepBits+2+OpBits*n+strobe_dise_pkg::OpMinusOne+:OpBits-strobe_dise_pkg::OpMinusOne] = '0;
      end
    end
  end
  `STROBE_ASSERT(TwoStepsAreWhatFires, ((two_steps ^ expected_two) & looked_at) == '0)
endmodule
