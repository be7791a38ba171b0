"""The page of scripts/pgo-loop: docs/pgo.md from what it recorded in docs/pgo.json."""
import math

WAYS = {"clang": "Compiled again by clang", "bolt": "Laid out again by BOLT"}
SMALL = 0.01  # a gain below this is said to be small, with where the cycles are
PROFILERS = ["exhaustive", "stratified-2048", "random-256", "periodic-256", "hps-gated-stratified", "bursty", "ephemeral"]
HEAD = """# What a profile is worth

`scripts/pgo-loop` · `scripts/pgo_page.py` · `docs/pgo.json`

A better profile makes a faster program, if a compiler or a layout tool uses it. Programs are profiled on
[hps2005](blocks/core.md) by each profiler, exported ([answers](answers.md#strobe-export)), rebuilt with the profile,
and run again. `scripts/pgo-loop` measures this and writes the page; every rebuilt program printed what the original
prints.

```sh
scripts/pgo-loop --programs lz
```

## How it is measured

    program ─▶ run with a profiler, input {training} ─▶ strobe export ─▶ rebuild ─▶ run without, input {test}

- *clang*: clang 14 compiles for RV64GC (`-O2 -fdebug-info-for-profiling`), the cross compiler links; the profile is
  given to `-fprofile-sample-use`. Without a profile it is the same compiler.
- *BOLT*: the cross compiler's program, linked with `-Wl,-q`, goes through `llvm-bolt-19 --reorder-blocks=ext-tsp
  --reorder-functions=hfsort --split-functions`. *rewritten* is what BOLT makes of it without a profile.
- The programs are all [workloads](workloads.md) of the tree, with BOLT also the first four from Debian. No program is
  left out because of its result.
- *exhaustive* counts every branch and call and costs no cycle. It is the most exact profile but does not always give
  the fastest program, so a share of its gain may be above 100 %. The handlers of the others run on the core.
  `hps-gated-stratified` sees one event in ten, in bursts of ten. `bursty` and `ephemeral` are software alone; clang 14
  leaves out the relocations that they need. `bursty` records branches of fifty checks in a thousand, `ephemeral` knows
  conditional branches alone.
"""


def percent(ratio):
    return f"{100 * (ratio - 1):+.2f}"


def changes(profilers, record):
    """Cycles with each profile, as changes from those without."""
    yield f"| program | {' | '.join(profilers)} |"
    yield "|---|" + "---:|" * len(profilers)
    for name, one in sorted(record.items()):
        cells = [percent(one["profilers"][p]["cycles"] / one["none"]["cycles"])
                 if "cycles" in one["profilers"].get(p, {}) else "-" for p in profilers]
        yield f"| `{name}` | {' | '.join(cells)} |"


def ratios(record, profiler):
    """By program, the cycles with a profile over those without, where both were measured."""
    return {name: one["profilers"][profiler]["cycles"] / one["none"]["cycles"] for name, one in record.items()
            if "cycles" in one["profilers"].get(profiler, {})}


def what_changed(record):
    """What the exhaustive profile changed, where the cycles were before, and what BOLT changes without a profile."""
    rewritten = ratios(record, "rewritten")
    more = " rewritten |" if rewritten else ""
    yield f"| program | M cycles | to branches and fetch |{more} instructions | mispredictions | instruction misses |"
    yield "|---|---:|---:|---:|---:|---:|" + "---:|" * bool(more)
    for name in sorted(ratios(record, "exhaustive")):
        none, best = record[name]["none"], record[name]["profilers"]["exhaustive"]
        cells = [f"{none['cycles'] / 1e6:.2f}", f"{lost(none):.1f}", *([percent(rewritten[name])] if more else [])]
        cells += [percent(best[key] / none[key]) if none[key] else "-"
                  for key in ("instructions", "mispredictions", "instruction_misses")]
        yield f"| `{name}` | {' | '.join(cells)} |"


def lost(figures):
    """The share of the cycles that wait for branches and instruction fetch, in percent."""
    return 100 * (figures["branch"] + figures["ifetch"]) / figures["cycles"]


