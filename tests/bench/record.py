#!/usr/bin/env python3
"""Speed of `strobe record` beside that of `strobe run`, whole programs, mode functional.

Usage: tests/bench/record.py [--build build/release] [PROGRAM...]

The load values of each program are recorded (core hps2005). Seconds are those of the processor, of all threads, best of
three. Prints a row a program and exits 1 when one records at less than a quarter of the speed of its run.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ["btree", "hashjoin", "json", "lisp", "othello", "raytrace"]
FLOOR = 25  # percent
RUN = """core: {{ include: {root}/configs/cores/hps2005.yaml }}
mode: functional
workload: {{ include: {root}/configs/workloads/{program}.yaml, roi: {{ skip: 0, warm: 0, run: 0 }} }}
baseline: false
"""
PROFILERS = "profilers: [{ name: recorded, kind: periodic, selectors: [{ profile: value }] }]\n"


def seconds(command, made):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    made.unlink(missing_ok=True)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    options = parser.parse_args()
    strobe = options.build / "bin/strobe"
    product, least = 1.0, 100.0
    print("| program | run | record | speed left |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        alone, recorded, stream = folder / "run.yaml", folder / "record.yaml", folder / "stream"
        run = [strobe, "run", alone, "--out", folder / "out", "--force", "--quiet"]
        record = [strobe, "record", recorded, "--out", stream]
        for program in options.programs:
            alone.write_text(RUN.format(root=ROOT, program=program))
            recorded.write_text(RUN.format(root=ROOT, program=program) + PROFILERS)
            without = min(seconds(run, stream) for _ in range(3))
            with_it = min(seconds(record, stream) for _ in range(3))
            left = 100 * without / with_it
            product, least = product * left, min(least, left)
            print(f"| {program} | {without:.2f} | {with_it:.2f} | {left:.0f} % |", flush=True)
    print(f"geometric mean {product ** (1 / len(options.programs)):.0f} %, least {least:.0f} % (floor {FLOOR} %)")
    return 0 if least >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
