#!/usr/bin/env python3
"""scripts/comparison on two short programs: the pages have every system that ran, reasons for the others, and answers."""
import json
import math
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
import comparison_summary  # noqa: E402

WORKLOADS = """workloads:
  - { name: btree, include: ../workloads/btree.yaml, args: [tiny] }
  - { name: lz, include: ../workloads/lz.yaml, args: [tiny] }
  - { name: "alone: btree", elf: build:reproduce/succession.elf, args: [btree] }
  - { name: "succession: btree, btree", elf: build:reproduce/succession.elf, args: [btree, btree] }
grid:
  workload.roi.run: [100_000, 400_000]
"""
KEPT = ("edges: stratified, interrupt", "edges: bursty tracing", "edges: ephemeral", "call pairs: HPS", "methods: plain DISE",
        "hot data streams: HPS", "methods by time: timer interrupt", "methods by time: SHIM, a core of its own")


def short_sweep(folder):
    """The shipped sweep with two programs and some of its designs."""
    text = (ROOT / "configs/sweeps/systems.yaml").read_text()
    text = re.sub(r"^workloads:\n(?:  - .*\n)*grid:\n.*\n", WORKLOADS, text, flags=re.MULTILINE)
    lines = [line for line in text.splitlines() if not re.match(r'  - \{ name: "[^"]*", (?!elf)', line) or any(f'"{name}"' in line for name in KEPT)]
    file = folder / "systems.yaml"
    file.write_text("\n".join(lines).replace("../", f"{ROOT}/configs/") + "\n")
    return file


