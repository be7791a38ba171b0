#!/usr/bin/env python3
"""Programs of many compilers, edited: each does under qemu what it did, or is refused with a sentence that is expected.

A program with jump tables and computed jumps, one with threads, one with signal handlers, one with long jumps and one
with exceptions in threads are compiled by each compiler with each of its options, edited for bursty tracing, for
ephemeral instrumentation and by `strobe optimize`, and run under qemu. The short form takes one option of two compilers,
the first two programs (tests/unit/instrument runs the others) and three runs of each, the whole one (--whole, or with
STROBE_NIGHTLY set) all of them and 100 runs. REFUSALS has the options with which programs are refused, with a part of
the sentence: what it does not expect is wrong, and so is a program that is not refused.

Usage: tests/e2e/edit_matrix.py STROBE [--whole] [--compiler NAME] [--only TEXT] [--runs N]
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {"plain": "tests/unit/object/programs/plain.c",
           "long_jumps": "tests/unit/instrument/programs/long_jumps.c",
           "sorting_threads": "tests/unit/instrument/programs/sorting_threads.c",
           "working_handlers": "tests/unit/instrument/programs/working_handlers.c",
           "throwing_threads": "tests/unit/instrument/programs/throwing_threads.cpp"}
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os", "-O2 -fPIC"]
OPTIONS = {"gcc": [*LEVELS, "-O2 -freorder-blocks-and-partition"],
           "clang-14": ["-O2", *(f"{level} -fno-integrated-as" for level in LEVELS)],
           **{f"clang-{version}": [*LEVELS, "-O2 -mllvm -hot-cold-split"] for version in (15, 16, 19)}}
SHORT = {"gcc": ["-O2 -freorder-blocks-and-partition"], "clang-14": ["-O2"]}

# What edits a program: the key `instrument` of a run file without its end, or the command of that name.
INSTRUMENTS = {"bursty": "{ kind: bursty, variant: orig, events: [data, edge, call, value], n_check0: 7, n_instr0: 3",
               "ephemeral": "{ kind: ephemeral, persistence: 20, epoch: 0"}
KINDS = [*INSTRUMENTS, "optimize"]
EVERY_BRANCH = "{ name: complete, kind: periodic, rate: 1, selectors: [{ profile: edge }] }"

# {(compiler, options): a part of the sentence with which all such programs are refused}
REFUSALS = {("clang-14", "-O2"): "a branch or jump without a relocation"}


def is_built(options, source):
    """GNU as cannot assemble the exception tables of clang 14."""
    return not (options.endswith("-fno-integrated-as") and source.endswith(".cpp"))


SYSROOT = "/usr/riscv64-linux-gnu/include"


def compile_command(compiler, source):
    cpp = source.endswith(".cpp")
    if compiler == "gcc":
        return ["riscv64-linux-gnu-g++" if cpp else "riscv64-linux-gnu-gcc"]
    version = compiler.split("-")[1]
    headers = [f"{SYSROOT}/c++/12", f"{SYSROOT}/c++/12/riscv64-linux-gnu", SYSROOT] if cpp else [SYSROOT]
    return [f"clang++-{version}" if cpp else f"clang-{version}", "--target=riscv64-linux-gnu", "-march=rv64gc",
            "-mrelax", *(f"-isystem{folder}" for folder in headers)]


def output_of(elf):
    """Both outputs of the program under qemu, and how it ends."""
    try:
        done = subprocess.run(["qemu-riscv64", str(elf)], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return b"it does not end within two minutes", None
    return done.stdout + done.stderr, done.returncode


class Case(collections.namedtuple("Case", "compiler options program kind")):
    def __str__(self):
        return f"{self.compiler} {self.options} {self.program} {self.kind}"

    def run(self, strobe, runs, folder):
        """What is wrong, or None; and the refusal, or None."""
        source = SOURCES[self.program]
        driver = "riscv64-linux-gnu-g++" if source.endswith(".cpp") else "riscv64-linux-gnu-gcc"
        original, edited = folder / "program.elf", folder / "edited"
        for command in ([*compile_command(self.compiler, source), *self.options.split(), "-w", "-pthread", "-c",
                         "-o", "program.o", ROOT / source],
                        [driver, "-static", "-pthread", "program.o", "-o", original]):
            built = subprocess.run(command, cwd=folder, text=True, capture_output=True)
            if built.returncode != 0:
                return f"it cannot be built: {(built.stderr.strip().splitlines() or ['no message'])[-1]}", None
        (folder / "program.link").write_text(f"{driver}\n-static\n-pthread\nprogram.o\n")
        expected = output_of(original)
        for command in self.commands(strobe, folder, original, edited):
            done = subprocess.run(command, text=True, capture_output=True,
                                  env={**os.environ, "STROBE_CACHE": str(folder / "cache")})
            if done.returncode != 0:
                return None, done.stderr.strip().replace(str(folder) + "/", "")
        for number in range(runs):
            found = output_of(edited)
            if found != expected:
                return f"run {number + 1} of {runs} ends with {found[1]}: {found[0][:200]!r}", None
        return None, None

    def commands(self, strobe, folder, original, edited):
        """What writes the edited program."""
        run, profile = folder / "run.yaml", folder / "profile"
        text = f"mode: functional\nworkload: {{ elf: {original} }}\n"
        if self.kind == "optimize":
            run.write_text(f"{text}profilers: [{EVERY_BRANCH}]\n")
            return [[strobe, "run", run, "--quiet", "--out", profile],
                    [strobe, "optimize", original, "--profile", profile, "--core", ROOT / "configs/cores/inorder4.yaml",
                     "--out", edited]]
        # The C library is the same in all of them, and edited with all of its code in other tests.
        run.write_text(f"{text}profilers: []\ninstrument: {INSTRUMENTS[self.kind]}, objects: program }}\n")
        return [[strobe, "instrument", run, "--out", edited]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strobe", type=pathlib.Path)
    parser.add_argument("--whole", action="store_true", default="STROBE_NIGHTLY" in os.environ)
    parser.add_argument("--compiler", choices=OPTIONS, help="the cases of this one")
    parser.add_argument("--runs", type=int, help="runs of each edited program")
    parser.add_argument("--only", default="", metavar="TEXT", help="the cases whose names have it")
    arguments = parser.parse_args()
    cases = [case for compiler, options in (OPTIONS if arguments.whole else SHORT).items() for option in options
             for program in list(SOURCES)[:None if arguments.whole else 2] for kind in KINDS
             if arguments.compiler in (None, compiler) and is_built(option, SOURCES[program])
             and arguments.only in str(case := Case(compiler, option, program, kind))]
    runs = arguments.runs or (100 if arguments.whole else 3)

    def tried(case):
        with tempfile.TemporaryDirectory() as folder:
            return case.run(arguments.strobe.resolve(), runs, pathlib.Path(folder))

    wrong, refused = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, (fault, refusal) in zip(cases, pool.map(tried, cases)):
            expected = REFUSALS.get((case.compiler, case.options))
            if not fault and ((refusal is None) != (expected is None) or (refusal and expected not in refusal)):
                fault = f"expected {'a refusal: ' + expected if expected else 'no refusal'}, got {refusal}"
            if fault:
                wrong.append(case)
                print(f"{case}: {fault}", flush=True)
            elif refusal:
                refused[case.compiler] += 1
    print(f"{len(cases)} programs: {len(cases) - len(wrong) - refused.total()} run as before, "
          f"{refused.total()} are refused as expected {dict(refused)}, {len(wrong)} are wrong")
    return 1 if wrong or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
