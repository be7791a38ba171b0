#!/usr/bin/env python3
"""Mutation run: every single-line change of mutants.txt must be seen by the check it names.

Usage: tests/flow/mutants/run.py [--check] [--build build/release] [--cycles N] [--only TEXT]

--check only holds the list against the tree: each original line stands exactly once in its file.
Else: one mutant after another is applied to a copy of the RTL and given to its check, which must
fail, and before its first mutant must have passed on the tree as it is. Only the one Verilated model
that the mutant names is built anew, by the commands of the build tree. The tb_* programs must be
built. --cycles is the benches' STROBE_TB_CYCLES, --only takes the mutants with TEXT in them. Prints
one row of a table a mutant; exits 1 when one survives or does not build.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from rtl_copy import ROOT, DoesNotBuild, RtlCopy, run_check, seen_by  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
LIST = FOLDER / "mutants.txt"
BLOCKS = ("rtl/sampler/", "rtl/message/", "rtl/common/", "rtl/top/", "rtl/dise/", "rtl/hps/")
FEWEST = 40


@dataclass(frozen=True)
class Mutant:
    where: int  # line of the list
    file: str
    original: str
    mutated: str
    kind: str  # bench, path or proof
    check: tuple  # its arguments
    why: str

    @property
    def title(self):
        return f"{pathlib.Path(self.file).stem.removeprefix('strobe_')}: {self.why}"


def read_list(path=LIST):
    """The mutants; a malformed one ends the program with what is expected."""
    mutants, fields = [], {}
    keys = {"file": "file ", "original": "- ", "mutated": "+ ", "by": "by ", "why": "why "}
    for number, line in enumerate([*path.read_text().splitlines(), ""], 1):
        if line.startswith("#"):
            continue
        key = next((k for k, start in keys.items() if line.startswith(start)), None)
        if line and (key is None or key in fields):
            sys.exit(f"{path}:{number}: expected one line each of 'file', '-', '+', 'by' and 'why' "
                     f"and an empty line after them, got '{line}'")
        if line:
            fields[key] = line[len(keys[key]):]
        elif fields:
            kind, *check = fields.get("by", "-").split()
            if len(fields) != len(keys) or kind not in ("bench", "path", "proof") or not check:
                sys.exit(f"{path}:{number}: the mutant above needs file, -, +, why and one of "
                         "'by bench BLOCK MODEL', 'by path NAME=VALUE...', 'by proof HARNESS'")
            mutants.append(Mutant(number, fields["file"], fields["original"], fields["mutated"],
                                  kind, tuple(check), fields["why"]))
            fields = {}
    return mutants


def harness_of(root, name):
    """The file of a proof's harness, which lies in the folder that its block has in rtl; None if there is none."""
    return next((root / "tb/formal").glob(f"*/{name}_formal.sv"), None)


def faults_of(mutants, root=ROOT):
    """Why the list does not fit the tree: one sentence each."""
    order = re.findall(r'^    \{"(\w+)", &PathParams::', (root / "sc_models/port/path_params_generated.h").read_text(), re.M)
    if len(mutants) < FEWEST:
        yield f"{LIST}: expected at least {FEWEST} mutants, got {len(mutants)}"
    seen = {}
    for m in mutants:
        at = f"{LIST}:{m.where}: {m.title}"
        if not m.file.startswith(BLOCKS):
            yield f"{at}: expected a file of {', '.join(BLOCKS)}, got {m.file}"
        source = root / m.file
        lines = source.read_text().splitlines() if source.is_file() else []
        found = lines.count(m.original)
        if found != 1:
            yield (f"{at}: expected the original line once in {m.file}, got it {found} times; "
                   "bring the list up to date")
        if m.original == m.mutated:
            yield f"{at}: the mutated line is the original one"
        if (m.file, m.mutated) in seen:
            yield f"{at}: the same mutant as at line {seen[m.file, m.mutated]}"
        seen[m.file, m.mutated] = m.where
        if m.kind == "path":  # tb_profiler finds a point by its name
            names = [word.split("=")[0] for word in m.check]
            if names != [name for name in order if name in names]:
                yield (f"{at}: expected the parameters in the order of sc_models/port/path_params_generated.h, "
                       f"got {' '.join(m.check)}")
        if m.kind == "proof" and harness_of(root, m.check[0]) is None:
            yield f"{at}: there is no proof tb/formal/*/{m.check[0]}_formal.sv"
        if m.kind == "bench" and not (root / "tb" / f"{m.check[0]}_test.cpp").is_file():
            yield f"{at}: there is no bench tb/{m.check[0]}_test.cpp"


