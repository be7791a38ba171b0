"""The rooms of the tree and what each may include: the table of docs/architecture.md, held against every #include.

Usage: tests/rooms/rooms.py      prints each fault and exits with 1 when there is one

A file belongs to the room of the table with the longest name that is a folder above it. Beside its own room it may include
the rooms that the third column names, each by the last part of its name; a name that is no room but a folder of rooms
stands for all of them. What the table allows has no circle.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "docs/architecture.md"
ROOTS = ("sc_models/", "sw/")
# Libraries of which one room alone includes the headers.
ALONE = {r"yaml-cpp/": "sw/yaml", r"verilated(_\w+)?\.h": "sc_models/profiling/verilated"}


def read_table(page):
    """Room: the names that it may include. `rtl` and other folders without C++ have no third column."""
    section = page.partition("\n## Rooms\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \|[^|]*\|([^|]*)\|$", section, re.M)
    return {room: re.findall(r"[\w/]+", allowed.replace("nothing", "")) for room, allowed in rows}


def room_of(path, rooms):
    above = [room for room in rooms if path.startswith(room + "/")]
    return max(above, key=len) if above else None


def named(table, name):
    """The rooms that a name of the third column stands for."""
    rooms = [room for room in table if f"/{room}".endswith(f"/{name}")]
    return rooms or [room for room in table if f"/{name}/" in f"/{room}"]


def allows(table, room, other):
    return any(other in named(table, name) for name in table[room])


def circle(table):
    """Rooms of which each may include the next, and the last the first; None if there are none."""
    done, path = set(), []

    def visit(room):
        if room in path:
            return path[path.index(room):]
        if room in done:
            return None
        path.append(room)
        for other in table:
            if other != room and allows(table, room, other):
                found = visit(other)
                if found:
                    return found
        path.pop()
        done.add(room)
        return None

    return next((found for room in table if (found := visit(room))), None)


def faults(table, sources):
    """One sentence a fault. sources: text by path, of sc_models and sw."""
    if not table:
        yield f"{PAGE}: expected a table of rooms below '## Rooms', found none"
        return
    used = {room_of(path, table) for path in sources}
    for room, allowed in table.items():
        if room.startswith(ROOTS) and room not in used:
            yield f"{PAGE}: room {room} has no source: expected a folder with one, or no row"
        for name in allowed:
            if not named(table, name):
                yield f"{PAGE}: room {room} may include {name}, which is no room: expected one of the table's first column"
    found = circle(table)
    if found:
        yield f"{PAGE}: the rooms {' -> '.join([*found, found[0]])} may include each other in a circle: expected none"
    for path, text in sorted(sources.items()):
        room = room_of(path, table)
        if room is None:
            yield f"{path}: its folder is in no room: expected a row for it in {PAGE}"
            continue
        for number, line in enumerate(text.splitlines(), 1):
            included = re.match(r'#include ["<]([^">]+)[">]', line)
            if not included:
                continue
            target = included[1]
            for pattern, alone in ALONE.items():
                if re.match(pattern, target) and room != alone:
                    yield f"{path}:{number}: includes {target}: expected that in {alone} alone"
            if not target.startswith(ROOTS):
                continue
            other = room_of(target, table)
            if other != room and (other is None or not allows(table, room, other)):
                yield (f"{path}:{number}: room {room} includes {target}, of room {other}: expected one that the row of {room} "
                       f"in {PAGE} allows")


def tree():
    names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *ROOTS], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split()
    return {name: (ROOT / name).read_text() for name in names
            if name.endswith((".h", ".cpp")) and (ROOT / name).is_file()}


def main():
    found = list(faults(read_table((ROOT / PAGE).read_text()), tree()))
    print("\n".join(found) if found else "rooms: every include is one that the table allows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
