"""Pages: how wide they are, and whether their links lead somewhere."""
import posixpath
import re
from urllib.parse import unquote

import passages
from tree import Finding

ROW = 160
COLUMNS = 7
LINE = 120


def widths(tree):
    """Rows and columns of tables, and lines of text, as a reader of the page sees them."""
    for file in tree.pages:
        columns_told = False
        for number, line, kind in passages.blocks(tree.lines(file)):
            seen = re.sub(r" {2,}", " ", passages.visible(line)).rstrip()
            if kind == "table":
                if len(seen) > ROW:
                    yield Finding(file, number, "wide row", f"{len(seen)} characters",
                                  f"a row has at most {ROW}: move explanations below the table")
                if not columns_told and len(passages.cells(line)) > COLUMNS:
                    columns_told = True
                    yield Finding(file, number, "wide table", f"{len(passages.cells(line))} columns",
                                  f"a table has at most {COLUMNS}: a column that says the same in every row is a sentence")
            else:
                columns_told = False
            if kind in ("text", "item") and len(seen) > LINE and " " in seen[:LINE].strip():
                yield Finding(file, number, "long line", f"{len(seen)} characters", f"text has at most {LINE}")


def anchors(text):
    """The anchors of a page, by GitHub's rule."""
    found, seen = set(), {}
    for _, line, kind in passages.blocks(text.split("\n")):
        found.update(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", line))
        if kind != "heading":
            continue
        title = passages.visible(line.strip().strip("#").strip())
        title = re.sub(r"(?<!\w)([*_]{1,2})(\S(?:.*?\S)?)\1(?!\w)", r"\2", title.replace("`", ""))
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        times = seen.get(anchor, 0)
        seen[anchor] = times + 1
        found.add(f"{anchor}-{times}" if times else anchor)
    return found


LINK = re.compile(r"\[(?:[^][]|\[[^]]*\])*\]\(<?([^()\s>]+(?:\([^()]*\)[^()\s>]*)*)>?(?:\s+\"[^\"]*\")?\)"
                  r"|<(?:img|a)\b[^>]*\b(?:src|href)=\"([^\"]+)\"|^\s*\[[^]]+\]:\s*(\S+)")


def links(tree, file):
    """Yields (line, address) of a page."""
    for number, line, kind in passages.blocks(tree.lines(file)):
        if kind in ("fence", "code"):
            continue
        plain = re.sub(r"(`+)(.+?)\1", lambda m: m[0] if "](" in m[0] else "`" + "x" * len(m[2]) + "`", line)
        plain = re.sub(r"`[^`]*\]\([^`]*`", "", plain)  # A link written as code is an example of one.
        for match in LINK.finditer(plain):
            yield number, match[1] or match[2] or match[3]


def target(file, address):
    """The file that a link of a page names, and its anchor; None for a place outside the tree."""
    if re.match(r"[a-z][a-z0-9+.-]*:|//", address):
        return None
    path, _, anchor = unquote(address).partition("#")
    if path.startswith("/"):
        return path.lstrip("/"), anchor
    return (posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file), anchor


def dead_links(tree):
    for file in tree.pages:
        for number, address in links(tree, file):
            to = target(file, address)
            if to is None:
                continue
            path, anchor = to
            if path not in tree.names:
                yield Finding(file, number, "dead link", address, f"there is no {path} in the tree")
            elif anchor and path.endswith(".md") and anchor not in anchors(tree.text(path)):
                yield Finding(file, number, "dead anchor", address, f"{path} has no heading with this anchor")


def index_of(tree, file):
    """The page that lists a page: the nearest index.md above it."""
    folder = posixpath.dirname(file)
    while folder:
        index = folder + "/index.md"
        if index in tree.files and index != file:
            return index
        folder = posixpath.dirname(folder)
    return "README.md"


def linked(tree, file):
    """The files that a page links."""
    return {to[0] for _, address in links(tree, file) if (to := target(file, address))} if file in tree.files else set()


def not_listed(tree):
    """Pages that a reader does not find from the index. A table or a note belongs to a page, which links it."""
    from_any = set().union(*(linked(tree, file) for file in tree.pages))
    for file in tree.pages:
        if file.startswith(("docs/tables/", "docs/notes/")):
            if file not in from_any:
                yield Finding(file, 1, "page not listed", file, "no page has a link to it")
        elif file.startswith("docs/") and file not in linked(tree, index_of(tree, file)):
            yield Finding(file, 1, "page not listed", file, f"{index_of(tree, file)} has no link to it")


def check(tree):
    return [*widths(tree), *dead_links(tree), *not_listed(tree)]
