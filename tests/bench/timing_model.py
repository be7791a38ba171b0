#!/usr/bin/env python3
"""What the workloads do on the named cores: the tables of docs/timing-model.md.

Usage: tests/bench/timing_model.py [--build build/release] [--programs lz,btree,...] [--size small] [--jobs N]

Runs every program on every core of configs/cores, and on hps2005 with every predictor, and prints
three Markdown tables. The numbers are the model's: they depend on the configuration and the programs,
not on the host. Exits 1 when perfect prediction is not the fastest on a program.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORES = ["hps2005", "isca2001", "inorder4"]
PREDICTORS = ["static", "bimodal", "gshare", "tage", "perfect"]
RUN_FILE = """core: {{ include: {root}/configs/cores/{core}.yaml }}
workload: {{ elf: build:workloads/{program}.elf, args: [{size}] }}
"""


def run(build, scratch, program, size, core, predictor):
    """Runs one point; returns its result."""
    out = scratch / f"{program}-{core}-{predictor or 'own'}"
    file = out.with_suffix(".yaml")
    file.write_text(RUN_FILE.format(root=ROOT, core=core, program=program, size=size))
    command = [build / "bin/strobe", "run", file, "--out", out]
    if predictor:
        command += ["--set", f"core.predictor.kind={predictor}"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stderr}")
    return json.loads((out / "result.json").read_text())


def percent(part, whole):
    return f"{100 * part / whole:.2f}" if whole else "-"


def branch_row(program, core, result):
    c = result["counters"]
    cells = [program, core, f"{result['instructions'] / 1e6:.1f}", f"{result['ipc']:.3f}",
             percent(c["core.branch.mispredicted"], c["core.branch.control"]),
             f"{1000 * c['core.branch.mispredicted'] / result['instructions']:.2f}"]
    return "| " + " | ".join(cells) + " |"


def cache_row(program, core, result):
    c = result["counters"]
    cells = [program, core] + [percent(c[f"{cache}.misses"], c[f"{cache}.accesses"]) for cache in ("l1i", "l1d", "l2")]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--programs", default="")
    parser.add_argument("--size", default="small")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    programs = options.programs.split(",") if options.programs else sorted(
        path.stem for path in (options.build / "guest/workloads").glob("*.elf"))

    points = [(p, core, None) for p in programs for core in CORES]
    points += [(p, "hps2005", kind) for p in programs for kind in PREDICTORS]
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = {point: pool.submit(run, options.build, pathlib.Path(folder), point[0], options.size, *point[1:])
                   for point in points}
        results = {point: future.result() for point, future in futures.items()}

    print("| program | core | 10^6 instructions | IPC | mispredicted, % of control instructions | "
          "mispredicted in 1000 instructions |")
    print("|---|---|---|---|---|---|")
    for program in programs:
        for core in CORES:
            print(branch_row(program, core, results[program, core, None]))
    print("\n| program | core | L1I misses, % | L1D misses, % | L2 misses, % |")
    print("|---|---|---|---|---|")
    for program in programs:
        for core in CORES:
            print(cache_row(program, core, results[program, core, None]))
    print("\n| program | " + " | ".join(PREDICTORS) + " |\n|---|" + "---|" * len(PREDICTORS))
    failed = False
    for program in programs:
        cells = []
        for kind in PREDICTORS:
            result = results[program, "hps2005", kind]
            mispredicted = result["counters"]["core.branch.mispredicted"]
            cells.append(f"{1000 * mispredicted / result['instructions']:.2f} / {result['ipc']:.3f}")
        print(f"| {program} | " + " | ".join(cells) + " |")
        cycles = {kind: results[program, "hps2005", kind]["cycles"] for kind in PREDICTORS}
        if min(cycles, key=cycles.get) != "perfect":
            print(f"{program}: perfect prediction is not the fastest: {cycles}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
