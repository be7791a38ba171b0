#!/usr/bin/env python3
"""The gate-level run: what cannot be started is said, cells are counted, and a wrong cell is seen.

Usage: run_test.py BUILD
"""
import contextlib
import io
import os
import pathlib
import sys
import tempfile
import unittest

import run

BUILD = pathlib.Path(sys.argv.pop()).resolve()
SOURCE = """module strobe_x #(parameter A = 4) (clk_i);
  input clk_i;
  INVX1 _1_ (
    .A(clk_i)
  );
  DFFSR \\turn_q[0]_reg  (
    .CLK(clk_i)
  );
  strobe_sram_8x16 \\u_ram.u_macro  (
    .clk_i(clk_i)
  );
  strobe_part_0123abcd u_part (
    .clk_i(clk_i)
  );
endmodule
module strobe_part_0123abcd(clk_i);
  input clk_i;
  INVX1 _2_ (
    .A(clk_i)
  );
endmodule
/*verilator tracing_off*/
module INVX1 (input A, output Y);
  buf b (
    Y, A
  );
endmodule
"""


def refusal(*arguments):
    """The message of a run that cannot be started."""
    sys.argv = ["run.py", *map(str, arguments)]
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            run.main()
    except SystemExit as end:
        return end.code, said.getvalue()
    return None, ""


class Start(unittest.TestCase):
    def test_of_an_unknown_block_names_those_there_are(self):
        code, said = refusal("--build", BUILD, "no_block")
        self.assertEqual(code, 2)
        self.assertRegex(said, r"^gate-level: expected one of associative_table, .*tuple_queue, got 'no_block'\n$")

    def test_without_a_build_tree_says_how_to_make_it(self):
        self.assertEqual(refusal("--build", "/nowhere"),
                         (2, "gate-level: /nowhere is no build tree; make it: cmake --preset release\n"))

    def test_without_the_programs_says_how_to_build_them(self):
        said = io.StringIO()
        with self.assertRaises(SystemExit), contextlib.redirect_stderr(said):
            run.require_built(pathlib.Path("/nowhere"), ["tb_lfsr"])
        self.assertEqual(said.getvalue(),
                         "gate-level: /nowhere/bin/tb_lfsr is not there; build it: ninja -C /nowhere tb_lfsr\n")

    def test_covers_every_bench_of_a_block(self):
        benches = {path.stem.removesuffix("_test") for path in (run.ROOT / "tb").glob("*_test.cpp")}
        # The whole path is loaded by another recipe; the others are of blocks that have a bench of their own.
        self.assertEqual(benches - {bench for bench, _ in run.MODELS}, {"profiler", "power_up", "systemc_buffer"})


class Netlist(unittest.TestCase):
    def test_has_the_cells_of_all_its_parts_without_memories(self):
        self.assertEqual(run.parts_of(SOURCE), {"strobe_x", "strobe_part_0123abcd"})
        self.assertEqual(run.cells_of(SOURCE), 3)

    def test_with_one_inverted_cell_fails_in_the_bench(self):
        with tempfile.TemporaryDirectory() as scratch:
            copy = run.RtlCopy(BUILD, pathlib.Path(scratch))
            merge, = run.chosen(list(run.netlists(copy)), ["message_merge"])
            right = merge.written(BUILD / "bin/strobe", "osu018", copy.scratch / "netlists")
            wrong = right.replace("  NAND2X1 ", "  AND2X1 ", 1)
            self.assertNotEqual(right, wrong)
            passed, output = merge.passes(copy, wrong, {**os.environ, "STROBE_TB_CYCLES": "2000"})
        self.assertFalse(passed)
        self.assertEqual(run.seen_by(output), "MessageMergeRtl.EqualsTheReference_merge_b4")


if __name__ == "__main__":
    unittest.main()
