#!/usr/bin/env python3
"""A Verilated model is built again when RTL changes that it is made of, and not when other RTL does.

Usage: model_parts_test.py BUILD
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop())


def parts_of(rtl, module):
    script = ROOT / "sc_models/profiling/verilated/parts_of.sh"
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", 'source "$1"; parts_of "$2" "$3"', "-", script, rtl, module],
                          check=True, stdout=subprocess.PIPE, text=True)
    return [str(pathlib.Path(line).relative_to(rtl)) for line in done.stdout.splitlines()]


def rtl_of(depfile):
    """The RTL files that a depfile names."""
    words = depfile.read_text().replace("\\\n", " ").split()
    return sorted({str(pathlib.Path(word).relative_to(ROOT)) for word in words if word.startswith(f"{ROOT}/rtl/")})


class Parts(unittest.TestCase):
    def test_the_packages_of_a_module_are_those_that_it_and_its_parts_name(self):
        with tempfile.TemporaryDirectory() as folder:
            rtl = pathlib.Path(folder)
            for name, text in {
                    "top/strobe_upper.sv": "module strobe_upper; strobe_lower i_lower (); endmodule",
                    "common/strobe_lower.sv": '`include "strobe_macros.svh"\nmodule strobe_lower; endmodule',
                    "common/strobe_macros.svh": "`define WIDTH strobe_b_pkg::Width",
                    "common/strobe_other.sv": "// unlike strobe_b_pkg, it has strobe_a_pkg::Width\nmodule strobe_other; endmodule",
                    "pkg/strobe_a_pkg.sv": "", "pkg/strobe_b_pkg.sv": ""}.items():
                (rtl / name).parent.mkdir(exist_ok=True)
                (rtl / name).write_text(text + "\n")
            self.assertEqual(parts_of(rtl, "strobe_upper"), ["pkg/strobe_b_pkg.sv", "top/strobe_upper.sv"])
            self.assertEqual(parts_of(rtl, "strobe_other"), ["common/strobe_other.sv"])


class Depfiles(unittest.TestCase):
    def test_the_depfile_of_a_model_names_what_verilator_read(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "scripts/cmake/verilate_block.sh", "writer", "strobe_axi_writer", folder], check=True, cwd=ROOT)
            self.assertEqual(rtl_of(pathlib.Path(folder) / "Vwriter_all.d"),
                             ["rtl/common/strobe_assert.svh", "rtl/strobe.vlt", "rtl/top/strobe_axi_writer.sv"])

    def test_the_build_knows_each_models_rtl_and_no_other(self):
        models = {path.parent.name: rtl_of(path) for path in (BUILD / "tb").glob("verilated_*/V*_all.d")}
        self.assertGreater(len(models), 50)
        self.assertEqual([name for name, files in models.items() if "rtl/top/strobe_axi_writer.sv" in files],
                         ["verilated_attached"])
        self.assertEqual(models["verilated_branch_on_random"],
                         ["rtl/common/strobe_assert.svh", "rtl/hps/strobe_branch_on_random.sv", "rtl/strobe.vlt"])
        commands = subprocess.run(["ninja", "-C", BUILD, "-t", "query", "tb/verilated_attached/Vattached_all.cpp"], check=True,
                                  stdout=subprocess.PIPE, text=True).stdout
        self.assertNotIn(".sv", commands)  # the depfile alone names RTL

    def test_the_whole_path_depends_on_its_rtl_and_its_glue(self):
        path = BUILD / "rtl/libstrobe_profiler_default.so.d"
        self.assertIn("rtl/top/strobe_profiler.sv", rtl_of(path))
        self.assertNotIn("rtl/dise/strobe_dise.sv", rtl_of(path))
        self.assertNotIn("rtl/pkg/strobe_dise_pkg.sv", rtl_of(path))
        for glue in ("model.cpp", "lane_ports.h", "build_point.sh", "parts_of.sh"):
            self.assertIn(f"{ROOT}/sc_models/profiling/verilated/{glue} ", path.read_text())


if __name__ == "__main__":
    unittest.main()
