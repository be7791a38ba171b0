#!/usr/bin/env python3
"""The mutants' list: what is wrong with one is said, and what killed a mutant is found."""
import contextlib
import io
import pathlib
import tempfile
import unittest

import run

MUTANT = """# comment
file rtl/common/strobe_lfsr.sv
-     else if (step_i) state_q <= stepped;
+     else state_q <= stepped;
by bench lfsr lfsr
why it steps unasked
"""


def faults(text):
    """The faults of a list of this text, that there are too few not counted."""
    return list(run.faults_of(parsed(text)))[1:]


def parsed(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "list"
        path.write_text(text)
        return run.read_list(path)


class List(unittest.TestCase):
    def test_fits_the_tree(self):
        self.assertEqual(list(run.faults_of(run.read_list())), [])

    def test_of_one_is_too_short(self):
        self.assertIn("expected at least 40 mutants, got 1", next(run.faults_of(parsed(MUTANT))))
        self.assertEqual(faults(MUTANT), [])

    def test_names_a_line_that_is_not_in_the_file(self):
        self.assertIn("in rtl/common/strobe_lfsr.sv, got it 0 times",
                      faults(MUTANT.replace("stepped;\n+", "advanced;\n+"))[0])

    def test_names_a_line_that_is_there_twice(self):
        twice = MUTANT.replace("-     else if (step_i) state_q <= stepped;", "- ")
        self.assertIn("bring the list up to date", faults(twice)[0])

    def test_names_a_mutant_that_changes_nothing(self):
        self.assertIn("is the original one", faults(MUTANT.replace("+     else", "+     else if (step_i)"))[0])

    def test_names_a_mutant_that_is_there_twice(self):
        self.assertIn("same mutant as at line 7", faults(MUTANT + "\n" + MUTANT)[0])

    def test_names_a_file_that_is_no_block(self):
        self.assertIn("expected a file of", faults(MUTANT.replace("rtl/common/", "rtl/pkg/"))[0])

    def test_names_a_point_that_the_path_s_bench_would_not_find(self):
        path = MUTANT.replace("bench lfsr lfsr", "path Strata=32 Compressor=1 Hash=4")
        self.assertEqual(faults(path), [])
        self.assertIn("in the order of sc_models/port/path_params_generated.h, got Strata=32 Hash=4 Compressor=1",
                      faults(path.replace("Compressor=1 Hash=4", "Hash=4 Compressor=1"))[0])

    def test_names_a_check_that_does_not_exist(self):
        self.assertIn("there is no bench tb/nothing_test.cpp",
                      faults(MUTANT.replace("bench lfsr", "bench nothing"))[0])
        self.assertIn("there is no proof tb/formal/*/lfsr_formal.sv",
                      faults(MUTANT.replace("bench lfsr", "proof lfsr"))[0])

    def test_names_a_malformed_mutant(self):
        for text, expected in ((MUTANT.replace("why ", "because "), ":6: expected one line each"),
                               (MUTANT.replace("by bench lfsr lfsr\n", ""), ":6: the mutant above needs"),
                               (MUTANT.replace("by bench lfsr lfsr", "by hand"), ":7: the mutant above needs")):
            with self.assertRaisesRegex(SystemExit, expected), contextlib.redirect_stderr(io.StringIO()):
                parsed(text)


class Output(unittest.TestCase):
    def test_says_what_failed(self):
        for output, expected in (
                ("[1] %Error: a.sv:9: Assertion failed in TOP.x.gen_y[0].LfsrIsNeverZero\n", "LfsrIsNeverZero"),
                ("[0] %Error: a.sv:9: Assertion failed in TOP.x.QueueNeverOverflows: 'assert' failed.\n",
                 "QueueNeverOverflows"),
                ("[  FAILED  ] Points/SamplerRtl.Equals/a (3 ms)\n", "Points/SamplerRtl.Equals/a"),
                ("/x/strobe_y_formal.sv: step failed:\n", "step"),
                ("no end in 300 s", "no end in 300 s"),
                ("ERROR: syntax error\n", None)):
            self.assertEqual(run.seen_by(output), expected)


if __name__ == "__main__":
    unittest.main()
