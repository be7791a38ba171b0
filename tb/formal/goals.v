// SPDX-License-Identifier: Apache-2.0
// What prove.sh makes of the goals of a harness, so that a model checker, which asks for failures only, answers it.

// A cover statement is reached when the assertion of its contrary fails.
(* techmap_celltype = "cover" *)
module strobe_cover_is_a_failure (
    input A,
    input EN
);
  \$assert goal (
      .A (!A),
      .EN(EN)
  );
endmodule

// In an induction, an assertion is assumed in the cycles before.
(* techmap_celltype = "assert_and_assume" *)
module strobe_assert_and_assume (
    input A,
    input EN
);
  \$assert goal (
      .A (A),
      .EN(EN)
  );
  \$assume before (
      .A (A),
      .EN(EN)
  );
endmodule

// The state from which an induction begins is not the first one.
(* techmap_celltype = "$initstate" *)
module strobe_never_the_first_cycle (
    output Y
);
  assign Y = 1'b0;
endmodule
