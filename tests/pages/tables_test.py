#!/usr/bin/env python3
"""scripts/tables: a page holds what its command printed, and a page that does not fit the tree is named."""
import contextlib
import io
import pathlib
import subprocess
import tempfile
import unittest
from unittest import mock

from script import ROOT, load, write

SCRIPT = load("tables")
PROOFS = next(table for table in SCRIPT.TABLES if table.name == "proofs")
HEAD = "| harness | property | engine | depth | result | seconds |\n|---|---|---|---:|---|---:|\n"


def page_of(name):
    return next(table for table in SCRIPT.TABLES if table.name == name), (ROOT / f"docs/tables/{name}.md").read_text()


def faults(name, text):
    """The faults of a page of this tree with another text."""
    table, _ = page_of(name)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for entry in ("rtl", "tb", "tests", "configs"):
            (root / entry).symlink_to(ROOT / entry)
        write(root, {table.page: text})
        return list(SCRIPT.faults_of(root, [table]))


class Tree(unittest.TestCase):
    def test_every_page_fits_it(self):
        self.assertEqual(list(SCRIPT.faults_of(ROOT)), [])

    def test_every_page_of_the_folder_has_a_writer(self):
        written = {f"{table.name}.md" for table in SCRIPT.TABLES} | {"index.md", "configurations.md"}
        self.assertEqual({path.name for path in (ROOT / "docs/tables").glob("*.md")} - written, set())


class Fault(unittest.TestCase):
    def changed(self, name, old, new):
        _, text = page_of(name)
        self.assertIn(old, text)
        return faults(name, text.replace(old, new, 1))

    def without_row(self, name, start):
        _, text = page_of(name)
        lines = [line for line in text.splitlines() if not line.startswith(start)]
        self.assertLess(len(lines), len(text.splitlines()))
        return faults(name, "\n".join(lines) + "\n")

    def test_a_harness_without_a_row_is_named(self):
        self.assertIn("docs/tables/proofs.md: there is no row for harness strobe_lfsr; run scripts/tables proofs",
                      self.without_row("proofs", "| strobe_lfsr |"))

    def test_a_property_that_does_not_hold_is_named(self):
        found = self.changed("proofs", "| 2 | holds |", "| 2 | **fails** |")
        self.assertEqual(len(found), 1)
        self.assertIn("expected 'holds', got 'fails'", found[0])

    def test_a_lost_property_is_seen_by_the_total(self):
        self.assertIn("properties of", self.without_row("proofs", "| strobe_bank_clear |")[-1])

    def test_a_mutant_without_a_row_and_one_that_survives_are_named(self):
        found = self.without_row("mutants", "| rule_random: R reports those that are not drawn |")
        self.assertIn("there is no row for mutant rule_random: R reports those that are not drawn by bench", found[0])
        found = self.changed("mutants", "| step |", "| **does not build** |")
        self.assertEqual(len(found), 1)
        self.assertIn("it does not build", found[0])
        self.assertIn("it survives", self.changed("mutants", "| step |", "| **survives** |")[0])

    def test_a_block_without_coverage_and_one_below_the_least_are_named(self):
        self.assertIn("there is no row for block lfsr", self.without_row("coverage", "| lfsr |")[0])
        self.assertIn("expected at least 95 % of the lines, got 94.9",
                      self.changed("coverage", "| lfsr | 4 | 100.0 |", "| lfsr | 4 | 94.9 |")[0])

    def test_a_netlist_that_differs_and_one_that_is_missing_are_named(self):
        self.assertIn("expected 'equal', got 'LfsrIsNeverZero'",
                      self.changed("gate-level", "| equal |", "| **LfsrIsNeverZero** |")[0])
        self.assertIn("netlists, got", self.without_row("gate-level", "| lfsr |")[0])

    def test_a_block_without_a_synthesis_and_one_that_is_not_proved_are_named(self):
        self.assertIn("there is no row for block strobe_selector Selectors=8",
                      self.without_row("synthesis", "| strobe_selector Selectors=8 |")[0])
        self.assertIn("the netlist is 'NOT EQUAL'", self.changed("synthesis", "| proved |", "| NOT EQUAL |")[0])

    def test_a_program_without_speed_a_wrong_mean_and_one_below_its_floor_are_named(self):
        self.assertIn("there is no row for program lisp", self.without_row("speed", "| lisp |")[0])
        mean = SCRIPT.tables_of(page_of("speed")[1])[0][-2][2]  # of functional
        self.assertIn("functional: the rows have a geometric mean of", self.changed("speed", mean, "44.000 %")[0])
        self.assertTrue(any("functional: 29.000 % is below its floor of 30.00 %" in fault
                            for fault in self.changed("speed", mean, "29.000 %")))

    def test_a_program_that_records_too_slowly_is_named(self):
        self.assertIn("btree: expected at least 25 % of the speed left, got 20 %",
                      self.changed("record", "38 %", "20 %")[0])
        self.assertIn("there is no row for program lisp", self.without_row("record", "| lisp |")[0])

    def test_other_columns_another_command_and_no_page_are_named(self):
        self.assertIn("expected a table with the columns harness", self.changed("proofs", "| depth |", "| deep |")[-1])
        self.assertIn("expected the sentence that names its command", self.changed("proofs", "`scripts/proofs`", "`x`")[0])
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(list(SCRIPT.faults_of(pathlib.Path(folder), [PROOFS])),
                             ["docs/tables/proofs.md: it is not there; run scripts/tables proofs"])


