#!/usr/bin/python3
"""Do the schemas that strobe prints take every shipped file, and refuse what strobe refuses?

Usage: schemas.py STROBE ROOT
"""
import copy
import glob
import json
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


run, sweep = schema("run"), schema("sweep")
for name in files("runs"):
    takes(run, yaml.safe_load(open(name)), name)
for name in files("sweeps"):
    takes(sweep, yaml.safe_load(open(name)), name)

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
