#!/usr/bin/env python3
"""Speed of `strobe replay`: event-compressor pairs a second of processor time, and its memory.

Usage: tests/bench/replay.py [--build build/release] [--stream FILE | --program lisp]

Records the load values of a whole program (core hps2005, mode functional) and replays them through 64
compressors: 24 stratified of four table sizes, 20 random, 20 periodic. Decoding, the exhaustive profile and all scoring
are in the time: user and system seconds of all threads, best of three. Then once more with the exhaustive profile
bounded, of the whole and of its first half, for the memory: between two halvings of its instructions the number of
tuples goes up and down by a factor of two. Exits 1 below 150 million pairs a second or above 256 MiB then.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOOR = 150e6
BOUND = 16_000_000  # bytes of the exhaustive profile
CEILING = 256  # MiB

RECORD = """core: {{ include: {root}/configs/cores/hps2005.yaml }}
mode: functional
workload: {{ include: {root}/configs/workloads/{program}.yaml, roi: {{ skip: 0, warm: 0, run: {run} }} }}
profilers: [{{ name: recorded, kind: periodic, selectors: [{{ profile: value }}] }}]
baseline: false
"""


def compressors():
    """The table's lines."""
    for i in range(24):
        yield f"- {{ name: h{i}, kind: stratified, strata: {256 << i % 4}, rate: {8 << i // 4} }}"
    for kind in ("random", "periodic"):
        for i in range(20):
            yield f"- {{ name: {kind}{i}, kind: {kind}, rate: {32 + 16 * i} }}"


def seconds_and_memory(command):
    """Processor seconds of the command and its children, peak memory in MiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"replay.py: {' '.join(map(str, command))} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Bench:
    """A folder with the table of compressors and the streams."""

    def __init__(self, strobe, folder):
        self.strobe, self.folder = strobe, folder
        self.table = folder / "table.yaml"
        self.table.write_text("\n".join(compressors()) + "\n")
        self.out = folder / "result"

    def record(self, program, instructions):
        """The stream of so many instructions of the program, 0: of all."""
        stream, run = self.folder / f"{instructions}.stream", self.folder / "run.yaml"
        run.write_text(RECORD.format(root=ROOT, program=program, run=instructions))
        subprocess.run([self.strobe, "record", run, "--out", stream], check=True, stdout=subprocess.DEVNULL)
        return stream

    def replay(self, stream, *more):
        """Seconds and MiB."""
        return seconds_and_memory([self.strobe, "replay", stream, "--profilers", self.table, "--out", self.out,
                                   "--no-profiles", "--force", *more])

    def result(self):
        return json.loads((self.out / "result.json").read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--program", default="lisp")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build / "bin/strobe", pathlib.Path(folder))
        stream = bench.record(options.program, 0)
        seconds, memory = min(bench.replay(stream) for _ in range(3))
        result = bench.result()
        profilers = result["profilers"]
        bound = "--set", f"exhaustive_bytes={BOUND}"
        _, bounded = bench.replay(stream, *bound)
        share = bench.result()["profilers"][0]["exhaustive_share"]
        _, half = bench.replay(bench.record(options.program, result["instructions"] // 2), *bound)
    pairs = sum(profiler["events"] for profiler in profilers)
    print(f"{len(profilers)} compressors, {profilers[0]['events']:,} events: {seconds:.2f} s, "
          f"{pairs / seconds / 1e6:.0f} million pairs a second (floor {FLOOR / 1e6:.0f}), {memory:.0f} MiB")
    print(f"exhaustive profile bounded to {BOUND / 1e6:.0f} MB ({share} of the instructions): {bounded:.0f} MiB, "
          f"of the first half of the program {half:.0f} MiB (ceiling {CEILING})")
    good = len(profilers) == 64 and pairs / seconds >= FLOOR and max(bounded, half) <= CEILING
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