class Missing(unittest.TestCase):
    def test_rows_are_added_as_not_recorded_and_what_is_gone_goes(self):
        table, text = page_of("mutants")
        gone = next(line for line in text.splitlines() if line.startswith("| rule_periodic"))
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for entry in ("tests", "tb", "rtl"):
                (root / entry).symlink_to(ROOT / entry)
            write(root, {table.page: text.replace(gone, "| lfsr: no such mutant | proof x | step | 2 |")})
            SCRIPT.add_missing(root, table)
            after = (root / table.page).read_text()
            self.assertEqual([fault for fault in SCRIPT.faults_of(root, [table]) if "mutants killed" not in fault], [])
        self.assertNotIn("no such mutant", after)
        title, check = SCRIPT.cells_of(gone)[:2]
        self.assertIn(f"| {title} | {check} | not recorded | not recorded |", after)

    def test_a_new_program_gets_a_row_in_both_tables_of_speed(self):
        table, text = page_of("speed")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tests").symlink_to(ROOT / "tests")
            for path in (ROOT / "configs/workloads").glob("*.yaml"):
                write(root, {f"configs/workloads/{path.name}": ""})
            write(root, {"configs/workloads/new.yaml": "", table.page: text})
            SCRIPT.add_missing(root, table)
            after = (root / table.page).read_text()
            self.assertEqual(list(SCRIPT.faults_of(root, [table])), [])
        self.assertIn("| new | not recorded | not recorded | not recorded |\n", after)
        self.assertIn("| new | not recorded | not recorded | not recorded | not recorded |\n", after)
        self.assertEqual([line for line in after.splitlines() if not line.startswith("| new |")], text.splitlines())


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        write(self.root, {"scripts/proofs": f"#!/bin/sh\nprintf '%s' '{HEAD}| a | P | z3 | 1 | holds | 2 |\n'\n"})
        (self.root / "scripts/proofs").chmod(0o755)
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
            subprocess.run(["git", "-C", self.root, *words], check=True)

    def test_writes_what_the_command_printed_with_its_commit(self):
        SCRIPT.record(self.root, PROOFS)
        text = (self.root / PROOFS.page).read_text()
        self.assertTrue(text.startswith("# Proofs\n\nEvery property that is proved"))
        self.assertTrue(text.endswith(f"\n\n{HEAD}| a | P | z3 | 1 | holds | 2 |\n"))
        commit = SCRIPT.git(self.root, "rev-parse", "--short=7", "HEAD").strip()
        self.assertIn(f"`scripts/proofs` printed what follows, at commit {commit} on ", text)
        self.assertRegex(SCRIPT.state_of(self.root, PROOFS), f"^commit {commit}, [0-9-]+; 0 commits since touch rtl, tb/formal$")
        SCRIPT.record(self.root, PROOFS)  # the page itself may have changed

    def test_is_refused_with_uncommitted_changes(self):
        write(self.root, {"rtl/new.sv": "module new; endmodule\n"})
        with self.assertRaisesRegex(SystemExit, "expected a tree without uncommitted changes.*got changes of rtl/"):
            SCRIPT.record(self.root, PROOFS)
        self.assertFalse((self.root / PROOFS.page).exists())

    def test_of_a_command_that_fails_leaves_the_page(self):
        write(self.root, {"scripts/proofs": "#!/bin/sh\necho half\nexit 1\n"})
        subprocess.run(["git", "-C", self.root, "-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qam", "y"], check=True)
        with self.assertRaisesRegex(SystemExit, "'scripts/proofs' ended with exit code 1; docs/tables/proofs.md stays"):
            SCRIPT.record(self.root, PROOFS)
        self.assertFalse((self.root / PROOFS.page).exists())

    def test_leaves_out_a_heading_of_the_output(self):
        self.assertIn("\n\nBody\n", SCRIPT.page_text(PROOFS, "# Own\n\nBody\n", "abc", "2026-01-01"))
        self.assertNotIn("Own", SCRIPT.page_text(PROOFS, "# Own\n\nBody\n", "abc", "2026-01-01"))

    def test_of_an_unknown_table_ends_with_2(self):
        said = io.StringIO()
        with mock.patch("sys.argv", ["tables", "nothing"]), contextlib.redirect_stderr(said):
            self.assertEqual(SCRIPT.main(), 2)
        self.assertIn("expected names of tables (proofs, mutants", said.getvalue())


