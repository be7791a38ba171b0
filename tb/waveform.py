#!/usr/bin/env python3
"""A waveform of a bench: its test, with one of its models Verilated anew to write one.

Usage: tb/waveform.py [--build DIR] BLOCK MODEL FILE.vcd [TEST]    of tb_BLOCK; TEST is a GoogleTest filter
       tb/waveform.py BLOCK                                        lists its models

The waveform is that of the first model that the test makes, until the test ends or fails; STROBE_TB_CYCLES and STROBE_TB_SEED
are the bench's own. Open it with GTKWave. DIR, build/release, has to have tb_BLOCK. Exits as the test does.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/flow"))
sys.dont_write_bytecode = True
from rtl_copy import RtlCopy  # noqa: E402


def models_of(build, block):
    """The models of which the bench is linked."""
    listed = subprocess.run(["ninja", "-C", build, "-t", "inputs", f"bin/tb_{block}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if listed.returncode != 0:
        sys.exit(f"waveform.py: error: {build} has no bench tb_{block}: {listed.stderr.strip()}")
    return sorted({pathlib.Path(name).parent.name.removeprefix("verilated_") for name in listed.stdout.split()
                   if name.endswith("_all.cpp") and "/verilated_" in name})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("block")
    parser.add_argument("model", nargs="?")
    parser.add_argument("file", nargs="?", type=pathlib.Path)
    parser.add_argument("test", nargs="?", default="*")
    options = parser.parse_args()
    models = models_of(options.build, options.block)
    if options.model is None:
        print("\n".join(models))
        return 0
    if options.model not in models or options.file is None:
        sys.exit(f"waveform.py: error: expected a model of tb_{options.block} ({', '.join(models)}) and a file, got '{options.model}'")
    with tempfile.TemporaryDirectory(prefix="waveform") as scratch:
        bench = RtlCopy(options.build.resolve(), pathlib.Path(scratch)).bench(options.block, options.model, traced=True)
        status = subprocess.run([bench, f"--gtest_filter={options.test}"],
                                env={**os.environ, "STROBE_TB_VCD": str(options.file.resolve())}).returncode
    if not options.file.is_file():
        sys.exit(f"waveform.py: error: the test '{options.test}' makes no model {options.model}, so there is no waveform")
    print(f"{options.file}: {options.file.stat().st_size} bytes")
    return status


if __name__ == "__main__":
    sys.exit(main())
