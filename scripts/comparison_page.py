"""The pages of scripts/comparison, comparison.md and comparison.html, from what the sweep measured."""
import html
import json
import math
import pathlib
import textwrap

import comparison_picture
from comparison_summary import ENOUGH, best, interval, over, recommended, summary, summary_of, winners
from comparison_systems import KINDS, METRICS, PLACES, QUESTIONS, SYSTEMS, reason

WORDS = {"ge": "area", "overhead": "cycles", "growth": "code growth", "second": "a second core or thread"}
OPTIMIZERS = {"clang": "clang", "bolt": "BOLT", "optimize": "`strobe optimize`"}
WIDTH = 118
SHARED = pathlib.Path(__file__).resolve().parent


class PageError(RuntimeError):
    """One sentence."""


def share(value):
    return f"{100 * value:,.0f} %" if value > 1 else f"{100 * value:.3g} %"


def decimals(value):
    return f"{value:.3f}"


def signed(value):
    return f"{value:+.3f}"


def count(value):
    return f"{value:,.0f}"


def times(value):
    return f"{value:.2f}"


def kilobytes(value):
    return f"{value / 1000:,.0f}" if value >= 1e6 else f"{value / 1000:.3g}"


def spread(bounds, text):
    if bounds is None:
        return "-"
    mean, low, high = bounds
    return text(mean) if low is None else f"{text(mean)} ({text(low)} to {text(high)})"


def millions(record):
    """Writes a number of instructions until the error is small; the record's longest run is as far as is known."""
    first = min((int(length) for kind in record["kinds"].values() for system in kind.values() for one in system.values()
                 for length in one["by_length"]), default=0)

    def text(value):
        if math.isinf(value):
            return f"> {record['instructions'] / 1e6:g}"
        return f"{value / 1e6:.2g}" if value else f"< {first / 1e6:g}"
    return text


def bold(name, one):
    return f"**{name}**" if one["on_front"] else name


def accuracy_table(kind, of_kind, record):
    metric = METRICS[kind]
    named = f" {metric[0]} |" if metric else ""
    yield f"| system | overlap |{named} overhead | 10^6 instructions to {100 * ENOUGH:g} % error | lost at a change | on the front |"
    yield "|---|---|" + "---|" * bool(metric) + "---|---|---|---:|"
    for name in SYSTEMS:
        one = of_kind.get(name)
        if one:
            cells = [bold(name, one), spread(one["overlap"], decimals), *([spread(one["metric"], decimals)] if metric else []),
                     spread(one["overhead"], share), spread(one["settled"], millions(record)),
                     spread(one.get("lost"), signed), "reference" if one["reference"] else f"{100 * one['front']:.0f} %"]
            yield f"| {' | '.join(cells)} |"


def cost_table(of_kind):
    yield "| system | messages, events or samples in 10^6 instructions | KB in 10^6 instructions | code, times |"
    yield "|---|---|---|---|"
    for name in SYSTEMS:
        one = of_kind.get(name)
        if one:
            yield f"| {name} | {spread(one['taken'], count)} | {spread(one['bytes'], kilobytes)} | {spread(one['code'], times)} |"


def systems_table(of, hardware):
    yield "| system | gate equivalents | ns | storage bits | needs |"
    yield "|---|---:|---:|---:|---|"
    for name, about in SYSTEMS.items():
        part = hardware.get(name)
        bits = [of_kind[name]["storage_bits"] for of_kind in of.values() if name in of_kind]
        bits = [one for one in bits if one is not None]
        yield (f"| {name} | {format(part['ge'], ',.0f') if part else '-'} | {part['ns'] if part else '-'} | "
               f"{format(max(bits), ',') if bits else '-'} | {about['needs']} |")


def gains_table(gains):
    yield "| system | " + " | ".join(OPTIMIZERS.values()) + " |"
    yield "|---|" + "---|" * len(OPTIMIZERS)
    for name in SYSTEMS:
        if name in gains:
            cells = []
            for way in OPTIMIZERS:
                found = gains[name].get(way)
                if isinstance(found, tuple):
                    found = [found[0], found[0] - found[1], found[0] + found[1]]
                elif found:
                    found = interval(found)
                cells.append(spread(found, lambda value: f"{value:+.1f} %"))
            yield f"| {name} | {' | '.join(cells)} |"


