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
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[2]
LIST = FOLDER / "mutants.txt"
BLOCKS = ("rtl/sampler/", "rtl/message/", "rtl/common/")
FEWEST = 40
NO_END = "no end in "


@dataclass(frozen=True)
class Mutant:
    where: int  # line of the list
    file: str
    original: str
    mutated: str
    kind: str  # of the check: bench, path or proof
    check: tuple  # its words
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
                     f"and an empty line behind them, got '{line}'")
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


def faults_of(mutants, root=ROOT):
    """Why the list does not fit the tree: one sentence each."""
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
        if m.kind == "proof" and not (root / "tb/formal" / f"{m.check[0]}_formal.sv").is_file():
            yield f"{at}: there is no proof tb/formal/{m.check[0]}_formal.sv"
        if m.kind == "bench" and not (root / "tb" / f"{m.check[0]}_test.cpp").is_file():
            yield f"{at}: there is no bench tb/{m.check[0]}_test.cpp"


class DoesNotBuild(Exception):
    pass


class Checks:
    """Runs the checks: on the tree as it is, or with a mutant in a copy of its RTL."""

    def __init__(self, build, scratch, cycles):
        self.build, self.scratch = build, scratch
        self.limit = 0  # seconds; a mutant may never come to an end
        self.environment = {**os.environ, "STROBE_TB_CYCLES": str(cycles)}
        self.source = scratch / "source"
        shutil.copytree(ROOT / "rtl", self.source / "rtl")
        (self.source / "sc_models").symlink_to(ROOT / "sc_models")

    def passes_as_is(self, kind, check):
        """Whether the check passes on the tree, and what it printed. Its time limits the mutants."""
        start = time.monotonic()
        result = self._run(self._proof(ROOT / "rtl", check[0]) if kind == "proof" else
                           [self.build / "bin" / f"tb_{check[0]}"])
        self.limit = max(self.limit, 300 + 20 * (time.monotonic() - start))
        return result

    def passes_with(self, mutant):
        file = self.source / mutant.file
        text = file.read_text()
        lines = [mutant.mutated if line == mutant.original else line for line in text.splitlines()]
        file.write_text("\n".join(lines) + "\n")
        try:
            return getattr(self, f"_{mutant.kind}_of_copy")(*mutant.check)
        finally:
            file.write_text(text)

    def _proof_of_copy(self, harness):
        return self._run(self._proof(self.source / "rtl", harness))

    def _path_of_copy(self, *point):
        points = self.scratch / "points"
        points.mkdir(exist_ok=True)
        key = "_".join(value.replace("=", "") for value in point)
        self._build([ROOT / "sc_models/profiling/verilated/build_point.sh", self.source, "strobe_profiler",
                     points / f"libstrobe_profiler_{key}.so", "none", *point])
        try:
            return self._run([self.build / "bin/tb_profiler"], STROBE_RTL_DIR=str(points))
        finally:
            shutil.rmtree(points)

    def _bench_of_copy(self, block, model):
        """The build's commands for one model and the bench, with their files in the scratch folder.
        The linker takes the mutated model first and so has no need of the one in the library."""
        folder, object_file = self.scratch / "model", self.scratch / "model.o"
        bench = self.scratch / "bench"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        inputs = {f"{ROOT}/rtl": f"{self.source}/rtl",
                  f"{self.build}/tb/verilated_{model}": str(folder)}
        compiled = f"tb/CMakeFiles/{model}.dir/verilated_{model}/V{model}_all.cpp.o"
        linked = f"bin/tb_{block}"
        self._build_like(f"tb/verilated_{model}/V{model}_all.cpp", inputs)
        self._build_like(compiled, {**inputs, compiled: str(object_file)})
        self._build_like(linked, {f"-o {linked} ": f"{object_file} -o {bench} "})
        return self._run([bench])

    def _build_like(self, target, replaced):
        command = subprocess.run(["ninja", "-C", self.build, "--quiet", "-t", "commands", "-s", target],
                                 check=True, capture_output=True, text=True).stdout
        command = command.split(f" && cd {self.build}/tb ")[0]  # what lists the tests of a bench
        for old, new in replaced.items():
            command = command.replace(old, new)
        self._build(["sh", "-c", command])

    def _build(self, command):
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            raise DoesNotBuild(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")

    @staticmethod
    def _proof(rtl, harness):
        return [ROOT / "tb/formal/prove.sh", rtl, ROOT / "tb/formal" / f"{harness}_formal.sv"]

    def _run(self, command, **variables):
        if command[0].name != "prove.sh":
            command = [*command, "--gtest_fail_fast", "--gtest_brief=1"]
        try:
            done = subprocess.run(command, cwd=self.build, capture_output=True, text=True,
                                  timeout=self.limit or None, env={**self.environment, **variables})
        except subprocess.TimeoutExpired:
            return False, f"{NO_END}{self.limit:.0f} s"
        return done.returncode == 0, done.stdout + done.stderr


def seen_by(output):
    """What of the check failed, from its output: an assertion, a test or a proof's goal; else None."""
    if output.startswith(NO_END):
        return output
    for pattern in (r"Assertion failed in \S*?(\w+)(?::.*)?$", r"\[  FAILED  \] ([\w/.]+)",
                    r"_formal\.sv: (\w+) failed"):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return found[1]
    return None


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
        checks = Checks(options.build.resolve(), pathlib.Path(scratch), options.cycles)
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
