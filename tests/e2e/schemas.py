#!/usr/bin/python3
"""Do the schemas that strobe prints take every shipped file, and refuse what strobe refuses?

Usage: schemas.py STROBE ROOT
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys

import jsonschema
import yaml

STROBE, ROOT = sys.argv[1:]
faults = []


def schema(kind):
    text = subprocess.run([STROBE, "config", "schema", kind], check=True, capture_output=True).stdout
    return jsonschema.Draft7Validator(json.loads(text))


def takes(validator, document, what, expected=True):
    errors = [f"{'.'.join(map(str, e.path))}: {e.message}" for e in validator.iter_errors(document)]
    if expected and errors:
        faults.append(f"{what} is refused: {errors[0]}")
    if not expected and not errors:
        faults.append(f"{what} is taken")


def files(folder):
    names = sorted(glob.glob(f"{ROOT}/configs/{folder}/*.yaml"))
    if not names:
        faults.append(f"no files in configs/{folder}")
    return names


schemas = {kind: schema(kind) for kind in
           ("run", "core", "profiler", "workload", "instrument", "replay", "sweep", "synth")}
run, sweep = schemas["run"], schemas["sweep"]
# The words of maturity.yaml are for strobe-gen; configurations.yaml is a run.
of_another_kind = {"configurations.yaml": "run", "maturity.yaml": None}
for kind, folder in [("run", "runs"), ("core", "cores"), ("profiler", "profilers"), ("workload", "workloads"),
                     ("replay", "replays"), ("sweep", "sweeps"), ("synth", "synth")]:
    for name in files(folder):
        own = of_another_kind.get(os.path.basename(name), kind)
        if own is None:
            continue
        takes(schemas[own], yaml.safe_load(open(name)), name)
        checked = subprocess.run([STROBE, "config", "check", name], capture_output=True, text=True)
        if checked.returncode != 0:
            faults.append(f"strobe config check {name}: {checked.stderr}")
instrumented = yaml.safe_load(open(f"{ROOT}/configs/runs/bursty.yaml"))["instrument"]
takes(schemas["instrument"], instrumented, "the instrumentation of configs/runs/bursty.yaml")
takes(run, {"core": "hps2005", "workload": "lz"}, "a core and a workload by name")
for kind, what, document in [
    ("run", "a number in place of a core", {"core": 4}),
    ("core", "an unknown key of a core", {"rbo": 64}),
    ("core", "a core of no entries", {"rob": 0}),
    ("core", "a core in a core", {"core": {"rob": 64}}),
    ("profiler", "a kind of profiler that there is not", {"kind": "strtified"}),
    ("profiler", "a list in place of a profiler", [{"kind": "stratified"}]),
    ("profiler", "a service core without a reorder buffer", {"communication": {"service_core": {"rob": 0}}}),
    ("workload", "arguments that are no list", {"elf": "a.elf", "args": "tiny"}),
    ("instrument", "an epoch of text", {"kind": "ephemeral", "epoch": "long"}),
    ("replay", "one profiler in place of a list", {"kind": "stratified"}),
    ("replay", "a rate of 0", [{"name": "a", "rate": 0}]),
    ("synth", "a library without a file", {"libraries": [{"name": "a", "package": "b", "feature_nm": 180}]}),
    ("synth", "a list of blocks with libraries", {"blocks": [], "composed": [], "libraries": []}),
    ("synth", "a parameter of text", {"blocks": [{"module": "m", "parameters": {"A": "b"}}], "composed": []}),
]:
    takes(schemas[kind], document, what, expected=False)

page = open(f"{ROOT}/docs/sweeps.md").read()
example = yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.S).group(1))
takes(sweep, example, "the example of docs/sweeps.md")
for key in sweep.schema["properties"]:
    if key not in example:
        faults.append(f"{key} is not in the example of docs/sweeps.md")

for what, change in [
    ("an unknown key", {"girds": {}}),
    ("a sweep without a base", {"base": None}),
    ("a range that is no range", {"grid": {"core.rob": {"pow3": [1, 2]}}}),
    ("a range of three", {"grid": {"core.rob": {"pow2": [1, 2, 4]}}}),
    ("an axis that is no list", {"grid": {"core.rob": 64}}),
    ("an empty axis", {"grid": {"core.rob": []}}),
    ("an objective without a direction", {"objectives": ["cycles"]}),
    ("an objective with two", {"objectives": [{"min": "cycles", "max": "ipc"}]}),
    ("an unknown search", {"search": "genetic"}),
    ("a random search without points", {"search": {"kind": "random"}}),
    ("a population of ten", {"search": {"kind": "nsga2", "population": 10}}),
    ("a launcher without {command}", {"launcher": {"command": "bsub"}}),
    ("a limit of text", {"limits": {"runs": "many"}}),
    ("a seed twice", {"seeds": [1, 1]}),
]:
    document = {**copy.deepcopy(example), **change}
    takes(sweep, document, what, expected=False)

print("\n".join(faults) or "every shipped file fits its schema")
sys.exit(1 if faults else 0)
