#!/usr/bin/env python3
"""The check of words, pages and examples: each rule finds a bad text and lets a good one pass."""
import pathlib
import sys
import tempfile
import unittest

import check
import examples
import forms
import pages
import passages
import words
from tree import Tree

BAD = {
    "behind": ["The result leaves one cycle behind the request.", "It waits\nbehind it."],
    "in front of": ["The stage in front\nof the queue", "with a ' in front"],
    "nobody": ["Nobody counts slots.", "That is nobody's.", "whoever asks first", "Somebody's ready"],
    "who": ["who refuses it", "Each bank, who serves one.", "for who has the profiles", "waits for who asks", "The first who asks"],
    "in vain": ["A fetch in vain."],
    "piece": ["The next instruction of the piece", "in pieces"],
    "lesson": ["The predictor gets its lesson at commit."],
    "since then": ["Since then it is half."],
    "no longer": ["It is no longer\nlocked.", "until now one cycle", "The queue used to be deep."],
    "instead of a number": ["3.1 s instead of 3.88 s", "instead of about 40"],
    "now": ["It was slow. Now a table does it.", "Now nothing is subtracted."],
    "genitive opening": ["Of the next instruction: its time", "Kept. Of each bank one.", "Of a sweep:", "Of the bits, as made",
                         "Of its mistakes the first is shown. It ends, the rest is left.", "of the region of interest"],
    "riddle": ["a burst now and then", "found once for all"],
    "for ever": ["It waits for ever."],
    "British spelling": ["behaviour", "Colours", "neighbouring", "optimise", "initialisation", "uninitialised",
                         "synthesised", "modelled", "labelling", "signalled", "analysed", "analyse", "centred", "catalogue",
                         "grey", "a licence", "artefact", "learnt", "utilisation", "rigour"],
}
GOOD = [
    "The result is ready one cycle after the request.", "The register stands before the queue.",
    "Someone who runs a program, and people who read it.", "The user, who waits, sees it.", "What it is for.",
    "3.88 s instead of the paper's figure", "instead of a number", "The region of interest", "Of course it does.",
    "Of its mistakes, the first hundred are shown.", "It ends. Of 12 programs, 3 fail.",
    "Those that fail are listed.", "Now that it is full, it stalls.", "It is used to count.", "the front of the queue",
    "behavior, color, neighbor, optimize, initialization, modeled, labeled, signaled, analyze, analysis, analyses",
    "center, catalog, gray, license, artifact, learned, utilization, four hours, our own, it pours, detour, contour",
    "precise, promise, exercise, otherwise, raise, noise, revised, comprises, likewise, advertised, supervised",
    "called, filled, controlled, installer, parallel, tell, excellent, well, spelled", "a controller, propelled",
    "It lasts longer, and is not more than two.", "whole, whose, whom", "masterpiece", "the sentence, the difference",
]


class Forms(unittest.TestCase):
    def test_each_form_finds_its_bad_texts(self):
        for form in forms.FORMS:
            found = [text for text in BAD[form.name] if form.pattern.search(text)]
            self.assertTrue(found, f"{form.name} ({form.pattern.pattern}) finds nothing of BAD")

    def test_each_bad_text_is_found_by_its_form(self):
        for name, texts in BAD.items():
            for text in texts:
                self.assertIn(name, [form.name for _, _, form in forms.find(text)], text)

    def test_good_texts_pass(self):
        for text in GOOD:
            self.assertEqual([(found, form.name) for _, found, form in forms.find(text)], [], text)

    def test_history_is_told_in_the_change_log_only(self):
        for name in ("since then", "no longer", "instead of a number", "now"):
            for text in BAD[name]:
                self.assertEqual(list(forms.find(text, tells_history=True)), [], text)


class InTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def found(self, **keys):
        """(file, line, rule) of each finding."""
        return [finding[:3] for finding in check.check(Tree(self.root), **keys)]


