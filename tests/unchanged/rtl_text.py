"""RTL as the tools read it: without comments, so that a sentence that is put better does not repeat a proof."""
import re

# A string, a comment to the end of the line with the blanks before it, or a comment between marks.
PARTS = re.compile(r'"(?:\\.|[^"\\\n])*"|[ \t]*//[^\n]*|/\*.*?\*/', re.S)
# What begins a comment that a tool obeys; the last three are those of tb/formal/prove.sh.
DIRECTIVE = re.compile(r"[ \t]*(?://|/\*)\s*(?:verilator|synopsys|synthesis|pragma|translate_\w+|prove|peek|leave)\b", re.I)


def without_comments(text):
    """The text without comments and empty lines. What is in a string is no comment, and one that a tool obeys stays."""
    def kept(part):
        found = part.group()
        if found.startswith('"') or DIRECTIVE.match(found):
            return found
        return " " if found.startswith("/*") else ""

    return "\n".join(line for line in PARTS.sub(kept, text).splitlines() if line.strip()) + "\n"


def content_of(path):
    """The bytes of a file that decide what a tool makes of it."""
    content = path.read_bytes()
    if path.suffix not in (".sv", ".svh"):
        return content
    return without_comments(content.decode()).encode()