def places_table(of):
    yield "| profile | " + " | ".join(words for _, words in PLACES) + " |"
    yield "|---|" + "---|" * len(PLACES)
    for kind, of_kind in of.items():
        cells = []
        for budget, _ in PLACES:
            name, equal = winners(of_kind, budget)
            cells.append("-" if name is None else f"{name}, {decimals(of_kind[name]['overlap'][0])}"
                         + (f" (not told from: {'; '.join(equal)})" if equal else ""))
        yield f"| {kind} | {' | '.join(cells)} |"


def missing(of_kind, kind):
    """A line for each reason, with the systems that have it."""
    by_reason = {}
    for name in SYSTEMS:
        why = reason(name, kind)
        if name not in of_kind and why:
            by_reason.setdefault(why, []).append(name)
    for why, names in by_reason.items():
        yield f"- {'; '.join(names)}: -, because {why}."


def answer(question, record, hardware, of):
    """A paragraph: the answer, and what every other program alone chooses, with its figures on the rest."""
    kind, budget, words = question
    of_kind = of.get(kind, {})
    if not any(not one["reference"] for one in of_kind.values()):
        return f"**{words}** No system has measured this kind."
    name, others = recommended(of_kind, budget)
    if name is None:
        near, went_over = best(of_kind, budget)[1]
        loosen = " and ".join(WORDS[key] for key in went_over)
        one = of_kind[near]
        return (f"**{words}** Nothing that was measured: loosen {loosen}. The nearest is *{near}*, with {one['ge'] / 1000:.1f} kGE, "
                f"{spread(one['overhead'], share)} of the cycles and an overlap of {spread(one['overlap'], decimals)}.")
    one = of_kind[name]
    return (f"**{words}** *{name}*: an overlap of {spread(one['overlap'], decimals)} for {spread(one['overhead'], share)} of the "
            f"cycles, {one['ge'] / 1000:.1f} kGE and {one['growth']:.2f} times the code; it needs {one['needs']}."
            + (f" Not told from the most accurate either, and costlier: {'; '.join(others)}." if others else "")
            + halves(name, kind, budget, record, hardware))


def halves(name, kind, budget, record, hardware):
    """What every other program alone chooses, with its figures on the rest, which that choice does not look at."""
    programs = sorted({program for system in record["kinds"][kind].values() for program in system})
    chosen_by, rest = (summary_of(kind, record, hardware, set(half)) if half else {} for half in (programs[::2], programs[1::2]))
    again = recommended(chosen_by, budget)[0] if chosen_by and rest else None
    if again not in rest:
        return ""
    held = "within" if not over(rest[again], budget) else "**outside**"
    return (f" Every other program alone chooses {'the same' if again == name else f'*{again}*'}: on the rest it has "
            f"{spread(rest[again]['overlap'], decimals)} for {spread(rest[again]['overhead'], share)}, {held} the budget.")


HEAD = """# The systems side by side

`scripts/comparison` · `scripts/comparison_page.py` · `configs/sweeps/systems.yaml`

Each kind of profile, collected by each system that can, on the [HPS paper's machine](blocks/core.md) and the first
{instructions} million instructions of {programs} programs. `scripts/comparison` measures this and goes on where it was
stopped; this is of Strobe {version} ({commit}). [A page for designers](comparison.html) takes a budget and says what
remains.

![Overlap over overhead of each kind of profile, with the fronts](comparison.svg)
"""
READ = """## How to read it

In parentheses is the 95 % interval of a figure, by resampling the programs.

- *Overlap* is that with the [exhaustive profile](metrics.md#overlap) of the same run: 1 is perfect. For methods by time it is
  the share of the cycles that are in the right method. The next column is the metric of the paper that profiles this kind:
  [invariance error](metrics.md#invariance-error) (stratified sampling; of edges it is that of a branch's bias), [overlap at
  90 %](metrics.md#overlap-at-90-) (HPS), [exact overlap](hot-streams.md#comparing-stream-profiles) (bursty tracing).
- *Overhead* is measured: the cycles of a run beyond those of the same region without profiling, as a share of these.
- *To 5 % error*: after so many million instructions the overlap is 0.95 and stays there; the median over the programs, of
  runs of {lengths} million.
- *Lost at a change*: {pairs} pairs of programs run in succession, as one program. The error of that profile, less the errors of
  each program's own profile, weighted by events: above 0, the change spoils the profile.
- The regions are the beginnings of the programs. What a system pays once costs more there than in whole runs: ephemeral
  instrumentation records the first executions of every branch ([whole
  runs](reproductions/ephemeral.md#one-optimizer-every-profiler) cost less).
- *On the front*: in how many of a thousand resamplings no other system is at least as good in overlap, overhead, area, code
  and second core, and better in one. In bold is what is on the front by its means. *exhaustive* is a reference.
"""


