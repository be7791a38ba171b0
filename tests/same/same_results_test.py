#!/usr/bin/env python3
"""Does same_results.py see what differs? Builds whose bin/strobe is a script stand in for real ones."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import same_results

WRITES = '#!/bin/sh\nmkdir -p "$2"\necho {result} >"$2/result.json"\necho {host} >"$2/host.json"\necho {printed}\nexit {code}\n'
RUNS = [("a run", ("run-in", "OUT"))]


class Builds(unittest.TestCase):
    def compared(self, before, after):
        """The exit code and what is printed, of two builds that are described by what they write."""
        plain = {"result": 1, "host": 1, "printed": "table", "code": 0}
        with tempfile.TemporaryDirectory() as folder:
            builds = []
            for name, changes in (("before", before), ("after", after)):
                program = pathlib.Path(folder) / name / "bin/strobe"
                program.parent.mkdir(parents=True)
                program.write_text(WRITES.format(**{**plain, **changes}))
                program.chmod(0o755)
                builds.append(program.parents[1])
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                code = same_results.compare(*builds, "", RUNS)
            return code, out.getvalue()

    def test_equal_results_are_the_same(self):
        code, printed = self.compared({}, {})
        self.assertEqual(code, 0)
        self.assertIn("a run: same, 1 files, exit code 0", printed)

    def test_times_of_the_host_do_not_count(self):
        self.assertEqual(self.compared({}, {"host": 2})[0], 0)

    def test_a_file_that_differs_is_named(self):
        code, printed = self.compared({}, {"result": 2})
        self.assertEqual(code, 1)
        self.assertIn("a run: differs: result.json", printed)

    def test_what_is_printed_counts(self):
        self.assertIn("differs: standard output", self.compared({}, {"printed": "another table"})[1])

    def test_the_exit_code_counts(self):
        self.assertIn("differs: exit code", self.compared({}, {"code": 3})[1])

    def test_runs_that_all_fail_alike_prove_nothing(self):
        self.assertEqual(self.compared({"code": 3}, {"code": 3})[0], 1)


class List(unittest.TestCase):
    def test_has_every_run_file_in_every_mode(self):
        names = [name for name, _ in same_results.runs()]
        self.assertEqual(len(names), len(set(names)))
        for file in (same_results.ROOT / "configs/runs").glob("*.yaml"):
            if file.stem in same_results.FETCHED:
                continue
            self.assertLessEqual({file.stem, f"{file.stem} functional", f"{file.stem} sampled"}, set(names))


if __name__ == "__main__":
    unittest.main()
