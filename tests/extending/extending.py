#!/usr/bin/env python3
"""Follows docs/extending.md to the letter: adds the files of examples to a copy of the tree and uses the result.

Usage: tests/extending/extending.py BUILD           what needs no build: what is generated, front ends, proof, productions
       tests/extending/extending.py BUILD --whole   all examples in one copy, which is built; benches, runs, a sweep, synthesis

BUILD is a release build of the tree. An example is a folder with the files that it adds, and with lines.yaml if it adds
to lines that are there. A step that fails is named with its output, and the exit code is 1.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = ["compressor", "predictor", "prefetcher", "format", "workload", "productions"]
SKIPPED = {"build", "results", ".git"}
KEYS = "kind: run_length, runs: 8, counter_width: 6, longest_run: 40"


def step(what, command, tree):
    """Runs a command in the tree and returns what it printed; exits with that if it fails."""
    print(f"-- {what}", flush=True)
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"extending.py: {what} failed: {' '.join(map(str, command))}\n{done.stdout[-6000:]}")
    return done.stdout


def expect(text, what, where):
    if what not in text:
        sys.exit(f"extending.py: expected '{what}' in {where}, got:\n{text[-4000:]}")


def copy_tree(tree):
    shutil.copytree(ROOT, tree, ignore=lambda folder, names: SKIPPED & set(names), symlinks=True)


def add(example, tree):
    """Adds the files of the example, none of which may be there, and its additions to lines that are."""
    folder = HERE / example
    for file in sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file()):
        if file.name == "lines.yaml":
            continue
        if (tree / file).exists():
            sys.exit(f"extending.py: {example}/{file} replaces a file of the tree; an example only adds files")
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / file, tree / file)
    lines = folder / "lines.yaml"
    for line in yaml.safe_load(lines.read_text()) if lines.is_file() else []:
        path = tree / line["file"]
        text = path.read_text()
        if text.count(line["after"]) != 1:
            sys.exit(f"extending.py: {example}: expected '{line['after']}' once in {line['file']}, got it "
                     f"{text.count(line['after'])} times; bring lines.yaml and docs/extending.md up to date")
        path.write_text(text.replace(line["after"], line["after"] + line["add"]))


def generate_and_prove(build, tree):
    """A compressor before it is compiled."""
    generated = step("strobe-gen", [build / "bin/strobe-gen", "--root", "."], tree)
    for file in ("rtl/pkg/strobe_pkg.sv", "rtl/sampler/strobe_compressor.sv", "tb/CMakeLists.txt", "docs/index.md"):
        expect(generated, f"wrote {file}", "the output of strobe-gen")
    point = ["Compressor=3", "Strata=4", "CounterWidth=4"]
    step("the three front ends", ["tests/flow/lint_module.sh", "rtl", "strobe_profiler", *point], tree)
    step("the four-state run", ["tests/flow/no_x.sh", "rtl", " ".join(["QueueDepth=8", "BufferDepth=8", *point])], tree)
    step("the proof", ["tb/formal/prove.sh", "rtl", "tb/formal/sampler/strobe_run_length_formal.sv"], tree)
    checked = step("productions", [build / "bin/strobe", "dise", "check", "configs/dise/calls-and-returns.dise"], tree)
    expect(checked, "calls-and-returns.dise", "the output of strobe dise check")


def run(strobe, tree, out, *sets):
    """A run of the quickstart at its smallest size."""
    command = [strobe, "run", "configs/runs/quickstart.yaml", "--out", f"results/{out}", "--set", "workload.args=[tiny]"]
    for one in sets:
        command += ["--set", one]
    step(f"a run: {out}", command, tree)
    return (tree / f"results/{out}/result.json").read_text()


def build_and_use(tree):
    """All examples, compiled."""
    step("configuration", ["cmake", "--preset", "release"], tree)
    step("the build", ["ninja", "-C", "build/release"], tree)
    binaries = tree / "build/release/bin"
    strobe = binaries / "strobe"
    written = step("strobe-gen again", [binaries / "strobe-gen", "--root", "."], tree)
    for file in ("docs/configuration.md", "configs/schema/run.schema.json"):
        expect(written, f"wrote {file}", "the output of strobe-gen")
    step("rows of the tables", ["scripts/tables", "--missing"], tree)
    step("the tables", ["scripts/tables", "--check"], tree)
    step("the bench", [binaries / "tb_run_length"], tree)

    # The compressor in lockstep with its RTL, beside itself as an observer; then in a sweep; then synthesized.
    twice = f"profilers=[{{ name: L, {KEYS}, active: true, fidelity: lockstep }}, {{ name: watch, {KEYS} }}]"
    expect(run(strobe, tree, "lockstep", twice), '"kind": "run_length"', "result.json")
    profiles = [(tree / f"results/lockstep/profile.{name}.csv").read_text() for name in ("L", "watch")]
    if profiles[0] != profiles[1]:
        sys.exit("extending.py: expected one profile, active and watching, got two")
    (tree / "base.yaml").write_text("include: configs/runs/quickstart.yaml\nworkload: { args: [tiny] }\n"
                                    f"profilers: [{{ name: L, {KEYS} }}]\n")
    (tree / "sweep.yaml").write_text("base: base.yaml\n"
                                     "grid: { profilers.0.runs: [2, 8], profilers.0.longest_run: [10, 40] }\n"
                                     "objectives: [{ max: profilers.0.overlap }, { min: profilers.0.messages }]\n")
    step("a sweep", [strobe, "sweep", "sweep.yaml", "--out", "results/sweep"], tree)
    expect(step("synthesis", [strobe, "synth", "--block", "strobe_run_length"], tree), "proved", "the table of synthesis")

    # The others.
    run(strobe, tree, "predictor", "core.predictor.kind=local", "profilers=[]")
    run(strobe, tree, "prefetcher", "core.memory.l1d.prefetch=previous_line", "profilers=[]")
    run(strobe, tree, "workload", "workload.elf=build:workloads/collatz.elf", "profilers=[]")
    run(strobe, tree, "productions", "decode.productions=[configs/dise/calls-and-returns.dise]", "profilers=[]")
    for directory in ("results/lockstep", "results/sweep"):
        expect(step("a report", [strobe, "report", directory, "--format", "tsv"], tree), "\t", "the report")
    step("their tests", ["ctest", "--test-dir", "build/release", "--output-on-failure", "-LE", "nightly", "-R",
                         "run_length|RunLength|Compressor3|GeneratedFiles|Blocks|collatz|Predictor"], tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="extending") as folder:
        tree = pathlib.Path(folder) / "tree"
        copy_tree(tree)
        for example in EXAMPLES:
            add(example, tree)
        generate_and_prove(options.build.resolve(), tree)
        if options.whole:
            build_and_use(tree)
    print(f"{', '.join(EXAMPLES)}: what docs/extending.md names is enough")


if __name__ == "__main__":
    main()