class FreshClone(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.bench = SCRIPT.module_of(ROOT, "tests/bench/fresh_clone.py")

    def run_on(self, demo, test, as_recorded=True):
        """Exit code or sentence, and the table. What times.py says of the two runs of the tests is given."""
        write(self.root, {"scripts/demo": f"#!/bin/sh\n{demo}\n", "scripts/test": f"#!/bin/sh\n{test}\n"})
        for name in ("demo", "test"):
            (self.root / "scripts" / name).chmod(0o755)
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "x"]):
            subprocess.run(["git", "-C", self.root, *words], check=True)
        said = io.StringIO()
        with mock.patch.object(self.bench, "ROOT", self.root), mock.patch("sys.argv", ["fresh_clone"]), \
                mock.patch.object(self.bench, "compare", return_value=as_recorded) as compare, contextlib.redirect_stdout(said):
            try:
                self.bench.main()
            except SystemExit as end:
                return str(end), said.getvalue()
        self.assertEqual([call.args[0] for call in compare.call_args_list], ["test", "again"])
        return "", said.getvalue()

    def test_begins_with_empty_caches_and_tests_again_with_the_compilers(self):
        fills = 'mkdir "$STROBE_CACHE" || exit 3; '
        runs = self.root.parent / f"{self.root.name}-runs"
        self.addCleanup(runs.unlink)
        tests = (f'mkdir "$CCACHE_DIR" 2>/dev/null && echo empty >>{runs} || echo warm >>{runs}; pwd | grep -q fresh_clone')
        status, table = self.run_on(fills + 'mkdir "$CCACHE_DIR"', fills + tests)
        self.assertEqual(runs.read_text(), "empty\nwarm\n")
        self.assertEqual(status, "")
        times = next(table for table in SCRIPT.TABLES if table.name == "times")
        rows = SCRIPT.tables_of(table)
        self.assertEqual(rows[0][0], times.head.split(" | "))
        self.assertEqual(list(times.fits(ROOT, rows, table)), [])

    def test_tests_that_take_longer_than_recorded_fail_the_bench(self):
        status, table = self.run_on("true", "true", as_recorded=False)
        self.assertIn("the tests took longer than recorded", status)
        self.assertEqual(len(SCRIPT.tables_of(table)[0]), 4)  # the head and three runs: nothing is lost

    def test_of_a_command_that_fails_names_its_output(self):
        status, _ = self.run_on("echo broken; exit 4", "true")
        self.assertRegex(status, r"'./scripts/demo' ended with exit code 4; its output is in (\S+)")
        kept = pathlib.Path(status.rpartition(" ")[2])
        self.assertEqual(kept.read_text(), "broken\n")
        kept.unlink()


if __name__ == "__main__":
    unittest.main()
