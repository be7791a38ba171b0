#!/usr/bin/env python3
"""Productions in mode sampled: do the intervals hold what mode timing has, and is the profile that of mode functional?

Usage: tests/bench/coverage/sampled_productions.py [--build build/release] [--programs lz,btree,...] [--whole]

Each program runs with each set of productions of HPS, once in mode timing and with several seeds in mode
sampled. Prints a row each: cycles and overhead of mode timing, the mean half-width of their intervals, the
largest deviation in half-widths, and whether every profile is that of mode functional. (Where a region ends,
mode timing has instructions in flight, whose events are in its profile.) Exits 1 when a profile differs, or when fewer intervals hold than right ones of 99.7 % miss with a probability below one per cent.
The whole form (also with STROBE_NIGHTLY set) has six programs and four seeds, the short one one of each.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from sampled_coverage import most_misses

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAMS = ["btree", "desim", "json", "lisp", "lz", "othello"]
# Run file, instructions, interval. Hot streams of more references take long to find.
CASES = [("hps-calls", 8_000_000, 20_000), ("hps-call-pairs", 8_000_000, 20_000), ("hps-methods", 8_000_000, 20_000),
         ("hps-plain-methods", 8_000_000, 20_000), ("hps-data-streams", 4_000_000, 4_000)]


def run(options, out, program, case, mode, seed):
    name, length, interval = case
    sets = [f"mode={mode}", f"seed={seed}", f"sampling.interval={interval}", f"workload.roi.run={length}",
            f"workload.include={ROOT}/configs/workloads/{program}.yaml", "workload.args=[small]", "decode.jitter=0"]
    subprocess.run([options.build / "bin/strobe", "run", ROOT / f"configs/runs/{name}.yaml", "--out", out, "--force",
                    "--quiet", "--no-profiles"] + [word for each in sets for word in ("--set", each)],
                   check=True, stdout=subprocess.DEVNULL)
    return json.loads((out / "result.json").read_text())


class Intervals:
    """The intervals of one figure, in runs that estimate it."""

    def __init__(self, key, half_width, truth):
        self.key, self.half_width, self.truth = key, half_width, truth[key]
        self.widths, self.deviations = [], []

    def add(self, sampled):
        width = sampled["sampling"][self.half_width]
        self.widths.append(width)
        self.deviations.append(abs(sampled[self.key] - self.truth) / width)

    def width(self):
        return sum(self.widths) / len(self.widths)

    def held(self):
        return sum(deviation <= 1 for deviation in self.deviations)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--programs", default="")
    parser.add_argument("--whole", action="store_true", default="STROBE_NIGHTLY" in os.environ)
    options = parser.parse_args()
    programs = options.programs.split(",") if options.programs else PROGRAMS if options.whole else PROGRAMS[:1]
    seeds = range(1, 5) if options.whole else range(1, 2)

    runs = held = 0
    differ = []
    print("| run file | program | cycles | half-width | deviation | overhead | half-width | deviation | same profile |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        for case in CASES:
            for program in programs:
                truth = run(options, out, program, case, "timing", 1)
                cycles = Intervals("cycles", "cycles_half_width", truth)
                overhead = Intervals("overhead_measured", "overhead_half_width", truth)
                collected = run(options, out, program, case, "functional", 1)["profile"]
                same = True
                for seed in seeds:
                    sampled = run(options, out, program, case, "sampled", seed)
                    cycles.add(sampled)
                    overhead.add(sampled)
                    same &= sampled["profile"] == collected
                runs += 2 * len(seeds)
                held += cycles.held() + overhead.held()
                if not same:
                    differ.append(f"{case[0]} on {program}")
                print(f"| {case[0]} | {program} | {cycles.truth:,} | {100 * cycles.width() / cycles.truth:.1f} % | "
                      f"{max(cycles.deviations):.2f} | {100 * overhead.truth:.2f} % | {100 * overhead.width():.2f} % | "
                      f"{max(overhead.deviations):.2f} | {'yes' if same else '**no**'} |", flush=True)
    least = runs - most_misses(runs)
    print(f"\n{held} of {runs} intervals hold the figure of mode timing; expected at least {least}")
    if differ:
        print("another profile than in mode functional: " + ", ".join(differ))
    return 0 if held >= least and not differ else 1


if __name__ == "__main__":
    sys.exit(main())
