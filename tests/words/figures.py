"""Figures that a page copies from another: <!-- same: docs/FILE.md "row" "column" --> follows the figure in its line.

The number before the comment is the one of the row and the column, rounded to the digits shown. A JSON file has the
dotted path of its number in place of row and column.
"""
import decimal
import json
import re

import passages
from tree import Finding

MARK = re.compile(r"<!--\s*same:(.*?)-->", re.DOTALL)
ARGUMENTS = re.compile(r"\s*(\S+)\s+\"([^\"]+)\"(?:\s+\"([^\"]+)\")?\s*")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def plain(cell):
    return re.sub(r"[`*]", "", passages.visible(cell)).strip()


def cells_of(text, row, column):
    """All cells of a page's tables in a row of this name and a column of this name."""
    header = None
    found = []
    for _, line, kind in passages.blocks(text.split("\n")):
        if kind != "table":
            header = None
            continue
        cells = [plain(cell) for cell in passages.cells(line)]
        if header is None:
            header = cells
        elif cells[0] == row and column in header and header.index(column) < len(cells):
            found.append(cells[header.index(column)])
    return found


def source(tree, file, row, column):
    """(the text of the source, None), or (None, why there is none)."""
    if file not in tree.files:
        return None, f"there is no {file}"
    if column is None:
        value = json.loads(tree.text(file))
        for key in row.split("."):
            try:
                value = value[int(key)] if isinstance(value, list) else value[key]
            except (KeyError, IndexError, ValueError, TypeError):
                return None, f"{file} has no {row}"
        return str(value), None
    found = set(cells_of(tree.text(file), row, column))
    if len(found) != 1:
        return None, f"{file} has {len(found)} different cells of row {row!r} and column {column!r}"
    return found.pop(), None


def differs(shown, given, percent):
    """Why the shown number is not the given one, or None."""
    number = NUMBER.search(given)
    if not number:
        return f"the source says {given!r}, which has no number"
    shown_number, given_number = (decimal.Decimal(text.replace(",", "")) for text in (shown, number[0]))
    rounded = given_number.quantize(shown_number, rounding=decimal.ROUND_HALF_UP)
    half_even = given_number.quantize(shown_number, rounding=decimal.ROUND_HALF_EVEN)
    if shown_number not in (rounded, half_even) or ("%" in given) != percent:
        return f"the source says {given!r}"
    return None


def check(tree):
    findings = []
    for file in tree.pages:
        text = tree.text(file)
        fenced = {number for number, _, kind in passages.blocks(tree.lines(file)) if kind in ("fence", "code")}
        for mark in MARK.finditer(text):
            line = text.count("\n", 0, mark.start()) + 1
            if line in fenced:
                continue
            before = text[text.rfind("\n", 0, mark.start()) + 1:mark.start()]
            numbers = list(NUMBER.finditer(passages.visible(before)))
            arguments = ARGUMENTS.fullmatch(mark[1])
            if not arguments or not numbers:
                findings.append(Finding(file, line, "figure", mark[0], "a mark follows a number in its line and reads "
                                        '<!-- same: FILE "row" "column" -->'))
                continue
            given, why = source(tree, *arguments.groups())
            shown = numbers[-1]
            why = why or differs(shown[0], given, "%" in passages.visible(before)[shown.end():])
            if why:
                findings.append(Finding(file, line, "figure", shown[0], why))
    return findings
