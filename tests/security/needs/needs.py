#!/usr/bin/env python3
"""What Strobe's own inputs need of each limit of sw/text/limits.h, beside the limit.

Usage: tests/security/needs/needs.py [--build build/release] [--whole] [PROGRAM...]

Runs build/release/measuring/strobe, which is bin/strobe and keeps the most that it has compared with each limit. It
runs each program of configs/workloads as the comparison does, records and replays it, ranks, annotates, exports, imports,
optimizes and instruments it; checks every shipped YAML file and plans the comparison's sweep; synthesizes a block with both
cell libraries, and estimates the power of netlists from their waveforms. It does all that with --whole, and where
STROBE_NIGHTLY is set, as in scripts/nightly; else for the start of three of Strobe's own programs, without synthesis.
PROGRAM names some. What scripts/fetch-workloads has not built is left out with a line.

Prints a row for each limit. Exits 1 when something needs more than sw/text/needs.h says, of which each limit is at least
ten times as much, or when a command fails.
"""
import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
WORKLOADS = ROOT / "configs/workloads"
FETCHED = pathlib.Path(os.environ.get("STROBE_WORKLOADS") or
                       pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "strobe/workloads")
BRIEF = ("btree", "json", "othello")
LENGTHS = (250_000, 4_000_000)  # instructions, the comparison's shortest and longest
BLOCKS = ("registers", "stratified_sampler", "dise")  # whose netlists are the largest
HPS = ROOT / "configs/profilers/hps"
# The designs of the comparison whose results have the most, beside the one with all profiles.
DESIGNS = {
    "streams": f"decode: {{ productions: [{HPS}/sampling.dise, {HPS}/hot-data-streams.dise], sparsity: 9900, burst: 100 }}",
    "pairs": f"decode: {{ productions: [{HPS}/sampling.dise, {HPS}/hot-call-pairs.dise], sparsity: 99, burst: 1 }}",
    "bursty": "instrument: { kind: bursty, events: [call, edge], jitter: 6 }",
    "ephemeral": "instrument: { kind: ephemeral }",
    "shim": "instrument: { kind: signals, signals: [methods] }\ncounters: { remote: true }\n"
            "shim: { where: cmp, counters: [instructions], signals: [strobe_signal_method] }",
}
# A program that Strobe has edited has up to three times the code; its file and its lines have limits of at least five times
# what it needs (docs/security.md).
EDITED = ("ELF", "DWARF")
ALL_PROFILES = "truth: { cycles: true }\nprofilers:\n" + "".join(
    f"  - {{ name: {name}, kind: periodic, rate: 1, fidelity: model, active: {active}, selectors: [{{ profile: {name} }}] }}\n"
    for name, active in (("edge", "true"), ("value", "false"), ("call_target", "false")))


def documented():
    """Input, limit with its unit, and need, of each limit: the table of docs/security.md, which strobe-gen writes."""
    section = (ROOT / "docs/security.md").read_text().partition("\n## Limits of inputs\n")[2]
    rows = re.findall(r"^\| ([^|]+) \| (\d[^|]*) \| ([\d,]+) \| [^|]+ \|$", section, re.M)
    return [(what, most, int(need.replace(",", ""))) for what, most, need in rows]


