#!/usr/bin/env python3
"""Runs a check, unless it has passed on this machine on the same text with the same tools.

Usage: unchanged.py run NAME [--look] [--rtl FILE...] [--files FILE...] [--tools TOOL...] -- COMMAND...

`run` hashes what decides the result of COMMAND: the command itself, the versions of the TOOLs, each FILE, and what a FILE
of --rtl is made of (the modules and packages that it names and the files that it includes, and theirs); comments of RTL do
not count (rtl_text.py). If the cache of this user ($STROBE_CACHE/passed, ~/.cache/strobe/passed) has that hash, the check
passed before: `run` says so and exits 0. Otherwise, and always when STROBE_NIGHTLY is set, it runs COMMAND, exits with the
command's code, and remembers the hash if that is 0. The tree remembers nothing, so a fresh machine runs every check.
--look runs nothing: it says where the check passed, or that it would run.
"""
import argparse
import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
sys.dont_write_bytecode = True
from rtl_text import content_of  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION_OPTION = {"yosys": "-V", "yosys-abc": "-qversion", "z3": "--version", "verilator": "--version", "iverilog": "-V",
                  "sta": "-version", "clang-tidy-14": "--version"}


def cache():
    own = os.environ.get("STROBE_CACHE")
    home = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    return (pathlib.Path(own) if own else home / "strobe") / "passed"


@functools.lru_cache(maxsize=None)
def text_of(path):
    return content_of(path)


@functools.lru_cache(maxsize=None)
def version_of(tool):
    """The first line that the tool prints of itself; kept in the cache until another file is installed."""
    path = shutil.which(tool)
    if not path:
        sys.exit(f"unchanged.py: error: expected {tool} in PATH, found none; run scripts/setup")
    status = os.stat(path)
    kept = cache().parent / "versions" / f"{tool}-{status.st_size}-{status.st_mtime_ns}"
    if not kept.is_file():
        line = subprocess.run([path, VERSION_OPTION[tool]], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, stdin=subprocess.DEVNULL).stdout.strip().partition("\n")[0].strip()
        kept.parent.mkdir(parents=True, exist_ok=True)
        # Threads of one process and processes of several hosts may write it at once, each a file of its own name.
        with tempfile.NamedTemporaryFile("w", dir=kept.parent, prefix=f".{tool}-", delete=False) as made:
            made.write(line)
        os.replace(made.name, kept)
    return kept.read_text()


@functools.lru_cache(maxsize=None)
def rtl_names():
    """The files of rtl/ by the name that a text uses for them: of a module or package, or of an included file."""
    files = [path for path in (ROOT / "rtl").rglob("*") if path.suffix in (".sv", ".svh", ".vlt")]
    return {path.stem if path.suffix == ".sv" else path.name: path for path in files}


def rtl_closure(files):
    """The files and all that they are made of. A word that is only spelled like a module counts too."""
    found, waiting = set(), list(files)
    waiting += [path for path in rtl_names().values() if path.suffix == ".vlt"]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        text = text_of(path).decode()
        waiting += [rtl_names()[name] for name in set(re.findall(r"\w+", text)) & rtl_names().keys()]
        for name in re.findall(r'`include "([^"]+)"', text):
            waiting += [other for other in (path.parent / name, rtl_names().get(name)) if other and other.is_file()]
    return found


def included_closure(source):
    """A C++ source of the tree and the headers of the tree that it includes."""
    found, waiting = set(), [source]
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text_of(path).decode(), re.M):
            waiting += [other for other in (ROOT / name, path.parent / name) if other.is_file()]
    return found


def digest_of(command, files, tools):
    """The hash of all that decides a result; the same in every checkout."""
    digest = hashlib.sha256(command.replace(str(ROOT), ".").encode())
    for tool in sorted(tools):
        digest.update(f"\n{version_of(tool)}".encode())
    for path in sorted(path.resolve() for path in files):
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
        digest.update(f"\n{name} {hashlib.sha256(text_of(path)).hexdigest()}".encode())
    return digest.hexdigest()


def where_it_passed(digest):
    """The file that says that a check with this hash passed, or nothing."""
    kept = cache() / digest
    return kept if "STROBE_NIGHTLY" not in os.environ and kept.is_file() else None


def passed(digest):
    """Writes down that a check with this hash did."""
    cache().mkdir(parents=True, exist_ok=True)
    (cache() / digest).touch()


def run(options):
    files = {pathlib.Path(file).absolute() for file in options.files}
    rtl = rtl_closure({pathlib.Path(file).absolute() for file in options.rtl}) if options.rtl else set()
    digest = digest_of(shlex.join(options.command), files | rtl, options.tools)
    place = where_it_passed(digest)
    if options.look:
        print(f"{options.name} passed before: {place}" if place else f"{options.name} would run")
        return 0
    if place:
        print(f"{options.name} passed before, with the same {len(files | rtl)} files, the same command and "
              f"{', '.join(map(version_of, options.tools)) or 'no tools'}: {digest} is in {place}")
        return 0
    status = subprocess.run(options.command).returncode
    if status == 0:
        passed(digest)
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    actions = parser.add_subparsers(dest="action", required=True)
    one = actions.add_parser("run")
    one.add_argument("name")
    one.add_argument("--look", action="store_true")
    one.add_argument("--rtl", nargs="+", default=[], metavar="FILE")
    one.add_argument("--files", nargs="+", default=[], metavar="FILE")
    one.add_argument("--tools", nargs="+", default=[], metavar="TOOL", choices=VERSION_OPTION)
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:split])
    options.command = arguments[split + 1:]
    if not options.command:
        parser.error("expected a command after '--', got none")
    sys.exit(run(options))


if __name__ == "__main__":
    main()
