#!/usr/bin/env python3
"""scripts/nightly: a record says what ran, on which tree, and whether that is this tree; scripts/tidy: what it looks at."""
import concurrent.futures
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]


def program(name):
    loader = importlib.machinery.SourceFileLoader(name, str(ROOT / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    sys.modules[name] = module  # dataclasses look it up
    loader.exec_module(module)
    return module


sys.dont_write_bytecode = True
nightly, tidy = program("nightly"), program("tidy")


class Tree(unittest.TestCase):
    """A small repository with the folders `one` and `two`."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="nightly")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        self.git("init", "-q")
        self.commit({"one/a.cpp": '#include "one/a.h"\n', "one/a.h": "int a;\n", "two/b.cpp": "int b;\n", "scripts/setup": "#!/bin/sh\n", ".clang-tidy": "Checks: '*'\n"})

    def git(self, *arguments):
        own = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *own, *arguments], cwd=self.root, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def commit(self, files):
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        self.git("add", "-A")
        self.git("commit", "-qm", "a commit")


class Nightly(Tree):
    def run_nightly(self, *arguments, steps=None, limit=60):
        steps = steps or {"first": nightly.Step("echo 'noise'; echo 'fuzz: 12 inputs'; test -n \"$STROBE_NIGHTLY\"", ("one",)),
                          "second": nightly.Step("test ! -e two/bad", ("two",))}
        changed = {"ROOT": self.root, "RECORD": self.root / "docs/tables/nightly.json", "PAGE": self.root / "docs/tables/nightly.md",
                   "STEPS": steps, "HOUR": limit, "CODE": ("one", "two")}
        (self.root / "docs/tables").mkdir(parents=True, exist_ok=True)
        out = io.StringIO()
        with mock.patch.multiple(nightly, **changed), mock.patch.object(sys, "argv", ["nightly", *arguments]), \
                contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            try:
                status = nightly.main()
            except SystemExit as end:
                status, _ = 1, out.write(str(end.code))
        return status, out.getvalue()

    def record(self):
        return json.loads((self.root / "docs/tables/nightly.json").read_text())

    def test_a_step_is_recorded_with_its_commit_its_seconds_and_what_it_says(self):
        self.assertEqual(self.run_nightly()[0], 0)
        row = self.record()["first"]
        self.assertEqual((row["result"], row["commit"], row["figures"]),
                         ("passed", self.git("rev-parse", "--short=8", "HEAD"), "fuzz: 12 inputs"))
        self.assertEqual(len(row["inputs"]), 16)

    def test_only_what_changed_or_failed_runs_again(self):
        self.run_nightly()
        self.assertIn("0 steps passed", self.run_nightly()[1])
        self.commit({"two/bad": ""})
        status, printed = self.run_nightly()
        self.assertEqual(status, 1)
        self.assertIn("second failed", printed)
        self.assertNotIn("== first", printed)
        self.assertEqual(self.record()["second"]["result"], "failed, exit code 1")
        self.assertIn("second: it failed, exit code 1, at ", self.run_nightly("--record")[1])
        self.git("rm", "-q", "two/bad")
        self.commit({})
        self.assertEqual(self.run_nightly()[0], 0)

    def test_a_record_of_other_files_is_stale_and_not_published(self):
        self.assertIn("first: it has never run", self.run_nightly("--publish")[1])
        self.run_nightly()
        self.assertEqual(self.run_nightly("--publish")[0], 0)
        page = (self.root / "docs/tables/nightly.md").read_text()
        self.assertRegex(page, r"\| first \| passed \| fuzz: 12 inputs \| \d+ \| \w{8} \| [\d-]{10} \|\n\| second \|")
        self.commit({"one/a.h": "int c;\n"})
        status, printed = self.run_nightly("--publish")
        self.assertEqual(status, 1)
        self.assertRegex(printed, r"first: it passed at \w+ on [\d-]+, and what it checks has changed since")
        self.assertNotIn("second", printed)
        self.assertEqual((self.root / "docs/tables/nightly.md").read_text(), page)

    def test_steps_on_the_same_code_name_the_same_commit(self):
        commit = self.git("rev-parse", "--short=8", "HEAD")
        self.commit({"docs/page.md": "a page\n"})
        self.assertEqual(self.run_nightly()[0], 0)
        self.assertEqual({row["commit"] for row in self.record().values()}, {commit})

    def test_two_calls_at_once_lose_no_record(self):
        self.run_nightly()  # the commit of the fixture's files
        steps = {f"step{number}": nightly.Step("true", ("one",)) for number in range(24)}
        with mock.patch.multiple(nightly, RECORD=self.root / "docs/tables/nightly.json"), \
                concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda step: nightly.note(step, {"result": "passed"}), steps))
        self.assertLessEqual(set(steps), set(self.record()))

    def test_a_commit_that_is_made_meanwhile_is_not_what_ran(self):
        commit = self.git("rev-parse", "--short=8", "HEAD")
        own = "git -c user.name=a -c user.email=a@localhost commit -q --allow-empty"
        self.run_nightly(steps={"slow": nightly.Step(f"echo > one/a.h; {own} -am later", ("one",))})
        self.assertEqual(self.record()["slow"]["commit"], commit)
        self.assertIn("what it checks has changed since",
                      self.run_nightly("--record", steps={"slow": nightly.Step("true", ("one",))})[1])

    def test_a_step_without_an_end_is_ended(self):
        status, _ = self.run_nightly(steps={"endless": nightly.Step("sleep 60", ("one",))}, limit=1)
        self.assertEqual(status, 1)
        self.assertEqual(self.record()["endless"]["result"], "failed, no end in an hour")

    def test_a_tree_with_changes_is_refused(self):
        (self.root / "one/new.cpp").write_text("")
        status, printed = self.run_nightly()
        self.assertEqual(status, 1)
        self.assertIn("expected a tree without uncommitted changes, because a record names its commit; got changes of one/new.cpp", printed)

    def test_every_step_names_paths_of_the_tree(self):
        for name, step in nightly.STEPS.items():
            for path in step.paths:
                self.assertTrue((ROOT / path).exists(), f"{name}: {path}")


class Tidy(Tree):
    def differing(self, commit):
        with mock.patch.object(tidy, "ROOT", self.root), mock.patch.object(tidy.unchanged, "ROOT", self.root):
            tidy.unchanged.text_of.cache_clear()
            return tidy.differing(["one/a.cpp", "two/b.cpp"], commit)

    def test_it_looks_at_what_differs_from_the_recorded_commit(self):
        commit = self.git("rev-parse", "HEAD")
        self.assertEqual(self.differing(commit), [])
        self.commit({"one/a.h": "int c;\n"})
        self.assertEqual(self.differing(commit), ["one/a.cpp"])
        (self.root / "two/b.cpp").write_text("int c;\n")
        self.assertEqual(self.differing(commit), ["one/a.cpp", "two/b.cpp"])

    def test_another_setting_concerns_every_source(self):
        commit = self.git("rev-parse", "HEAD")
        self.commit({".clang-tidy": "Checks: 'bugprone-*'\n"})
        self.assertEqual(self.differing(commit), ["one/a.cpp", "two/b.cpp"])

    def test_only_a_pass_at_a_commit_of_this_clone_is_taken_for_recorded(self):
        record = self.root / "nightly.json"
        with mock.patch.object(tidy, "ROOT", self.root), mock.patch.object(tidy, "RECORD", record):
            self.assertIsNone(tidy.recorded_commit())
            commit = self.git("rev-parse", "--short=8", "HEAD")
            for result, named, expected in (("passed", commit, commit), ("failed, exit code 1", commit, None), ("passed", "12345678", None)):
                record.write_text(json.dumps({"tidy": {"result": result, "commit": named}}))
                self.assertEqual(tidy.recorded_commit(), expected)


if __name__ == "__main__":
    unittest.main()
