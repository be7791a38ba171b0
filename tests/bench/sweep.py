#!/usr/bin/env python3
"""512 compressors on four workloads beside one single run of each workload.

Usage: tests/bench/sweep.py [--build build/release] [--size small] [--limit 3]

The single run is a run of mode timing that one compressor watches. Both are host CPU seconds of all processes, so
that neither a second core nor a busy machine counts. Exits 1 when the sweep costs more than LIMIT times the runs.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ["btree", "json", "lisp", "lz"]
BASE = """core: {{ include: {root}/configs/cores/isca2001.yaml }}
mode: timing
workload: {{ include: {root}/configs/workloads/{program}.yaml, args: [{size}] }}
profilers:
  - {{ name: compressor, include: {root}/configs/profilers/stratified-2048.yaml, selectors: [{{ profile: value }}] }}
"""
SWEEP = """base: base.yaml
workloads:
{workloads}
grid:
  profilers.0.strata: {{ pow2: [32, 4096] }}
  profilers.0.rate: {{ pow2: [2, 256] }}
  profilers.0.hash: [paper, xor_fold]
  profilers.0.counter_width: [8, 9, 10, 11]
"""


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--size", default="small")
    parser.add_argument("--limit", type=float, default=3)
    options = parser.parse_args()
    strobe = options.build / "bin/strobe"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        single = 0
        for program in PROGRAMS:
            base = folder / "base.yaml"
            base.write_text(BASE.format(root=ROOT, program=program, size=options.size))
            seconds = cpu_seconds([strobe, "run", base, "--out", folder / program, "--quiet"])
            print(f"{program:<10} {seconds:7.2f} s  one compressor")
            single += seconds
        items = [f"  - {{ name: {p}, include: {ROOT}/configs/workloads/{p}.yaml, args: [{options.size}] }}"
                 for p in PROGRAMS]
        (folder / "sweep.yaml").write_text(SWEEP.format(workloads="\n".join(items)))
        sweep = cpu_seconds([strobe, "sweep", folder / "sweep.yaml", "--out", folder / "out"])
    print(f"{'four runs':<10} {single:7.2f} s\n{'sweep':<10} {sweep:7.2f} s  512 compressors on each")
    print(f"{sweep / single:.2f} times (limit {options.limit})")
    return 0 if sweep <= options.limit * single else 1


if __name__ == "__main__":
    sys.exit(main())
