"""What the pages of scripts/comparison say of each system, from the record: means over programs, and how sure they are.

Intervals hold 95 % of what resampling the programs gives. All systems of a kind are resampled together, so that what all of
them find hard on a program cancels when two are compared.
"""
import functools
import math
import random

from comparison_systems import KINDS, SYSTEMS, taken_bytes

RESAMPLES, SEED = 1000, 1
ENOUGH = 0.05  # the error that the time to it is of


@functools.lru_cache(maxsize=None)
def draws(count):
    """RESAMPLES lists of `count` indices below it, the same for the same count."""
    random_numbers = random.Random(SEED)
    return [random_numbers.choices(range(count), k=count) for _ in range(RESAMPLES)]


def mean(values):
    return sum(values) / len(values)


def median(values):
    ordered = sorted(values)
    return ordered[(len(ordered) - 1) // 2]


def interval(values, of=mean):
    """[a statistic, low, high]: the bounds of its 95 % interval, by resampling; None for them with one value."""
    if len(values) < 2:
        return [of(values), None, None]
    found = sorted(of([values[index] for index in drawn]) for drawn in draws(len(values)))
    return [of(values), found[int(0.025 * RESAMPLES)], found[int(0.975 * RESAMPLES) - 1]]


def settled(by_length):
    """The instructions after which the error stays at ENOUGH or below, on a straight line between the logarithms of what was
    measured: 0 if it is there from the first length on, infinity if not at the last."""
    points = sorted((int(length), max(1 - overlap, 1e-6)) for length, overlap in by_length.items())
    if points[-1][1] > ENOUGH:
        return math.inf
    late = max((at for at, point in enumerate(points) if point[1] > ENOUGH), default=-1)
    if late < 0:
        return 0
    (before, high), (after, low) = points[late], points[late + 1]
    share = math.log(high / ENOUGH) / math.log(high / low)
    return before * (after / before) ** share


def lost(pair):
    """What succession costs: the error of the profile of two programs in succession, less those of each alone by weight."""
    alone = sum((1 - overlap) * weight for overlap, weight in pair["alone"]) / sum(weight for _, weight in pair["alone"])
    return (1 - pair["overlap"]) - alone


def about(kind, name, ran, hardware):
    """What is said of one system; `ran` are its figures of programs."""
    named = SYSTEMS[name]
    part = hardware.get(name, {})
    one = {"overlap": interval([each["overlap"] for each in ran]), "overhead": interval([each["overhead"] for each in ran]),
           "programs": len(ran), "needs": named["needs"], "second": named["second"], "reference": named["reference"],
           "ge": part.get("ge", 0), "ns": part.get("ns"), "growth": 1}
    one["cost"] = round(most(one["overhead"]), 3)  # systems that differ by less cost the same
    metric = [each["metric"] for each in ran if each.get("metric") is not None]
    one["metric"] = interval(metric) if metric else None
    growth = [each["growth"] for each in ran if "growth" in each]
    if growth:
        one["growth"] = mean(growth)
    one["code"] = interval(growth) if growth else None
    taken = [1e6 * each["taken"] / each["instructions"] for each in ran if "taken" in each]
    one["taken"] = interval(taken) if taken else None
    one["bytes"] = [value and value * taken_bytes(name, kind) for value in one["taken"]] if taken else None
    bits = [each["storage_bits"] for each in ran if "storage_bits" in each]
    one["storage_bits"] = max(bits) if bits else None
    one["settled"] = interval([settled(each["by_length"]) for each in ran], median)
    return one


def complete(by_program, programs):
    return {name: one for name, one in sorted(by_program.items())
            if (programs is None or name in programs) and one.get("overlap") is not None and one.get("overhead") is not None}


def summary(record, hardware):
    """By kind and system, what the pages say."""
    result = {kind: summary_of(kind, record, hardware) for kind in KINDS}
    for kind, of_kind in result.items():
        add_fronts(of_kind, {name: complete(record["kinds"][kind][name], None) for name in of_kind})
    return {kind: of_kind for kind, of_kind in result.items() if of_kind}


def summary_of(kind, record, hardware, programs=None):
    """By system, without fronts; only of `programs` when they are given."""
    ran = {name: complete(by_program, programs) for name, by_program in record["kinds"].get(kind, {}).items()}
    of_kind = {name: about(kind, name, list(figures.values()), hardware) for name, figures in ran.items() if figures}
    for name, pairs in record.get("succession", {}).get(kind, {}).items():
        if name in of_kind:
            of_kind[name]["lost"] = interval([lost(pair) for _, pair in sorted(pairs.items())])
    for name, one in of_kind.items():
        one["equal"] = [other for other in of_kind if other != name and not of_kind[other]["reference"]
                        and not is_better(ran[name], ran[other])]
    return of_kind


def is_better(mine, theirs):
    """Whether the 95 % interval of the difference in overlap, program by program, is above 0."""
    difference = interval([mine[program]["overlap"] - theirs[program]["overlap"] for program in sorted(set(mine) & set(theirs))] or [0])
    return difference[1] is not None and difference[1] > 0


def add_fronts(of_kind, ran):
    """`front`: the share of the resamples in which nothing beats a system; `on_front`: whether nothing does by the means."""
    built = [name for name in of_kind if not of_kind[name]["reference"]]
    for name, one in of_kind.items():
        one["on_front"] = name in built and not any(beats(costs(of_kind[other]), costs(one)) for other in built if other != name)
        one["front"] = 0
    common = sorted(set.intersection(*(set(ran[name]) for name in built))) if built else []
    if not common:
        return
    for drawn in draws(len(common)):
        found = {}
        for name in built:
            figures = [ran[name][common[index]] for index in drawn]
            found[name] = (-mean([each["overlap"] for each in figures]), mean([each["overhead"] for each in figures]),
                           *costs(of_kind[name])[2:])
        for name in built:
            if not any(beats(found[other], found[name]) for other in built if other != name):
                of_kind[name]["front"] += 1 / RESAMPLES


def costs(one):
    """What a front is over; less of each is better."""
    return -one["overlap"][0], one["overhead"][0], one["ge"], one["growth"], one["second"]


def beats(mine, theirs):
    """At least as good in everything, and better in something."""
    return all(a <= b for a, b in zip(mine, theirs)) and mine != theirs


def most(bounds):
    """The upper end of an interval."""
    return bounds[0] if len(bounds) < 3 or bounds[2] is None else bounds[2]


def over(one, budget):
    """The keys of a budget that a system goes over, with how many times; of the overhead the upper end counts."""
    found = {}
    for key, limit in budget.items():
        if key == "second":
            continue
        value = most(one["overhead"]) if key == "overhead" else one[key]
        if value > limit:
            found[key] = value / limit if limit else math.inf
    if one["second"] and not budget.get("second"):
        found["second"] = math.inf
    return found


def best(of_kind, budget):
    """The most accurate system within the budget; or None, the nearest and what it goes over."""
    built = {name: one for name, one in of_kind.items() if not one["reference"]}
    within = [name for name, one in built.items() if not over(one, budget)]
    if within:
        return min(within, key=lambda name: (-built[name]["overlap"][0], name)), None
    nearest = min(built, key=lambda name: (len(over(built[name], budget)), max(over(built[name], budget).values()), name))
    return None, (nearest, over(built[nearest], budget))


def winners(of_kind, budget):
    """The most accurate system within a budget, and those within it that cannot be told from it (`equal`). None, [] if
    nothing is within the budget."""
    name, _ = best(of_kind, budget)
    return (None, []) if name is None else (name, [other for other in of_kind[name]["equal"] if not over(of_kind[other], budget)])


def recommended(of_kind, budget):
    """What to build: of the most accurate system within a budget and those that cannot be told from it, the one with the least
    overhead, then area; and the others of them. None, [] if nothing is within the budget. comparison.html chooses by the same
    rule, from the same `equal` and `cost`."""
    name, equal = winners(of_kind, budget)
    if name is None:
        return None, []
    first, *others = sorted([name, *equal], key=lambda each: (of_kind[each]["cost"], of_kind[each]["ge"], each))
    return first, others
