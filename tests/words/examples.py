"""Files that examples name: in the help of the command line, in pages, and pages that sources name."""
import fnmatch
import itertools
import posixpath
import re
import subprocess

import passages
from tree import Finding

PLACE = r"(?:configs|docs|rtl|sc_models|scripts|sw|tb|tests)/[\w./{},*+\[\]-]*\w[\w}/*]*"
NAMED = re.compile(rf"(?<![\w./$~{{}}-]){PLACE}")
PLACEHOLDERS = set("NAME FILE DIR BLOCK MODULE PAGE ROOM KIND SUITE TABLE N X XX KEY".split())


def braces(path):
    """a{b,c}d: abd and acd."""
    match = re.search(r"\{([^{}]*)\}", path)
    if not match:
        return [path]
    return list(itertools.chain.from_iterable(braces(path[:match.start()] + part + path[match.end():])
                                              for part in match[1].split(",")))


def missing(tree, path):
    """Yields the files that a path names and the tree does not have."""
    for one in braces(path):
        one = one.rstrip("/.,")
        parts = re.split(r"[/._-]", one)
        if one in tree.names or PLACEHOLDERS & set(parts):
            continue
        if "*" in one and any(fnmatch.fnmatchcase(name, one) for name in tree.names):
            continue
        if one + ".cpp" in tree.names or one + ".h" in tree.names:
            continue
        yield one


# --- the help of the command line ------------------------------------------------------------------------------------

def help_texts(binary, command=()):
    """Yields (command, its help) of a program and of each of its subcommands."""
    done = subprocess.run([binary, *command, "--help"], capture_output=True, text=True, timeout=60, check=True)
    yield command, done.stdout
    listed = done.stdout.partition("\nSubcommands:\n")[2]
    for name in re.findall(r"^  (\w[\w-]*)", listed.partition("\n\n")[0], re.MULTILINE):
        yield from help_texts(binary, (*command, name))


def made_by_sweeps(tree):
    """results/NAME of each sweep file: where its results go without --out."""
    for file in tree.files:
        if file.startswith("configs/sweeps/"):
            name = re.search(r"^name:\s*(\S+)", tree.text(file), re.MULTILINE)
            yield "results/" + (name[1] if name else posixpath.basename(file).rsplit(".", 1)[0])


def in_help(tree, texts, program="strobe"):
    """texts: (command, help) of each subcommand."""
    texts = list(texts)
    made = set(made_by_sweeps(tree))
    for _, text in texts:
        made.update(re.findall(r"--out(?:=|\s+)(\S+)", text))
    for command, text in texts:
        name = " ".join([program, *command, "--help"])
        for number, line in enumerate(text.split("\n"), 1):
            for match in NAMED.finditer(line):
                for path in missing(tree, match[0]):
                    yield Finding(name, number, "missing example", path, "the help names it, the tree does not have it")
            for used in results_used(line):
                if not any(used == each or used.startswith(each + "/") for each in made):
                    yield Finding(name, number, "missing result", used,
                                  "no example of the help and no sweep file makes it")


def results_used(command):
    """The results that a command reads: results/... and out/..., but for those it writes."""
    words = command.split()
    for before, word in zip(["", *words], words):
        if before not in ("--out", "--output") and re.fullmatch(r"(?:results|out)/[\w./-]*\w", word):
            yield word


# --- pages and sources ---------------------------------------------------------------------------------------------

def commands(lines):
    """Yields (line, command) of the sh blocks of a page; a command goes on after a backslash."""
    inside, whole, first = False, "", 0
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*```", line):
            inside, whole = not inside and re.match(r"\s*```(?:sh|bash|console)?\s*$", line) is not None, ""
        elif inside:
            first = number if not whole else first
            whole += re.sub(r"(^|\s)#.*$", "", line)
            if whole.endswith("\\"):
                whole = whole[:-1] + " "
            else:
                yield first, whole
                whole = ""


def in_page(tree, file):
    for number, line, kind in passages.blocks(tree.lines(file)):
        code = [line] if kind in ("fence", "code") else [match[2] for match in re.finditer(r"(`+)(.+?)\1", line)]
        for text in code:
            for match in NAMED.finditer(text):
                for path in missing(tree, match[0]):
                    yield Finding(file, number, "missing example", path, "the page names it, the tree does not have it")
    made = set()
    for number, command in commands(tree.lines(file)):
        for used in results_used(command):
            if not any(used == each or used.startswith(each + "/") for each in made):
                yield Finding(file, number, "missing result", used, "no command before this one of the page makes it")
        made.update(re.findall(r"--out(?:=|\s+)(\S+)", command))
        sweep = re.search(r"\bstrobe sweep (\S+)", command)
        if sweep and sweep[1] in tree.names and "--out" not in command:
            name = re.search(r"^name:\s*(\S+)", tree.text(sweep[1]), re.MULTILINE)
            made.add("results/" + (name[1] if name else posixpath.basename(sweep[1]).rsplit(".", 1)[0]))


def in_source(tree, file):
    """Pages that a source or a configuration names. The texts of a test may name pages that it makes."""
    if file.startswith("tests/"):
        named = passages.of_code(file, tree.text(file))[0]
    else:
        named = enumerate(tree.lines(file), 1)
    for first, text in named:
        for match in re.finditer(r"(?<![\w./-])docs/[\w./-]+\.md", text):
            for path in missing(tree, match[0]):
                line = first + text.count("\n", 0, match.start())
                yield Finding(file, line, "missing page", path, "the tree has no such page")


def check(tree, texts=()):
    findings = list(in_help(tree, texts))
    for file in tree.files:
        if file.endswith(".md"):
            findings += in_page(tree, file)
        elif not file.endswith(".svg") and not file.startswith("tests/words/"):
            findings += in_source(tree, file)
    return findings
