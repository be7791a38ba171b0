"""The pages of scripts/comparison, comparison.md and comparison.html, from what the sweep measured."""
import html
import json
import pathlib
import random

KINDS = {"edges": "where branches go", "call pairs": "which function calls which", "methods": "which functions and loops are entered",
         "methods by time": "in which functions the cycles go", "values": "what loads return",
         "hot data streams": "which sequences of accesses repeat"}
NONE, OBJECTS = "nothing of the program", "the program's objects and link command"
# What a system needs: hardware is named configurations, `engine` is the decode engine. `second` is a core or a thread of its own.
SYSTEMS = {
    "exhaustive": {"hardware": ["periodic-256"], "needs": "a message for each event: a reference, nothing that one would build",
                   "second": False},
    "random": {"hardware": ["random-256"], "needs": NONE, "second": False},
    "periodic": {"hardware": ["periodic-256"], "needs": NONE, "second": False},
    "stratified, interrupt": {"hardware": ["stratified-2048"], "needs": NONE, "second": False},
    "stratified, ring": {"hardware": ["stratified-2048-ring"], "needs": "a second core that reads the ring", "second": True},
    "stratified, 8 banks": {"hardware": ["stratified-2048-crc32c"], "needs": NONE, "second": False},
    "stratified in HPS bursts": {"hardware": ["hps-gated-stratified", "engine"], "needs": NONE, "second": False},
    "HPS": {"hardware": ["engine"], "needs": NONE, "second": False},
    "plain DISE": {"hardware": ["engine"], "needs": NONE, "second": False},
    "branch-on-random": {"hardware": ["engine"], "needs": NONE, "second": False},
    "bursty tracing": {"hardware": [], "needs": OBJECTS, "second": False},
    "ephemeral": {"hardware": [], "needs": OBJECTS, "second": False},
    "SHIM, a core of its own": {"hardware": [], "needs": OBJECTS + ", and a second core", "second": True},
    "SHIM, a thread of the core": {"hardware": [], "needs": OBJECTS + ", and a second thread", "second": True},
}
# Why a system has no profile of a kind.
SAMPLER = "its profile is of tuples that instructions have, and {}"
CANNOT = {
    "exhaustive": {"methods": SAMPLER.format("a selector of entries does not exist"), "methods by time": "it sees events and no cycles",
                   "hot data streams": "a sequence is no tuple"},
    "HPS": {"edges": "the shipped handlers collect calls, methods and references", "values": "a handler runs before the load returns",
            "methods by time": "it sees events and no cycles"},
    "bursty tracing": {"methods by time": "it sees events and no cycles"},
    "ephemeral": {kind: "it knows how often conditional branches are taken" for kind in KINDS if kind != "edges"},
    "SHIM, a core of its own": {kind: "it samples words of memory, and the program writes only its method there"
                                for kind in KINDS if kind != "methods by time"},
}
SAME = {"exhaustive": ("random", "periodic", "stratified, interrupt", "stratified, ring", "stratified, 8 banks", "stratified in HPS bursts"),
        "HPS": ("plain DISE", "branch-on-random"), "SHIM, a core of its own": ("SHIM, a thread of the core",)}
# Questions of a designer: (kind, budget, words).
QUESTIONS = [
    ("edges", {"ge": 10_000, "overhead": 0.01}, "I have 10 kGE and 1 % of the cycles: what should I build for edges?"),
    ("edges", {"ge": 100_000, "overhead": 0.1}, "I have 100 kGE and 10 % of the cycles: what should I build for edges?"),
    ("edges", {"ge": 0, "overhead": 0.3}, "I have no hardware: what should profile edges?"),
    ("call pairs", {"ge": 200_000, "overhead": 0.02}, "I have 200 kGE and 2 % of the cycles: what should I build for call pairs?"),
    ("methods", {"overhead": 0.1}, "I have 10 % of the cycles: what should I build for methods?"),
    ("values", {"ge": 150_000, "overhead": 0.1}, "I have 150 kGE and 10 % of the cycles: what should I build for load values?"),
    ("hot data streams", {"overhead": 0.2}, "I have 20 % of the cycles: what should collect data streams?"),
    ("methods by time", {"ge": 0, "second": True}, "I have a second core and no hardware: what says where the time goes?"),
]
WORDS = {"ge": "area", "overhead": "cycles", "growth": "code growth", "second": "a second core or thread"}
RESAMPLES, SEED = 2000, 1
SHARED = pathlib.Path(__file__).resolve().parent


