#!/usr/bin/env python3
"""What the programs are like: instruction mix, footprint and mispredicted branches, beside each other.

Usage: tests/bench/programs.py [--build build/release] [--size small] [PROGRAM...]
  --size   tiny, small or ref: the argument of the project's programs, the input of the fetched ones (default small)

Each program runs twice, whole, in mode timing without a profiler: on hps2005, and on hps2005 with a second-level cache so large
that each line of memory is read from DRAM once. Prints two tables with a row a program, and exits 1 when one does not end with exit code 0, or
when a program was not fetched and was asked for. Programs that are not there are left out, and named on standard error.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OWN = ("btree", "desim", "hashjoin", "json", "lisp", "lz", "othello", "paths", "raytrace", "regex")
FETCHED = tuple(sorted(path.name for path in (ROOT / "scripts/workloads").iterdir()))
MIX = ("program", "M instructions", "loads", "stores", "branches", "calls", "mispredicted")
FOOTPRINT = ("program", "code KiB", "touched KiB")
LINE = 64  # bytes, core.memory.l2.line of hps2005
LARGE = ("core.memory.l2.size=268435456", "core.memory.l2.ways=16")


def run_of(program, size):
    """The run file of a program, and what it sets besides."""
    if program in OWN:
        return "configs/runs/quickstart.yaml", [f"workload={{include: ../workloads/{program}.yaml}}", f"workload.args=[{size}]"]
    return f"configs/runs/{program}.yaml", [f"workload.stdin=cache:{program}/{'input' if size == 'ref' else size}"]


def elf_of(build, program):
    """The file of a program."""
    if program in OWN:
        return build / f"guest/workloads/{program}.elf"
    home = os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")
    return pathlib.Path(os.environ.get("STROBE_WORKLOADS", pathlib.Path(home) / "strobe/workloads")) / program / f"{program}.elf"


def counters(build, out, program, size, more):
    """The result of a run, or None when the program does not end with 0."""
    file, sets = run_of(program, size)
    command = [build / "bin/strobe", "run", file, "--out", out, "--force", "--quiet"]
    for one in ("profilers=[]", "max_cycles=20000000000", *sets, *more):
        command += ["--set", one]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    result = out / "result.json"
    return json.loads(result.read_text()) if done.returncode == 0 and result.is_file() else None


def code_bytes(elf):
    """Bytes of the file's section .text."""
    for line in subprocess.run(["readelf", "-SW", elf], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        words = line.replace("[ ", "[").split()
        if len(words) > 5 and words[1] == ".text":
            return int(words[5], 16)
    raise SystemExit(f"{elf}: expected a section .text, got none; build the program again")


def row_of(result, large, code):
    """The cells of a program's row; the rates are of 1000 instructions."""
    count = result["counters"]
    a_thousand = count["core.committed.user"] / 1000
    rates = [count["core.class.load"], count["core.class.store"], count["core.class.branch"],
             count["core.class.call"] + count["core.class.call_indirect"], count["core.branch.mispredicted"]]
    return [f"{a_thousand / 1000:.1f}", *(f"{rate / a_thousand:.1f}" for rate in rates), f"{code / 1024:.0f}",
            f"{large['counters']['dram.reads'] * LINE / 1024:.0f}"]


def print_table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--size", choices=("tiny", "small", "ref"), default="small")
    parser.add_argument("programs", nargs="*", choices=[*OWN, *FETCHED, []], metavar="PROGRAM")
    options = parser.parse_args()
    rows, failed = [], []
    for program in options.programs or (*OWN, *FETCHED):
        elf = elf_of(options.build, program)
        if not elf.is_file():
            print(f"{program}: no {elf}; build the guest programs, or run scripts/fetch-workloads", file=sys.stderr)
            failed += [program] if options.programs else []
            continue
        with tempfile.TemporaryDirectory() as folder:
            results = [counters(options.build, pathlib.Path(folder) / name, program, options.size, more)
                       for name, more in (("core", ()), ("large", LARGE))]
        if None in results:
            print(f"{program}: expected a run that ends with exit code 0", file=sys.stderr)
            failed.append(program)
            continue
        rows.append([program, *row_of(*results, code_bytes(elf))])
    print_table(MIX, [row[:len(MIX)] for row in rows])
    print()
    print_table(FOOTPRINT, [[row[0], *row[len(MIX):]] for row in rows])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
