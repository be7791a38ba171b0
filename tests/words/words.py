"""Words and forms of forms.py in pages, configurations, messages, and the comments of the rooms that are covered."""
import posixpath

import forms
import passages
from tree import Finding


def tells_history(file):
    return file == "CHANGELOG.md" or file.startswith("docs/notes/")


def is_data(file):
    """Inputs of programs and texts of other people: nothing the project says."""
    return file.endswith((".svg", ".golden", ".ignore")) or file == "LICENSE" or "/golden/" in file or "/inputs/" in file


def in_passages(file, found):
    for first, text in found:
        for offset, words, form in forms.find(text, tells_history(file)):
            yield Finding(file, first + text.count("\n", 0, offset), form.name, words, form.reason)


def says_messages(file):
    """Whether texts in the file are read by a user: help, errors, tables."""
    return file.startswith(("sw/", "sc_models/", "rtl/", "scripts/"))


def room_of(file):
    return posixpath.dirname(file) or "."


def covered(file):
    return not is_data(file) and not file.endswith(".md") and not file.startswith("configs/")


def check(tree, not_yet, listed_in="the list"):
    """not_yet: {room: line of the list}, the rooms whose comments are not covered; a room is a folder."""
    findings = []
    of_rooms = {}
    for file in tree.files:
        if file.endswith(".md"):
            findings += in_passages(file, passages.of_page(tree.text(file)))
        elif file.startswith("configs/") and not is_data(file):
            findings += in_passages(file, list(enumerate(tree.lines(file), 1)))
        elif covered(file):
            comments, texts = passages.of_code(file, tree.text(file))
            if says_messages(file):
                findings += in_passages(file, texts)
            of_rooms.setdefault(room_of(file), []).extend(in_passages(file, comments))
    for room, found in sorted(of_rooms.items()):
        if room not in not_yet:
            findings += found
        elif not found:
            findings.append(Finding(listed_in, not_yet[room], "not yet", room,
                                    "its comments are clean: take the room off the list, so that they stay so"))
    for room in sorted(set(not_yet) - set(of_rooms)):
        findings.append(Finding(listed_in, not_yet[room], "not yet", room, "there is no such room: take it off the list"))
    return findings


def unclean_rooms(tree):
    """Rooms with a finding in a comment, and their number of findings."""
    counts = {}
    for file in tree.files:
        if covered(file):
            found = list(in_passages(file, passages.of_code(file, tree.text(file))[0]))
            if found:
                counts[room_of(file)] = counts.get(room_of(file), 0) + len(found)
    return dict(sorted(counts.items()))
