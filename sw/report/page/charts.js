// The charts, which Vega draws on canvas, and what they share: colors that people with any color vision can tell
// apart, and a brush.

/** Okabe and Ito's colors; the last one replaces black, which a dark page would not show. */
const kColours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c"];
/** A class of the CPI stack has the same color on every page: near ones are of one family. */
const kClassColours = {
  base: "#0072b2", dependency: "#56b4e9", fu: "#8fd0f0", branch: "#e69f00", ifetch: "#f0c05a", expansion: "#f7dfa4",
  l1: "#009e73", l2: "#4fc3a1", dram: "#a5dfcd", handler: "#d55e00", interrupt_entry: "#f09a5e", code_change: "#f6c9a8",
  serializing: "#cc79a7", syscall: "#e6b8d1", other: "#8c8c8c",
};
const colourOf = (name, i) => kClassColours[name] || kColours[i % 8];
const kShapes = ["circle", "square", "triangle-up", "cross", "diamond", "triangle-down", "triangle-right", "triangle-left"];
const kFront = "#d55e00", kOther = "#56b4e9", kInfeasible = "#8c8c8c";

const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");

function chartConfig() {
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--ink").trim(), soft = style.getPropertyValue("--soft").trim();
  const line = style.getPropertyValue("--line").trim();
  return {
    background: "transparent",
    view: { stroke: null },
    font: "system-ui, sans-serif",
    axis: { labelColor: soft, titleColor: ink, gridColor: line, domainColor: line, tickColor: line, titleFontWeight: 600,
            gridOpacity: 0.5 },
    legend: { labelColor: ink, titleColor: ink, labelLimit: 320 },
    title: { color: ink },
    text: { color: ink },
  };
}

/** Draws a specification into a place, and draws it again when the colors or the width change. */
class Chart {
  /** @param specify  () => specification, for Vega when `mode` is "vega", otherwise for Vega-Lite */
  constructor(place, name, mode, specify, whenDrawn = () => {}) {
    Object.assign(this, { place, name, mode, specify, whenDrawn, view: null, queue: Promise.resolve() });
    Chart.all.add(this);
    place.setAttribute("aria-label", name);
    place.setAttribute("role", "figure");
  }

  width() { return Math.max(240, this.place.clientWidth); }

  draw() {
    this.queue = this.queue.then(async () => {
      if (!this.place.isConnected) { Chart.all.delete(this); return; }
      const specification = this.specify(this.width());
      if (this.view) this.view.finalize();
      this.place.replaceChildren();
      this.view = null;
      if (specification === null) {
        this.place.append(element("p", { class: "empty" }, "Nothing to draw."));
        return;
      }
      const drawn = await vegaEmbed(this.place, specification, {
        // With ast, expressions are interpreted, because the page's policy forbids to compile them.
        mode: this.mode, ast: true, renderer: "canvas", config: chartConfig(), tooltip: { theme: darkScheme.matches ? "dark" : "light" },
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: this.name,
      });
      this.view = drawn.view;
      this.whenDrawn(this.view);
    });
    return this.queue;
  }

  static redrawAll() {
    document.documentElement.classList.toggle("dark", darkScheme.matches);
    return Promise.all([...Chart.all].map((chart) => chart.draw()));
  }
}
Chart.all = new Set();
document.documentElement.classList.toggle("dark", darkScheme.matches);
darkScheme.addEventListener("change", () => Chart.redrawAll());
let resizing = 0, widthBefore = window.innerWidth;
window.addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => {
    if (window.innerWidth !== widthBefore) { widthBefore = window.innerWidth; Chart.redrawAll(); }
  }, 150);
});

/**
 * Handles dragging on a chart. While it lasts, `brushed` gets both corners in the chart's coordinates. `clicked` gets
 * the mark under a click, or null.
 */
function onBrush(view, brushed, clicked) {
  let start = null, item = null, moved = false, frame = 0;
  const canvas = view.container().querySelector("canvas");
  const place = (event) => {
    const box = canvas.getBoundingClientRect(), [x, y] = view.origin(), padding = view.padding();
    return { x: event.clientX - box.left - x - padding.left, y: event.clientY - box.top - y - padding.top };
  };
  view.addEventListener("pointerdown", (event, mark) => {
    start = place(event);
    item = mark;
    moved = false;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!start) return;
    const end = place(event);
    moved = moved || Math.abs(end.x - start.x) + Math.abs(end.y - start.y) > 4;
    if (!moved) return;
    const from = start;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => brushed(from, end));
  });
  canvas.addEventListener("pointerup", () => {
    if (start && !moved) clicked(start, item && item.datum);
    start = null;
  });
}

