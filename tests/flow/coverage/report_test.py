#!/usr/bin/env python3
"""The coverage report: what counts as covered, what is reported, which exceptions are refused."""
import contextlib
import io
import pathlib
import tempfile
import unittest
from unittest import mock

import report

SOURCE = """module a;
  always_ff @(posedge clk_i) begin
    if (x) y <= 1;
    else begin
      z <= 1;
    end
    if (w) v <= 1;
  end
  `STROBE_ASSERT(First, f(x) &&
                 y)
endmodule
"""
FILE = "rtl/top/a.sv"


def point(line, column, what, count, lines="", page="v_line/a", file="/somewhere/rtl/top/a.sv", instance="TOP.a"):
    fields = {"f": file, "l": line, "n": column, "page": page, "o": what}
    if lines:
        fields["S"] = lines
    fields["h"] = instance
    return "C '" + "".join(f"\1{k}\2{v}" for k, v in fields.items()) + f"' {count}\n"


def bit(name, count, page="v_toggle/a", instance="TOP.a"):
    return point(1, 9, name, count, page=page, instance=instance)


HEAD = "# SystemC::Coverage-3\n"
BODY = (point(2, 3, "block", 9, "2") + point(3, 5, "if", 4, "3") + point(3, 6, "else", 5, "5"))
ALWAYS = point(7, 5, "if", 9, "7") + point(7, 6, "else", 0)  # w is always 1


def block_of(text, source=SOURCE):
    return report.blocks_of(report.read_counts(HEAD + text), {FILE: source})[FILE]


class Counts(unittest.TestCase):
    def test_of_lines_are_per_block_of_them(self):
        block = block_of(BODY)
        self.assertEqual((block.covered, block.missed, block.percent), ({2, 3, 5}, set(), 100))

    def test_report_a_line_that_did_not_run(self):
        block = block_of(point(2, 3, "block", 9, "2") + point(3, 5, "if", 0, "3-4"))
        self.assertEqual((block.covered, block.missed), ({2}, {3, 4}))

    def test_take_an_always_block_for_run(self):
        self.assertEqual(block_of(point(2, 3, "block", 0, "2")).covered, {2})

    def test_miss_a_line_whose_unwritten_else_was_never_taken(self):
        self.assertEqual(block_of(BODY + ALWAYS).missed, {7})

    def test_of_instances_and_parameter_points_are_added(self):
        other = point(7, 5, "if", 0, "7", page="v_line/a__W8") + point(7, 6, "else", 3, instance="TOP.b.a")
        self.assertEqual(block_of(BODY + ALWAYS + other).missed, set())

    def test_leave_assertions_out(self):
        block = block_of(point(10, 3, "if", 7, "10") + point(10, 4, "else", 0))
        self.assertEqual((block.covered, block.missed), (set(), set()))

    def test_of_bits_are_per_bit(self):
        block = block_of(bit("x[0]", 3) + bit("x[1]", 0) + bit("x[1]", 0, instance="TOP.c") +
                         bit("x[2]", 0) + bit("x[2]", 1, page="v_toggle/a__W8"))
        self.assertEqual((block.bits, block.toggled), (3, 2))

    def test_of_other_files_are_not_looked_at(self):
        self.assertEqual(report.read_counts(HEAD + point(2, 3, "block", 1, "2", file="/usr/include/b.sv")), {})

    def test_that_are_malformed_are_refused(self):
        for line in ("hello", "C 'no fields' 3", "C '\1f\2/rtl/x.sv' 3"):
            with self.assertRaisesRegex(SystemExit, "counts:2: expected a point of Verilator's coverage"):
                report.read_counts(HEAD + line)