class PageError(RuntimeError):
    """One sentence."""


def interval(values):
    """The mean and the bounds of its 95 % interval, by resampling the programs."""
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, None, None
    draw = random.Random(SEED)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    return mean, means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]


def summary(record, hardware, programs=None):
    """By kind and system, what the pages say; only of `programs` when they are given."""
    result = {}
    for kind in KINDS:
        for system, by_program in record["kinds"].get(kind, {}).items():
            ran = [one for name, one in sorted(by_program.items()) if programs is None or name in programs]
            complete = [one for one in ran if one.get("overlap") is not None and one.get("overhead") is not None]
            if not complete:
                continue
            one = {"overlap": interval([one["overlap"] for one in complete]), "overhead": interval([one["overhead"] for one in complete]),
                   "programs": len(complete), "needs": SYSTEMS[system]["needs"], "second": SYSTEMS[system]["second"],
                   "ge": hardware.get(system, {}).get("ge", 0), "ns": hardware.get(system, {}).get("ns"), "growth": 1}
            growth = [each["growth"] for each in complete if "growth" in each]
            if growth:
                one["growth"] = interval(growth)[0]
            messages = [1e6 * each["messages"] / each["instructions"] for each in complete if "messages" in each]
            one["messages"] = interval(messages)[0] if messages else None
            result.setdefault(kind, {})[system] = one
    for of_kind in result.values():
        for system, one in of_kind.items():
            one["front"] = not any(beats(other, one) for name, other in of_kind.items() if name != system)
    return result


def costs(one):
    return one["overhead"][0], one["ge"], one["growth"], one["second"]


def beats(one, other):
    """At least as good in accuracy and every cost, and better in one."""
    mine, theirs = (-one["overlap"][0], *costs(one)), (-other["overlap"][0], *costs(other))
    return all(a <= b for a, b in zip(mine, theirs)) and mine != theirs


def over(one, budget):
    """The keys of a budget that a system goes over, with how many times."""
    found = {}
    for key, most in budget.items():
        if key == "second":
            continue
        value = one["overhead"][0] if key == "overhead" else one[key]
        if value > most:
            found[key] = value / most if most else float("inf")
    if one["second"] and not budget.get("second"):
        found["second"] = float("inf")
    return found


def best(of_kind, budget):
    """The most accurate system within the budget; or None, the nearest and what it goes over."""
    within = [name for name, one in of_kind.items() if not over(one, budget)]
    if within:
        return max(within, key=lambda name: of_kind[name]["overlap"][0]), None
    nearest = min(of_kind, key=lambda name: (len(over(of_kind[name], budget)), max(over(of_kind[name], budget).values()), name))
    return None, (nearest, over(of_kind[nearest], budget))


def share(value):
    return f"{100 * value:.3g} %"


def spread(bounds, text):
    mean, low, high = bounds
    return text(mean) if low is None else f"{text(mean)} ({text(low)} to {text(high)})"


def decimals(value):
    return f"{value:.3f}"


def table(of_kind):
    yield "| system | overlap | overhead | messages in 10^6 instructions | gate equivalents | ns | code |"
    yield "|---|---|---|---:|---:|---:|---:|"
    for system in SYSTEMS:
        one = of_kind.get(system)
        if one:
            yield (f"| {'**' + system + '**' if one['front'] else system} | {spread(one['overlap'], decimals)} | "
                   f"{spread(one['overhead'], share)} | {'-' if one['messages'] is None else format(one['messages'], ',.0f')} | "
                   f"{format(one['ge'], ',.0f') if one['ge'] else '-'} | {one['ns'] or '-'} | {one['growth']:.2f} |")


def reason(system, kind):
    """Why a system has no profile of a kind; None without a reason."""
    for first, others in SAME.items():
        if system in others:
            system = first
    return CANNOT.get(system, {}).get(kind)


def missing(of_kind, kind):
    """A line for each reason, with the systems that have it."""
    by_reason = {}
    for system in SYSTEMS:
        why = reason(system, kind)
        if system not in of_kind and why:
            by_reason.setdefault(why, []).append(system)
    for why, systems in by_reason.items():
        yield f"- {'; '.join(systems)}: -, because {why}."