const titleOf = (column) => (column.direction ? `${column.name} (${column.direction})` : column.name) +
  (column.unit ? ` [${column.unit}]` : "");

/** The intervals of a column around the marks: none, or a layer of bars along `channel`. */
function intervalBars(column, channel, encoding, color) {
  if (!column.half) return [];
  return [{
    data: { name: "designs" },
    transform: [{ filter: `isValid(datum.${column.half})` },
                { calculate: `datum.${column.id} - datum.${column.half}`, as: `${channel}Low` },
                { calculate: `datum.${column.id} + datum.${column.half}`, as: `${channel}High` }],
    mark: { type: "rule", strokeWidth: 1.2 },
    encoding: { ...encoding, [channel]: { ...encoding[channel], field: `${channel}Low` }, [`${channel}2`]: { field: `${channel}High` }, color,
                opacity: { condition: { test: "generation >= 0 && datum.selected", value: 0.7 }, value: 0.05 } },
  }];
}

/** Every design in the plane of two columns. The caller fills in `data` afterwards. */
function scatterSpecification(x, y, width) {
  const axis = (column) => ({
    field: column.id, type: "quantitative", title: titleOf(column), scale: { domain: column.domain(), zero: false, nice: true, padding: 10 },
    axis: { tickCount: 6 },
  });
  const state = ["on the front", "not on it", "infeasible"];
  const color = { field: "color", type: "nominal", legend: null, scale: null };
  const plane = { x: axis(x), y: axis(y) };
  const told = (column) => [{ field: column.id, title: column.name },
                            ...(column.half ? [{ field: column.half, title: `± ${column.name}`, format: ".2~g" }] : [])];
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: width - 75, height: 320, autosize: { type: "none" }, padding: { left: 62, right: 12, top: 8, bottom: 44 },
    params: [{ name: "generation", value: 0 }, { name: "chosen", value: -1 }],
    layer: [
      { data: { name: "brush" }, mark: { type: "rect", color: "#8c8c8c", opacity: 0.25 },
        encoding: { x: { ...axis(x), field: "x0" }, x2: { field: "x1" }, y: { ...axis(y), field: "y0" }, y2: { field: "y1" } } },
      ...intervalBars(x, "x", plane, color), ...intervalBars(y, "y", plane, color),
      { data: { name: "designs" },
        transform: [{ filter: `isValid(datum.${x.id}) && isValid(datum.${y.id})` }],
        mark: { type: "point", filled: true, cursor: "pointer" },
        encoding: {
          ...plane, color,
          shape: { field: "state", type: "nominal", legend: null, scale: { domain: state, range: ["diamond", "circle", "cross"] } },
          size: { condition: [{ test: "datum.index === chosen", value: 260 }, { test: "datum.front", value: 90 }], value: 28 },
          opacity: { condition: { test: "generation >= 0 && datum.selected", value: 0.9 }, value: 0.08 },
          tooltip: [{ field: "label", title: "design" }, ...told(x), ...told(y)],
        } },
      ...[false, true].map((left) => (
        { data: { name: "labels" }, transform: [{ filter: `datum.left === ${left}` }],
          mark: { type: "text", align: left ? "right" : "left", baseline: "middle", dx: left ? -9 : 9, fontSize: 10.5 },
          encoding: { ...plane, text: { field: "text" } } })),
    ],
  };
}

const kShownProgress = 48;

/** The points of a curve: at most kShownProgress of them, and the last one. */
function progressLine(line, curve, measure) {
  const step = Math.ceil(curve.events.length / kShownProgress), last = curve.events.length - 1;
  return curve.events.map((events, i) => ({ line, events, value: curve[measure][i], place: i }))
    .filter(({ value, place }) => value !== null && ((last - place) % step === 0));
}

