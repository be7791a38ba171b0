#!/usr/bin/env python3
"""unchanged.py: a check runs again as soon as anything that decides it changes, and a failure is never remembered."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parent


class Tree(unittest.TestCase):
    """A small tree with a copy of unchanged.py, and a check that counts its runs."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="unchanged")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        self.folder = self.root / "tests/unchanged"
        self.folder.mkdir(parents=True)
        for file in ("unchanged.py", "rtl_text.py"):
            shutil.copy(FOLDER / file, self.folder)
        self.write("rtl/common/upper.sv", "module upper; lower i_lower (); endmodule\n")
        self.write("rtl/common/lower.sv", '`include "macros.svh"\nmodule lower; endmodule\n')
        self.write("rtl/common/macros.svh", "`define NOTHING\n")
        self.write("rtl/common/other.sv", "module other; endmodule\n")
        self.write("check.sh", 'echo run >> "$1"; exit "$(cat "$2")"\n')
        self.write("status", "0")
        self.tools = self.root / "bin"
        self.write("bin/yosys", "#!/bin/sh\necho Yosys 1\n").chmod(0o755)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def unchanged(self, *arguments, **environment):
        plain = {key: value for key, value in os.environ.items() if key != "STROBE_NIGHTLY"}
        return subprocess.run([sys.executable, "-B", self.folder / "unchanged.py", *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**plain, "STROBE_CACHE": str(self.root / "cache"),
                                   "PATH": f"{self.tools}:{os.environ['PATH']}", **environment})

    def check(self, *words, **environment):
        """The exit code of the check, and how often it has run so far."""
        done = self.unchanged("run", "Some.check", "--rtl", str(self.root / "rtl/common/upper.sv"), "--files",
                              str(self.root / "check.sh"), "--tools", "yosys", "--",
                              "sh", str(self.root / "check.sh"), str(self.root / "runs"), str(self.root / "status"),
                              *words, **environment)
        runs = self.root / "runs"
        return done.returncode, len(runs.read_text().splitlines()) if runs.is_file() else 0

    def test_a_check_that_passed_is_not_run_again(self):
        self.assertEqual(self.check(), (0, 1))
        self.assertEqual(self.check(), (0, 1))

    def test_it_runs_again_when_what_decides_it_changes(self):
        self.check()
        runs = 1
        for name in ("rtl/common/upper.sv", "rtl/common/lower.sv", "rtl/common/macros.svh", "check.sh"):
            with self.subTest(name):
                path = self.root / name
                path.write_text(path.read_text() + ("# more\n" if name == "check.sh" else "`define MORE\n"))
                runs += 1
                self.assertEqual(self.check(), (0, runs))
        self.assertEqual(self.check("another word"), (0, runs + 1))
        self.write("bin/yosys", "#!/bin/sh\necho Yosys 2.0\n")
        self.assertEqual(self.check(), (0, runs + 2))

    def test_a_comment_of_rtl_changes_no_result(self):
        self.check()
        path = self.root / "rtl/common/upper.sv"
        path.write_text("// What it is for.\n" + path.read_text().replace("\n", "  // and why\n"))
        self.assertEqual(self.check(), (0, 1))
        path.write_text(path.read_text() + "// verilator lint_off UNUSED\n")
        self.assertEqual(self.check(), (0, 2))

    def test_it_does_not_run_again_when_another_module_changes(self):
        self.check()
        self.write("rtl/common/other.sv", "module other; wire a; endmodule\n")
        self.assertEqual(self.check(), (0, 1))

    def test_a_failure_is_passed_on_and_never_remembered(self):
        self.check()
        self.write("rtl/common/lower.sv", "module lower; wrong endmodule\n")
        self.write("status", "3")
        self.assertEqual(self.check(), (3, 2))
        self.assertEqual(self.check(), (3, 3))

    def test_nightly_runs_it_in_any_case(self):
        self.check()
        self.assertEqual(self.check(STROBE_NIGHTLY="1"), (0, 2))
        self.write("status", "1")
        self.assertEqual(self.check(STROBE_NIGHTLY="1"), (1, 3))

    def test_another_machine_runs_it_again(self):
        self.check()
        self.assertEqual(self.check(STROBE_CACHE=str(self.root / "another")), (0, 2))
        self.assertEqual(self.check(), (0, 2))

    def test_threads_that_ask_for_the_version_of_a_tool_at_once_all_get_it(self):
        self.write("bin/yosys", "#!/bin/sh\nsleep 0.2\necho Yosys 1\n")
        done = subprocess.run([sys.executable, "-B", "-c", """
import concurrent.futures
import unchanged
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    print(set(pool.map(unchanged.version_of.__wrapped__, ["yosys"] * 16)))
"""], text=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={
            **os.environ, "STROBE_CACHE": str(self.root / "cache"), "PATH": f"{self.tools}:{os.environ['PATH']}"})
        self.assertEqual((done.returncode, done.stdout), (0, "{'Yosys 1'}\n"), done.stderr)
        self.assertEqual(len(list((self.root / "cache/versions").iterdir())), 1)

    def test_a_tool_that_is_missing_is_named(self):
        done = self.unchanged("run", "Some.check", "--tools", "z3", "--", "true", PATH=str(self.tools))
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected z3 in PATH, found none; run scripts/setup", done.stderr)

    def test_without_a_command_it_is_refused(self):
        done = self.unchanged("run", "Some.check", "--tools", "yosys")
        self.assertEqual(done.returncode, 2)
        self.assertIn("expected a command after '--', got none", done.stderr)


class RtlText(unittest.TestCase):
    def test_comments_go_and_everything_else_stays(self):
        sys.path.insert(0, str(FOLDER))
        from rtl_text import without_comments  # noqa: E402
        self.assertEqual(without_comments("wire a;  // b\n\n// c\nwire /* d\n e */ f;\n"), "wire a;\nwire   f;\n")
        for kept in ('initial $display("no // comment, and \\" none /* here");', "wire a;  // verilator public",
                     "/* verilator lint_off WIDTH */", "// prove: induction 12", "// peek: wire u_dut.a", "assign a = b / c;"):
            self.assertEqual(without_comments(f"// gone\n{kept}\n  /* gone */\n"), kept + "\n")


class Sources(unittest.TestCase):
    def test_a_source_depends_on_the_headers_of_the_tree_that_it_includes(self):
        sys.path.insert(0, str(FOLDER))
        import unchanged  # noqa: E402
        found = unchanged.included_closure(unchanged.ROOT / "sw/files/checksums.cpp")
        self.assertIn(unchanged.ROOT / "sw/files/checksums.h", found)
        self.assertTrue(all(path.is_relative_to(unchanged.ROOT) for path in found))


if __name__ == "__main__":
    unittest.main()