class Words(InTree):
    def test_are_found_in_paragraphs_lists_cells_and_headings_with_their_line(self):
        self.put("README.md", "# Behaviour\n\nOne line in\nfront of it.\n\n- an item\n- nobody\n\n| a |\n|---|\n| a piece |\n")
        self.assertEqual(self.found(), [("README.md", 1, "British spelling"), ("README.md", 3, "in front of"),
                                        ("README.md", 7, "nobody"), ("README.md", 11, "piece")])

    def test_are_not_looked_for_in_code_of_pages_and_addresses(self):
        self.put("behind.md", "Text.\n")
        self.put("README.md", "The key `utilisation`, [a page](behind.md).\n\n```\nnobody\n```\n\n    a piece\n\n<!-- behind\nit -->\n")
        self.assertEqual(self.found(), [])

    def test_are_found_in_configurations(self):
        self.put("configs/a.yaml", "# Nobody reads it.\nkey: 1\ndescription: the behaviour\n")
        self.assertEqual(self.found(), [("configs/a.yaml", 1, "nobody"), ("configs/a.yaml", 3, "British spelling")])

    def test_are_found_in_texts_that_a_user_reads(self):
        self.put("sw/a/x.cpp", 'say("waits in "\n    "front of it");\nsay(R"(the\nbehaviour of it)");\nkey("utilisation");\n')
        self.put("tests/a/x.cpp", 'say("waits in front of it");\n')
        self.put("scripts/x", '#!/usr/bin/env bash\necho "error: nobody"\n')
        self.put("scripts/y", '#!/usr/bin/env python3\nprint("nobody is")\n')
        self.put("sw/p.html", '<p class="behind">A\n<b>licence</b></p><script>\nbehind</script><details>behaviour</details>\n')
        self.put("rtl/z.sv", '`STROBE_REQUIRE(A, 1, "nobody is")\n')
        self.assertEqual(self.found(), [("rtl/z.sv", 1, "nobody"), ("scripts/x", 2, "nobody"), ("scripts/y", 2, "nobody"),
                                        ("sw/a/x.cpp", 1, "in front of"), ("sw/a/x.cpp", 4, "British spelling"),
                                        ("sw/p.html", 2, "British spelling")])

    def test_are_found_in_comments_of_every_language(self):
        self.put("sw/a/x.cpp", "int a;  // nobody\n/* one\n * piece */\n")
        self.put("rtl/b/x.sv", "// in\n// front of\nlogic a;\n")
        self.put("tests/c/x.py", '"""Its behaviour."""\na = 1  # nobody\n')
        self.put("tests/d/CMakeLists.txt", "set(a)\n# behind it\n")
        self.put("scripts/x", "#!/usr/bin/env bash\n# a piece\n")
        self.assertEqual(self.found(), [("rtl/b/x.sv", 1, "in front of"), ("scripts/x", 2, "piece"), ("sw/a/x.cpp", 1, "nobody"),
                                        ("sw/a/x.cpp", 3, "piece"), ("tests/c/x.py", 1, "British spelling"),
                                        ("tests/c/x.py", 2, "nobody"), ("tests/d/CMakeLists.txt", 2, "behind")])

    def test_are_not_looked_for_in_code(self):
        self.put("sw/a/x.cpp", 'int behind = nobody("piece", \'"\');  // "\nstd::string a = "behind_q";\n')
        self.put("tests/c/x.py", "behind = 'piece'\n")
        self.assertEqual(self.found(), [])


class Exceptions(InTree):
    def test_name_a_place_and_a_reason(self):
        self.put("README.md", "The bus sits behind the chip.\n\nIt waits behind it.\n")
        self.put(check.EXCEPTIONS, "README.md | behind | sits behind the chip | a place on the board\n")
        self.assertEqual(self.found(), [("README.md", 3, "behind")])

    def test_that_allow_nothing_are_found(self):
        self.put("README.md", "Text.\n")
        self.put(check.EXCEPTIONS, "README.md | behind | sits | a place\n")
        self.assertEqual(self.found(), [(check.EXCEPTIONS, 1, "exception")])

    def test_without_a_reason_are_found_and_allow_nothing(self):
        self.put("README.md", "It waits behind it.\n")
        self.put(check.EXCEPTIONS, "README.md | behind | *\n")
        self.assertEqual(self.found(), [("README.md", 1, "behind"), (check.EXCEPTIONS, 1, "exception")])