/** Lines of accuracy over events: `lines` is [{line, events, value}]. */
function progressSpecification(lines, measure, width) {
  if (lines.length === 0) return null;
  const names = [...new Set(lines.map((point) => point.line))];
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: width - 70, height: 240,
    data: { values: lines },
    mark: { type: "line", point: { size: 22 }, strokeWidth: 1.6 },
    encoding: {
      x: { field: "events", type: "quantitative", title: "events selected", axis: { tickCount: 6, format: "~s" } },
      y: { field: "value", type: "quantitative", title: measure, scale: { zero: false } },
      color: { field: "line", type: "nominal", title: null, scale: { domain: names, range: names.map((_, i) => kColours[i % 8]) },
               legend: { orient: "bottom", columns: 1 } },
      shape: { field: "line", type: "nominal", title: null, scale: { domain: names, range: names.map((_, i) => kShapes[i % 8]) },
               legend: { orient: "bottom", columns: 1 } },
      strokeDash: { field: "line", type: "nominal", title: null, legend: { orient: "bottom", columns: 1 },
                    scale: { domain: names, range: names.map((_, i) => [[1, 0], [6, 2], [2, 2], [8, 3, 2, 3]][Math.floor(i / 2) % 4]) } },
      tooltip: [{ field: "line", title: "design" }, { field: "events", format: "," }, { field: "value", format: ".4f", title: measure }],
    },
  };
}

/** Distributions of a rate: `lines` is [{line, rate, samples}], with the samples of each bucket of the rate. */
function ratesSpecification(lines, rate, width) {
  if (lines.length === 0) return null;
  const names = [...new Set(lines.map((point) => point.line))];
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: width - 70, height: 240,
    data: { values: lines },
    mark: { type: "line", interpolate: "step-after", strokeWidth: 1.4 },
    encoding: {
      x: { field: "rate", type: "quantitative", title: rate, axis: { tickCount: 8, format: "~g" } },
      y: { field: "samples", type: "quantitative", title: "samples", axis: { format: "~s" } },
      color: { field: "line", type: "nominal", title: null, scale: { domain: names, range: names.map((_, i) => kColours[i % 8]) },
               legend: { orient: "bottom" } },
      tooltip: [{ field: "line", title: "samples" }, { field: "rate", format: ".3f" }, { field: "samples", format: "," }],
    },
  };
}

const kBarLabels = 310;  // pixels for the names of bars, at most half of the width

/** Stacked bars: `parts` is [{bar, part, value, note}], in the order of the bars; `names` are parts with a color. */
function stackSpecification(parts, names, valueTitle, width) {
  if (parts.length === 0) return null;
  const bars = [...new Set(parts.map((p) => p.bar))];
  const labels = Math.min(kBarLabels, width / 2);
  const values = foldParts(parts, names);
  const notesRoom = parts.some((p) => p.note) ? 1.35 : 1;
  const total = (bar) => values.reduce((sum, v) => sum + (v.bar === bar ? v.value : 0), 0);
  const room = notesRoom * Math.max(...bars.map(total));
  const notes = bars.map((bar) => parts.find((p) => p.bar === bar && p.note)).filter(Boolean)
    .map(({ bar, note }) => ({ bar, note, total: total(bar) }));
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: width - labels - 30, height: { step: 26 },
    layer: [
      { data: { values }, mark: { type: "bar", stroke: getComputedStyle(document.documentElement).getPropertyValue("--paper").trim() },
        encoding: {
          y: { field: "bar", type: "nominal", sort: bars, title: null, axis: { labelLimit: labels, minExtent: labels, maxExtent: labels, grid: false } },
          x: { field: "value", type: "quantitative", stack: "zero", title: valueTitle, scale: { domain: [0, room], nice: false }, axis: { tickCount: 6, format: "~g" } },
          color: { field: "part", type: "nominal", sort: names, title: null, scale: { domain: names, range: names.map(colourOf) },
                   legend: { orient: "bottom", columns: 4 } },
          order: { field: "order" },
          tooltip: [{ field: "bar", title: "of" }, { field: "part" }, { field: "value", format: ".4~g", title: valueTitle }],
        } },
      { data: { values: notes }, mark: { type: "text", align: "left", dx: 6, fontSize: 11 },
        encoding: { y: { field: "bar", type: "nominal", sort: bars }, x: { field: "total", type: "quantitative", title: valueTitle },
                    text: { field: "note" } } },
    ],
  };
}

/** The seven parts with the largest sums, the largest first, and "other" when there are more. */
function largestParts(parts) {
  const sums = new Map();
  for (const { part, value } of parts) sums.set(part, (sums.get(part) || 0) + value);
  const names = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a) || (a < b ? -1 : 1));
  return names.length <= kColours.length ? names : [...names.slice(0, kColours.length - 1), "other"];
}

function foldParts(parts, names) {
  const values = new Map();
  for (const { bar, part, value } of parts) {
    const name = names.includes(part) ? part : "other";
    const key = JSON.stringify([bar, name]);
    const folded = values.get(key) || { bar, part: name, value: 0, order: names.indexOf(name) };
    folded.value += value;
    values.set(key, folded);
  }
  return [...values.values()];
}
