// Parallel coordinates: a line for each design across all columns. Each line is one path, so that ten thousand lines
// are still drawn quickly.

const kParallelHeight = 250, kParallelPad = { left: 60, right: 60, top: 40, bottom: 24 };

/** The x of column `place` of `count` columns. */
const axisAt = (place, count, width) => (count === 1 ? width / 2 : (place * width) / (count - 1));
const heightOf = (column, value) => (1 - column.share(value)) * kParallelHeight;

function parallelPath(row, columns, width) {
  return columns.map((column, place) =>
    `${place === 0 ? "M" : "L"}${axisAt(place, columns.length, width).toFixed(1)},${heightOf(column, row[column.id]).toFixed(1)}`,
  ).join("");
}

/** Formats a number between two axes, where there is room for about six characters: 1.97M. */
const briefly = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

function parallelTicks(columns, width) {
  const ticks = [];
  columns.forEach((column, place) => {
    const values = column.steps || [0, 0.25, 0.5, 0.75, 1].map((share) => column.least + share * (column.most - column.least));
    for (const value of values) {
      const text = column.steps ? format(value) : Math.abs(value) >= 1e4 ? briefly.format(value) : format(+value.toPrecision(3));
      ticks.push({ x: axisAt(place, columns.length, width), y: heightOf(column, value), text });
    }
  });
  return ticks;
}

/** Up to this number of lines, unselected ones are faint; of more lines, only the selected ones are drawn. */
const kFaintLines = 2000;

function parallelSpecification(columns, lines, totalWidth) {
  const width = totalWidth - kParallelPad.left - kParallelPad.right;
  const ink = chartConfig().axis.titleColor, soft = chartConfig().axis.labelColor;
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--paper").trim();
  const axes = columns.map((column, place) => ({ x: axisAt(place, columns.length, width), text: titleOf(column) }));
  const room = width / Math.max(1, columns.length - 1) - 8;
  return {
    $schema: "https://vega.github.io/schema/vega/v6.json",
    width, height: kParallelHeight, padding: kParallelPad, autosize: "none",
    signals: [{ name: "generation", value: 0 }, { name: "chosen", value: -1 }],
    data: [{ name: "designs" }, { name: "brush" }, { name: "axes", values: axes },
           { name: "ticks", values: parallelTicks(columns, width) }],
    marks: [
      { type: "path", from: { data: "designs" },
        encode: {
          enter: { path: { field: "path" }, cursor: { value: "pointer" }, tooltip: { field: "label" } },
          update: {
            stroke: { field: "color" },
            strokeWidth: { signal: "datum.index === chosen ? 4 : datum.front ? 1.6 : 1" },
            strokeDash: { signal: "datum.state === 'infeasible' ? [3, 3] : [1, 0]" },
            strokeOpacity: { signal: `generation >= 0 && datum.selected ? (datum.front ? 0.9 : 0.4) : ${lines > kFaintLines ? 0 : 0.04}` },
          },
        } },
      { type: "rule", from: { data: "axes" }, interactive: false,
        encode: { update: { x: { field: "x" }, y: { value: 0 }, y2: { value: kParallelHeight }, stroke: { value: soft } } } },
      { type: "rect", from: { data: "brush" }, interactive: false,
        encode: { update: { x: { signal: "datum.x - 9" }, width: { value: 18 }, y: { field: "y" }, y2: { field: "y2" },
                            fill: { value: "#8c8c8c" }, fillOpacity: { value: 0.3 }, stroke: { value: soft } } } },
      ...[{ stroke: { value: paper }, strokeWidth: { value: 3 } }, { stroke: { value: null } }].map((halo) => (
        { type: "text", from: { data: "ticks" }, interactive: false,
          encode: { update: { x: { field: "x" }, y: { field: "y" }, dx: { value: -6 }, align: { value: "right" }, baseline: { value: "middle" },
                              fontSize: { value: 10 }, text: { field: "text" }, fill: { value: ink }, ...halo } } })),
      { type: "text", from: { data: "axes" }, interactive: false,
        encode: { update: { x: { field: "x" }, y: { signal: "-14 - 14 * (round(datum.x * " + (columns.length - 1) + " / width) % 2)" },
                            align: { value: "center" }, fontWeight: { value: 600 }, fontSize: { value: 11 }, limit: { value: 2 * room },
                            text: { field: "text" }, fill: { value: ink } } } },
    ],
  };
}

/** The axes of the columns that have a range, as rectangles. */
function parallelBrushes(columns, ranges, totalWidth) {
  const width = totalWidth - kParallelPad.left - kParallelPad.right;
  const brushes = [];
  columns.forEach((column, place) => {
    const range = ranges.get(column);
    if (!range || range.part !== undefined) return;
    const share = (number) => {
      if (number <= column.least) return 0;
      if (number >= column.most) return 1;
      if (!column.steps) return column.share(number);
      const above = column.steps.findIndex((value) => column.number(value) >= number);
      return column.share(column.steps[above]);
    };
    brushes.push({ x: axisAt(place, columns.length, width),
                   y: (1 - share(range.high)) * kParallelHeight - 4, y2: (1 - share(range.low)) * kParallelHeight + 4 });
  });
  return brushes;
}
