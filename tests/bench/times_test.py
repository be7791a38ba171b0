#!/usr/bin/env python3
"""times.py: what it reads, and that it sees a step that grew."""
import contextlib
import importlib.util
import io
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parent / "times.py"
spec = importlib.util.spec_from_file_location("times", PROGRAM)
times = importlib.util.module_from_spec(spec)
spec.loader.exec_module(times)

NINJA_LOG = """# ninja log v5
0\t4000\t0\tsw/config/CMakeFiles/strobe_yaml.dir/yaml.cpp.o\tab
100\t2100\t0\ttb/verilated_lfsr/Vlfsr.h\tcd
100\t2100\t0\ttb/verilated_lfsr/Vlfsr_all.cpp\tcd
5000\t5500\t0\t/somewhere/build/release/rtl/libstrobe_profiler_default.so\tef
5000\t6500\t0\tsw/config/libstrobe_yaml.a\t01
"""
TESTS = """<testsuite><testcase name="Fast.One" time="0.1"/><testcase name="Slow.One" time="12.5"/>
<testcase name="Lint.Known" time="0.1"><system-out>Lint.Known passed before, with the same 4 files, the same command and no tools: 12 is in
/cache/12</system-out></testcase>
<testcase name="Of.AMissingTool" time="0.0"><skipped message="SKIP_RETURN_CODE=77"/></testcase></testsuite>"""


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        (self.folder / "steps.tsv").write_text("20\trelease build\n1\tformat\n10\trelease tests\n5\tclang-tidy\n")
        (self.folder / "ninja.log").write_text(NINJA_LOG)
        (self.folder / "tests.xml").write_text(TESTS)
        (self.folder / "tidy.txt").write_text("tidy: 7 of 600 sources, those that differ from 12ab: no finding; 4 of them passed "
                                              "before on this machine\n")

    def test_the_report_has_steps_rooms_and_the_slowest_tests(self):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            times.report(self.folder, times.steps_of(self.folder))
        lines = printed.getvalue().splitlines()
        for line in ("| release build | 20 |  |  |", "| release tests | 10 | 2 | 1 |",
                     "| clang-tidy | 5 | 3 | 4 |", "skipped: Of.AMissingTool", "| sum | 36 |  |  |", "| sw/config | 6 |", "| tb | 2 |", "| Slow.One | 12.5 |",
                     "| slowest 20 of 4 tests | seconds |"):
            self.assertIn(line, lines)
        self.assertLess(lines.index("| Slow.One | 12.5 |"), lines.index("| Fast.One | 0.1 |"))

    def test_without_a_run_it_is_refused(self):
        (self.folder / "steps.tsv").unlink()
        done = subprocess.run([sys.executable, "-B", PROGRAM, self.folder], text=True, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 1)
        self.assertIn("steps.tsv, found none; run ./scripts/test first", done.stderr)

    def test_a_step_that_grew_by_more_than_a_quarter_fails_the_comparison(self):
        times.RECORD = self.folder / "times.json"
        reference = times.reference_seconds(tries=1)
        self.assertGreater(reference, 0)
        for factor, status in ((1.0, 0), (4.0, 1)):
            # Recorded on a machine of this speed; then the build takes `factor` times as long.
            steps = {"release build": 100 * reference, "release tests": 50 * reference}
            recorded = times.ratios_of(steps, reference)
            now = times.ratios_of({**steps, "release build": factor * steps["release build"]}, reference)
            faults = list(times.grown(now, recorded))
            self.assertEqual(bool(faults), bool(status), faults)
        self.assertEqual(faults, [
            "'release build' takes 400.0 times as long as the reference, expected at most 125.0 (1.25 times the recorded 100.0)",
            "'sum' takes 450.0 times as long as the reference, expected at most 187.5 (1.25 times the recorded 150.0)"])

    def test_a_slower_machine_is_no_growth(self):
        steps = {"release build": 100.0, "release tests": 50.0}
        slower = {step: 3 * seconds for step, seconds in steps.items()}
        self.assertEqual(list(times.grown(times.ratios_of(slower, 3.0), times.ratios_of(steps, 1.0))), [])

    def test_a_step_that_is_not_recorded_is_named(self):
        self.assertEqual(list(times.grown({"new": 5.0}, {})),
                         ["'new' is not recorded; record it with tests/bench/times.py --record"])


class Recorded(unittest.TestCase):
    def test_both_runs_have_the_steps_of_scripts_test(self):
        root = PROGRAM.parents[2]
        steps = {shlex.split(line)[1] for line in (root / "scripts/test").read_text().splitlines() if line.startswith("step ")}
        steps -= {"all checks passed"}
        for run, ratios in json.loads((root / "docs/tables/times.json").read_text()).items():
            self.assertEqual(set(ratios), steps | {"sum"}, f"run {run}: record it with tests/bench/fresh_clone.py --record")


if __name__ == "__main__":
    unittest.main()
