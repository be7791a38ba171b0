#!/usr/bin/env python3
"""Cycles of the workloads as they are, scheduled block by block, and in superblocks: the table of docs/optimize.md.

Usage: tests/bench/optimized_cycles.py [--build build/release] [--programs lz,btree,...] [--core inorder4] [--jobs N]

Profiles every program with the size `small`, optimizes it with the complete profile, and runs the original and both
results with the size `tiny`. The classes are shares of the cycles in the CPI stack, in percent of the cycles of local
scheduling: what superblocks have fewer of is what they gain. The numbers do not depend on the host.
"""
import argparse
import concurrent.futures
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRAINING, TEST = "small", "tiny"
CLASSES = ["base", "dependency", "fu", "l1", "l2", "dram", "branch", "ifetch"]
PROFILE = """mode: functional
workload: {{ elf: {elf}, args: [{size}] }}
profilers: [{{ name: complete, kind: periodic, rate: 1, selectors: [{{ profile: edge }}] }}]
"""
RUN = """core: {{ include: {core} }}
mode: timing
workload: {{ elf: {elf}, args: [{size}] }}
"""


def call(command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited with {done.returncode}\n{done.stderr}")


def run(build, file, text):
    """Runs the text of a run file; returns the result directory."""
    file.write_text(text)
    out = file.with_suffix("")
    call([build / "bin/strobe", "run", file, "--out", out, "--quiet"])
    return out


def measure(options, core, scratch, program):
    """Returns the results of the original, of local scheduling, and of superblocks."""
    original = options.build / f"guest/workloads/{program}.elf"
    profile = run(options.build, scratch / f"{program}-profile.yaml", PROFILE.format(elf=original, size=TRAINING))
    elfs = [original]
    for name, flags in (("local", ["--local"]), ("superblocks", [])):
        elfs.append(scratch / f"{program}-{name}.elf")
        call([options.build / "bin/strobe", "optimize", original, "--profile", profile, "--core", core,
              "--out", elfs[-1]] + flags)
    outs = [run(options.build, scratch / f"{program}-{number}.yaml", RUN.format(core=core, elf=elf, size=TEST))
            for number, elf in enumerate(elfs)]
    return [json.loads((out / "result.json").read_text()) for out in outs]


def classes(result, cycles):
    return " / ".join(f"{100 * result['counters']['core.cpi.' + name] / cycles:.0f}" for name in CLASSES)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--programs", default="")
    parser.add_argument("--core", default="inorder4")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.build = options.build.resolve()
    programs = options.programs.split(",") if options.programs else sorted(
        path.stem for path in (options.build / "guest/workloads").glob("*.elf"))
    core = ROOT / f"configs/cores/{options.core}.yaml"
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda program: measure(options, core, pathlib.Path(folder), program), programs))

    print(f"| program | local / original | superblocks / local | local: {' / '.join(CLASSES)} | superblocks |")
    print("|---|---|---|---|---|")
    ratios = []
    for program, (original, local, superblocks) in zip(programs, results):
        cycles = local["cycles"]
        ratios.append((cycles / original["cycles"], superblocks["cycles"] / cycles))
        print(f"| {program} | {ratios[-1][0]:.3f} | {ratios[-1][1]:.3f} | {classes(local, cycles)} | "
              f"{classes(superblocks, cycles)} |")
    print(f"| geometric mean | {mean([one for one, _ in ratios]):.3f} | {mean([one for _, one in ratios]):.3f} | | |")


if __name__ == "__main__":
    main()
