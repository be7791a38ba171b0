#!/usr/bin/env python3
"""The pages on results name their sources, stay short, and say when a build had uncommitted changes."""
import re
import unittest

from script import ROOT

MOST_LINES = 150
SHORT = ("performance", "verification", "synthesis", "proofs")
WITH_TABLES = (*SHORT, "workloads")
DIRTY = "> **Made by a build with uncommitted changes**"


class Results(unittest.TestCase):
    def test_have_at_most_150_lines(self):
        for name in SHORT:
            lines = len((ROOT / f"docs/{name}.md").read_text().splitlines())
            self.assertLessEqual(lines, MOST_LINES, f"docs/{name}.md; tables go to docs/tables, history to docs/notes")

    def test_name_every_table(self):
        linked = {name for page in WITH_TABLES for name in re.findall(r"\((?:\.\./)?tables/([\w-]+\.md)", (ROOT / f"docs/{page}.md").read_text())}
        self.assertEqual({path.name for path in (ROOT / "docs/tables").glob("*.md")} - linked, {"index.md"})


class Proofs(unittest.TestCase):
    def test_page_says_what_each_harness_proves(self):
        page = (ROOT / "docs/proofs.md").read_text()
        said = set(re.findall(r"^- `(strobe_\w+)`", page, re.M))
        self.assertEqual(said, {path.name.removesuffix("_formal.sv") for path in (ROOT / "tb/formal").glob("*/*_formal.sv")})


class Explorations(unittest.TestCase):
    def test_of_a_build_with_uncommitted_changes_say_so_at_their_head(self):
        pages = sorted((ROOT / "docs/explorations").glob("*.md"))
        self.assertGreater(len(pages), 5)
        for path in pages:
            text = path.read_text()
            build = re.search(r"wrote this page,\nwith Strobe \S+ \((\S+)\)\.$", text, re.M)
            if path.name == "index.md":
                continue
            self.assertTrue(build, f"{path.name} names no build")
            head = "\n".join(text.splitlines()[:4])
            self.assertEqual(build[1].endswith("-dirty"), DIRTY in head, path.name)


if __name__ == "__main__":
    unittest.main()
