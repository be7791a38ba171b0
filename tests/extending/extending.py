#!/usr/bin/env python3
"""Follows docs/extending.md to the letter: adds the files of an example to a copy of the tree and uses the result.

Usage: tests/extending/extending.py BUILD compressor            what is generated, front ends, four-state run, proof
       tests/extending/extending.py BUILD compressor --whole    also the build, the bench, runs, a sweep, synthesis

BUILD is a release build of the tree. A step that fails is named with its output, and the exit code is 1.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = pathlib.Path(__file__).resolve().parent
SKIPPED = {"build", "results", ".git"}


def step(what, command, tree, **more):
    """Runs a command in the tree; exits with its output if it fails."""
    print(f"-- {what}", flush=True)
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"extending.py: {what} failed: {' '.join(map(str, command))}\n{done.stdout[-6000:]}")
    return done.stdout


def files_of(folder):
    return sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())


def add(example, tree):
    """Copies the tree and adds the files of the example, none of which may replace one."""
    shutil.copytree(ROOT, tree, ignore=lambda folder, names: SKIPPED & set(names), symlinks=True)
    for file in files_of(EXAMPLES / example):
        if (tree / file).exists():
            sys.exit(f"extending.py: {example}/{file} replaces a file of the tree; an example only adds files")
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(EXAMPLES / example / file, tree / file)


def expect(text, what, where):
    if what not in text:
        sys.exit(f"extending.py: expected '{what}' in {where}, got:\n{text[-4000:]}")


def compressor(build, tree, whole):
    generated = step("strobe-gen", [build / "bin/strobe-gen", "--root", "."], tree)
    for file in ("rtl/pkg/strobe_pkg.sv", "rtl/sampler/strobe_compressor.sv", "tb/CMakeLists.txt", "docs/index.md"):
        expect(generated, f"wrote {file}", "the output of strobe-gen")
    point = ["Compressor=3", "Strata=4", "CounterWidth=4"]
    step("the three front ends", ["tests/flow/lint_module.sh", "rtl", "strobe_profiler", *point], tree)
    step("the four-state run", ["tests/flow/no_x.sh", "rtl", " ".join(["QueueDepth=8", "BufferDepth=8", *point])], tree)
    step("the proof", ["tb/formal/prove.sh", "rtl", "tb/formal/strobe_run_length_formal.sv"], tree)
    if whole:
        use_compressor(tree)


def use_compressor(tree):
    step("configuration", ["cmake", "--preset", "release"], tree)
    step("the build", ["ninja", "-C", "build/release"], tree)
    step("the bench", ["build/release/bin/tb_run_length"], tree)
    strobe = tree / "build/release/bin/strobe"
    written = step("strobe-gen again", [tree / "build/release/bin/strobe-gen", "--root", "."], tree)
    for file in ("docs/configuration.md", "configs/schema/run.schema.json"):
        expect(written, f"wrote {file}", "the output of strobe-gen")
    keys = "name: L, kind: run_length, runs: 8, counter_width: 6, longest_run: 40"
    sets = ["--set", "workload.args=[tiny]", "--force"]
    for fidelity in ("lockstep", "model"):
        profilers = f"profilers=[{{{keys}, active: true, fidelity: {fidelity}}}, {{{keys.replace('name: L', 'name: watch')}}}]"
        step(f"a run at fidelity {fidelity}", [strobe, "run", "configs/runs/quickstart.yaml", "--out", f"results/{fidelity}",
                                               "--set", profilers, *sets], tree)
    text = (tree / "results/lockstep/result.json").read_text()
    expect(text, '"kind": "run_length"', "result.json")
    (tree / "base.yaml").write_text("include: configs/runs/quickstart.yaml\n"
                                    f"workload: {{ args: [tiny] }}\nprofilers: [{{ {keys} }}]\n")
    (tree / "sweep.yaml").write_text("base: base.yaml\n"
                                     "grid: { profilers.0.runs: [2, 8], profilers.0.longest_run: [10, 40] }\n"
                                     "objectives: [{ max: profilers.0.overlap }, { min: profilers.0.messages }]\n")
    step("a sweep", [strobe, "sweep", "sweep.yaml", "--out", "results/sweep"], tree)
    step("synthesis", [strobe, "synth", "--block", "strobe_run_length"], tree)
    step("its tests", ["ctest", "--test-dir", "build/release", "--output-on-failure", "-LE", "nightly", "-R",
                       "run_length|RunLength|Compressor3|GeneratedFiles|Blocks"], tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("example", choices=["compressor"])
    parser.add_argument("--whole", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="extending") as folder:
        tree = pathlib.Path(folder) / "tree"
        add(options.example, tree)
        globals()[options.example](options.build.resolve(), tree, options.whole)
    print(f"{options.example}: its files are enough")


if __name__ == "__main__":
    main()