class Exceptions(unittest.TestCase):
    def apply(self, text, counts=BODY + ALWAYS):
        block = block_of(counts)
        return block, report.apply_exceptions({FILE: block}, {FILE: SOURCE},
                                              report.read_exceptions(text, "list"), "list")

    def test_take_a_line_out(self):
        block, faults = self.apply(f"# comment\n{FILE} | if (w) v <= 1; | w is 1\n")
        self.assertEqual((block.missed, block.excepted, block.percent, faults), (set(), {7}, 100, []))

    def test_that_name_a_covered_line_are_stale(self):
        block, faults = self.apply(f"{FILE} | z <= 1 | no z\n")
        self.assertEqual(block.missed, {7})
        self.assertEqual(faults, [f"list:1: expected a line of {FILE} with 'z <= 1' that no bench reaches, "
                                  "found only covered ones; remove the exception or correct its text"])

    def test_that_name_no_line_are_stale(self):
        for file in (FILE, "rtl/top/b.sv"):
            self.assertIn("found none", self.apply(f"{file} | nothing <= 1 | why\n")[1][0])

    def test_without_a_reason_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "list:1: expected 'FILE | TEXT OF THE LINE | REASON'"):
            report.read_exceptions(f"{FILE} | z <= 1 |\n", "list")


class Table(unittest.TestCase):
    def test_has_a_row_a_block(self):
        row = report.table({FILE: block_of(BODY + ALWAYS + bit("x[0]", 3) + bit("x[1]", 0))}).splitlines()[2]
        self.assertEqual(row, "| a | 4 | 75.0 | 2 | 50.0 | 7 |  |")

    def test_says_100_of_all_only(self):
        self.assertEqual([report.shown_percent(p) for p in (None, 99.99, 100)], ["-", "99.9", "100.0"])

    def test_joins_neighbouring_lines(self):
        self.assertEqual(report.shown_lines({9, 3, 4, 5, 1}), "1, 3-5, 9")


class Program(unittest.TestCase):
    def run_on(self, counts, exceptions="", only=()):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "rtl/top").mkdir(parents=True)
            (root / FILE).write_text(SOURCE)
            (root / "rtl/top/b_pkg.sv").write_text("package b_pkg; endpackage")
            (root / "merged.dat").write_text(HEAD + counts)
            (root / "exceptions.txt").write_text(exceptions)
            arguments = ["report.py", str(root / "merged.dat"), "--root", folder,
                         "--exceptions", str(root / "exceptions.txt"), *(["--only", *only] if only else [])]
            out, err = io.StringIO(), io.StringIO()
            with mock.patch("sys.argv", arguments), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                return report.main(), out.getvalue(), err.getvalue()

    def test_ends_with_0_when_all_is_covered(self):
        code, out, err = self.run_on(BODY)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("| b_pkg | 0 | - |", out)

    def test_ends_with_1_and_names_the_block_below_the_limit(self):
        code, out, err = self.run_on(BODY + ALWAYS)
        self.assertEqual((code, err), (1, f"{FILE}: 75.0 % of its lines are covered, expected 95 % at least; "
                                          "not covered: 7\n"))
        self.assertIn("| a | 4 | 75.0 |", out)

    def test_ends_with_1_when_an_exception_is_stale(self):
        code, _, err = self.run_on(BODY, f"{FILE} | z <= 1 | no z\n")
        self.assertEqual(code, 1)
        self.assertIn("exceptions.txt:1: expected a line", err)

    def test_ends_with_1_when_a_module_is_not_simulated(self):
        code, _, err = self.run_on("")
        self.assertEqual((code, err), (1, f"{FILE}: no bench simulates it\n"))

    def test_judges_what_is_asked_for_alone(self):
        code, out, _ = self.run_on("", f"{FILE} | z <= 1 | no z\n", only=["rtl/top/b_pkg.sv"])
        self.assertEqual((code, out.count("\n")), (0, 3))
        with self.assertRaisesRegex(SystemExit, "expected files of rtl/, got rtl/c.sv"):
            self.run_on(BODY, only=["rtl/c.sv"])


if __name__ == "__main__":
    unittest.main()