def remarks(record):
    """A line for each program that gains little with the best profile, and for each reason why one could not be rebuilt."""
    for name, ratio in sorted(ratios(record, "exhaustive").items()):
        if ratio < 1 - SMALL:
            continue
        none, best = record[name]["none"], record[name]["profilers"]["exhaustive"]
        yield (f"- `{name}`: {lost(none):.0f} % of the cycles are lost to branches and fetch; instructions "
               f"{percent(best['instructions'] / none['instructions'])} %, cycles {percent(ratio)} %.")
    failed = {}
    for name, one in sorted(record.items()):
        if "failed" in one["profilers"].get("exhaustive", {}):
            failed.setdefault(one["profilers"]["exhaustive"]["failed"][:70], []).append(f"`{name}`")
    for why, names in failed.items():
        yield f"- {', '.join(names)}: not rebuilt, `{why}`."


def gain(record, profiler):
    """The geometric mean of the cycles, and the part of the exhaustive profile's gain, both over the same programs."""
    mine, best = ratios(record, profiler), ratios(record, "exhaustive")
    both = sorted(set(mine) & set(best))
    if not both:
        return "-", "-"
    logs, bound = sum(math.log(mine[name]) for name in both), sum(math.log(best[name]) for name in both)
    return percent(math.exp(logs / len(both))), f"{100 * logs / bound:.0f}" if bound < -SMALL * len(both) / 10 else "-"


def mean(record, profiler, key):
    values = [one["profilers"][profiler][key] for way in record.values() for one in way.values()
              if one["profilers"].get(profiler, {}).get(key) is not None]
    return sum(values) / len(values) if values else None


def costs(record, measured):
    """What each profiler takes, and how exact its profile is."""
    yield "| profiler | overhead % | overlap | gate equivalents |\n|---|---:|---:|---:|"
    for profiler in PROFILERS:
        overhead, overlap = mean(record, profiler, "overhead"), mean(record, profiler, "overlap")
        synthesis = measured["configurations"].get(profiler, {}).get("synthesis")
        yield (f"| {profiler} | {'0' if overhead is None else f'{100 * overhead:.1f}'} | "
               f"{'-' if overlap is None else f'{overlap:.3f}'} | "
               f"{synthesis['logic_ge'] + synthesis['memory_ge'] if synthesis else '-'} |")


def gains(record):
    yield "| profiler | clang: cycles % | clang: share of gain % | BOLT: cycles % | BOLT: share of gain % |"
    yield "|---|---:|---:|---:|---:|"
    for profiler in PROFILERS:
        yield f"| {profiler} | {' | '.join(cell for way in WAYS for cell in gain(record.get(way, {}), profiler))} |"


def page(record, measured):
    """The text of docs/pgo.md. Raises KeyError for a record that lacks a figure."""
    sizes = {(one["training"], one["test"]) for way in record.values() for one in way.values()}
    training, test = (" or ".join(sorted({size[at] for size in sizes})) for at in (0, 1))
    lines = [HEAD.replace("{training}", f"`{training}`").replace("{test}", f"`{test}`").rstrip(), "", "## The profilers", "",
             "Means over all programs. Overlap is with the exhaustive profile of the same run; gate equivalents are those of logic",
             "and memory ([synthesis](synthesis.md)).", "", *costs(record, measured), "",
             "Geometric means of the change in cycles: lower is better. A share of gain is the sum of the logarithms over that",
             "for the exhaustive profile; there is none where that one gains nothing.", "", *gains(record)]
    for way, title in WAYS.items():
        mine = record.get(way, {})
        shown = [p for p in PROFILERS if any(p in one["profilers"] for one in mine.values())]
        lines += ["", f"## {title}", "", "Cycles with each profile, in percent above those without one: lower is better.", "",
                  *changes(shown, mine), "",
                  "Cycles without a profile, their share that is lost to branches and fetch, and what the exhaustive profile changed, in %:", "",
                  *what_changed(mine)]
        notes = list(remarks(mine))
        if notes:
            lines += ["", f"Programs that gain less than {100 * SMALL:.0f} % with the exhaustive profile, and why:", "", *notes]
    return "\n".join(lines) + "\n"
