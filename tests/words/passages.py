"""Passages of prose in pages, configurations and code: (first line, text), with one line of text a line of the file."""
import io
import re
import tokenize

CODE = {".cpp", ".h", ".c", ".S", ".sv", ".svh", ".vlt", ".js", ".css", ".ld"}
HASH = {".py", ".sh", ".cmake", ".txt", ".yaml", ".dise", ".ys", ".sdc", ".gtp", ".lua", ""}


# --- pages ---------------------------------------------------------------------------------------------------------

def visible(line):
    """A line of Markdown as its reader sees it: no addresses of links, no comments."""
    line = re.sub(r"<!--.*?-->", "", line)
    return re.sub(r"(!?)\[((?:[^][]|\[[^]]*\])*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)", r"\2", line)


def without_code(line):
    return re.sub(r"(`+)(.+?)\1", lambda m: m[1] + "x" * len(m[2]) + m[1], line)


def blocks(lines):
    """Yields (number, line, kind) with kind fence, code, table, heading, item, text or blank."""
    fence = None
    previous = "blank"
    in_list = False
    for number, line in enumerate(lines, 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence:
            kind = "fence"
            if mark and mark[1].startswith(fence) and line.strip() == mark[1]:
                fence = None
        elif mark:
            fence, kind = mark[1], "fence"
        elif not line.strip():
            kind = "blank"
        elif re.match(r"(?: {4}|\t)", line) and not in_list and previous in ("blank", "code", "heading"):
            kind = "code"
        elif line.lstrip().startswith("|"):
            kind = "table"
        elif re.match(r"#{1,6} ", line):
            kind = "heading"
        elif re.match(r"\s*(?:[-*+]|\d+[.)]) ", line):
            kind = "item"
        else:
            kind = "text"
        if kind == "item":
            in_list = True
        elif kind in ("heading", "table") or (kind == "text" and previous == "blank" and not line.startswith(" ")):
            in_list = False
        yield number, line, kind
        previous = kind


def cells(row):
    """The cells of a table's row. A | in code or after a backslash is part of its cell."""
    row = re.sub(r"(`+)(.+?)\1", lambda m: m[0].replace("|", "\0"), row.strip()).replace("\\|", "\0")
    return [cell.strip().replace("\0", "|") for cell in row.strip("|").split("|")]


def of_page(text):
    lines = re.sub(r"<!--.*?-->", lambda m: re.sub(r"[^\n]", "", m[0]), text, flags=re.DOTALL).split("\n")
    passage, first = [], 0

    def done():
        nonlocal passage
        whole, passage = passage, []
        return [(first, "\n".join(whole))] if whole else []

    for number, line, kind in blocks(lines):
        if kind != "text":
            yield from done()
        prose = without_code(visible(line))
        if kind == "table":
            for cell in cells(prose):
                yield number, cell
        elif kind == "heading":
            yield number, prose.lstrip("# ")
        elif kind in ("item", "text"):
            if not passage:
                first = number
            passage.append(re.sub(r"^\s*(?:[-*+]|\d+[.)]|>) ", "", prose).strip() if kind == "item" or
                           prose.lstrip().startswith(">") else prose.strip())
    yield from done()


# --- code ----------------------------------------------------------------------------------------------------------

TOKENS = re.compile(r"""
    (?P<line>//[^\n]*) | (?P<block>/\*.*?\*/) |
    (?P<raw>R"(?P<tag>\w*)\(.*?\)(?P=tag)") |
    (?P<text>"(?:\\.|[^"\\\n])*") | (?P<char>'(?:\\.|[^'\\\n])')
""", re.VERBOSE | re.DOTALL)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def own(text, start):
    """Whether a comment has its line for itself."""
    return not text[text.rfind("\n", 0, start) + 1:start].strip()


def joined(comments):
    """Successive lines of comments as passages; an empty one ends a passage, and code before one begins a passage."""
    passage, first, last = [], 0, 0
    for number, comment, alone in comments:
        if passage and (number != last + 1 or not alone or not comment):
            yield first, "\n".join(passage)
            passage = []
        if comment:
            if not passage:
                first = number
            passage.append(comment)
        last = number
    if passage:
        yield first, "\n".join(passage)


def c_like(text):
    comments, texts = [], []
    end = None
    for match in TOKENS.finditer(text):
        number = line_of(text, match.start())
        if match["line"]:
            comments.append((number, match["line"].lstrip("/<! ").strip(), own(text, match.start())))
        elif match["block"]:
            for k, line in enumerate(match["block"][2:-2].split("\n")):
                comments.append((number + k, line.strip(" *\t!"), k > 0 or own(text, match.start())))
        elif match["text"] or match["raw"]:
            inner = match["text"][1:-1] if match["text"] else match["raw"].split("(", 1)[1].rsplit(")", 1)[0]
            if end is not None and not text[end:match.start()].strip():
                texts[-1] = (texts[-1][0], texts[-1][1] + inner)
            else:
                texts.append((number, inner))
            end = match.end()
    return list(joined(comments)), texts


def python(text):
    comments, texts = [], []
    statement = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments.append((token.start[0], token.string.lstrip("#! ").strip(), not token.line[:token.start[1]].strip()))
            elif token.type == tokenize.STRING:
                inner = re.sub(r"^\w*('''|\"\"\"|'|\")|('''|\"\"\"|'|\")$", "", token.string)
                if statement:  # A docstring is a comment.
                    comments += [(token.start[0] + k, line.strip(), k > 0) for k, line in enumerate(inner.split("\n"))]
                else:
                    texts.append((token.start[0], inner))
            if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
                statement = True
            elif token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENCODING):
                statement = False
    except (tokenize.TokenError, IndentationError):
        pass
    return list(joined(comments)), texts


def hash_like(text):
    comments, texts = [], []
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"((?:[^#\"']|\"(?:\\.|[^\"\\])*\"|'[^']*'|(?<=\S)#|['\"])*?)(?:(?<!\S)#+!?\s*(.*))?$", line)
        code, comment = (match[1], match[2]) if match else (line, None)
        if comment is not None:
            comments.append((number, comment.strip(), not code.strip()))
        texts += [(number, inner) for inner in re.findall(r'"((?:\\.|[^"\\])*)"', code)]
    return list(joined(comments)), texts


def html(text):
    """What a browser shows: the text between tags, without scripts, styles and the license of others."""
    blank = lambda match: re.sub(r"[^\n]", " ", match[0])  # Lines stay where they are.
    for left_out in (r"<(script|style|details)\b.*?</\1>", r"<[^>]*>", r"\{\{.*?\}\}"):
        text = re.sub(left_out, blank, text, flags=re.DOTALL)
    return [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def of_code(file, text):
    """The passages of a source file: (comments, texts). Texts without a space are names, not prose."""
    suffix = "." + file.rsplit(".", 1)[1] if "." in file.rsplit("/", 1)[-1] else ""
    if suffix == "" and text.startswith("#!") and "python" in text.split("\n", 1)[0]:
        suffix = ".py"
    if suffix == ".html":
        return [], html(text)
    if suffix in CODE:
        comments, texts = c_like(text)
    elif suffix == ".py":
        comments, texts = python(text)
    elif suffix in HASH:
        comments, texts = hash_like(text)
    else:
        return [], []
    prose = [(number, inner.replace("\\n", " ")) for number, inner in texts if " " in inner.strip()]
    return comments, prose
