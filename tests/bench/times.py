#!/usr/bin/env python3
"""Where the time of ./scripts/test went, and whether it grew.

Usage: tests/bench/times.py [--compare RUN] [--record RUN] [FOLDER]

FOLDER (build/times) is what scripts/test leaves: steps.tsv, a line `seconds<TAB>step` a step; tests.xml and
sanitized.xml of ctest; ninja.log of the release build; what scripts/tidy printed, tidy.txt. Prints, for each step, its
seconds, how many checks it made, and how many it left out because they passed before on this machine, on the same text;
then each test that was skipped; the seconds of the build by room (a file that is compiled beside others counts with the
time it took) and of the 20 slowest tests.

A machine's speed is taken out by a reference that is measured in the same run: the seconds that g++ takes for a small
SystemC file, the least of nine. docs/tables/times.json holds, for each RUN (`test`: from an empty
compiler cache, `again`: with a warm one), how many references each step took. --compare exits 1 when a step, or the sum,
takes over a quarter more than that; a step below one reference is not compared. --record writes it.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs/tables/times.json"
REFERENCE = """#include <systemc>
#include <map>
#include <string>

SC_MODULE(Counter) {
  sc_core::sc_in<bool> clock{"clock"};
  sc_core::sc_out<unsigned> count{"count"};
  std::map<std::string, unsigned> seen;
  SC_CTOR(Counter) { SC_METHOD(step); sensitive << clock.pos(); }
  void step() { count.write(++seen[name()]); }
};

