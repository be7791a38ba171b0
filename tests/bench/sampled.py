#!/usr/bin/env python3
"""Sampled runs beside full runs of the same programs: does each interval hold the truth?

Usage: tests/bench/sampled.py [--build build/release] [--programs lz,btree,...] [--size small] [--interval 20000]

Each program runs on hps2005 with the stratified sampler active (its reference model), in full and
sampled, both with their baselines. Prints a row a program: the full run's IPC, cycles of the baseline and
overhead, beside the estimates with their half-widths. Exits 1 when an interval does not hold the full
run's figure. At 99.7 % confidence one of some three hundred intervals may miss by chance.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN_FILE = """core: {{ include: {root}/configs/cores/hps2005.yaml }}
mode: {mode}
sampling: {{ interval: {interval} }}
workload: {{ include: {root}/configs/workloads/{program}.yaml, args: [{size}] }}
profilers: [{{ name: strat, include: {root}/configs/profilers/stratified-2048.yaml, active: true }}]
"""
FIGURES = [("ipc", "ipc_half_width", "{:.4f}"),
           ("cycles", "cycles_half_width", "{:.0f}"),
           ("overhead_measured", "overhead_half_width", "{:.5f}")]


def run(options, scratch, program, mode):
    file = scratch / f"{program}-{mode}.yaml"
    file.write_text(RUN_FILE.format(root=ROOT, mode=mode, program=program, size=options.size,
                                    interval=options.interval))
    out = scratch / file.stem
    subprocess.run([options.build / "bin/strobe", "run", file, "--out", out], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads((out / "result.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--programs", default="")
    parser.add_argument("--size", default="small")
    parser.add_argument("--interval", type=int, default=20000)
    options = parser.parse_args()
    programs = options.programs.split(",") if options.programs else sorted(
        path.stem for path in (options.build / "guest/workloads").glob("*.elf"))

    failed = False
    print("| program | units, interrupts measured | IPC | estimate | cycles | estimate | overhead | estimate |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            full = run(options, pathlib.Path(folder), program, "timing")
            sampled = run(options, pathlib.Path(folder), program, "sampled")
            sampling = sampled["sampling"]
            cells = [f"{sampling['units']}, {sampling['interrupts_measured']} of {sampling['interrupts']}"]
            for key, half_width, form in FIGURES:
                holds = abs(sampled[key] - full[key]) <= sampling[half_width]
                failed |= not holds
                cells += [form.format(full[key]),
                          f"{form.format(sampled[key])} ± {form.format(sampling[half_width])}"
                          + ("" if holds else " **misses**")]
            print(f"| {program} | " + " | ".join(cells) + " |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