def markdown(record, hardware, gains, of):
    programs = sorted({name for kind in record["kinds"].values() for system in kind.values() for name in system})
    lengths = sorted({int(length) for kind in record["kinds"].values() for system in kind.values() for one in system.values()
                      for length in one["by_length"]})
    pairs = max((len(found) for kind in record["succession"].values() for found in kind.values()), default=0)
    facts = {"instructions": f"{record['instructions'] / 1e6:g}", "programs": len(programs), "version": record["version"],
             "commit": record["commit"], "lengths": ", ".join(f"{length / 1e6:g}" for length in lengths), "pairs": pairs}
    lines = [HEAD.format(**facts), "## Answers", "",
             "The answer costs the fewest cycles among the most accurate system within a budget and those that cannot be told from it,",
             "program by program. A system is within a budget of cycles if the upper end of its interval is. To check an answer, every other",
             "program alone chooses again, and its choice is measured on the rest, which it did not look at.", ""]
    for question in QUESTIONS:
        lines += [answer(question, record, hardware, of), ""]
    lines += ["## The best system by budget", "", "The most accurate system within a budget, with its overlap, and those whose overlap cannot be told from it:",
              "the 95 % interval of the difference, program by program, has 0 in it.", "", *places_table(of), "",
              READ.format(**facts)]
    for kind, what in KINDS.items():
        if kind in of:
            lines += [f"## {kind[0].upper()}{kind[1:]}: {what}", "", *accuracy_table(kind, of[kind], record), "",
                      *cost_table(of[kind]), "", *missing(of[kind], kind), ""]
    lines += ["## What an optimizer gains", "",
              "The change in cycles of programs that were optimized by a system's profile of edges: compiled again by clang and laid out",
              "again by BOLT ([the loop](pgo.md), whose inputs are longer), and scheduled by [`strobe optimize`](optimize.md) for an",
              "in-order core ([one optimizer, every profiler](reproductions/ephemeral.md#one-optimizer-every-profiler)). Less is better.", "",
              *gains_table(gains), "",
              "## What a system is and needs", "",
              "Area, with memories, and period are those of the whole path in osu018 ([configurations](tables/configurations.md)), and of the",
              "[decode engine](tables/synthesis.md) where it is needed.", "", *systems_table(of, hardware), ""]
    if record["failed"]:
        lines += ["## Runs that failed", "",
                  *(f"- {one['kind']}, {one['system']}, {one['program']}"
                    + (f", {one['instructions'] / 1e6:g} million instructions" if one.get("instructions") else "") + f": {one['reason']}"
                    for one in record["failed"]), ""]
    return wrapped(lines)


def wrapped(lines):
    """The page with its paragraphs and list items in lines of at most WIDTH characters; rows of tables are one line."""
    result, part = [], []

    def end():
        if part:
            indent = "  " if part[0].startswith("- ") else ""
            result.extend(textwrap.wrap(" ".join(part), WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))
            part.clear()
    for line in "\n".join(lines).split("\n"):
        if not line or line.startswith(("|", "#", "!")):
            end()
            result.append(line)
        elif line.startswith("- "):
            end()
            part.append(line)
        else:
            part.append(line.strip())
    end()
    return "\n".join(result) + "\n"


def finite(value):
    """For JSON, which has no infinity: null is a time that was not reached."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and math.isinf(value) else value


def pages(record, hardware, gains):
    """The text of each page by its file's name. Raises PageError for a record without a measured system."""
    of = summary(record, hardware)
    if not of:
        raise PageError("the record has no run that measured anything; run scripts/comparison")
    data = {"kinds": finite(of), "words": WORDS, "instructions": record["instructions"],
            "metrics": {kind: METRICS[kind][0] if METRICS[kind] else None for kind in KINDS},
            "cannot": {kind: {name: reason(name, kind) for name in SYSTEMS if reason(name, kind)} for kind in KINDS}}
    template = (SHARED / "comparison.html").read_text()
    shown = json.dumps(data, sort_keys=True).replace("<", "\\u003c")
    return {"comparison.md": markdown(record, hardware, gains, of), "comparison.svg": comparison_picture.picture(of),
            "comparison.html": template.replace("{{data}}", shown).replace("{{version}}", html.escape(f"{record['version']} ({record['commit']})"))}
