#!/usr/bin/env python3
"""Finds what the project keeps out of its texts: ruled-out words, wide tables, dead links, examples of missing files.

Usage: check.py [--root DIR] [--strobe PATH] [--by-file]

Prints one line a finding, FILE:LINE: RULE: FOUND: REASON, and ends with 1 when there is one. README.md in this
folder describes the rules. exceptions.txt names what is allowed, place by place.
"""
import argparse
import collections
import os
import pathlib
import sys

import examples
import pages
import words
from tree import Finding, Tree

HERE = "tests/words"
EXCEPTIONS = HERE + "/exceptions.txt"


def entries(tree, file):
    """Yields (line, text) of a list, without its comments and empty lines."""
    for number, line in enumerate(tree.lines(file) if file in tree.files else [], 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def without_exceptions(tree, findings):
    """Findings that no line of exceptions.txt allows, and a finding for each of its lines that allows nothing."""
    left = list(findings)
    for number, line in entries(tree, EXCEPTIONS):
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 4 or not all(parts):
            left.append(Finding(EXCEPTIONS, number, "exception", line, "a line reads FILE | RULE | TEXT | REASON"))
            continue
        file, rule, text, _ = parts

        def allowed(finding):
            if (finding.file, finding.rule) != (file, rule):
                return False
            lines = tree.lines(file) if file in tree.files else []
            there = lines[finding.line - 1] if finding.line <= len(lines) else ""
            return text == "*" or text in there or text in finding.found

        kept = [finding for finding in left if not allowed(finding)]
        if len(kept) == len(left):
            left.append(Finding(EXCEPTIONS, number, "exception", line, "nothing is found there: take the line out"))
        else:
            left = kept
    return left


def check(tree, help_texts=()):
    findings = [*words.check(tree), *pages.check(tree), *examples.check(tree, help_texts)]
    return sorted(without_exceptions(tree, findings))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", default=pathlib.Path(__file__).resolve().parents[2], help="Root of the tree")
    parser.add_argument("--strobe", help="The built program, whose --help texts are checked as well")
    parser.add_argument("--by-file", action="store_true", help="Print the findings of each file under its name")
    options = parser.parse_args()
    tree = Tree(options.root)
    texts = list(examples.help_texts(os.path.abspath(options.strobe))) if options.strobe else []
    if options.strobe and len(texts) < 5:
        print(f"error: {options.strobe} --help lists {len(texts) - 1} subcommands, expected at least 4")
        return 2
    findings = check(tree, texts)
    if options.by_file:
        by_file = collections.defaultdict(list)
        for finding in findings:
            by_file[finding.file].append(finding)
        for file, found in sorted(by_file.items(), key=lambda item: item[0]):
            print(f"\n{file}: {len(found)}")
            for finding in found:
                print(f"  {finding.line}: {finding.rule}: {finding.found!r}: {finding.reason}")
    else:
        print("\n".join(map(str, findings)))
    print(f"{len(findings)} findings in {len(tree.files)} files", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