def budget_text(budget):
    parts = [f"{budget['ge'] / 1000:g} kGE" if "ge" in budget else "any area",
             share(budget["overhead"]) + " of the cycles" if "overhead" in budget else "any overhead"]
    return ", ".join(parts) + (", a second core or thread" if budget.get("second") else "")


def answer(question, record, hardware):
    """A paragraph: the answer, chosen by every other program, and what it gives on the rest, which chose nothing."""
    kind, budget, words = question
    programs = sorted({name for of in record["kinds"].get(kind, {}).values() for name in of})
    chosen_by, fresh = programs[::2], programs[1::2]
    of_kind = summary(record, hardware, set(chosen_by)).get(kind)
    if not of_kind:
        return f"**{words}** No system has measured this kind."
    name, nearest = best(of_kind, budget)
    if name is None:
        near, went_over = nearest
        loosen = " and ".join(WORDS[key] for key in went_over)
        one = of_kind[near]
        return (f"**{words}** Nothing that was measured: loosen {loosen}. The nearest is *{near}*, with {one['ge'] / 1000:.1f} kGE, "
                f"{share(one['overhead'][0])} of the cycles and an overlap of {decimals(one['overlap'][0])}.")
    one = of_kind[name]
    text = (f"**{words}** *{name}*: an overlap of {decimals(one['overlap'][0])} for {share(one['overhead'][0])} of the cycles, "
            f"{one['ge'] / 1000:.1f} kGE and {one['growth']:.2f} times the code; it needs {one['needs']}.")
    rest = summary(record, hardware, set(fresh)).get(kind, {}) if fresh else {}
    if name in rest:
        held = not over(rest[name], budget)
        again = best(rest, budget)[0]
        text += (f" On the other programs it has {decimals(rest[name]['overlap'][0])} for {share(rest[name]['overhead'][0])}, "
                 f"{'within' if held else '**outside**'} the budget"
                 + ("." if again == name else f"; there *{again}* would be the answer." if again else "; nothing is within it there."))
    return text


def markdown(record, hardware):
    of = summary(record, hardware)
    programs = sorted({name for kind in record["kinds"].values() for system in kind.values() for name in system})
    lines = ["# The systems side by side", "", "`scripts/comparison` · `scripts/comparison_page.py` · `configs/sweeps/systems.yaml`", "",
             f"Each kind of profile, collected by each system that can, on the HPS paper's machine and the first instructions of",
             f"{len(programs)} programs. `scripts/comparison` measured this with Strobe {record['version']} ({record['commit']}), and goes on where it",
             "was stopped. [A page for designers](comparison.html) takes a budget and says what remains.", "",
             "Higher overlap is better, everything else is better when it is less. In parentheses is the 95 % interval of the mean over",
             "the programs, by resampling them. A system in bold is beaten by no other in all of accuracy, cycles, area, code and second core.",
             "Area and period are those of the whole path in osu018 ([configurations](tables/configurations.md),",
             "[blocks](tables/synthesis.md)); code is how many times as large it is.", "", "## Answers", "",
             "Each is chosen by every other program. What the chosen system gives on the rest was not looked at for the choice.", ""]
    for question in QUESTIONS:
        lines += [answer(question, record, hardware), ""]
    for kind, what in KINDS.items():
        if kind in of:
            lines += [f"## {kind[0].upper()}{kind[1:]}: {what}", "", *table(of[kind]), "", *missing(of[kind], kind), ""]
    lines += ["## What a system needs", "", *(f"- {system}: {about['needs']}." for system, about in SYSTEMS.items()), ""]
    if record["failed"]:
        lines += ["## Runs that failed", "",
                  *(f"- {one['kind']}, {one['system']}, {one['program']}: {one['reason']}" for one in record["failed"]), ""]
    return "\n".join(lines)


def pages(record, hardware):
    """The text of each page by its file's name. Raises PageError for a record without a measured system."""
    of = summary(record, hardware)
    if not of:
        raise PageError("the record has no run that measured anything; run scripts/comparison")
    data = {"kinds": of, "cannot": {kind: {system: reason(system, kind) for system in SYSTEMS if reason(system, kind)} for kind in KINDS},
            "words": WORDS}
    template = (SHARED / "comparison.html").read_text()
    shown = json.dumps(data, sort_keys=True).replace("<", "\\u003c")
    return {"comparison.md": markdown(record, hardware),
            "comparison.html": template.replace("{{data}}", shown).replace("{{version}}", html.escape(f"{record['version']} ({record['commit']})"))}
