#!/usr/bin/env python3
"""scripts/comparison on two short programs: the pages have every system that ran, reasons for the others, and answers."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import comparison_page  # noqa: E402

WORKLOADS = """workloads:
  - { name: btree, include: ../workloads/btree.yaml, args: [tiny], roi: { run: 1_000_000 } }
  - { name: lz, include: ../workloads/lz.yaml, args: [tiny], roi: { run: 1_000_000 } }
"""
KEPT = ("edges: stratified, interrupt", "edges: bursty tracing", "edges: ephemeral", "call pairs: HPS", "methods: plain DISE",
        "hot data streams: HPS", "methods by time: SHIM, a core of its own")


def short_sweep(folder):
    """The shipped sweep with two programs and some of its designs."""
    text = (ROOT / "configs/sweeps/systems.yaml").read_text()
    text = re.sub(r"^workloads:\n(?:  - .*\n)*", WORKLOADS, text, flags=re.MULTILINE)
    lines = [line for line in text.splitlines() if not line.startswith("  - { name: \"") or any(f'"{name}"' in line for name in KEPT)]
    file = folder / "systems.yaml"
    file.write_text("\n".join(lines).replace("../", f"{ROOT}/configs/") + "\n")
    return file


def comparison(*arguments):
    return subprocess.run([sys.executable, "-B", ROOT / "scripts/comparison", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


class Comparison(unittest.TestCase):
    def test_the_pages_have_what_ran_and_reasons_for_the_rest(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            places = ["--sweep", short_sweep(folder), "--out", folder / "out", "--pages", folder]
            done = comparison(*places)
            self.assertEqual(done.returncode, 0, done.stdout)
            record = json.loads((folder / "comparison.json").read_text())
            self.assertEqual(record["failed"], [])
            edges = record["kinds"]["edges"]
            self.assertEqual(set(edges), {"stratified, interrupt", "bursty tracing", "ephemeral"})
            for system in edges.values():
                self.assertEqual(set(system), {"btree", "lz"})
                for one in system.values():
                    self.assertTrue(0 < one["overlap"] < 1, one)
                    self.assertGreater(one["overhead"], 0)
            self.assertNotIn("growth", edges["stratified, interrupt"]["lz"])
            self.assertGreater(edges["ephemeral"]["lz"]["growth"], 1)
            time = record["kinds"]["methods by time"]["SHIM, a core of its own"]["lz"]
            self.assertTrue(0.5 < time["overlap"] < 1, time)
            page = (folder / "comparison.md").read_text()
            self.assertRegex(page, r"\| \*\*stratified, interrupt\*\* \| 0\.\d+ \(0\.\d+ to 0\.\d+\) \|")
            self.assertIn("- HPS; plain DISE; branch-on-random: -, because the shipped handlers collect", page)
            self.assertIn("Nothing that was measured: loosen", page)
            self.assertEqual(comparison(*places, "--check").returncode, 0)
            (folder / "comparison.md").write_text(page + "\n")
            self.assertEqual(comparison(*places, "--check").returncode, 1)
            # Where it was stopped it goes on: nothing runs twice.
            self.assertIn("14 reused, 0 failed", comparison(*places).stdout)

    def test_a_run_that_failed_is_named_and_is_no_zero(self):
        one = {"overlap": 0.5, "overhead": 0.01, "instructions": 1e6, "messages": 10}
        record = {"version": "1", "commit": "c", "kinds": {"edges": {"random": {"lz": one}}},
                  "failed": [{"kind": "edges", "system": "ephemeral", "program": "lz", "reason": "the linker is missing"}]}
        page = comparison_page.pages(record, {"random": {"ge": 5000, "ns": 2.0}})["comparison.md"]
        self.assertIn("- edges, ephemeral, lz: the linker is missing", page)
        self.assertNotIn("| ephemeral |", page)
        self.assertIn("*random*: an overlap of 0.500 for 1 % of the cycles, 5.0 kGE", page)
        with self.assertRaises(comparison_page.PageError):
            comparison_page.pages({"version": "1", "commit": "c", "kinds": {}, "failed": []}, {})

    def test_a_budget_that_nothing_satisfies_says_what_to_loosen(self):
        systems = {"random": {"overlap": (0.5,), "overhead": (0.04,), "ge": 5000, "growth": 1, "second": False},
                   "bursty tracing": {"overlap": (0.9,), "overhead": (0.02,), "ge": 0, "growth": 4, "second": False}}
        self.assertEqual(comparison_page.best(systems, {"overhead": 0.03}), ("bursty tracing", None))
        none, (nearest, over) = comparison_page.best(systems, {"overhead": 0.03, "growth": 2})
        self.assertIsNone(none)
        self.assertEqual((nearest, set(over)), ("random", {"overhead"}))

    def test_a_design_that_the_page_does_not_know_is_refused(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.assertIn("is missing; run scripts/comparison", comparison("--page", "--pages", folder).stdout)
            file = short_sweep(folder)
            text = file.read_text().splitlines()
            kept = [line for line in text if not line.startswith('  - { name: "') or "stratified, interrupt" in line]
            file.write_text("\n".join(kept).replace("edges: stratified, interrupt", "edges: mine") + "\n")
            done = comparison("--sweep", file, "--out", folder / "out", "--pages", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("the design 'edges: mine' of the sweep is none of the page's kinds and systems", done.stdout)


if __name__ == "__main__":
    unittest.main()
