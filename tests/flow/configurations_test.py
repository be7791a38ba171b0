#!/usr/bin/env python3
"""scripts/configurations: what was measured of another tree is named, with the command that measures it anew."""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest
from unittest import mock

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
LOADER = importlib.machinery.SourceFileLoader("configurations", str(ROOT / "scripts/configurations"))
SCRIPT = importlib.util.module_from_spec(importlib.util.spec_from_loader("configurations", LOADER))
LOADER.exec_module(SCRIPT)

FILES = {
    "configs/synth/configurations.yaml": "profilers:\n  - { name: a, include: ../profilers/a.yaml }\n",
    "configs/profilers/a.yaml": "include: base.yaml\nrate: 1\n",
    "configs/profilers/base.yaml": "kind: periodic\nselectors: [{ profile: edge }]\n",
    "configs/cores/hps2005.yaml": "commit_width: 4\nrob: 128\n",
    "configs/runs/quickstart.yaml": "profilers:\n  - { include: ../profilers/base.yaml }\n",
    "rtl/top/x.sv": "module x; endmodule\n",
}


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for file, text in FILES.items():
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            (self.root / file).write_text(text)
        decide = SCRIPT.chain(self.root, "configs/profilers/a.yaml")
        run = {*decide, *SCRIPT.chain(self.root, SCRIPT.QUICKSTART)}
        self.measured = {"configurations": {"a": {
            "synthesis": {"sources": ["rtl/top/x.sv"],
                          "from": SCRIPT.synthesis_state(self.root, ["rtl/top/x.sv"], "configs/profilers/a.yaml")},
            "quickstart": {"from": SCRIPT.hashes(self.root, run)}}}}

    def stale(self):
        return list(SCRIPT.stale(self.root, self.measured))

    def change(self, file):
        (self.root / file).write_text(FILES[file] + "# changed\n")


class Measured(Tree):
    def test_of_this_tree_is_not_stale(self):
        self.assertEqual(self.stale(), [])

    def test_of_other_rtl_is_stale(self):
        self.change("rtl/top/x.sv")
        self.assertEqual(self.stale(), [
            "configs/synth/measured.json: its RTL has changed since a was synthesized; "
            "run scripts/configurations a, then strobe-gen --root ."])

    def test_without_one_of_its_sources_is_stale(self):
        (self.root / "rtl/top/x.sv").unlink()
        self.assertEqual(len(self.stale()), 1)

    def test_of_another_configuration_is_stale_in_both_parts(self):
        self.change("configs/profilers/base.yaml")
        self.assertEqual([sentence.split(": ")[1].split(";")[0] for sentence in self.stale()],
                         ["configs/profilers/base.yaml has changed since a was synthesized",
                          "configs/profilers/base.yaml has changed since a was run"])

    def test_of_another_quickstart_is_stale_in_one_part(self):
        self.change("configs/runs/quickstart.yaml")
        self.assertEqual(len(self.stale()), 1)
        self.assertIn("configs/runs/quickstart.yaml has changed since a was run", self.stale()[0])

    def test_of_another_core_is_stale_if_its_lanes_are_others(self):
        self.change("configs/cores/hps2005.yaml")
        self.assertEqual(self.stale(), [])
        (self.root / "configs/cores/hps2005.yaml").write_text("commit_width: 2\nrob: 128\n")
        self.assertEqual(self.stale(), [
            "configs/synth/measured.json: core.commit_width has changed since a was synthesized; "
            "run scripts/configurations a, then strobe-gen --root ."])

    def test_of_a_configuration_that_is_gone_is_stale(self):
        self.measured["configurations"]["b"] = {}
        self.assertIn("b is not in configs/synth/configurations.yaml", self.stale()[0])

    def test_in_part_is_held_to_that_part(self):
        del self.measured["configurations"]["a"]["synthesis"]
        self.change("rtl/top/x.sv")
        self.assertEqual(self.stale(), [])


class Files(Tree):
    def test_are_followed_through_includes(self):
        self.assertEqual(sorted(SCRIPT.chain(self.root, SCRIPT.QUICKSTART)),
                         ["configs/profilers/base.yaml", "configs/runs/quickstart.yaml"])
        self.assertEqual(SCRIPT.key_of(self.root, "configs/profilers/a.yaml", "selectors"), [{"profile": "edge"}])
        self.assertIsNone(SCRIPT.key_of(self.root, "configs/profilers/a.yaml", "banks"))


class Shipped(unittest.TestCase):
    def test_every_configuration_has_its_words_and_its_file(self):
        words = yaml.safe_load((ROOT / "configs/synth/maturity.yaml").read_text())["configurations"]
        known = SCRIPT.configurations()
        self.assertEqual(sorted(one["name"] for one in words), sorted(known))
        for name, file in known.items():
            self.assertEqual(file, f"configs/profilers/{name}.yaml")

    def test_core_is_that_of_the_configurations(self):
        core = yaml.safe_load((ROOT / SCRIPT.CONFIGURATIONS).read_text())["core"]["include"]
        self.assertEqual((ROOT / "configs/synth" / core).resolve(), ROOT / SCRIPT.CORE)

    def test_a_name_nobody_knows_is_refused(self):
        with mock.patch("sys.argv", ["configurations", "nothing"]), self.assertRaisesRegex(
                SystemExit, r"expected names of configs/synth/configurations.yaml \(.*periodic-256.*\), got nothing"):
            SCRIPT.main()

    def test_check_ends_with_1_and_the_sentences(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "configs/synth").mkdir(parents=True)
            (root / SCRIPT.CONFIGURATIONS).write_text("profilers: []\n")
            (root / SCRIPT.MEASURED).write_text(json.dumps({"configurations": {"gone": {}}}))
            said = io.StringIO()
            with mock.patch.object(SCRIPT, "ROOT", root), mock.patch("sys.argv", ["configurations", "--check"]), \
                    contextlib.redirect_stderr(said):
                self.assertEqual(SCRIPT.main(), 1)
            self.assertIn("gone is not in", said.getvalue())


if __name__ == "__main__":
    unittest.main()
