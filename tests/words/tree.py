"""The files of a source tree that the check reads, and what a finding in them is."""
import functools
import pathlib
from typing import NamedTuple

# What builds and runs leave in a tree; hidden folders are left out as well.
MADE = {"build", "results", "out", "__pycache__", "node_modules"}


class Finding(NamedTuple):
    file: str
    line: int
    rule: str
    found: str
    reason: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.rule}: {self.found!r}: {self.reason}"


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)

    @functools.cached_property
    def files(self):
        """All files, relative to the root, in order."""
        found = []
        folders = [self.root]
        while folders:
            for entry in folders.pop().iterdir():
                if entry.is_dir():
                    at_top = entry.parent == self.root
                    made = MADE if at_top else {"__pycache__", "node_modules"}
                    if entry.name not in made and not entry.name.startswith(".") and not entry.is_symlink():
                        folders.append(entry)
                elif entry.is_file():
                    found.append(entry.relative_to(self.root).as_posix())
        return sorted(found)

    @functools.cached_property
    def pages(self):
        return [file for file in self.files if file.endswith(".md")]

    @functools.cached_property
    def names(self):
        """All files and folders."""
        names = set(self.files)
        for file in self.files:
            names.update(parent.as_posix() for parent in pathlib.PurePosixPath(file).parents)
        return names

    @functools.cache
    def text(self, file):
        return (self.root / file).read_text(encoding="utf-8", errors="replace")

    @functools.cache
    def lines(self, file):
        return self.text(file).split("\n")
