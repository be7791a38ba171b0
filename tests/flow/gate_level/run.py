#!/usr/bin/env python3
"""Gate-level simulation: each block's netlist in the block's own bench, against its reference.

Usage: tests/flow/gate_level/run.py [--build build/release] [--library osu018] [--cycles N] [--power] [BLOCK...]

`strobe synth --netlists` maps a block at one point of its bench to the cell library and writes the
netlist, flat, as a module that stands in for the RTL; memories stay strobe_ram_1r1w. The bench is
built with it and run, with the state at power-up random at several seeds; left out are the tests that
disturb a bench's own inputs. --power adds an estimate from the activity of the bench's first test of the
netlist, at the netlist's smallest period; a block without a clock, one whose bench records no waveform
and a composed one have none. BLOCK is a module of rtl/ without strobe_; all of the list is the default. Prints one row of a table a netlist; exits
1 when a bench fails or does not build, 2 for what cannot be started.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from rtl_copy import ROOT, DoesNotBuild, RtlCopy, run_check, seen_by  # noqa: E402

# A model of a bench is a block at a point.
MODELS = [
    ("bank_router", "router_l4_b4"), ("bank_router", "merge_b4"), ("tuple_queue", "queue_l4_d128"), ("tuple_queue", "queue_l4_d16_h4"),
    ("message_buffer", "buffer_d256"), ("ring_writer", "ring_writer_c9"), ("ring_registers", "ring_registers"),
    ("selector", "selector_l4_s2"), ("registers", "registers_l4_s2_c8"), ("lfsr", "lfsr"),
    ("hash", "hash_h0_b11"), ("hash", "hash_h1_b11"), ("hash", "hash_h2_b11"), ("hash", "hash_h3_b11"),
    ("hash", "multiply_shift_b11"),
    ("rvfi", "rvc"), ("rvfi", "rvfi_l4"),
    ("stratified_sampler", "sampler_s0_h0_n2048_c8"), ("stratified_sampler", "sampler_s1_h3_n4_c1"),
    ("stratified_sampler", "sampler_s2_h3_n16_c4"), ("stratified_sampler", "sampler_s3_h2_n16_c3"),
    ("tagged_sampler", "tagged_n16_w2_t4_h5_m3"), ("associative_table", "associative_k16_w16_i9"),
    ("dise", "dise_l1_c1_w8_f1_s3"),
]
WITHOUT_WAVEFORM = ("hash",)  # benches that record none
SEEDS = (1, 2, 3, 4)
NOT_OF_THE_BLOCK = "-*ToldApart*:*Differs*:*Bench.*"
POWER_CYCLES = 2000
LIMIT = 3600  # seconds of a bench
# Verilator 5.006 simulates some trees of XOR wrongly without the first (verilator issue 4059): of hash_h3_b11.
# A netlist is one long function without the second, and the compiler's time grows faster than its length.
OPTIONS = "-fno-const-bit-op-tree --output-split-cfuncs 500"
# A bit of a vector between the parts of a composed block may come from another bit of it. Verilator warns of a loop
# there, as it takes vectors whole. A loop of bits that does not settle ends the simulation with an error all the same.
COMPOSED_OPTIONS = OPTIONS + " -Wno-UNOPTFLAT"


class Netlist:
    """What of RTL is to be a netlist, and the bench that it is put into."""

    def __init__(self, bench, model, module, parameters):
        self.bench, self.model, self.module, self.point = bench, model, module, " ".join(parameters)

    @property
    def block(self):
        return self.module.removeprefix("strobe_")

    def written(self, strobe, library, folder):
        """The netlist's source, by strobe synth."""
        self._synth(strobe, library, "--netlists", folder)
        return (folder / f"{self.module}.sv").read_text()

    def _synth(self, strobe, library, *options):
        done = subprocess.run([strobe, "synth", "--block", f"{self.module} {self.point}", "--library", library,
                               *options], capture_output=True, text=True)
        if done.returncode != 0:
            raise DoesNotBuild(done.stderr)
        return done.stdout

    @property
    def file(self):
        return next((ROOT / "rtl").glob(f"*/{self.module}.sv")).relative_to(ROOT)

    def passes(self, copy, source, environment):
        """Whether the bench passes with the source in place of the block, and what it printed."""
        with copy.changed(self.file, source):
            bench = copy.bench(self.bench, self.model, COMPOSED_OPTIONS if len(parts_of(source)) > 1 else OPTIONS)
        for seed in SEEDS:
            passed, output = run_check(
                [bench, "--gtest_fail_fast", "--gtest_brief=1", f"--gtest_filter={NOT_OF_THE_BLOCK}"], copy.build,
                {**environment, "STROBE_TB_X_SEED": str(seed)}, LIMIT)
            if not passed:
                return False, output
        return True, output

    def power(self, copy, source, strobe, library, environment):
        """(pJ a cycle, mW) of the bench's first test of the netlist, or None."""
        clocked = re.search(r"^  input clk_i;", source, re.MULTILINE)
        if not clocked or self.bench in WITHOUT_WAVEFORM or len(parts_of(source)) > 1:
            return None
        with copy.changed(self.file, source):
            bench = copy.bench(self.bench, self.model, OPTIONS, traced=True)
        vcd = copy.scratch / f"{self.model}.vcd"
        # Whether it passes does not matter: some tests want more cycles for what they must have seen.
        _, output = run_check([bench, "--gtest_brief=1", f"--gtest_filter={NOT_OF_THE_BLOCK}"], copy.build,
                              {**environment, "STROBE_TB_CYCLES": str(POWER_CYCLES), "STROBE_TB_VCD": str(vcd)},
                              LIMIT)
        if not vcd.is_file():
            raise DoesNotBuild(f"{self.bench} wrote no waveform: {output}")
        report = self._synth(strobe, library, "--power", vcd, "--format", "json")
        vcd.unlink()
        power = json.loads(report)["blocks"][0]["power"]
        return sum(value for name, value in power.items() if name.endswith("_pj_per_cycle")), power["total_mw"]


