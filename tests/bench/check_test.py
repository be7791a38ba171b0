#!/usr/bin/env python3
"""scripts/check: it finds the tests that a file can affect, says which it leaves out, and runs the slowest last.

Usage: check_test.py BUILD
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop()).resolve()
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("check", str(ROOT / "scripts/check"))
check = importlib.util.module_from_spec(importlib.util.spec_from_loader("check", loader))
loader.exec_module(check)


def run(*words):
    return subprocess.run([ROOT / "scripts/check", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


class Affected(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.graph, (cls.tests, _) = check.Graph(BUILD), check.tests_of(BUILD)

    def names_of(self, name):
        mine, runs = check.affected([ROOT / name], self.graph, self.tests)
        return [test[0] for test in mine], {check.suite_of(test[0]) for test in mine}, {check.suite_of(test[0]) for test in runs}

    def test_a_source_affects_the_programs_that_are_linked_of_it(self):
        _, suites, runs = self.names_of("sc_models/core/front_end/front_end.cpp")
        self.assertLessEqual({"ReturnStack", "Tage", "FetchBlock"}, suites)
        self.assertFalse(suites & {"TupleQueue", "Unchanged", "Run"})
        self.assertIn("Run", runs)  # it starts bin/strobe

    def test_a_header_affects_what_includes_it(self):
        self.assertIn("ReturnStack", self.names_of("sc_models/core/front_end/front_end.h")[1])

    def test_rtl_affects_its_bench_its_lint_and_its_proof_and_those_of_its_users(self):
        names, suites, _ = self.names_of("rtl/top/strobe_axi_writer.sv")
        for name in ("Lint.strobe_axi_writer.Defaults", "Lint.strobe_rvfi_profiler.Defaults", "Formal.strobe_axi_writer"):
            self.assertIn(name, names)
        self.assertIn("Attached", suites)
        for name in ("Lint.strobe_lfsr.Defaults", "Formal.strobe_lfsr"):
            self.assertNotIn(name, names)
        self.assertFalse(suites & {"SamplerRtl", "Run"})

    def test_a_configuration_or_script_affects_the_tests_that_name_it(self):
        self.assertLessEqual({"CoreKeys", "Completion"}, self.names_of("configs/runs/quickstart.yaml")[1])
        suites = self.names_of("scripts/nightly")[1]
        self.assertIn("Nightly", suites)
        self.assertFalse(suites & {"Unchanged", "Tage", "Readme"})


class Unbuilt(unittest.TestCase):
    """A tree in which a program is not built, so that its tests are not known."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=BUILD, prefix="check_test")
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        (self.tree / "CTestTestfile.cmake").write_text("add_test(a_test_NOT_BUILT a_test_NOT_BUILT)\nadd_test(known /bin/true)\n")
        (self.tree / "build.ninja").write_text("rule make\n  command = false\nbuild bin/a_test: make "
                                             f"{os.path.relpath(ROOT / 'LICENSE', self.tree)}\n")

    def test_its_program_is_known(self):
        tests, unknown = check.tests_of(self.tree)
        self.assertEqual(([test[0] for test in tests], unknown), (["known"], {str(self.tree / "bin/a_test")}))

    def test_it_is_built_for_a_source_of_it_and_a_header_is_refused(self):
        done = run("--build", self.tree, "LICENSE")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED: bin/a_test", done.stdout)
        for file in ("sc_models/port/clock" + ".h", "rtl/common/strobe_lfsr" + ".sv"):
            done = run("--build", self.tree, file)
            self.assertEqual(done.returncode, 1)
            self.assertIn("check: error: 1 programs of ", done.stderr)
            self.assertIn("are not built yet, and only a compiled file or model says of which headers or RTL it is made", done.stderr)


class Command(unittest.TestCase):
    """Names of files are put together here: this test would be among those that it runs if it named them whole."""

    def test_tests_run_and_what_is_left_out_is_said(self):
        done = run("--build", BUILD, "tests/unit/text/shown_test.cpp", "tests/unchanged/" + "unchanged_test.py")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"passed +[\d.]+ s  unit_text, \d+ tests\n(.*\n)*passed +[\d.]+ s  Unchanged\.")

    def test_long_tests_wait_for_whole_and_those_of_nightly_for_nightly(self):
        words = ["check", "--build", str(BUILD), str(ROOT / "tests/unit/text/shown_test.cpp")]
        for limit, status, said in ((1e9, 0, r"passed +[\d.]+ s  unit_text, \d+ tests\n"),
                                    (-1, 2, r"^check: \d+ more tests take over -1 s, or run a program")):
            out = io.StringIO()
            with mock.patch.object(check, "LONG", limit), mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out):
                self.assertEqual(check.main(), status, out.getvalue())
            self.assertRegex(out.getvalue(), said)
        names = [test[0] for test in check.tests_of(BUILD)[0]]
        self.assertFalse([name for name in names if name.startswith("Needs.")])

    def test_what_is_wrong_is_said_in_one_sentence(self):
        without_tests = "." + "clang-format"
        done = run("--build", BUILD, without_tests)
        self.assertEqual((done.returncode, done.stdout), (2, f"check: no test of {BUILD} can be affected by {without_tests}\n"))
        self.assertIn("expected files of ", run("--build", BUILD, "/etc/passwd").stderr)
        self.assertIn("/nowhere is no build tree; make one: cmake --preset dev",
                      run("--build", "/nowhere").stderr)


if __name__ == "__main__":
    unittest.main()
