#!/usr/bin/env python3
"""docs/comparison.html in a browser: it gives the Markdown's answers, fits a window of 1280 pixels, and prints whole.

Needs chromium and pdftotext, which scripts/setup installs.
"""
import html
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import comparison_page  # noqa: E402
import comparison_summary  # noqa: E402
from comparison_systems import KINDS, QUESTIONS  # noqa: E402

PAGE = ROOT / "docs/comparison.html"
LIMITS = {"ge": (None, 0, 10_000, 60_000, 100_000, 200_000), "overhead": (None, 0.003, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5),
          "growth": (None, 1, 3), "second": (False, True)}
# Sets the fields as a user does, and collects what the page then says.
DRIVER = """<script>
{
const says = [];
for (const [kind, budget] of %s) {
  at("kind").value = kind;
  at("ge").value = "ge" in budget ? budget.ge / 1000 : "";
  at("overhead").value = "overhead" in budget ? budget.overhead * 100 : "";
  at("growth").value = budget.growth ?? "";
  at("second").checked = budget.second ?? false;
  at("budget").dispatchEvent(new Event("input"));
  const scroll = document.querySelector(".scroll");
  says.push([at("answer").textContent, scroll.scrollWidth - scroll.clientWidth, document.documentElement.scrollWidth - innerWidth]);
}
document.body.append(Object.assign(document.createElement("pre"), { id: "says", textContent: JSON.stringify(says) }));
}
</script>
"""


def chromium(*arguments):
    return subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=120, check=True).stdout


def with_driver(folder, asked):
    page = pathlib.Path(folder) / "driven.html"
    page.write_text(PAGE.read_text().replace("</html>", DRIVER % json.dumps(asked) + "</html>"))
    return page


def says_of(asked):
    """What the page says of each (kind, budget): its answer, and by how many pixels table and page are too wide."""
    with tempfile.TemporaryDirectory(prefix="comparison") as folder:
        shown = chromium(f"--user-data-dir={folder}/profile", "--window-size=1280,900", "--dump-dom",
                         with_driver(folder, asked).as_uri())
    return json.loads(html.unescape(re.search(r'<pre id="says">(.*?)</pre>', shown, re.DOTALL)[1]))


def choice_of(text):
    """(what to build, None), or (the nearest, what to loosen), of an answer of either page."""
    nothing = re.match(r"Nothing .*: loosen (.*?)\. The nearest is \*?(.*?)(?:\*,.*|\.)$", text)
    return (nothing[2], nothing[1]) if nothing else (re.match(r"\*?(.*?)\*?: an overlap", text)[1], None)


def markdown_answers():
    """What docs/comparison.md answers to each of QUESTIONS."""
    page = " ".join((ROOT / "docs/comparison.md").read_text().split())
    for _, _, words in QUESTIONS:
        text = page.partition(f"**{words}** ")[2]
        yield choice_of(re.match(r".*?(?=: an overlap)|Nothing .*? kGE", text)[0] + (": an overlap" if text.startswith("*") else ""))


class Page(unittest.TestCase):
    def test_gives_the_answers_of_the_markdown(self):
        says = says_of([[kind, budget] for kind, budget, _ in QUESTIONS])
        self.assertEqual([choice_of(text) for text, _, _ in says], list(markdown_answers()))

    def test_chooses_within_every_budget_as_the_summary_does(self):
        record = json.loads((ROOT / "docs/comparison.json").read_text())
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', PAGE.read_text(), re.DOTALL)[1])
        hardware = {name: one for of in data["kinds"].values() for name, one in of.items() if one["ge"]}
        of = comparison_summary.summary(record, hardware)
        budgets = [{key: value for key, value in zip(LIMITS, values) if value is not None} for values in itertools.product(*LIMITS.values())]
        asked = [[kind, budget] for kind in of for budget in budgets]
        expected = []
        for kind, budget in asked:
            name, _ = comparison_summary.recommended(of[kind], budget)
            if name is not None:
                expected.append((name, None))
            else:
                near, over = comparison_summary.best(of[kind], budget)[1]
                expected.append((near, " and ".join(comparison_page.WORDS[key] for key in over)))
        found = [choice_of(text) for text, _, _ in says_of(asked)]
        different = [(*one, mine, theirs) for one, mine, theirs in zip(asked, found, expected) if mine != theirs]
        self.assertEqual(different, [])
        self.assertGreater(len({name for name, loosen in found if loosen is None}), 6)
        self.assertGreater(len({loosen for _, loosen in found}), 4)

    def test_fits_a_window_of_1280_pixels(self):
        for kind, (_, table, page) in zip(KINDS, says_of([[kind, {"second": True}] for kind in KINDS])):
            self.assertLessEqual(table, 0, f"the table of {kind} is cut")
            self.assertLessEqual(page, 0, f"the page of {kind} is cut")

    def test_prints_every_column_of_every_system_and_what_was_asked(self):
        data = json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', PAGE.read_text(), re.DOTALL)[1])
        with tempfile.TemporaryDirectory(prefix="comparison") as folder:
            printed = pathlib.Path(folder) / "page.pdf"
            page = with_driver(folder, [["edges", {"ge": 100_000, "overhead": 0.1}]])
            chromium(f"--user-data-dir={folder}/profile", f"--print-to-pdf={printed}", page.as_uri())
            text = subprocess.run(["pdftotext", "-layout", printed, "-"], stdout=subprocess.PIPE, text=True, check=True).stdout
        lines = [re.split(r" {2,}", line.strip()) for line in text.splitlines()]
        self.assertIn("Edges within 100 kGE, 10 % of the cycles, without a second core or thread.", " ".join(text.split()))
        built = {name: one for name, one in data["kinds"]["edges"].items() if not one["reference"]}
        for name, one in built.items():
            self.assertIn(f"{one['growth']:.2f}", next((line for line in lines if line[0] == name), []), f"{name} in\n{text}")
        remarks = re.findall("the answer$|less accurate$|over the budget: ", text, re.MULTILINE)
        self.assertEqual(len(remarks), len(built), text)


if __name__ == "__main__":
    unittest.main()
