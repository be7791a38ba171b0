#!/usr/bin/env python3
"""Wall time of ./scripts/demo and ./scripts/test in fresh clones of the last commit, as someone new to the project has it.

Usage: tests/bench/fresh_clone.py [--record] [demo] [test] [again]      all three by default

Each begins with a new clone and an empty cache of Strobe, `demo` and `test` with an empty compiler cache, `again` with the
one that `test` filled. Packages are installed already. Run it on a machine that does
nothing else. Prints a row a run on stdout, and on stderr where the time of the tests went (tests/bench/times.py). Exits 1
when a run fails, and says where its log is, or when a step of the tests takes over a quarter longer than recorded;
--record records it instead.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = {"demo": ("./scripts/demo", "an empty"), "test": ("./scripts/test", "an empty"), "again": ("./scripts/test", "a warm")}


def name_of(run):
    """The first cell of its row."""
    command, cache = RUNS[run]
    return f"{command} with {cache} compiler cache"


def seconds_of(command, clone, compiler, strobe, log):
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    environment = {**os.environ, "CCACHE_DIR": str(compiler), "STROBE_CACHE": str(strobe)}
    start = time.monotonic()
    with log.open("wb") as out:
        status = subprocess.run([command], cwd=clone, env=environment, stdout=out, stderr=subprocess.STDOUT).returncode
    if status != 0:
        kept = pathlib.Path(tempfile.gettempdir()) / f"fresh_clone-{log.name}"
        kept.write_bytes(log.read_bytes())
        sys.exit(f"fresh_clone.py: '{command}' ended with exit code {status}; its output is in {kept}")
    return time.monotonic() - start


def compare(run, clone, record):
    """Whether the steps of a run of scripts/test take as long as recorded; records them if that is wanted."""
    times = pathlib.Path(__file__).with_name("times.py")
    done = subprocess.run([times, "--record" if record else "--compare", run, clone / "build/times"], stdout=sys.stderr)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="*", metavar="RUN", help="demo, test or again")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    unknown = sorted(set(options.runs) - set(RUNS))
    if unknown:
        parser.error(f"expected {', '.join(RUNS)}, got {', '.join(unknown)}")
    if options.runs and "again" in options.runs and "test" not in options.runs:
        parser.error("expected 'test' beside 'again', which uses its compiler cache")
    print("| run | processors | seconds |\n|---|---:|---:|", flush=True)
    as_recorded = True
    with tempfile.TemporaryDirectory(prefix="fresh_clone") as folder:
        scratch = pathlib.Path(folder)
        for run in [run for run in RUNS if not options.runs or run in options.runs]:
            compiler = scratch / f"compiler-{'test' if run == 'again' else run}"
            seconds = seconds_of(RUNS[run][0], scratch / run, compiler, scratch / f"strobe-{run}", scratch / f"{run}.log")
            print(f"| {name_of(run)} | {os.cpu_count()} | {seconds:.0f} |", flush=True)
            if run != "demo":
                as_recorded = compare(run, scratch / run, options.record) and as_recorded
    if not as_recorded:
        sys.exit("fresh_clone.py: the tests took longer than recorded; the lines of times.py above name the steps")


if __name__ == "__main__":
    main()
