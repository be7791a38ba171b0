#!/usr/bin/python3
"""Does rtl/strobe.core list the RTL as the tree has it, and does its lint target pass?

Usage: fusesoc.py ROOT          compares the lists, and lints as the target says
       fusesoc.py ROOT --tool   has FuseSoC itself do it; exit code 77 when it is not installed
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(sys.argv[1])
RTL = ROOT / "rtl"
NOT_INSTALLED = 77
CORE = yaml.safe_load((RTL / "strobe.core").read_text().partition("\n")[2])
LINTS = [name for name, target in CORE["targets"].items() if target.get("default_tool") == "verilator"]
faults = []


def names(fileset):
    """The files of a fileset, and which of them are included."""
    listed = [next(iter(one.items())) if isinstance(one, dict) else (one, {}) for one in CORE["filesets"][fileset]["files"]]
    return [name for name, _ in listed], [name for name, how in listed if how.get("is_include_file")]


def compare_lists():
    listed, included = names("rtl")
    there = sorted(str(file.relative_to(RTL)) for ending in ("*/*.sv", "*/*.svh") for file in RTL.glob(ending))
    faults.extend(f"rtl/strobe.core does not list {name}" for name in there if name not in listed)
    faults.extend(f"rtl/strobe.core lists {name}, which rtl does not have" for name in listed if name not in there)
    if len(set(listed)) != len(listed):
        faults.append("rtl/strobe.core lists a file twice")
    if included != [name for name in there if name.endswith(".svh")]:
        faults.append(f"rtl/strobe.core: expected the headers as include files, got {included}")
    packages = [name for name in there if name.startswith("pkg/")]
    sources = [name for name in listed if name not in included]
    if sorted(sources[:len(packages)]) != packages:  # a tool has to read a package before what names it
        faults.append(f"rtl/strobe.core: expected {packages} first, got {sources[:len(packages)]}")
    if sources[len(packages):] != sorted(sources[len(packages):]):
        faults.append("rtl/strobe.core: expected the modules in the order of their names")


def check_lint():
    """What FuseSoC gives Verilator: the files of the target's sets, in their order."""
    if len(LINTS) != 2:
        faults.append(f"rtl/strobe.core: expected two lint targets, got {LINTS}")
    for name in LINTS:
        target = CORE["targets"][name]
        included = names("rtl")[1]
        files = [file for one in target["filesets"] for file in names(one)[0] if file not in included]
        folders = sorted({f"+incdir+{pathlib.Path(file).parent}" for file in included})
        done = subprocess.run(["verilator", "--lint-only", *target["tools"]["verilator"]["verilator_options"],
                               "--top-module", target["toplevel"], *folders, *files], cwd=RTL, capture_output=True, text=True)
        if done.returncode != 0 or done.stderr:
            faults.append(f"{name}: {done.stderr}")


def run_tool():
    if shutil.which("fusesoc") is None:
        print("fusesoc is not installed, so it has read nothing: pip install fusesoc")
        sys.exit(NOT_INSTALLED)
    for name in LINTS:
        with tempfile.TemporaryDirectory() as work:
            done = subprocess.run(["fusesoc", "--cores-root", str(RTL), "run", "--build-root", work, "--target", name,
                                   "strobe"], cwd=work, capture_output=True, text=True)
            if done.returncode != 0:
                faults.append(f"fusesoc run --target {name}: {done.stdout}{done.stderr}")


if sys.argv[2:] == ["--tool"]:
    run_tool()
else:
    compare_lists()
    check_lint()
print("\n".join(faults) or "rtl/strobe.core: as the tree has it, and linted")
sys.exit(1 if faults else 0)
