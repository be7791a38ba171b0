#!/usr/bin/env python3
"""How often the intervals of mode sampled hold the truth, on short and long runs.

Usage: tests/bench/coverage/sampled_coverage.py [--build build/release] [--programs lz,btree,...] [--whole]

Each program runs at several lengths, once in mode timing and with several seeds in mode sampled. Prints a
row a length: how many intervals of the cycles hold those of mode timing, the mean half-width, and the
largest deviation in half-widths. Exits 1 when fewer hold than a right interval of 99.7 % misses with a
probability below one per cent. The whole form (also with STROBE_NIGHTLY set) has 200 sampled runs; the short
one has ten.
"""
import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONFIDENCE = 0.997
PROGRAMS = ["btree", "desim", "hashjoin", "json", "lisp", "lz", "othello", "paths", "raytrace", "regex"]
RUN_FILE = """core: {{ include: {root}/configs/cores/hps2005.yaml }}
sampling: {{ interval: {interval} }}
workload: {{ include: {root}/configs/workloads/{program}.yaml, args: [{size}], roi: {{ run: {run} }} }}
"""
# Size, instructions (0: all), interval: from 60 to 300 units after the start.
SHORT = [("tiny", 0, 10_000)]
WHOLE = [("tiny", 0, 10_000), ("small", 1_000_000, 5_000), ("small", 3_000_000, 30_000),
         ("small", 7_000_000, 100_000), ("small", 0, 100_000)]


def run(options, scratch, program, case, mode, seed):
    size, length, interval = case
    file = scratch / "run.yaml"
    file.write_text(RUN_FILE.format(root=ROOT, program=program, size=size, run=length, interval=interval))
    out = scratch / "out"
    subprocess.run([options.build / "bin/strobe", "run", file, "--out", out, "--force", "--quiet",
                    "--set", f"mode={mode}", "--set", f"seed={seed}"], check=True, stdout=subprocess.DEVNULL)
    return json.loads((out / "result.json").read_text())


def most_misses(runs):
    """The smallest number of misses that right intervals exceed with a probability below one per cent."""
    miss, most, within = 1 - CONFIDENCE, -1, 0.0
    while within < 0.99:
        most += 1
        within += math.comb(runs, most) * miss**most * CONFIDENCE**(runs - most)
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--whole", action="store_true", default="STROBE_NIGHTLY" in os.environ)
    options = parser.parse_args()
    cases, seeds = (WHOLE, range(1, 5)) if options.whole else (SHORT, range(1, 2))

    runs = held = 0
    print("| program, size | instructions | units | runs | intervals that hold | mean half-width | largest deviation, half-widths |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for program in options.programs.split(","):
            for case in cases:
                truth = run(options, scratch, program, case, "timing", 1)
                widths, deviations, units = [], [], 0
                for seed in seeds:
                    sampled = run(options, scratch, program, case, "sampled", seed)
                    width = sampled["sampling"]["cycles_half_width"]
                    widths.append(width / truth["cycles"])
                    deviations.append(abs(sampled["cycles"] - truth["cycles"]) / width)
                    units = sampled["sampling"]["units"]
                good = sum(deviation <= 1 for deviation in deviations)
                runs += len(deviations)
                held += good
                print(f"| {program}, {case[0]} | {truth['instructions']:,} | {units} | {len(deviations)} | {good} | "
                      f"{100 * sum(widths) / len(widths):.1f} % | {max(deviations):.2f} |", flush=True)
    least = runs - most_misses(runs)
    print(f"\n{held} of {runs} intervals hold the cycles of mode timing; expected at least {least}")
    return 0 if held >= least else 1


if __name__ == "__main__":
    sys.exit(main())