def comparison(*arguments):
    return subprocess.run([sys.executable, "-B", ROOT / "scripts/comparison", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


def figures(overlap, overhead):
    return {"overlap": overlap, "overhead": overhead, "instructions": 4e6, "taken": 10, "by_length": {"4000000": overlap}}


def record_of(edges):
    """A record with systems of one kind."""
    return {"version": "1", "commit": "c", "kinds": {"edges": edges}, "succession": {}, "failed": [], "instructions": 4_000_000}


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
            timer = record["kinds"]["methods by time"]["timer interrupt"]["lz"]
            self.assertTrue(0.5 < timer["overlap"] < 1 and 0.01 < timer["overhead"] < 0.05, timer)
            # The runs of 100,000 instructions are kept by length only; what an instrumented program executes does not count.
            self.assertEqual(edges["ephemeral"]["lz"]["instructions"], 400_000)
            self.assertEqual(set(edges["ephemeral"]["lz"]["by_length"]), {"100000", "400000"})
            self.assertEqual(edges["ephemeral"]["lz"]["by_length"]["400000"], edges["ephemeral"]["lz"]["overlap"])
            self.assertGreater(edges["bursty tracing"]["lz"]["taken"], 100)
            self.assertTrue(0 < edges["bursty tracing"]["lz"]["metric"] < 1)
            pair = record["succession"]["edges"]["ephemeral"]["btree, btree"]
            self.assertEqual(pair["alone"][0], pair["alone"][1])
            self.assertGreater(pair["alone"][0][1], 10_000)
            page = (folder / "comparison.md").read_text()
            said = " ".join(page.split())
            self.assertRegex(page, r"\| \*\*stratified, interrupt\*\* \| 0\.\d+ \(0\.\d+ to 0\.\d+\) \|")
            self.assertIn("the first 0.4 million instructions of 2 programs", said)
            self.assertRegex(page, r"\| bursty tracing \| - \| [+-].* \|")  # what BOLT gains by it; clang cannot read it
            self.assertIn("<title>Overlap with the exact profile", (folder / "comparison.svg").read_text())
            self.assertIn("- HPS; plain DISE; branch-on-random: -, because the shipped handlers collect", said)
            self.assertIn("Nothing that was measured: loosen", said)
            self.assertLess(max(len(line) for line in page.splitlines() if line[:1] not in "|#!"), 119)
            self.assertEqual(comparison(*places, "--check").returncode, 0)
            (folder / "comparison.md").write_text(page + "\n")
            self.assertEqual(comparison(*places, "--check").returncode, 1)
            # Where it was stopped it goes on: nothing runs twice.
            self.assertIn("64 reused, 0 failed", comparison(*places).stdout)

    def test_a_new_folder_for_the_pages_is_made_before_the_sweep(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            places = ["--sweep", folder / "none.yaml", "--out", folder / "out", "--pages"]
            self.assertEqual(comparison(*places, folder / "new/pages").returncode, 2)  # of strobe: there is no such sweep
            self.assertTrue((folder / "new/pages").is_dir())
            (folder / "file").touch()
            done = comparison(*places, folder / "file")
            self.assertEqual(done.returncode, 1)
            self.assertIn("comparison: error: [Errno 17] File exists", done.stdout)
            self.assertNotIn("Traceback", done.stdout)

    def test_a_damaged_record_is_one_sentence(self):
        with tempfile.TemporaryDirectory() as name:
            (pathlib.Path(name) / "comparison.json").write_text("{")
            done = comparison("--page", "--pages", name)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"^comparison: error: .*/comparison.json is damaged: .*; run scripts/comparison\n$")

    def test_a_run_that_failed_is_named_and_is_no_zero(self):
        record = record_of({"random": {"lz": figures(0.5, 0.01)}})
        record["failed"] = [{"kind": "edges", "system": "ephemeral", "program": "lz", "instructions": 4e6,
                             "reason": "the linker is missing"}]
        page = comparison_page.pages(record, {"random": {"ge": 5000, "ns": 2.0}}, {})["comparison.md"]
        self.assertIn("- edges, ephemeral, lz, 4 million instructions: the linker is missing", page)
        self.assertNotIn("| ephemeral | 0", page)
        self.assertIn("*random*: an overlap of 0.500 for 1 % of the cycles, 5.0 kGE", " ".join(page.split()))
        with self.assertRaises(comparison_page.PageError):
            comparison_page.pages(record_of({}), {}, {})

    def test_a_budget_that_nothing_satisfies_says_what_to_loosen(self):
        cost = {"growth": 1, "second": False, "reference": False}
        systems = {"random": {**cost, "overlap": (0.5,), "overhead": (0.04,), "ge": 5000},
                   "bursty tracing": {**cost, "overlap": (0.9,), "overhead": (0.02,), "ge": 0, "growth": 4},
                   "exhaustive": {**cost, "overlap": (1,), "overhead": (0,), "ge": 0, "reference": True}}
        self.assertEqual(comparison_summary.best(systems, {"overhead": 0.03}), ("bursty tracing", None))
        none, (nearest, over) = comparison_summary.best(systems, {"overhead": 0.03, "growth": 2})
        self.assertIsNone(none)
        self.assertEqual((nearest, set(over)), ("random", {"overhead"}))

    def test_the_time_to_a_small_error_is_read_between_the_lengths(self):
        self.assertEqual(comparison_summary.settled({"100": 0.96, "400": 0.97}), 0)
        self.assertEqual(comparison_summary.settled({"100": 0.96, "400": 0.94}), math.inf)
        # An error of 0.1 at 100 and of 0.025 at 400: it falls as the instructions grow, and is 0.05 at 200.
        self.assertAlmostEqual(comparison_summary.settled({"100": 0.9, "400": 0.975}), 200)
        self.assertAlmostEqual(comparison_summary.settled({"25": 0.99, "100": 0.9, "400": 0.975}), 200)

    def test_a_change_costs_what_the_programs_alone_did_not(self):
        alone = [[0.9, 3_000], [0.5, 1_000]]  # an error of (3 * 0.1 + 0.5) / 4
        self.assertAlmostEqual(comparison_summary.lost({"overlap": 0.8, "alone": alone}), 0)
        self.assertAlmostEqual(comparison_summary.lost({"overlap": 0.7, "alone": alone}), 0.1)

    def test_what_differs_by_chance_is_not_told_apart(self):
        programs = [f"p{number}" for number in range(10)]
        good = {name: figures(0.9 + 0.001 * at, 0.02) for at, name in enumerate(programs)}
        noisy = {name: figures(0.9 + (0.05 if at % 2 else -0.051), 0.03) for at, name in enumerate(programs)}
        bad = {name: figures(0.6, 0.01) for name in programs}
        record = record_of({"random": good, "periodic": noisy, "ephemeral": bad})
        of = comparison_summary.summary(record, {})
        self.assertEqual(comparison_summary.winners(of["edges"], {}), ("random", ["periodic"]))
        self.assertEqual(comparison_summary.winners(of["edges"], {"overhead": 0.001}), (None, []))
        self.assertEqual(comparison_summary.recommended(of["edges"], {}), ("random", ["periodic"]), "it costs less")
        self.assertEqual(comparison_summary.recommended(comparison_summary.summary_of("edges", record_of(
            {"random": {name: {**one, "overhead": 0.04} for name, one in good.items()}, "periodic": noisy}), {}), {}),
                         ("periodic", ["random"]), "the most accurate costs more than one that cannot be told from it")
        front = {name: one["front"] for name, one in of["edges"].items()}
        self.assertEqual(front["ephemeral"], front["random"])
        self.assertTrue(0 < front["periodic"] < 0.9, front)

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
            self.assertIn("the design 'workload.roi.run=100_000 edges: mine' of the sweep is none of the page's kinds and systems", done.stdout)


if __name__ == "__main__":
    unittest.main()
