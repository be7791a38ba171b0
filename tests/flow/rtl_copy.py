"""A copy of the RTL that may be changed, and what the build tree's own commands make of it."""
import pathlib
import re
import shlex
import shutil
import subprocess
from contextlib import contextmanager

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_END = "no end in "


class DoesNotBuild(Exception):
    pass


class RtlCopy:
    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        self.source = scratch / "source"
        shutil.copytree(ROOT / "rtl", self.source / "rtl")
        (self.source / "sc_models").symlink_to(ROOT / "sc_models")

    @contextmanager
    def changed(self, file, text):
        """While it lasts, the file (rtl/sampler/x.sv) of the copy has this text."""
        path = self.source / file
        before = path.read_text()
        path.write_text(text)
        try:
            yield
        finally:
            path.write_text(before)

    @contextmanager
    def path(self, point):
        """The folder with the whole path of the copy at a point, in place of build/rtl."""
        points = self.scratch / "points"
        points.mkdir()
        key = "_".join(value.replace("=", "") for value in point)
        try:
            self._build([ROOT / "sc_models/profiling/verilated/build_point.sh", self.source, "strobe_profiler",
                         points / f"libstrobe_profiler_{key}.so", "none", *point])
            yield points
        finally:
            shutil.rmtree(points)

    def bench(self, block, model, options="", traced=False):
        """tb_BLOCK with one model of the copy, Verilated with further options; traced, it can write
        waveforms (tb/common/waves.h). All is built by the commands of the build tree, with
        its files in the scratch folder. The linker takes the copy's model first and so has no need of
        the one in the library."""
        folder, bench = self.scratch / "model", self.scratch / "bench"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if traced:
            options += " --trace --trace-underscore"
        original = self.build / f"tb/verilated_{model}"
        inputs = {str(original): str(folder)}
        # Verilator gets the names of sources relative to the tree that it runs in.
        self._build_like(f"tb/verilated_{model}/V{model}_all.cpp",
                         {f"cd {ROOT} ": f"cd {self.source} ", str(original): f"{folder} {options}"})
        if traced:
            inputs.update({f"-DVM_TRACE{kind}=0": f"-DVM_TRACE{kind}=1" for kind in ("", "_VCD")})
            everything = folder / f"V{model}_all.cpp"
            everything.write_text('#include "verilated_vcd_c.cpp"\n' + everything.read_text())
        compiled = f"tb/CMakeFiles/{model}.dir/verilated_{model}/V{model}_all.cpp.o"
        self._build_like(compiled, {**inputs, compiled: str(self.scratch / "model.o")})
        linked = f"bin/tb_{block}"
        link = {f"-o {linked}": f"{self.scratch / 'model.o'} -o {bench}"}
        header = f"V{model}.h"
        if (folder / header).read_text() != (original / header).read_text():
            compiled = f"tb/CMakeFiles/tb_{block}.dir/{block}_test.cpp.o"
            link[compiled] = str(self.scratch / "bench.o")
            self._build_like(compiled, {**inputs, compiled: link[compiled]})
        self._build_like(linked, link)
        return bench

    def verilated_as(self, model):
        """The RTL module of a model and its parameters, as NAME=VALUE."""
        command = self._command_of(f"tb/verilated_{model}/V{model}_all.cpp")
        return re.search(rf"verilate_block.sh {model} (\w+)", command)[1], re.findall(r" -G(\w+=\d+)", command)

    def _command_of(self, target):
        command = subprocess.run(["ninja", "-C", self.build, "--quiet", "-t", "commands", "-s", target],
                                 check=True, capture_output=True, text=True).stdout
        # The rest lists the tests of a bench, or what the build has to watch.
        return re.split(rf" && cd {self.build}/tb | && \S*cmake -E cmake_transform_depfile ", command)[0]

    def _build_like(self, target, replaced):
        command = self._command_of(target)
        for old, new in replaced.items():
            command, times = re.subn(re.escape(old) + r"(?!\w)", lambda _, new=new: new, command)
            if times == 0:
                raise DoesNotBuild(f"expected '{old}' in the command that makes {target}, got: {command}")
        self._build(["sh", "-c", command])

    def _build(self, command):
        done = subprocess.run(command, cwd=self.build, capture_output=True, text=True)
        if done.returncode != 0:
            raise DoesNotBuild(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")


def run_check(command, folder, environment, limit):
    """Whether a check passes, and what it printed. limit: in seconds, 0 is none."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit or None,
                              env=environment)
    except subprocess.TimeoutExpired:
        return False, f"{NO_END}{limit:.0f} s"
    return done.returncode == 0, done.stdout + done.stderr


def seen_by(output):
    """What of the check failed, from its output: an assertion, a test or a proof's goal; else None."""
    if output.startswith(NO_END):
        return output
    for pattern in (r"Assertion failed in \S*?(\w+)(?::.*)?$", r"\[  FAILED  \] ([\w/.]+)",
                    r"_formal\.sv: (\w+) failed"):
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            return found[1]
    return None
