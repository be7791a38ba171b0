"""The picture of scripts/comparison: overlap over overhead, a panel for each kind of profile, as SVG."""
import html
import math

from comparison_systems import SYSTEMS

WIDTH, HEIGHT, COLUMNS = 300, 240, 3  # a panel and how many stand side by side
LEFT, RIGHT, TOP, BOTTOM = 42, 10, 26, 34
LEAST, MOST = 1e-4, 20  # overhead; what is less stands at the left edge
TICKS = {1e-4: "≤ 0.01 %", 1e-3: "0.1 %", 1e-2: "1 %", 1e-1: "10 %", 1: "100 %", 10: "1000 %"}
COLORS = {"hardware": "#2166ac", "engine": "#1a8f5a", "software": "#c2570c", "reference": "#777"}
WORDS = {"hardware": "a sampler in hardware", "engine": "the decode engine", "software": "software alone",
         "reference": "a reference"}


def family(name):
    about = SYSTEMS[name]
    if about["reference"]:
        return "reference"
    if not about["hardware"]:
        return "software"
    return "engine" if about["hardware"] == ["engine"] else "hardware"


class Panel:
    def __init__(self, kind, of_kind, left, top):
        self.kind, self.of_kind, self.left, self.top = kind, of_kind, left, top
        lowest = min((one["overlap"][1] if one["overlap"][1] is not None else one["overlap"][0]) for one in of_kind.values())
        self.low = math.floor(10 * lowest) / 10

    def x(self, overhead):
        share = math.log(min(max(overhead, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
        return self.left + LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, overlap):
        return self.top + TOP + (1 - overlap) / (1 - self.low) * (HEIGHT - TOP - BOTTOM)

    def axes(self):
        x0, x1, y0, y1 = self.x(LEAST), self.x(MOST), self.y(self.low), self.y(1)
        yield f'<text class="title" x="{x0:.1f}" y="{self.top + 16}">{html.escape(self.kind)}</text>'
        yield f'<path class="axis" d="M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}"/>'
        for value, text in TICKS.items():
            yield f'<path class="grid" d="M{self.x(value):.1f} {y1:.1f}V{y0:.1f}"/>'
            yield f'<text class="tick" text-anchor="middle" x="{self.x(value):.1f}" y="{y0 + 14:.1f}">{text}</text>'
        steps = round((1 - self.low) * 10)
        for step in range(0, steps + 1, max(1, steps // 4)):
            value = 1 - step / 10
            yield f'<path class="grid" d="M{x0:.1f} {self.y(value):.1f}H{x1:.1f}"/>'
            yield f'<text class="tick" text-anchor="end" x="{x0 - 4:.1f}" y="{self.y(value) + 4:.1f}">{value:.1f}</text>'

    def front(self):
        """Steps through the systems that no other beats in both overlap and overhead."""
        at, path = -1, ""
        built = [one for one in self.of_kind.values() if not one["reference"]]
        for one in sorted(built, key=lambda each: (max(each["overhead"][0], LEAST), -each["overlap"][0])):
            if one["overlap"][0] > at:
                x, y = self.x(one["overhead"][0]), self.y(one["overlap"][0])
                path += f"H{x:.1f}V{y:.1f}" if path else f"M{x:.1f} {y:.1f}"
                at = one["overlap"][0]
        yield f'<path class="front" d="{path}H{self.x(MOST):.1f}"/>'

    def points(self):
        """Whiskers for each system, and the numbers of those at one place together."""
        marks = []  # place, color, numbers and titles
        for number, name in enumerate(SYSTEMS, 1):
            one = self.of_kind.get(name)
            if not one:
                continue
            color = COLORS[family(name)]
            (overlap, low, high), (overhead, cheap, dear) = one["overlap"], one["overhead"]
            x, y = self.x(overhead), self.y(overlap)
            if low is not None:
                yield (f'<path stroke="{color}" d="M{self.x(cheap):.1f} {y:.1f}H{self.x(dear):.1f}'
                       f'M{x:.1f} {self.y(low):.1f}V{self.y(high):.1f}"/>')
            title = f"{html.escape(name)}: overlap {overlap:.3f}, overhead {100 * overhead:.3g} %"
            near = [mark for mark in marks if abs(mark[0] - x) < 8 and abs(mark[1] - y) < 8 and mark[2] == color]
            if near:
                near[0][3].append(str(number))
                near[0][4].append(title)
            else:
                marks.append((x, y, color, [str(number)], [title]))
        for x, y, color, numbers, titles in marks:
            text = " ".join(numbers)
            width = max(15, 7 * len(text) + 4)
            yield (f'<g><title>{"; ".join(titles)}</title>'
                   f'<rect x="{x - width / 2:.1f}" y="{y - 7.5:.1f}" width="{width}" height="15" rx="7.5" fill="{color}"/>'
                   f'<text class="number" text-anchor="middle" x="{x:.1f}" y="{y + 3.5:.1f}">{text}</text></g>')


def legend(top):
    third = (len(SYSTEMS) + 2) // 3
    for at, name in enumerate(SYSTEMS):
        x, y = LEFT + at // third * WIDTH, top + 18 * (at % third)
        yield (f'<circle cx="{x + 6}" cy="{y - 4}" r="7.5" fill="{COLORS[family(name)]}"/>'
               f'<text class="number" text-anchor="middle" x="{x + 6}" y="{y - 0.5}">{at + 1}</text>'
               f'<text x="{x + 20}" y="{y}">{html.escape(name)}</text>')
    y = top + 18 * third + 6
    for at, (name, words) in enumerate(WORDS.items()):
        x = LEFT + at * WIDTH * COLUMNS / len(WORDS)
        yield f'<rect x="{x:.1f}" y="{y - 10}" width="12" height="12" fill="{COLORS[name]}"/><text x="{x + 18:.1f}" y="{y}">{words}</text>'


def picture(of):
    """SVG of the summary of all kinds."""
    rows = (len(of) + COLUMNS - 1) // COLUMNS
    panels = [Panel(kind, of_kind, at % COLUMNS * WIDTH, at // COLUMNS * HEIGHT) for at, (kind, of_kind) in enumerate(of.items())]
    bottom = rows * HEIGHT + 20
    width, height = COLUMNS * WIDTH, bottom + 18 * ((len(SYSTEMS) + 2) // 3) + 20
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
             "<title>Overlap with the exact profile (up) over overhead in cycles (right), by kind of profile</title>",
             "<style>text{font:12px sans-serif;fill:#222}.title{font-weight:bold}.tick{font-size:10px;fill:#555}"
             ".number{font-size:9px;font-weight:bold;fill:#fff}.axis{stroke:#222;fill:none}.grid{stroke:#ddd;fill:none}"
             ".front{stroke:#222;stroke-width:1.5;stroke-dasharray:4 3;fill:none}</style>",
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for panel in panels:
        parts += [*panel.axes(), *panel.front(), *panel.points()]
    return "\n".join([*parts, *legend(bottom + 6), "</svg>"]) + "\n"
