#!/usr/bin/env python3
"""Table of line and toggle coverage per block, from what Verilator's models counted.

Usage: report.py MERGED.dat [--root .] [--exceptions FILE] [--only FILE.sv...]

MERGED.dat is what `verilator_coverage --write` makes of the files of all models. A block is a file
of rtl/. The instances and parameter points of a block count together: each of its lines has to run
in one of them. A line is covered when every block and branch that begins on it was taken, also an
`else` that is not written; lines of assertions are checks and do not count. The exceptions are lines
that no stimulus reaches, each with its reason; one that names no line, or a line that is covered,
is an error. Ends with 1 when a block has less than 95 % of its other lines covered.
--only judges some files of rtl/, for a run of some benches.
"""
import argparse
import pathlib
import re
import sys
from collections import defaultdict
from dataclasses import dataclass, field

FOLDER = pathlib.Path(__file__).resolve().parent
LEAST_PERCENT = 95


@dataclass(frozen=True)
class Point:
    """What Verilator counts: a block of lines that ran, or a bit that changed."""
    file: str  # from rtl/ on
    line: int
    column: int
    toggle: bool
    what: str  # if, else, case..., or the bit
    lines: tuple  # for a block: the lines that run with it


@dataclass
class Block:
    """Coverage of one file. Lines are numbers from 1 on."""
    covered: set = field(default_factory=set)
    missed: set = field(default_factory=set)
    excepted: set = field(default_factory=set)  # missed, with a reason
    bits: int = 0
    toggled: int = 0

    @property
    def percent(self):
        return percent(len(self.covered), len(self.covered) + len(self.missed))


@dataclass(frozen=True)
class Exception_:
    where: int  # line of the list
    file: str
    text: str  # as in the lines that it names
    reason: str


def percent(part, whole):
    """None where there is nothing to cover."""
    return 100 * part / whole if whole else None


def lines_of(text):
    """The numbers of '12-14,20'."""
    numbers = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        numbers.extend(range(int(first), int(last or first) + 1))
    return tuple(numbers)


def read_counts(text, name="counts"):
    """Times each point of a merged file was taken, over all instances and parameter points."""
    counts = defaultdict(int)
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            continue
        matched = re.fullmatch(r"C '(.*)' (\d+)", line)
        fields = dict(part.split("\2", 1) for part in matched[1].split("\1")[1:]) if matched else {}
        if not {"f", "l", "page", "o"} <= fields.keys():
            sys.exit(f"{name}:{number}: expected a point of Verilator's coverage, C '...' COUNT, got '{line}'")
        if "/rtl/" not in "/" + fields["f"]:
            continue
        counts[Point("rtl/" + ("/" + fields["f"]).rpartition("/rtl/")[2], int(fields["l"]), int(fields.get("n", 0)),
                     fields["page"].startswith("v_toggle"), fields["o"],
                     lines_of(fields.get("S", "")))] += int(matched[2])
    return counts


def assertion_lines(source):
    """Lines of the assertions of a file."""
    lines, open_parentheses = set(), 0
    for number, line in enumerate(source.splitlines(), 1):
        if open_parentheses == 0 and not line.lstrip().startswith("`STROBE_ASSERT"):
            continue
        lines.add(number)
        open_parentheses += line.count("(") - line.count(")")
    return lines


def blocks_of(counts, sources):
    """Coverage of each file of `sources`, by its path."""
    blocks = {path: Block() for path in sources}
    checks = {path: assertion_lines(source) for path, source in sources.items()}
    for point, count in counts.items():
        block = blocks.get(point.file)
        if block is None:
            continue
        if point.toggle:
            block.bits += 1
            block.toggled += count > 0
            continue
        lines = set(point.lines or (point.line,)) - checks[point.file]
        # An always block runs as often as the module is there; Verilator's counter of one that is
        # combinational depends on nothing and steps only at the start, before the benches' reset.
        (block.covered if count or point.what == "block" else block.missed).update(lines)
    for block in blocks.values():
        block.covered -= block.missed
    return blocks


def read_exceptions(text, name):
    """The lines that nothing reaches; a malformed one ends the program with what is expected."""
    exceptions = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [part.strip() for part in line.split(" | ")]
        if len(fields) != 3 or not all(fields):
            sys.exit(f"{name}:{number}: expected 'FILE | TEXT OF THE LINE | REASON', got '{line}'")
        exceptions.append(Exception_(number, *fields))
    return exceptions


def apply_exceptions(blocks, sources, exceptions, name):
    """Takes the excepted lines out of what is missed. Returns a sentence for each stale exception."""
    faults, found = [], defaultdict(set)
    for exception in exceptions:
        source = sources.get(exception.file, "").splitlines()
        named = {n for n, line in enumerate(source, 1) if exception.text in line}
        if named & blocks.get(exception.file, Block()).missed:
            found[exception.file] |= named
        else:
            faults.append(f"{name}:{exception.where}: expected a line of {exception.file} with "
                          f"'{exception.text}' that no bench reaches, found "
                          f"{'only covered ones' if named else 'none'}; remove the exception or correct its text")
    for file, lines in found.items():
        blocks[file].excepted = blocks[file].missed & lines
        blocks[file].missed -= lines
    return faults


def shown_percent(value):
    """Rounded down, so that 100 means all."""
    return "-" if value is None else f"{int(10 * value) / 10:.1f}"


def shown_lines(lines):
    """The numbers as ranges: 12-14, 20."""
    ranges = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return ", ".join(f"{a}-{b}" if b > a else str(a) for a, b in ranges)


def table(blocks):
    """A Markdown table, one row a block."""
    rows = ["| block | lines | line % | bits | toggle % | lines not covered | excepted |",
            "|---|---:|---:|---:|---:|---|---|"]
    for path, block in sorted(blocks.items()):
        rows.append(f"| {pathlib.PurePath(path).stem.removeprefix('strobe_')} "
                    f"| {len(block.covered | block.missed)} | {shown_percent(block.percent)} "
                    f"| {block.bits} | {shown_percent(percent(block.toggled, block.bits))} "
                    f"| {shown_lines(block.missed)} | {shown_lines(block.excepted)} |")
    return "\n".join(rows)


def faults_of(blocks):
    """A sentence for each block that is not covered enough. A package of constants has nothing to run."""
    for path, block in sorted(blocks.items()):
        if block.percent is not None and block.percent < LEAST_PERCENT:
            yield (f"{path}: {shown_percent(block.percent)} % of its lines are covered, expected "
                   f"{LEAST_PERCENT} % at least; not covered: {shown_lines(block.missed)}")
        elif block.percent is None and block.bits == 0 and not path.endswith("_pkg.sv"):
            yield f"{path}: no bench simulates it"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("counts", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path, default=FOLDER.parents[2])
    parser.add_argument("--exceptions", type=pathlib.Path, default=FOLDER / "exceptions.txt")
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()

    files = sorted(str(path.relative_to(options.root)) for path in options.root.glob("rtl/*/*.sv"))
    unknown = sorted(set(options.only) - set(files))
    if unknown:
        sys.exit(f"--only: expected files of rtl/, got {', '.join(unknown)}")
    sources = {file: (options.root / file).read_text() for file in options.only or files}
    blocks = blocks_of(read_counts(options.counts.read_text(), options.counts), sources)
    exceptions = [e for e in read_exceptions(options.exceptions.read_text(), options.exceptions)
                  if not options.only or e.file in sources]
    faults = apply_exceptions(blocks, sources, exceptions, options.exceptions) + list(faults_of(blocks))
    print(table(blocks))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
