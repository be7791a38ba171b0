#!/usr/bin/env python3
"""tb/waveform.py writes what a bench's model did, or says which models there are.

Usage: waveform_test.py BUILD
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = sys.argv.pop()


def waveform(*words):
    return subprocess.run([ROOT / "tb/waveform.py", "--build", BUILD, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "STROBE_TB_CYCLES": "200"})


class Waveform(unittest.TestCase):
    def test_a_bench_with_a_traced_model_passes_and_its_signals_change(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "lfsr.vcd"
            done = waveform("lfsr", "lfsr", file)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            text = file.read_text()
            self.assertIn(" clk_i $end", text)
            self.assertGreater(text.count("\n#"), 100)

    def test_the_models_of_a_bench_are_listed_and_a_wrong_one_is_refused(self):
        self.assertIn("queue_l3_d8\n", waveform("tuple_queue").stdout)
        done = waveform("tuple_queue", "queue_l9", "x.vcd")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"expected a model of tb_tuple_queue \(.*queue_l3_d8.*\) and a file, got 'queue_l9'")
        self.assertIn("has no bench tb_nothing", waveform("nothing").stderr)

    def test_a_test_that_makes_no_such_model_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            done = waveform("lfsr", "lfsr", f"{folder}/none.vcd", "Nothing.AtAll")
            self.assertEqual(done.returncode, 1)
            self.assertIn("the test 'Nothing.AtAll' makes no model lfsr, so there is no waveform", done.stderr)


if __name__ == "__main__":
    unittest.main()
