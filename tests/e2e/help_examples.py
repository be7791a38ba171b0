#!/usr/bin/python3
"""Does each example in the help of strobe run as it stands there?

Usage: help_examples.py STROBE ROOT [--long]

The examples run in a folder in which the tree's files are where an example expects them. One that reads what another
makes comes after it. Without --long the profiled runs are tiny, and `reproduce` and `synth` are left out.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

STROBE, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
LONG = sys.argv[3:] == ["--long"]
LEFT_OUT = () if LONG else ("reproduce", "synth")
MADE_BY = {"--out", "--output", "-o", ">"}


def helps(command=()):
    text = subprocess.run([STROBE, *command, "--help"], capture_output=True, text=True, check=True).stdout
    yield " ".join(("strobe", *command)), text
    listed = text.partition("\nSubcommands:\n")[2].partition("\n\n")[0]
    for name in re.findall(r"^  (\w[\w-]*)", listed, re.M):
        yield from helps((*command, name))


def examples():
    for command, text in helps():
        found = re.findall(r"^Example: (.+)$", text, re.M)
        if not found:
            sys.exit(f"error: the help of '{command}' has no example")
        for example in found:
            if not example.startswith(command):
                sys.exit(f"error: the example of '{command}' calls something else: {example}")
            yield example


def reads(example):
    """The files that other examples may have to make first."""
    words = shlex.split(example, posix=True)
    for before, word in zip(["", *words], words):
        if before not in MADE_BY and (word.startswith("results/") or word.endswith(".stream")):
            yield word


def run(example, folder):
    tiny = not LONG and re.match(r"strobe (run|record) ", example)
    command = example + (" --set 'workload.args=[tiny]'" if tiny else "")
    environment = {**os.environ, "PATH": f"{pathlib.Path(STROBE).parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=environment, capture_output=True,
                          text=True)
    if done.returncode != 0:
        sys.exit(f"error: {command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"ran: {command}")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    for name in ("build", "configs", "rtl", "sw"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "results").mkdir()
    to_run = [one for one in dict.fromkeys(examples()) if one.split()[1] not in LEFT_OUT]
    if len(to_run) < 15:
        sys.exit(f"error: expected at least 15 examples, found {len(to_run)}")
    while to_run:
        ready = [one for one in to_run if all((folder / file).exists() for file in reads(one))]
        if not ready:
            sys.exit("error: no example makes what these read:\n" + "\n".join(to_run))
        run(ready[0], folder)
        to_run.remove(ready[0])
