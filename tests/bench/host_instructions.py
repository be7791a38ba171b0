#!/usr/bin/env python3
"""Host instructions for each simulated instruction, counted by callgrind: has the simulator become slower?

Usage: tests/bench/host_instructions.py [--build build/release] [--record]

Runs two programs in each mode of MODES, for two lengths; what is divided is the difference, so that the start of the program
and the end of the run do not count. Prints a line a figure with the recorded one (docs/tables/host_instructions.json) and exits
1 when one is more than 3 % above it. Other users of the machine do not change the figures; another compiler may. --record
writes the record: after a change that is meant to cost, or that won something.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs/tables/host_instructions.json"
MARGIN = 0.03
PROGRAMS = ("lisp", "btree")
# What a mode sets, and the instructions of its two runs.
MODES = {"timing": (("profilers.0.fidelity=model",), 200_000, 800_000),
         "sampled": (("profilers=[]", "mode=sampled"), 20_000_000, 60_000_000),
         "functional": (("profilers=[]", "mode=functional"), 2_000_000, 22_000_000)}


def counted(build, folder, program, sets, length):
    """Host instructions of a run, and the instructions that it simulated."""
    sets = (*sets, "baseline=false", f"workload.elf=build:workloads/{program}.elf", "workload.args=[ref]",
            f"workload.roi.run={length}")
    out, counts = folder / "out", folder / "counts"
    # Callgrind needs calls of the system that a confined run does not have.
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", build / "bin/strobe", "run", "--no-confine",
               ROOT / "configs/runs/quickstart.yaml", "--out", out, "--force", "--quiet"]
    for one in sets:
        command += ["--set", one]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stderr}")
    host = int(re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE).group(1))
    return host, json.loads((out / "result.json").read_text())["instructions"]


def figures(build):
    """Host instructions for each simulated instruction, by mode and program."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for mode, (sets, short, long) in MODES.items():
            for program in PROGRAMS:
                (less, few), (more, many) = (counted(build, pathlib.Path(folder), program, sets, length)
                                             for length in (short, long))
                found[f"{mode} {program}"] = round((more - less) / (many - few), 2)
    return found


def compare(found, recorded):
    """Prints a line a figure. @return the names of those that are too high or are not recorded"""
    bad = []
    for name, figure in found.items():
        before = recorded.get(name)
        good = before is not None and figure <= before * (1 + MARGIN)
        said = "not recorded" if before is None else f"recorded {before}, {100 * (figure / before - 1):+.1f} %"
        print(f"{name}: {figure} host instructions for each simulated one, {said}", flush=True)
        if not good:
            bad.append(name)
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    found = figures(options.build.resolve())
    bad = compare(found, json.loads(RECORD.read_text()) if RECORD.is_file() else {})
    if options.record:
        RECORD.write_text(json.dumps(found, indent=2) + "\n")
        return 0
    if bad:
        print(f"more than {100 * MARGIN:.0f} % above the record, or not in it: {', '.join(bad)}; find what costs with "
              "callgrind_annotate, or record the figures with --record and say why in the commit")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
