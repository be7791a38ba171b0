#!/usr/bin/env python3
"""scripts/figures: a figure that differs from its table is named and mended, and one without a source is named."""
import contextlib
import io
import pathlib
import tempfile
import unittest

from script import ROOT, load, write

SCRIPT = load("figures")
PAGE = "docs/tables/speed.md"
NONE = "none.md"
TABLE = ("| program | speed | seconds | area |\n|---|---:|---:|---:|\n"
         "| [`a, b`](x.md) | 39.176 % | 250 | 12,345 GE |\n| c | not measured | 30 s | 900 |\n")


def mark(column, row="a, b", kind="same", page=PAGE):
    return f'<!-- {kind}: {page} "{row}" "{column}" -->'


class Figures(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def run_on(self, readme, *arguments):
        """What it says of a README, and the README afterwards."""
        write(self.root, {"README.md": readme, PAGE: TABLE})
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            status = SCRIPT.main(self.root, list(arguments))
        self.assertEqual(status, 1 if said.getvalue() else 0)
        return said.getvalue(), (self.root / "README.md").read_text()

    def test_of_the_table_pass_at_any_number_of_digits(self):
        for figure, source in (("39 %", mark("speed")), ("39.2 % ", mark("speed")), ("39.18 %", mark("speed")),
                               ("4 minutes ", mark("seconds")), ("0.5 min", mark("seconds", row="c")),
                               ("12,345 GE", mark("area"))):
            self.assertEqual(self.run_on(f"It has {figure}{source}.\n")[0], "")

    def test_that_differ_are_named_and_mended(self):
        readme = f"x\nIt has 35 %{mark('speed')} and 11,000 GE {mark('area')}.\n"
        said, after = self.run_on(readme)
        self.assertIn(f"README.md:2: expected 39 % as in {PAGE} (a, b, speed), got 35; run scripts/figures --write", said)
        self.assertIn("README.md:2: expected 12,345 GE as in", said)
        self.assertEqual(after, readme)
        self.assertEqual(self.run_on(readme, "--write"), ("", readme.replace("35 %", "39 %").replace("11,000", "12,345")))

    def test_that_are_bounds_hold_and_stay(self):
        at_most = f"It takes at most {{}} minutes {mark('seconds', kind='bound')}.\n"
        self.assertEqual(self.run_on(at_most.format(5), "--write"), ("", at_most.format(5)))
        said, after = self.run_on(at_most.format(4), "--write")
        self.assertIn(f"README.md:1: {PAGE} (a, b, seconds) has 4.167, the page promises at most 4", said)
        self.assertEqual(after, at_most.format(4))
        self.assertEqual(self.run_on(f"It has at least 39 %{mark('speed', kind='bound')}.\n")[0], "")
        self.assertIn("promises at least 40", self.run_on(f"It has at least 40 %{mark('speed', kind='bound')}.\n")[0])
        self.assertIn("expected 'at most' or 'at least' before", self.run_on(f"It has 40 %{mark('speed', kind='bound')}.\n")[0])

    def test_that_name_no_cell_are_named(self):
        for source, why in ((mark("speed", page="docs/" + NONE), f"there is no docs/{NONE}"),
                            (mark("speed", row="d"), f"expected one cell 'd', 'speed' in {PAGE}, found 0"),
                            (mark("weight"), "expected one cell 'a, b', 'weight'"),
                            (mark("speed", row="c"), f"expected a number in {PAGE}, row 'c', got 'not measured'")):
            self.assertIn(f"README.md:1: {why}", self.run_on(f"39 %{source}\n")[0])

    def test_of_a_code_block_have_their_source_above_it(self):
        readme = f"{mark('seconds').replace('<!-- ', '<!-- 4 minutes ')}\n```sh\n./demo  # 4 minutes\n```\n"
        self.assertEqual(self.run_on(readme)[0], "")
        old = readme.replace("4 minutes", "9 minutes")
        self.assertIn("README.md:1: expected 4 minutes as in", self.run_on(old)[0])
        self.assertEqual(self.run_on(old, "--write"), ("", readme))
        self.assertIn("expected '4 minutes' in the code block below", self.run_on(readme.replace("# 4", "# 7"))[0])

    def test_without_a_source_are_named_in_the_readme_alone(self):
        for line in ("It takes 2 minutes.", "It takes 11 s.", "35 % of qemu-riscv64's speed", "```sh\n./demo  # 2 minutes\n```"):
            self.assertIn('names no source; put <!-- same: docs/FILE.md "row" "column" --> after it', self.run_on(line + "\n")[0])
        self.assertEqual(self.run_on("8 % more cycles, 12 stages, 32 KB L1s\n")[0], "")
        write(self.root, {"docs/index.md": "It takes 2 minutes.\n"})
        self.assertEqual(self.run_on("x\n")[0], "")

    def test_of_this_tree_are_those_of_its_tables(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            status = SCRIPT.main(ROOT, [])
        self.assertEqual((status, said.getvalue()), (0, ""))


if __name__ == "__main__":
    unittest.main()