def netlists(copy):
    for bench, model in MODELS:
        yield Netlist(bench, model, *copy.verilated_as(model))


def chosen(every, blocks):
    """Those of the blocks; one that is not there ends the program with those that are."""
    known = sorted({netlist.block for netlist in every})
    for block in blocks:
        if block not in known:
            stop(f"expected one of {', '.join(known)}, got '{block}'")
    return [netlist for netlist in every if not blocks or netlist.block in blocks]


def netlist_of(source):
    """The source without the models of the cells."""
    return source[:source.index("/*verilator tracing_off*/")]


def parts_of(source):
    """The modules of the netlist: one, or of a composed block one a part and one between them."""
    return set(re.findall(r"^module (\w+)", netlist_of(source), re.MULTILINE))


def cells_of(source):
    """How many cells the netlist has in all of its parts; memories are not counted."""
    parts = parts_of(source)
    instances = re.findall(r"^  (\w+) .*\($", netlist_of(source), re.MULTILINE)
    return sum(cell not in parts and not cell.startswith("strobe_sram_") for cell in instances)


def power_cells(power):
    return " - | - |" if power is None else f" {power[0]:.1f} | {power[1]:.2f} |"


def stop(why):
    print(f"gate-level: {why}", file=sys.stderr)
    sys.exit(2)


def require_built(build, programs):
    for program in programs:
        if not (build / "bin" / program).is_file():
            stop(f"{build}/bin/{program} is not there; build it: ninja -C {build} {program}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--library", default="osu018")
    parser.add_argument("--cycles", type=int, default=20000)
    parser.add_argument("--power", action="store_true")
    parser.add_argument("blocks", nargs="*", metavar="BLOCK")
    options = parser.parse_args()
    build = options.build.resolve()
    if not (build / "build.ninja").is_file():
        stop(f"{build} is no build tree; make it: cmake --preset release")
    environment = {**os.environ, "STROBE_TB_CYCLES": str(options.cycles)}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="gate_level") as scratch:
        copy = RtlCopy(build, pathlib.Path(scratch))
        wanted = chosen(list(netlists(copy)), options.blocks)
        require_built(build, ["strobe", *sorted({f"tb_{netlist.bench}" for netlist in wanted})])
        power_columns = [" pJ a cycle | mW |", "---:|---:|"] if options.power else ["", ""]
        print(f"| block | point | cells | cycles | result |{power_columns[0]}\n"
              f"|---|---|---:|---:|---|{power_columns[1]}", flush=True)
        for netlist in wanted:
            cells, power = 0, None
            try:
                source = netlist.written(build / "bin/strobe", options.library, copy.scratch / "netlists")
                cells = cells_of(source)
                passed, output = netlist.passes(copy, source, environment)
                if options.power and passed:
                    power = netlist.power(copy, source, build / "bin/strobe", options.library, environment)
                result = "equal" if passed else f"**{seen_by(output) or 'fails without a reason'}**"
            except DoesNotBuild as error:
                passed, output, result = False, str(error), "**does not build**"
            if not passed:
                failed += 1
                print(f"{netlist.block} {netlist.point}: {result}:\n{output}", file=sys.stderr)
            print(f"| {netlist.block} | {netlist.point} | {cells} | {options.cycles} x {len(SEEDS)} | {result} |"
                  f"{power_cells(power) if options.power else ''}", flush=True)
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
