#!/usr/bin/env python3
"""Speed of `strobe replay`: event-compressor pairs a second of processor time, and its memory.

Usage: tests/bench/replay.py [--build build/release] [--stream FILE | --program lisp]

Records the load values of a whole program (core hps2005, mode functional) and replays them through 64
compressors: 24 stratified of four table sizes, 20 random, 20 periodic. Decoding, the exhaustive profile and all scoring
are in the time: user and system seconds of all threads, best of three. Prints one line; exits 1 below 150 million
pairs a second.
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

RECORD = """core: {{ include: {root}/configs/cores/hps2005.yaml }}
mode: functional
workload: {{ include: {root}/configs/workloads/{program}.yaml, roi: {{ skip: 0, warm: 0, run: 0 }} }}
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--stream", type=pathlib.Path)
    parser.add_argument("--program", default="lisp")
    options = parser.parse_args()
    strobe = options.build / "bin/strobe"
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        stream = options.stream
        if stream is None:
            stream = scratch / "program.stream"
            run = scratch / "run.yaml"
            run.write_text(RECORD.format(root=ROOT, program=options.program))
            subprocess.run([strobe, "record", run, "--out", stream], check=True, stdout=subprocess.DEVNULL)
        table = scratch / "table.yaml"
        table.write_text("\n".join(compressors()) + "\n")
        out = scratch / "result"
        command = [strobe, "replay", stream, "--profilers", table, "--out", out, "--no-profiles", "--force"]
        seconds, memory = min(seconds_and_memory(command) for _ in range(3))
        profilers = json.loads((out / "result.json").read_text())["profilers"]
    pairs = sum(profiler["events"] for profiler in profilers)
    print(f"{len(profilers)} compressors, {profilers[0]['events']:,} events: {seconds:.2f} s, "
          f"{pairs / seconds / 1e6:.0f} million pairs a second (floor {FLOOR / 1e6:.0f}), {memory:.0f} MiB")
    return 0 if len(profilers) == 64 and pairs / seconds >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