class Checks:
    """Runs the checks: on the tree as it is, or with a mutant in a copy of its RTL."""

    def __init__(self, copy, cycles):
        self.copy = copy
        self.limit = 0  # seconds; a mutant may never come to an end
        self.environment = {**os.environ, "STROBE_TB_CYCLES": str(cycles)}

    def passes_as_is(self, kind, check):
        """Whether the check passes on the tree, and what it printed. Its time limits the mutants."""
        start = time.monotonic()
        result = self._run(self._proof(ROOT / "rtl", check[0]) if kind == "proof" else
                           [self.copy.build / "bin" / f"tb_{check[0]}"])
        self.limit = max(self.limit, 300 + 20 * (time.monotonic() - start))
        return result

    def passes_with(self, mutant):
        text = (ROOT / mutant.file).read_text()
        lines = [mutant.mutated if line == mutant.original else line for line in text.splitlines()]
        with self.copy.changed(mutant.file, "\n".join(lines) + "\n"):
            return getattr(self, f"_{mutant.kind}_of_copy")(*mutant.check)

    def _proof_of_copy(self, harness):
        return self._run(self._proof(self.copy.source / "rtl", harness))

    def _path_of_copy(self, *point):
        with self.copy.path(point) as points:
            return self._run([self.copy.build / "bin/tb_profiler"], STROBE_RTL_DIR=str(points))

    def _bench_of_copy(self, block, model):
        return self._run([self.copy.bench(block, model)])

    @staticmethod
    def _proof(rtl, harness):
        return [ROOT / "tb/formal/prove.sh", rtl, harness_of(ROOT, harness)]

    def _run(self, command, **variables):
        if command[0].name != "prove.sh":
            command = [*command, "--gtest_fail_fast", "--gtest_brief=1"]
        return run_check(command, self.copy.build, {**self.environment, **variables}, self.limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--cycles", type=int, default=100000)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    mutants = read_list()
    faults = list(faults_of(mutants))
    if faults:
        sys.exit("\n".join(faults))
    if options.check:
        print(f"{len(mutants)} mutants fit the tree")
        return
    mutants = [m for m in mutants if options.only in f"{m.title} {m.file} {m.kind} {m.check}"]

    with tempfile.TemporaryDirectory(prefix="mutants") as scratch:
        checks = Checks(RtlCopy(options.build.resolve(), pathlib.Path(scratch)), options.cycles)
        print("| mutant | check | killed by | seconds |\n|---|---|---|---:|", flush=True)
        left, fine = 0, set()
        for mutant in mutants:
            unmutated = ("profiler",) if mutant.kind == "path" else mutant.check[:1]
            if (mutant.kind, unmutated) not in fine:
                passed, output = checks.passes_as_is(mutant.kind, unmutated)
                if not passed:
                    sys.exit(f"{mutant.kind} {unmutated[0]} fails on the tree as it is:\n{output}")
                fine.add((mutant.kind, unmutated))
            start = time.monotonic()
            try:
                passed, output = checks.passes_with(mutant)
                killer = None if passed else seen_by(output)
                result = "**survives**" if passed else killer or "**fails without a reason**"
            except DoesNotBuild as error:
                killer, output, result = None, str(error), "**does not build**"
            if killer is None:
                left += 1
                print(f"{mutant.title}: {result}:\n{output}", file=sys.stderr)
            print(f"| {mutant.title} | {mutant.kind} {' '.join(mutant.check)} | {result} "
                  f"| {time.monotonic() - start:.0f} |", flush=True)
    print(f"\n{len(mutants) - left} of {len(mutants)} mutants killed")
    sys.exit(left != 0)


if __name__ == "__main__":
    main()