class Widths(InTree):
    def test_of_rows_are_those_that_a_reader_sees(self):
        fits = "| " + "a" * (pages.ROW - 8) + " | b |"
        self.assertEqual(len(fits), pages.ROW)
        self.put("README.md", f"{fits}\n\n{fits}x\n")
        self.put("x.md", f"| [a](README.md) {fits[13:]}\n")
        self.assertEqual(self.found(), [("README.md", 3, "wide row")])

    def test_of_a_table_are_columns(self):
        self.put("README.md", "|" + "a |" * 7 + "\n|" + "-|" * 7 + "\n\n|" + "a |" * 8 + "\n|" + "-|" * 8 + "\n")
        self.assertEqual(self.found(), [("README.md", 4, "wide table")])

    def test_of_a_bar_in_code_is_no_column(self):
        self.put("README.md", "|" + "a |" * 6 + " `a|b` |\n")
        self.assertEqual(self.found(), [])

    def test_of_text(self):
        self.put("README.md", "ab " * 40 + "\n\n" + "ab " * 41 + "\n\n```\n" + "ab " * 60 + "\n```\n" + "a" * 130 + "\n")
        self.assertEqual(self.found(), [("README.md", 3, "long line")])


class Links(InTree):
    def test_to_files_and_anchors(self):
        self.put("docs/index.md", "[a](b.md#a-b-c) [b](b.md#no) [c](c.md) [d](../sw) [e](#here) ![f](f.svg) [g](https://x.y/z)\n")
        self.put("docs/b.md", "# A `b`: c!\n")
        self.put("README.md", "[docs](docs/index.md)\n")
        self.put("sw/x.cpp", "")
        self.assertEqual(self.found(), [("docs/index.md", 1, "dead anchor"), ("docs/index.md", 1, "dead anchor"),
                                        ("docs/index.md", 1, "dead link"), ("docs/index.md", 1, "dead link")])

    def test_out_of_the_tree(self):
        self.put("README.md", "[x](../other/README.md)\n")
        self.assertEqual(self.found(), [("README.md", 1, "dead link")])

    def test_into_what_a_build_makes(self):
        self.put("build/x.md", "")
        self.put("README.md", "[x](build/x.md)\n")
        self.assertEqual(self.found(), [("README.md", 1, "dead link")])

    def test_in_code_are_none(self):
        self.put("README.md", "Write `[x](y.md)`.\n\n```\n[x](y.md)\n```\n")
        self.assertEqual(self.found(), [])

    def test_with_the_anchors_of_github(self):
        text = "# Two words\n## Two words\n### profilers[].tags\n## `a_b` and *c*, [d](e.md): 50 %\n```\n# no\n```\n<a id=\"own\"></a>\n"
        self.assertEqual(pages.anchors(text), {"two-words", "two-words-1", "profilerstags", "a_b-and-c-d-50-", "own"})

    def test_each_page_is_in_the_nearest_index(self):
        self.put("README.md", "[docs](docs/index.md), [b](docs/b.md)\n")
        self.put("docs/index.md", "[a](a.md), [more](more/index.md)\n")
        for file in ("docs/a.md", "docs/b.md", "docs/more/c.md", "docs/blocks/d.md"):
            self.put(file, "Text.\n")
        self.put("docs/more/index.md", "[c](c.md)\n")
        self.assertEqual(self.found(), [("docs/b.md", 1, "page not listed"), ("docs/blocks/d.md", 1, "page not listed")])

    def test_a_table_or_a_note_needs_a_link_from_any_page(self):
        self.put("README.md", "[docs](docs/index.md)\n")
        self.put("docs/index.md", "[a](a.md)\n")
        self.put("docs/a.md", "[t](tables/t.md) [n](notes/n.md)\n")
        for file in ("docs/tables/t.md", "docs/notes/n.md", "docs/tables/u.md", "docs/notes/o.md"):
            self.put(file, "Text.\n")
        self.assertEqual(self.found(), [("docs/notes/o.md", 1, "page not listed"), ("docs/tables/u.md", 1, "page not listed")])


