#!/usr/bin/env python3
"""scripts/proofs: a row for each property, and what fails is named."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ["| harness | property | engine | depth | result | seconds |", "|---|---|---|---:|---|---:|"]
RULE = "sampler/strobe_rule_periodic.sv"
HARNESS = ROOT / "tb/formal/sampler/strobe_associative_table_formal.sv"


def proofs(*arguments):
    done = subprocess.run([ROOT / "scripts/proofs", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def cells(row):
    return [cell.strip() for cell in row.strip("|").split("|")]


class Table(unittest.TestCase):
    def test_every_property_that_holds_has_a_row(self):
        status, lines, log = proofs("strobe_bank_clear", "strobe_message_merge")
        self.assertEqual((status, log), (0, ""))
        self.assertEqual(lines[:2], HEADER)
        table = [cells(line) for line in lines[2:-2]]
        self.assertEqual({row[4] for row in table}, {"holds"})
        self.assertEqual(table[0][:4], ["strobe_bank_clear", "BanksAreClearedWithAllElse", "ABC, induction", "2"])
        self.assertIn("u_dut.MergeTurnIsOneBanks", [row[1] for row in table])  # a property of the block itself
        self.assertEqual(lines[-1], f"{len(table)} properties of 2 harnesses, all hold")

    def test_what_fails_is_named_and_the_rest_of_its_goal_not_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder) / "rtl"
            shutil.copytree(ROOT / "rtl", rtl)
            text = (rtl / RULE).read_text()
            wrong = text.replace("state >= period_i || is_next", "state >= period_i")
            self.assertNotEqual(wrong, text)
            (rtl / RULE).write_text(wrong)
            status, lines, log = proofs("--rtl", str(rtl), "strobe_rules")
        self.assertEqual(status, 1)
        results = {row[1]: row[4] for row in map(cells, lines[2:-2])}
        self.assertEqual(results.pop("PeriodicReportsTheRth"), "**fails**")
        self.assertEqual(set(results.values()), {"not shown"})
        self.assertIn("strobe_rules_formal: PeriodicReportsTheRth", log)
        self.assertRegex(lines[-1], r"properties of 1 harnesses, not shown: strobe_rules$")

    def test_an_induction_over_too_few_cycles_and_a_cover_statement_out_of_reach_fail(self):
        for goal, wrong, said in (("induction 7", "induction 3", "step failed:.*Assert failed in .*: Associative"),
                                  ("cover 16", "cover 3", "cover failed:.*Unreached cover statement at Associative")):
            with self.subTest(goal), tempfile.TemporaryDirectory() as folder:
                harness = pathlib.Path(folder) / HARNESS.name
                text = HARNESS.read_text()
                self.assertIn(f"// prove: {goal}\n", text)
                harness.write_text(text.replace(f"// prove: {goal}\n", f"// prove: {wrong}\n"))
                done = subprocess.run([ROOT / "tb/formal/prove.sh", ROOT / "rtl", harness], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertRegex(done.stderr, re.compile(said, re.DOTALL))

    def test_a_goal_of_cover_statements_without_any_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            harness = pathlib.Path(folder) / HARNESS.name
            harness.write_text(re.sub(r"^.*: cover \(.*\);\n", "", HARNESS.read_text(), flags=re.M))
            done = subprocess.run([ROOT / "tb/formal/prove.sh", ROOT / "rtl", harness], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("expected a cover statement, because a line asks for 'cover 16', found none", done.stderr)

    def test_a_block_without_a_harness_is_refused(self):
        status, lines, log = proofs("strobe_compressor")
        self.assertEqual((status, lines), (2, []))
        self.assertIn("expected blocks that have a harness tb/formal/*/BLOCK_formal.sv, got 'strobe_compressor'; there are ", log)


if __name__ == "__main__":
    unittest.main()