int sc_main(int, char**) { return Counter("counter").seen.empty() ? 0 : 1; }
"""
GROWTH = 1.25
SLOWEST = 20


def steps_of(folder):
    """Seconds by step, in the order of the steps."""
    steps = {}
    for line in (folder / "steps.tsv").read_text().splitlines():
        seconds, step = line.split("\t")
        steps[step] = steps.get(step, 0) + int(seconds)
    return steps


def room_of(output):
    """The room that a file of the build belongs to: two folders of sw, sc_models and tests, one of the others."""
    parts = [part for part in output.split("/") if part]
    if "build" in parts:  # an absolute path
        parts = parts[parts.index("build") + 2:]
    return "/".join(parts[:2 if parts[0] in ("sw", "sc_models", "tests") else 1])


def rooms_of(log):
    """Seconds by room of a ninja log, most first. A command with several outputs counts once."""
    commands = {}
    for line in log.splitlines():
        if not line.startswith("#"):
            begin, end, _, output, command = line.split("\t")
            commands[(command, begin)] = (output, int(end) - int(begin))
    rooms = collections.Counter()
    for output, milliseconds in commands.values():
        rooms[room_of(output)] += milliseconds / 1000
    return rooms.most_common()


def tests_of(text):
    """Seconds by test of a JUnit file."""
    return {case.get("name"): float(case.get("time")) for case in xml.etree.ElementTree.fromstring(text).iter("testcase")}


def results_of(text):
    """How many tests of a JUnit file ran, how many passed before (tests/unchanged/unchanged.py), and the names of the skipped."""
    cases = list(xml.etree.ElementTree.fromstring(text).iter("testcase"))
    skipped = [case.get("name") for case in cases if case.find("skipped") is not None]
    known = sum(f"{case.get('name')} passed before, with the same " in (case.findtext("system-out") or "") for case in cases)
    return len(cases) - len(skipped) - known, known, skipped


def checks_of(folder):
    """For each step of checks, how many it made and how many it left out; and the names of the tests that were skipped."""
    checks, skipped = {}, []
    for step, name in (("release tests", "tests.xml"), ("sanitizer tests", "sanitized.xml")):
        if (folder / name).is_file():
            ran, known, names = results_of((folder / name).read_text())
            checks[step] = (ran, known)
            skipped += names
    tidied = re.search(r"^tidy: (?:all )?(\d+) .*; (\d+) of them passed before", (folder / "tidy.txt").read_text(), re.M) \
        if (folder / "tidy.txt").is_file() else None
    if tidied:
        checks["clang-tidy"] = (int(tidied[1]) - int(tidied[2]), int(tidied[2]))
    return checks, skipped


def reference_seconds(tries=9):
    """The least of the times that g++ takes for one SystemC file, without a cache."""
    with tempfile.TemporaryDirectory(prefix="times") as folder:
        (pathlib.Path(folder) / "reference.cpp").write_text(REFERENCE)
        command = ["g++", "-std=c++17", "-O2", "-c", f"{folder}/reference.cpp", "-o", f"{folder}/reference.o"]
        taken = []
        for _ in range(tries):
            start = time.monotonic()
            subprocess.run(command, check=True)
            taken.append(time.monotonic() - start)
    return min(taken)


def ratios_of(steps, reference):
    ratios = {step: seconds / reference for step, seconds in steps.items()}
    return {**ratios, "sum": sum(ratios.values())}


def grown(ratios, recorded):
    """A sentence for each step that takes over a quarter more references than recorded."""
    for step, ratio in ratios.items():
        if step not in recorded:
            yield f"'{step}' is not recorded; record it with tests/bench/times.py --record"
        elif ratio >= 1 and ratio > GROWTH * recorded[step]:
            yield (f"'{step}' takes {ratio:.1f} times as long as the reference, expected at most {GROWTH * recorded[step]:.1f} "
                   f"({GROWTH} times the recorded {recorded[step]:.1f})")


def report(folder, steps):
    checks, skipped = checks_of(folder)
    print("| step | seconds | checks that ran | that passed before on this machine |\n|---|---:|---:|---:|")
    for step, seconds in [*steps.items(), ("sum", sum(steps.values()))]:
        ran, known = checks.get(step, ("", ""))
        print(f"| {step} | {seconds} | {ran} | {known} |")
    for name in skipped:
        print(f"skipped: {name}")
    print("\n| room of the release build | seconds |\n|---|---:|")
    for room, seconds in rooms_of((folder / "ninja.log").read_text()):
        if seconds >= 1:
            print(f"| {room} | {seconds:.0f} |")
    tests = {}
    for name in ("tests.xml", "sanitized.xml"):
        if (folder / name).is_file():
            tests.update({f"{case}{' (sanitized)' if name == 'sanitized.xml' else ''}": seconds
                          for case, seconds in tests_of((folder / name).read_text()).items()})
    print(f"\n| slowest {SLOWEST} of {len(tests)} tests | seconds |\n|---|---:|")
    for name, seconds in sorted(tests.items(), key=lambda one: -one[1])[:SLOWEST]:
        print(f"| {name} | {seconds:.1f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/times")
    parser.add_argument("--compare", metavar="RUN")
    parser.add_argument("--record", metavar="RUN")
    options = parser.parse_args()
    if not (options.folder / "steps.tsv").is_file():
        sys.exit(f"times.py: error: expected {options.folder}/steps.tsv, found none; run ./scripts/test first")
    steps = steps_of(options.folder)
    report(options.folder, steps)
    if not options.compare and not options.record:
        return
    reference = reference_seconds()
    ratios = ratios_of(steps, reference)
    print(f"\nreference: {reference:.2f} s; the sum is {ratios['sum']:.0f} times that")
    recorded = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
    if options.record:
        recorded[options.record] = {step: round(ratio, 2) for step, ratio in ratios.items()}
        RECORD.write_text(json.dumps(recorded, indent=2, sort_keys=True) + "\n")
        return
    if options.compare not in recorded:
        sys.exit(f"times.py: error: {RECORD.relative_to(ROOT)} has no run '{options.compare}'; record it with --record {options.compare}")
    faults = list(grown(ratios, recorded[options.compare]))
    sys.exit("\n".join(f"times.py: {fault}" for fault in faults) or 0)


if __name__ == "__main__":
    main()