class Examples(InTree):
    TOP = "A tool.\n\nSubcommands:\n  run   Run it\n\nExample: tool run configs/a.yaml --out results/a\n"

    def in_help(self, *texts):
        return [finding[2:4] for finding in examples.check(Tree(self.root), [(("x",), text) for text in texts])]

    def test_of_the_help_that_exist_pass(self):
        self.put("configs/a.yaml", "")
        self.put("configs/sweeps/b.yaml", "name: c\n")
        self.assertEqual(self.in_help(self.TOP, "Example: strobe report results/a", "strobe explain results/c/runs/3f"), [])

    def test_of_the_help_that_do_not_exist_are_found(self):
        self.assertEqual(self.in_help(self.TOP, "strobe explain results/b/runs/3f"),
                         [("missing example", "configs/a.yaml"), ("missing result", "results/b/runs/3f")])

    def test_of_pages(self):
        self.put("sw/a/x.h", "")
        self.put("sw/a/y.cpp", "")
        self.put("README.md", "`sw/a/x.h`, `sw/a/{x,z}.h`, `sw/a/*.cpp`, `sw/a/*.py`, `sw/a/y`, `sw/NAME.h`, sw/a/in_text.h\n")
        self.assertEqual([finding[2:4] for finding in examples.check(Tree(self.root))],
                         [("missing example", "sw/a/z.h"), ("missing example", "sw/a/*.py")])

    def test_of_commands_in_pages(self):
        self.put("configs/a.yaml", "")
        self.put("README.md", "```sh\nstrobe run configs/a.yaml --set x=1 \\\n  --out out/a\nstrobe report out/a\nstrobe run "
                              "configs/b.yaml --out=out/b\nstrobe report out/c\n```\n")
        self.assertEqual([finding[1:4] for finding in examples.check(Tree(self.root))],
                         [(5, "missing example", "configs/b.yaml"), (6, "missing result", "out/c")])

    def test_of_sweeps_write_to_the_name_of_the_sweep(self):
        self.put("configs/sweeps/a.yaml", "name: b\n")
        self.put("README.md", "```sh\nstrobe sweep configs/sweeps/a.yaml\nstrobe report results/b\nstrobe report results/a\n```\n")
        self.assertEqual([finding[1:4] for finding in examples.check(Tree(self.root))], [(4, "missing result", "results/a")])

    def test_are_pages_that_a_source_names(self):
        self.put("docs/a.md", "")
        self.put("sw/x.cpp", "// docs/a.md\n// docs/b.md\nsay(\"docs/c.md\");\n")
        self.assertEqual([finding[1:4] for finding in examples.check(Tree(self.root))],
                         [(2, "missing page", "docs/b.md"), (3, "missing page", "docs/c.md")])

    def test_are_pages_that_a_comment_of_a_test_names_and_not_those_it_makes(self):
        self.put("tests/a/x.py", "# docs/b.md\nput('docs/c.md')\n")
        self.assertEqual([finding[1:4] for finding in examples.check(Tree(self.root))], [(1, "missing page", "docs/b.md")])

    def test_the_help_of_a_program_is_that_of_all_its_subcommands(self):
        self.put("tool", f"#!{sys.executable}\nimport sys\nargs = sys.argv[1:-1]\nassert sys.argv[-1] == '--help'\n"
                         "print('Top\\n\\nSubcommands:\\n  run     Run\\n  dise    More\\n\\nExample: x' if not args else\n"
                         "      'Dise\\n\\nSubcommands:\\n  check   Check' if args == ['dise'] else 'Leaf')\n")
        (self.root / "tool").chmod(0o755)
        self.assertEqual([command for command, _ in examples.help_texts(str(self.root / "tool"))],
                         [(), ("run",), ("dise",), ("dise", "check")])


class Passages(unittest.TestCase):
    def test_a_fence_ends_with_its_own_mark(self):
        kinds = [kind for _, _, kind in passages.blocks("````\n```\ntext\n````\ntext".split("\n"))]
        self.assertEqual(kinds, ["fence"] * 4 + ["text"])

    def test_what_goes_on_under_an_item_is_text(self):
        kinds = [kind for _, _, kind in passages.blocks("- item\n\n      goes on\n\ntext\n\n    code".split("\n"))]
        self.assertEqual(kinds, ["item", "blank", "text", "blank", "text", "blank", "code"])

    def test_a_quote_in_a_character_begins_no_text(self):
        self.assertEqual(passages.of_code("a.cpp", "c = '\"'; // one\nd = \"two three\";"), ([(1, "one")], [(2, "two three")]))

    def test_a_hash_in_a_word_or_a_text_begins_no_comment(self):
        self.assertEqual(passages.of_code("a.sh", "n=${#a} \"# no\" # one")[0], [(1, "one")])


if __name__ == "__main__":
    unittest.main()
