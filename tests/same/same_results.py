#!/usr/bin/env python3
"""Does another build of Strobe give the same results, byte for byte? For a change that moves code and means to change nothing.

Usage: tests/same/same_results.py BEFORE AFTER [--only TEXT]      two build trees, such as build/release
       tests/same/same_results.py --list                          the runs

Each run of the list is made by bin/strobe of both trees with the guest programs of BEFORE. Compared are the exit code, what is
printed, and every file of the result but host.json (times) and manifest.json (which names the build). Prints one line a run, and
for a run that differs the files; exits 1 when one differs, or when no run of the list ended well.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_COMPARED = {"host.json", "manifest.json"}
FETCHED = {path.name for folder in ("workloads", "threaded-workloads") for path in (ROOT / "scripts" / folder).iterdir()}
SHORT = ("--set", "workload.args=[tiny]")
WORKLOADS = ("btree", "desim", "hashjoin", "json", "lisp", "lz", "othello", "paths", "raytrace", "regex")


def runs():
    """Name and arguments of each run; OUT stands for its result."""
    files = sorted(path.stem for path in (ROOT / "configs/runs").glob("*.yaml") if path.stem not in FETCHED)
    # Mode sampled refuses a short run.
    variants = {"": SHORT, " functional": (*SHORT, "--set", "mode=functional"),
                " sampled": ("--set", "workload.args=[small]", "--set", "mode=sampled")}
    for file in files:
        for variant, sets in variants.items():
            yield f"{file}{variant}", ("run", f"configs/runs/{file}.yaml", "--out", "OUT", *sets)
    for fidelity in ("model", "rtl", "lockstep"):
        for file in ("quickstart", "ring"):
            yield f"{file} {fidelity}", ("run", f"configs/runs/{file}.yaml", "--out", "OUT", *SHORT,
                                         "--set", f"profilers.0.fidelity={fidelity}")
    for workload in WORKLOADS:
        yield f"quickstart of {workload}", ("run", "configs/runs/quickstart.yaml", "--out", "OUT", *SHORT,
                                            "--set", f"workload.elf=build:workloads/{workload}.elf")
    for file in ("hps-methods", "hps-data-streams"):
        yield f"{file} of leaking flags", ("run", f"configs/runs/{file}.yaml", "--out", "OUT", *SHORT,
                                           "--set", "decode.speculation=leak")
    yield "quickstart region", ("run", "configs/runs/quickstart.yaml", "--out", "OUT", *SHORT, "--set", "interval=20000",
                                "--set", "workload.roi.skip=50000", "--set", "workload.roi.warm=20000",
                                "--set", "workload.roi.run=100000")
    yield "quickstart traced", ("run", "configs/runs/quickstart.yaml", "--out", "OUT", *SHORT,
                                "--set", "trace.pipeline=pipeline.log", "--set", "trace.waves=waves.vcd")
    yield "quickstart progress", ("run", "configs/runs/quickstart.yaml", "--out", "OUT", *SHORT,
                                  "--set", "progress.every=1000")
    yield "quickstart cycle limit", ("run", "configs/runs/quickstart.yaml", "--out", "OUT", *SHORT,
                                     "--set", "max_cycles=50000")
    yield "quickstart explained", ("config", "explain", "configs/runs/quickstart.yaml")
    yield "isca2001-fig4", ("reproduce", "isca2001-fig4", "--out", "OUT")
    yield "small sweep planned", ("sweep", "configs/sweeps/small.yaml", "--out", "OUT", "--dry-run")


def made(build, guest, arguments, folder):
    """Exit code, what was printed and each file that was written, by name."""
    out = folder / "out"
    environment = {**os.environ, "STROBE_GUEST_DIR": str(guest)}
    command = [str(build / "bin/strobe"), *(str(out) if word == "OUT" else word for word in arguments)]
    if arguments[0] == "run":
        command.append("--quiet")
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found = {"exit code": str(done.returncode).encode()}
    for name, text in (("standard output", done.stdout), ("standard error", done.stderr)):
        found[name] = text.replace(str(folder).encode(), b"FOLDER")
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.name not in NOT_COMPARED:
            found[str(path.relative_to(out))] = path.read_bytes()
    return found


def differences(before, after):
    names = sorted(before.keys() | after.keys())
    return [name for name in names if before.get(name) != after.get(name)]


def compare(before, after, only, listed=None):
    """Prints a line a run. @return 0 when all are the same and at least one ended well"""
    differ = well = total = 0
    for name, arguments in listed or runs():
        if only not in name:
            continue
        with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
            old = made(before, before / "guest", arguments, pathlib.Path(first))
            new = made(after, before / "guest", arguments, pathlib.Path(second))
        found = differences(old, new)
        total += 1
        well += old["exit code"] == b"0"
        differ += bool(found)
        said = f"differs: {', '.join(found)}" if found else f"same, {len(old) - 3} files, exit code {old['exit code'].decode()}"
        print(f"{name}: {said}", flush=True)
    print(f"same_results: {total - differ} of {total} runs are the same, {well} of them ended well")
    return 1 if differ or not well else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("builds", nargs="*", type=pathlib.Path, metavar="BUILD")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name}: strobe {' '.join(arguments)}" for name, arguments in runs()))
        return 0
    if len(options.builds) != 2:
        parser.error(f"expected two build trees, BEFORE and AFTER, got {len(options.builds)}")
    for build in options.builds:
        if not (build / "bin/strobe").is_file():
            parser.error(f"expected a build tree, got {build}, which has no bin/strobe")
    return compare(*(build.resolve() for build in options.builds), options.only)


if __name__ == "__main__":
    sys.exit(main())
