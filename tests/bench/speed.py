#!/usr/bin/env python3
"""Simulation speed beside qemu-riscv64 user mode, same ELF, same arguments, same session.

Usage: tests/bench/speed.py [--build build/release] [--programs lz,btree,...] [--timing-instructions N]

For each program: qemu's speed is the program's instruction count (from the functional run) over the
wall time of qemu-riscv64; ours are the runs' own `mips` (host.json). Each is the best of three. Sampled runs are whole, of the core alone
with the default `sampling`; timing runs execute the first N instructions of the same program, those called decode without a profiler, with
the decode engine, four lanes wide, and HPS's hot methods at one event in a hundred. Prints two tables with a row a program,
our speed as a percentage of qemu's, then the geometric means and the floors, and exits 1 when a mean is below its floor.
"""
import argparse
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

TRIES = 3  # the best of them counts: what disturbs a run only makes it slower
ROOT = pathlib.Path(__file__).resolve().parents[2]
FLOORS = {"functional": 0.30, "sampled": 0.05, "timing-model": 0.0090, "timing-rtl": 0.0030,
          "decode-model": 0.0070, "decode-rtl": 0.0015}
FIRST = 2  # the modes of the first table; the others have a second one

RUN_FILE = """core: {{ include: {root}/configs/cores/hps2005.yaml }}
mode: {mode}
workload: {{ include: {root}/configs/workloads/{program}.yaml, roi: {{ skip: 0, warm: 0, run: {run} }} }}
profilers: {profilers}
baseline: false
{decode}"""
PROFILER = "[{{ name: strat, include: {root}/configs/profilers/stratified-2048.yaml, active: true, fidelity: {fidelity} }}]"
DECODE = ("decode: {{ productions: [{hps}/sampling.dise, {hps}/hot-methods.dise], sparsity: 99, burst: 1, "
          "fidelity: {fidelity} }}\n")


def strobe(build, scratch, program, mode, run, profiler=None, engine=None):
    """Runs strobe with a profiler or a decode engine of that fidelity; returns (instructions, mips)."""
    profilers = PROFILER.format(root=ROOT, fidelity=profiler) if profiler else "[]"
    decode = DECODE.format(hps=ROOT / "configs/profilers/hps", fidelity=engine) if engine else ""
    file = scratch / f"{program}-{mode}-{profiler}-{engine}.yaml"
    file.write_text(RUN_FILE.format(root=ROOT, mode=mode, program=program, run=run, profilers=profilers, decode=decode))
    out = scratch / file.stem
    mips = 0.0
    for _ in range(TRIES):
        subprocess.run([build / "bin/strobe", "run", file, "--out", out, "--force"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        mips = max(mips, json.loads((out / "host.json").read_text())["mips"])
    return json.loads((out / "result.json").read_text())["instructions"], mips


def qemu_seconds(build, program):
    elf = build / f"guest/workloads/{program}.elf"
    best = math.inf
    for _ in range(TRIES):
        start = time.monotonic()
        subprocess.run(["qemu-riscv64", elf, "ref"], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.monotonic() - start)
    return best


def row(name, cells):
    return f"| {name} | " + " | ".join(cells) + " |"


def percents(ratios, digits=3):
    return [f"{100 * ratio:.{digits}f} %" for ratio in ratios]


def host():
    """The machine in a sentence."""
    models = [line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
              if line.startswith("model name")]
    return f"Host: {os.cpu_count()} processors, {models[0] if models else platform.machine()}, Linux {platform.release()}."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--programs", default="")
    parser.add_argument("--timing-instructions", type=int, default=5_000_000)
    options = parser.parse_args()
    programs = options.programs.split(",") if options.programs else sorted(
        path.stem for path in (options.build / "guest/workloads").glob("*.elf"))

    logs = {name: 0.0 for name in FLOORS}
    modes = list(FLOORS)
    print(row("program", ["qemu MIPS", *modes[:FIRST]]) + "\n|---|" + "---:|" * (1 + FIRST), flush=True)
    later = [row("program", modes[FIRST:]) + "\n|---|" + "---:|" * (len(modes) - FIRST)]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for program in programs:
            instructions, functional = strobe(options.build, scratch, program, "functional", 0)
            qemu = instructions / qemu_seconds(options.build, program) / 1e6
            _, sampled = strobe(options.build, scratch, program, "sampled", 0)
            speeds = {"functional": functional, "sampled": sampled}
            for fidelity in ("model", "rtl"):
                for name, parts in (("timing", {"profiler": fidelity}), ("decode", {"engine": fidelity})):
                    _, speeds[f"{name}-{fidelity}"] = strobe(options.build, scratch, program, "timing",
                                                             options.timing_instructions, **parts)
            ratios = {name: speeds[name] / qemu for name in FLOORS}
            for name in FLOORS:
                logs[name] += math.log(ratios[name])
            cells = percents(ratios.values())
            print(row(program, [f"{qemu:.0f}", *cells[:FIRST]]), flush=True)
            later.append(row(program, cells[FIRST:]))
    means = {name: math.exp(logs[name] / len(programs)) for name in FLOORS}
    for name, cells in (("geometric mean", percents(means.values())), ("floor", percents(FLOORS.values(), 2))):
        print(row(name, ["", *cells[:FIRST]]))
        later.append(row(name, cells[FIRST:]))
    print("\n" + "\n".join(later))
    below = [name for name, floor in FLOORS.items() if means[name] < floor]
    print(f"\nBelow the floor: {', '.join(below) or 'none'}. {host()}")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
