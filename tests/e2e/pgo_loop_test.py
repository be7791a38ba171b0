#!/usr/bin/env python3
"""scripts/pgo-loop on one program, with small inputs: both ways give a program that does the same, and a record of it."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import pgo_page  # noqa: E402


class PgoLoop(unittest.TestCase):
    def test_a_program_is_profiled_rebuilt_and_measured_both_ways(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "record.json"
            self.measure(folder, "--profilers", "exhaustive,stratified-2048")
            record = json.loads(file.read_text())
            for way in ("clang", "bolt"):
                one = record[way]["lz"]
                self.assertGreater(one["none"]["cycles"], 1_000_000)
                best, sampled = (one["profilers"][name] for name in ("exhaustive", "stratified-2048"))
                self.assertAlmostEqual(best["overlap"], 1)
                self.assertIsNone(best["overhead"])
                self.assertTrue(0.9 < sampled["overlap"] < 1, sampled)
                self.assertTrue(0.01 < sampled["overhead"] < 0.2, sampled)
                for figures in (best, sampled):
                    self.assertNotEqual(figures["cycles"], one["none"]["cycles"], "it was not rebuilt")
                    self.assertTrue(0.8 < figures["cycles"] / one["none"]["cycles"] < 1.1, figures)
            # The compiler knows which calls are hot, and inlines them.
            self.assertLess(record["clang"]["lz"]["profilers"]["exhaustive"]["cycles"], record["clang"]["lz"]["none"]["cycles"])
            text = pgo_page.page(record, json.loads((ROOT / "configs/synth/measured.json").read_text()))
            self.assertIn("## Compiled again by clang", text)
            self.assertIn("| stratified-2048 |", text)

            self.measure(folder, "--way", "bolt", "--profilers", "bursty")
            both = json.loads(file.read_text())
            bursty = both["bolt"]["lz"]["profilers"].pop("bursty")
            self.assertEqual(both, record, "another profiler leaves the record of the others")
            self.assertTrue(0 < bursty["overlap"] < 1, bursty)
            self.assertTrue(0.01 < bursty["overhead"] < 0.5, bursty)

    def measure(self, folder, *arguments):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/pgo-loop", "--programs", "lz", "--test", "tiny", "--out", folder,
                               "--record", pathlib.Path(folder) / "record.json", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_name_that_is_no_program_is_refused(self):
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts/pgo-loop", "--programs", "lzz", "--record", "/dev/null"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("pgo-loop: error: no program lzz: expected one of btree, ", done.stdout)


if __name__ == "__main__":
    unittest.main()
