#!/usr/bin/env python3
"""Fuzzes one room for as long as is wanted; needs the sanitizer build of its program.

Usage: tests/fuzz/run.py ROOM --seconds N    begins with the inputs of tests/fuzz/ROOM/corpus, of the room's other seeds and of
                                             what earlier runs found; exits 1 when an input ends the program
       tests/fuzz/run.py ROOM --keep         writes to tests/fuzz/ROOM/corpus the fewest and smallest inputs that reach what all
                                             of them reach, at most 64 KiB of them

The program is that of the room's ctest (strobe_fuzz_test), with its options. What it finds stays in the build tree; an input that
ends it is in a file whose name the program prints.
"""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHORT = re.compile(r"-(runs|seed|max_total_time)=")  # options of the short form
KEPT = 64 << 10  # bytes


def command_of(room):
    """The program of the room's ctest, its options, and its folders of inputs, that of what it finds first."""
    listed = subprocess.run(["ctest", "--preset", "asan", "-R", "^Fuzz", "--show-only=json-v1"], cwd=ROOT, check=True,
                            stdout=subprocess.PIPE, text=True).stdout
    for test in json.loads(listed)["tests"]:
        program, *arguments = test.get("command", [""])
        if pathlib.Path(program).name == f"fuzz_{room}":
            options = [one for one in arguments if one.startswith("-") and not SHORT.match(one)]
            return program, options, [one for one in arguments if not one.startswith("-")]
    sys.exit(f"run.py: error: the sanitizer build has no fuzz_{room}; run cmake --preset asan and build it")


def fuzz(room, seconds):
    program, options, folders = command_of(room)
    done = subprocess.run([program, *options, f"-max_total_time={seconds}", "-print_final_stats=1", *folders], cwd=pathlib.Path(folders[0]),
                          stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stderr[-20000:]}\nfuzz: {room}: an input ended the program; its file is in {folders[0]}")
    executed = int(re.search(r"number_of_executed_units: +(\d+)", done.stderr)[1])
    if executed == 0:
        sys.exit(f"fuzz: {room}: expected that inputs were tried, got none:\n{done.stderr}")
    print(f"fuzz: {executed} inputs in {seconds} s, no finding")


def keep(room):
    program, options, folders = command_of(room)
    corpus = ROOT / "tests/fuzz" / room / "corpus"
    with tempfile.TemporaryDirectory(prefix="corpus") as merged:
        subprocess.run([program, *options, "-merge=1", merged, *folders], check=True, stderr=subprocess.DEVNULL)
        shutil.rmtree(corpus, ignore_errors=True)
        corpus.mkdir()
        left = KEPT
        for path in sorted(pathlib.Path(merged).iterdir(), key=lambda path: (path.stat().st_size, path.name)):
            left -= path.stat().st_size
            if left < 0:
                break
            shutil.copy(path, corpus)
    print(f"{len(list(corpus.iterdir()))} inputs in {corpus.relative_to(ROOT)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("room")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--seconds", type=int, metavar="N")
    action.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    keep(options.room) if options.keep else fuzz(options.room, options.seconds)


if __name__ == "__main__":
    main()
