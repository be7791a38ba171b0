#!/usr/bin/env python3
"""Tuples the queue drops, by banks of the counter table and depth of the queue.

H[P_256]_2048 on edges and load values of a workload, core hps2005, as a model: what the RTL does cycle by
cycle. Prints the table of docs/blocks/bank_router.md.

Usage: tests/bench/bank_drops.py [WORKLOAD[:SIZE] ...]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STROBE = ROOT / "build/release/bin/strobe"
BANKS = [1, 2, 4, 8]
DEPTHS = [8, 32, 128, 512]
DEFAULT = ["lz:tiny", "json:tiny", "btree:tiny", "hashjoin:tiny", "lisp:tiny", "raytrace:tiny"]


def profiler_after(directory, workload, size, banks, depth):
    out = pathlib.Path(directory) / f"{workload}-{banks}-{depth}"
    sets = [
        f"workload.elf=build:workloads/{workload}.elf",
        f"workload.args=[{size}]",
        "profilers.0.fidelity=model",
        f"profilers.0.banks={banks}",
        f"profilers.0.queue_depth={depth}",
        "baseline=false",
    ]
    command = [STROBE, "run", ROOT / "configs/runs/quickstart.yaml", "--out", out, "--quiet"]
    for setting in sets:
        command += ["--set", setting]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return json.loads((out / "result.json").read_text())["profilers"][0]


def main():
    programs = [name.split(":") if ":" in name else [name, "tiny"] for name in sys.argv[1:] or DEFAULT]
    print("| program | events | banks | " + " | ".join(f"depth {depth}" for depth in DEPTHS) + " |")
    print("|---|---|---|" + "---|" * len(DEPTHS))
    with tempfile.TemporaryDirectory() as directory:
        for workload, size in programs:
            for banks in BANKS:
                results = [profiler_after(directory, workload, size, banks, depth) for depth in DEPTHS]
                dropped = " | ".join(f"{result['dropped']:,}" for result in results)
                print(f"| {workload} {size} | {results[0]['events']:,} | {banks} | {dropped} |", flush=True)


if __name__ == "__main__":
    main()
