"""Words and forms of forms.py in pages, configurations, messages, and comments."""
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


def covered(file):
    return not is_data(file) and not file.endswith(".md") and not file.startswith("configs/")


def check(tree):
    findings = []
    for file in tree.files:
        if file.endswith(".md"):
            findings += in_passages(file, passages.of_page(tree.text(file)))
        elif file.startswith("configs/") and not is_data(file):
            findings += in_passages(file, list(enumerate(tree.lines(file), 1)))
        elif covered(file):
            comments, texts = passages.of_code(file, tree.text(file))
            findings += in_passages(file, comments + texts if says_messages(file) else comments)
    return findings
