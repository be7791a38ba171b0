"""The words and forms that the project does not write, each with its reason and what to write.

A form is looked for in passages: paragraphs, list items and cells of pages; comments and texts of code. A space of a
pattern stands for any white space, so a form is found across the ends of lines.
"""
import re
from typing import NamedTuple


class Form(NamedTuple):
    name: str
    pattern: re.Pattern
    reason: str
    history: bool = False  # Allowed where history is told: CHANGELOG.md and docs/notes/.


def form(name, pattern, reason, history=False):
    return Form(name, re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), reason, history)


def sentence_opening(name, pattern, reason, history=False):
    """A form at the beginning of a sentence, where case decides."""
    opening = r"(?:\A|(?<=[.:;!?]\s)|(?<=[.:;!?]\n))\s*"
    return Form(name, re.compile(opening + pattern.replace(" ", r"\s+")), reason, history)


PEOPLE = "|".join(("one someone somebody anyone anybody everyone everybody those people person persons man woman reader readers user "
          "users newcomer newcomers author authors owner owners attacker attackers developer developers engineer "
          "engineers programmer programmers reviewer reviewers contributor contributors maintainer maintainers team "
          "teams architect architects designer designers you").split())

PARTS = "|".join("the an? only one none all most some about at no each every two three half few many \\d+".split())

FORMS = [
    form("behind", r"\bbehind\b",
         "in time say after; in a pipeline downstream; for a dependence say depends on; for a cause say because of"),
    form("in front of", r"\bin front(?: of\b|\b)",
         "in time say before; in a pipeline say upstream"),
    form("nobody", r"\b(?:nobody|somebody|whoever|whomever)(?:'s|s)?\b",
         "blocks are not people: say which block does it, or use the passive"),
    form("who", rf"(?:\A|[.:;(`)] ?|\b(?!(?:{PEOPLE})\b)\w+,? )who\b",
         "a block or a tool is not a person: say which, that, or name it"),
    form("in vain", r"\bin vain\b", "say that the result is discarded, and when"),
    form("piece", r"\bpieces?\b", "say fetch group, bundle, part or fragment"),
    form("lesson", r"\blessons?\b", "say predictor update"),
    form("since then", r"\bsince then\b", "a text describes the present; history belongs to the commit", history=True),
    form("no longer", r"\b(?:no longer|anymore|not any more|until now|used to be|formerly)\b",
         "a text describes the present: say what holds", history=True),
    form("instead of a number", r"\binstead of (?:about |some |over )?\d", "a text gives the present figure", history=True),
    sentence_opening("now", r"(?:Now,? [a-z]+(?<!that)\b)", "a text describes the present: leave the word out",
                     history=True),
    # "Of several matches, the first counts" has its noun; "Of the next instruction: its time" has none.
    sentence_opening("genitive opening", rf"Of (?!course\b)(?![^,.:;]{{3,80}}, (?:{PARTS})\b)[a-z0-9]\w*",
                     "open the sentence with its subject ('The next instruction of the group issues ...'), or put a comma "
                     "between the whole and its part ('Of two matches, the first counts')"),
    Form("genitive opening", re.compile(r"\Aof\s+(?:the|an?|its?|each|every|all|both|two|those|that|what|one|several)\b"),
         "begin with the noun: 'the program's exit code', not 'of the program'"),
    form("riddle", r"\b(?:now and then|once for all|and be done)\b", "say how often, or leave it out"),
    form("for ever", r"\bfor ever\b", "say forever, or without end"),
]

# British stems, and what America writes. A stem is a whole word or the beginning of one.
OUR = "behavi col fav neighb hon lab flav harb hum rum rig vig arm end".split()
ISE = ("optim normal initial synthes organ recogn real summar util serial special minim maxim emphas priorit general "
       "parallel random vector sanit token categor character visual synchron author standard material custom memor "
       "final canonical quant penal local central stabil neutral digit equal factor formal ideal item modern modular "
       "polar popular scrutin symbol virtual apolog").split()
DOUBLED = "model label cancel travel signal level channel tunnel marshal initial".split()
SPELLINGS = [
    (rf"\b(?:un|mis|dis)?(?:{'|'.join(OUR)})ours?(?:ed|ing|able|ably|ite|ites|al|ally|ful|less|hood|ly)?\b", "-our is -or"),
    (rf"\b(?:un|re|de|pre)?(?:{'|'.join(ISE)})is(?:e|es|ed|ing|er|ers|able|ation|ations|ational)\b", "-ise is -ize"),
    (rf"\b(?:un|re|de|mis)?(?:{'|'.join(DOUBLED)})l(?:ed|ing|er|ers)\b", "one l before -ed, -ing and -er"),
    (r"\b(?:re)?analys(?:e|ed|er|ers|ing)\b", "analyze"),
    (r"\b(?:centre|centres|centred|fibre|fibres|metre|metres|theatre)\b", "-re is -er"),
    (r"\b(?:catalogue|dialogue|analogue)[sd]?\b", "-logue is -log"),
    (r"\bgrey(?:ed|s|scale)?\b", "gray"),
    (r"\b(?:licence|licences|defence|offence|pretence)\b", "-ence is -ense"),
    (r"\b(?:artefacts?|programmes?|whilst|amongst|learnt|spelt|ageing|cheques?|sceptic\w*|judgement|fulfil|fulfils"
     r"|enrol|skilful|aluminium|mould|plough|tyre|aeroplane|storeys?)\b", "American spelling"),
]
FORMS += [Form("British spelling", re.compile(pattern, re.IGNORECASE), f"{reason}: the project spells American")
          for pattern, reason in SPELLINGS]


def find(text, tells_history=False):
    """Yields (offset, found text, form) of a passage."""
    for each in FORMS:
        if each.history and tells_history:
            continue
        for match in each.pattern.finditer(text):
            offset = match.start() + len(match[0]) - len(match[0].lstrip())
            yield offset, " ".join(match[0].split()), each