class Measurement:
    def __init__(self, build, folder, length):
        self.build, self.folder, self.needs, self.length = build, folder, folder / "needs", length
        self.environment = {**os.environ, "STROBE_NEEDS": str(self.needs), "STROBE_CACHE": str(folder / "cache")}
        self.limits, self.failed, self.most = documented(), [], {}

    def start(self, *words):
        done = subprocess.run([*map(str, words)], cwd=ROOT, env=self.environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, errors="replace")
        if done.returncode != 0:
            self.failed.append(f"{' '.join(map(str, words))}: exit code {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.returncode == 0

    def strobe(self, *words):
        return self.start(self.build / "measuring/strobe", *words)

    def run_file(self, workload, name, design):
        file = self.folder / f"{workload.stem}-{name}.yaml"
        args = "" if "fetched" in workload.parts else ", args: [small]"
        file.write_text(f"core: {{ include: {ROOT}/configs/cores/hps2005.yaml }}\nmode: timing\nseed: 1\n"
                        f"workload: {{ include: {workload}{args}, roi: {{ run: {self.length} }} }}\n{design}\n")
        return file

    def measure_program(self, workload, elf):
        whole = self.folder / f"{workload.stem}-all"
        file = self.run_file(workload, "all", ALL_PROFILES)
        if not self.strobe("run", file, "--out", whole, "--quiet"):
            return
        for by in ("function", "line", "call"):
            self.strobe("top", whole, "--by", by)
        self.strobe("annotate", whole)
        self.strobe("compare", whole, whole)
        for kind in ("llvm", "pprof", "callgrind"):
            written = self.folder / f"{workload.stem}.{kind}"
            if self.strobe("export", whole, "--format", kind, "--output", written) and kind != "callgrind":
                self.strobe("import", whole, written)
        stream = self.folder / f"{workload.stem}.stream"
        edges = self.run_file(workload, "edges", ALL_PROFILES.partition("  - { name: value")[0])
        if self.strobe("record", edges, "--out", stream, "--quiet"):
            self.strobe("replay", stream, "--profilers", ROOT / "configs/replays/samplers.yaml", "--out",
                        self.folder / f"{workload.stem}-replay")
        self.take(workload.stem)
        self.strobe("optimize", elf, "--profile", whole / "profile.edge.csv", "--core", ROOT / "configs/cores/hps2005.yaml",
                    "--out", self.folder / f"{workload.stem}.elf")
        for name, design in DESIGNS.items():
            result = self.folder / f"{workload.stem}-{name}"
            if self.strobe("run", self.run_file(workload, name, design), "--out", result, "--quiet"):
                self.strobe("report", result, "--format", "text")
        self.take(f"{workload.stem}, edited", without=EDITED)

    def measure_files(self):
        for file in sorted([*ROOT.glob("configs/runs/*.yaml"), *ROOT.glob("configs/sweeps/*.yaml")]):
            self.strobe("config", "check", file)
        self.strobe("sweep", ROOT / "configs/sweeps/systems.yaml", "--dry-run", "--out", self.folder / "sweep")

    def measure_synthesis(self):
        for library in ("osu018", "osu035"):
            self.strobe("synth", "--block", "strobe_lfsr", "--library", library, "--cells")
        # The script runs the bin/strobe of the build tree that it is given.
        tree = self.folder / "build"
        (tree / "bin").mkdir(parents=True)
        for entry in [*self.build.iterdir(), *(self.build / "bin").iterdir()]:
            place = tree / entry.relative_to(self.build)
            if entry.name not in ("bin", "strobe"):
                place.symlink_to(entry)
        (tree / "bin/strobe").symlink_to(self.build / "measuring/strobe")
        self.start(ROOT / "tests/flow/gate_level/run.py", "--build", tree, "--cycles", "2000", "--power", *BLOCKS)

    def take(self, name, without=()):
        """The most that was counted since the last time is due to `name`, but for some inputs."""
        data = self.needs.read_bytes()
        for limit, count in enumerate(struct.unpack(f"<{len(data) // 8}Q", data)):
            if self.limits[limit][0] in without:
                count = 0
            self.most[limit] = max(self.most.get(limit, (0, "")), (count, name if count else ""))
        self.needs.unlink()


def programs(names):
    """The YAML file and the ELF file of each program that is built."""
    for workload in sorted([*WORKLOADS.glob("*.yaml"), *WORKLOADS.glob("fetched/*.yaml")]):
        if names and workload.stem not in names:
            continue
        place = re.search(r"^elf: (build|cache):(\S+)", workload.read_text(), re.M)
        yield workload, place[1], place[2]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--whole", action="store_true", default="STROBE_NIGHTLY" in os.environ)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    options = parser.parse_args()
    build = options.build.resolve()
    with tempfile.TemporaryDirectory(prefix="strobe-needs-") as folder:
        measurement = Measurement(build, pathlib.Path(folder), LENGTHS[options.whole or bool(options.programs)])
        measurement.measure_files()
        measurement.take("the shipped files")
        for workload, where, path in programs(options.programs or (() if options.whole else BRIEF)):
            elf = (build / "guest" if where == "build" else FETCHED) / path
            if elf.is_file():
                measurement.measure_program(workload, elf)
                print(f"{workload.stem} is measured", file=sys.stderr, flush=True)
            else:
                print(f"{workload.stem} is left out: {elf} is not there", file=sys.stderr)
        if options.whole and not options.programs:
            measurement.measure_synthesis()
            measurement.take("synthesis")
    limits = measurement.limits
    print("| input | at most | needed | measured | by |\n|---|---|---:|---:|---|")
    for limit, (what, most, need) in enumerate(limits):
        count, name = measurement.most[limit]
        print(f"| {what} | {most} | {need:,} | {count:,}{' **more**' if count > need else ''} | {name} |")
    for failure in measurement.failed:
        print(f"needs: {failure}", file=sys.stderr)
    sys.exit(bool(measurement.failed) or any(measurement.most[i][0] > need for i, (_, _, need) in enumerate(limits)))


if __name__ == "__main__":
    main()
