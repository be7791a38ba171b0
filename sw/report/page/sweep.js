// The page of a sweep. A selection in one view applies to all views.

const kSquareMillimetre = 1e6;  // um2
const kCompared = 8;  // designs in the charts below the table

/**
 * Rows with a field for each column: a0, a1, ... are the axes, o0, o1, ... the objectives, and h0, h1, ... the
 * half-widths of the objectives' intervals, or null.
 */
function rowsOf(report) {
  return report.designs.map((design, index) => {
    const row = { index, label: design.label, front: design.front === true,
                  state: design.front === true ? "on the front" : design.feasible === false ? "infeasible" : "not on it" };
    design.settings.forEach((value, i) => { row[`a${i}`] = value; });
    design.objectives.forEach((value, i) => { row[`o${i}`] = value; row[`h${i}`] = design.half_widths[i] ?? null; });
    return row;
  });
}

function columnsOf(report, rows) {
  const column = (id, about, isText) => new Column(id, about, isText, rows.map((row) => row[id]));
  return [
    ...report.axes.map((axis, i) => {
      const numbers = rows.every((row) => row[`a${i}`] === null || typeof row[`a${i}`] === "number");
      return column(`a${i}`, axis, !numbers);
    }),
    ...report.objectives.map((objective, i) => {
      const made = column(`o${i}`, objective, false);
      if (report.seeds > 1) made.surround(rows, `h${i}`);
      return made;
    }),
  ];
}

/** Names that tell these designs apart, made of the axes in which they differ: "rob=64 rate=16". */
function namesOf(rows, columns) {
  const axes = columns.filter((column) => !column.direction);
  const differ = axes.filter((column) => rows.some((row) => row[column.id] !== rows[0][column.id]));
  const shown = differ.length ? differ : axes;
  return new Map(rows.map((row) => [row, shown.map((c) => `${c.name}=${row[c.id] === null ? "-" : row[c.id]}`).join(" ")]));
}

function sweepHead(report) {
  const states = new Map();
  for (const point of report.points) states.set(point.status, (states.get(point.status) || 0) + 1);
  const rated = report.designs.some((design) => design.front !== null);
  const front = report.designs.filter((design) => design.front).length;
  const failures = report.runs.filter((run) => run.status !== "done");
  document.getElementById("head").append(
    element("h1", {}, report.name),
    ...(report.question ? [element("p", { class: "ask" }, report.question.ask), element("p", { class: "answer" }, report.question.answer)] : []),
    element("p", {}, `${report.designs.length.toLocaleString("en-US")} designs, ${report.points.length.toLocaleString("en-US")} points (` +
      [...states].map(([status, number]) => `${number.toLocaleString("en-US")} ${status}`).join(", ") + `); ` +
      (rated ? `${front} on the front. ` : "no front yet: the sweep has not ended. ") + `Search: ${report.search}.`),
    element("p", {}, "Objectives: " + report.objectives.map((o) => `${o.direction} ${o.key}`).join(", ") +
      (report.constraints.length ? `; subject to ${report.constraints.join(", ")}` : "") + "."),
    element("details", {}, element("summary", {}, "Sweep file"), element("pre", {}, report.file)),
    failures.length === 0 ? "" : element("details", {}, element("summary", {}, `${failures.length} runs did not end well`),
      plainTable("Failures", ["run", "status", "reason"], failures.map((run) => [run.id.slice(0, 12), run.status, run.reason || ""]))));
}

/** The parts of the report that belong to a design. */
class Designs {
  constructor(report, rows) {
    Object.assign(this, { report, rows });
    this.points = rows.map(() => []);
    report.points.forEach((point, place) => this.points[point.design].push(place));
    this.curves = new Map();
    for (const curve of report.progress) {
      if (!this.curves.has(curve.point)) this.curves.set(curve.point, []);
      this.curves.get(curve.point).push(curve);
    }
    const everyPart = report.runs.flatMap((run) => Object.entries(run.cpi).map(([part, value]) => ({ part, value })));
    this.classes = largestParts(everyPart);
    this.areaParts = largestParts(rows.flatMap((row) => this.area(row, row.label)));
    this.workloads = [...new Set(report.points.map((point) => point.workload))];
  }

  /** The workloads of a design, each once. */
  workloadsOf(row) { return [...new Set(this.points[row.index].map((place) => this.report.points[place].workload))]; }

  /** The combined results of a design's seeds: a line for each workload. */
  overSeeds(row) {
    return this.report.over_seeds.filter((group) => group.design === row.index).map((group) =>
      [group.workload, group.seeds, ...group.objectives.map((value, i) => withHalf(value, group.half_widths[i]))]);
  }

  configuration(point) {
    const { lines, blocks } = this.report.configurations;
    return point.configuration.flatMap((block) => blocks[block].map((line) => lines[line])).join("\n");
  }

  /** The progress curves of a design on a workload, for its first seed. */
  progress(row, name, workload, measure) {
    const place = this.points[row.index].find((p) => this.report.points[p].workload === workload && this.curves.has(p));
    if (place === undefined) return [];
    const curves = this.curves.get(place);
    return curves.flatMap((curve) => progressLine(curves.length === 1 ? name : `${name} #${curve.profiler}`, curve, measure));
  }

  /** The cycles an instruction by class, of a design on a workload, for its first seed. */
  stack(row, workload, bar) {
    const place = this.points[row.index].find((p) => this.report.points[p].workload === workload);
    if (place === undefined) return [];
    const run = this.report.runs[this.report.points[place].run];
    const note = run.overhead_measured === null ? "" : `overhead ${percent(run.overhead_measured)}`;
    return Object.entries(run.cpi).map(([part, cycles]) => ({ bar, part, value: cycles / run.instructions, note }));
  }

  /** The area of the RTL of a design's profilers, in mm2. */
  area(row, name) {
    const { areas } = this.report.designs[row.index];
    const total = areas.reduce((sum, { logic, flip_flops, memory }) => sum + logic + flip_flops + memory, 0) / kSquareMillimetre;
    return areas.flatMap(({ profiler, logic, flip_flops, memory }) => {
      const of = areas.length === 1 ? "" : ` #${profiler}`;
      return [[`logic${of}`, logic], [`flip-flops${of}`, flip_flops], [`memory${of}`, memory]]
        .map(([part, value]) => ({ bar: name, part, value: value / kSquareMillimetre, note: `${+total.toPrecision(3)} mm2` }));
    });
  }
}

/** Two objectives against each other. @param coloring  with `changed`, which draws the other charts again */
function frontView(columns, selection, rows, seeds, coloring, choose) {
  const objectives = columns.filter((column) => column.direction);
  const numbers = objectives.length > 1 ? objectives : columns.filter((column) => !column.isText);
  let y = objectives[0], x = numbers.find((column) => column !== y) || y;
  const place = element("div", { class: "chart brushable" });
  const chart = new Chart(place, "Pareto front", "vega-lite", (width) => scatterSpecification(x, y, width), (view) => {
    view.data("designs", rows);
    update();
    onBrush(view, (from, to) => {
      const range = (axis, a, b) => {
        const [one, other] = [view.scale(axis).invert(a), view.scale(axis).invert(b)];
        return { low: Math.min(one, other), high: Math.max(one, other) };
      };
      selection.set([[x, range("x", from.x, to.x)], [y, range("y", from.y, to.y)]]);
    }, (at, datum) => { if (datum && datum.index !== undefined) choose(rows.find((row) => row.index === datum.index)); });
  });
  const named = labelAxes(rows, columns);
  const labels = () => {
    const [across, up] = [chart.view.scale("x"), chart.view.scale("y")];
    const inPlane = rows.filter((row) => row[x.id] !== null && row[y.id] !== null);
    return frontLabels(inPlane, named, (row) => [across(row[x.id]), up(row[y.id])], chart.view.width())
      .map(({ row, text, left }) => ({ [x.id]: row[x.id], [y.id]: row[y.id], text, left }));
  };
  const update = () => {
    if (!chart.view) return;
    chart.view.data("labels", labels());
    const both = [selection.ranges.get(x), selection.ranges.get(y)];
    const finite = both.every((range) => range && Number.isFinite(range.low) && Number.isFinite(range.high));
    chart.view.data("brush", finite ? [{ x0: both[0].low, x1: both[0].high, y0: both[1].low, y1: both[1].high }] : []);
    chart.view.signal("generation", chart.view.signal("generation") + 1).run();
  };
  const axes = (now, set) => choice(now === x ? "Across" : "Up", numbers.map((c) => [c.id, titleOf(c)]), now.id,
    (id) => { set(columns.find((c) => c.id === id)); chart.draw(); });
  const controls = element("div", { class: "controls" }, axes(y, (c) => { y = c; }), axes(x, (c) => { x = c; }),
    choice("Color", [["", "state"], ...columns.map((c) => [c.id, titleOf(c)])], "", (id) => {
      coloring.by(columns.find((c) => c.id === id) || null);
      explain();
      coloring.changed();
    }));
  const legend = element("p", { class: "legend" });
  const explain = () => {
    const colored = coloring.legend();
    const mark = (shape, color, text) => [element("b", colored ? {} : { style: `color:${color}` }, shape), ` ${text}  `];
    legend.replaceChildren(...(colored ? [colored, element("br")] : []), ...mark("◆", kFront, "on the front"),
      ...mark("●", kOther, "not on it"), ...mark("✚", kInfeasible, "breaks a constraint."),
      named.length ? `Labels: ${named.map((c) => c.name).join(" ")}, where there is room. ` : "",
      seeds > 1 ? `Bars: 95 % confidence intervals over ${seeds} seeds. ` : "", "Drag to select, click for the design.");
  };
  explain();
  return { node: section("The front", controls, place, legend), chart, update, mark: (row) => markChosen(chart, row) };
}

function markChosen(chart, row) {
  if (chart.view) chart.view.signal("chosen", row ? row.index : -1).run();
}

function parallelView(columns, selection, rows, choose) {
  const place = element("div", { class: "chart brushable" });
  const lines = rows.slice().sort((a, b) => a.front - b.front);
  const chart = new Chart(place, "Parallel coordinates", "vega", (width) => {
    const inner = width - kParallelPad.left - kParallelPad.right;
    for (const row of rows) row.path = parallelPath(row, columns, inner);
    return parallelSpecification(columns, rows.length, width);
  }, (view) => {
    view.data("designs", lines);
    update();
    onBrush(view, (from, to) => {
      const near = columns.reduce((best, column, i) => {
        const distance = Math.abs(axisAt(i, columns.length, view.width()) - from.x);
        return distance < best.distance ? { column, distance } : best;
      }, { column: null, distance: 40 }).column;
      if (!near) return;
      const shares = [1 - from.y / kParallelHeight, 1 - to.y / kParallelHeight].sort((a, b) => a - b);
      const range = near.rangeOf(...shares);
      selection.set([[near, range ? { low: range[0], high: range[1] } : { low: 1, high: 0 }]]);
    }, (at, datum) => { if (datum && datum.index !== undefined) choose(rows.find((row) => row.index === datum.index)); });
  });
  const update = () => {
    if (!chart.view) return;
    chart.view.data("brush", parallelBrushes(columns, selection.ranges, place.clientWidth));
    chart.view.signal("generation", chart.view.signal("generation") + 1).run();
  };
  return { node: section("All axes and objectives", place,
    element("p", { class: "hint" }, "Drag along an axis to select.")), chart, update, mark: (row) => markChosen(chart, row) };
}

function designTable(columns, selection, choose) {
  const table = new GridTable("Designs", [
    { name: "◆", title: "On the front", class: "mark", value: (row) => (row.front ? 0 : 1), shown: (row) => (row.front ? "◆" : "") },
    ...columns.map((column) => ({
      name: column.direction && column.unit ? `${column.name} [${column.unit}]` : column.name, title: titleOf(column) + (column.key === column.name ? "" : `: ${column.key}`), text: column.isText, column,
      value: (row) => row[column.id], shown: (row) => column.shown(row),
      filter: (words) => {
        const range = column.parse(words);
        selection.set([[column, range]]);
        return range !== null || words.trim() === "";
      },
    })),
  ], choose);
  const fill = () => {
    for (const { column, input } of table.columns) {
      if (!input || document.activeElement === input) continue;
      const range = selection.ranges.get(column);
      if (!range || range.part === undefined) input.value = range ? column.write(range) : "";
    }
    table.show(selection.selected);
  };
  return { table, update: fill };
}

/** The charts that compare designs: the chosen one and those on the front that are selected. */
function comparisons(designs, columns, selection, chosen) {
  let workload = designs.workloads[0], measure = "overlap";
  const compared = () => {
    const front = selection.selected.filter((row) => row.front && row !== chosen());
    const rows = [...(chosen() ? [chosen()] : []), ...front].slice(0, kCompared);
    return rows.length ? rows : selection.selected.slice(0, kCompared);
  };
  const of = (make) => {
    const rows = compared(), names = namesOf(rows, columns);
    return rows.flatMap((row) => make(row, names.get(row)));
  };
  const views = [];
  const add = (title, name, specify, ...controls) => {
    const place = element("div", { class: "chart" });
    const chart = new Chart(place, name, "vega-lite", specify);
    views.push({ node: section(title, element("div", { class: "controls" }, ...controls), place), chart });
  };
  const redraw = () => views.forEach(({ chart }) => chart.draw());
  const workloads = () => choice("Workload", designs.workloads.map((name) => [name, name]), workload,
    (name) => { workload = name; redraw(); });
  if (designs.report.progress.length) {
    const names = { overlap: "overlap with the exhaustive profile", invariance_error: "invariance error" };
    add("Accuracy against progress", "Accuracy against progress",
      (width) => progressSpecification(of((row, name) => designs.progress(row, name, workload, measure)), names[measure], width),
      workloads(), choice("Measure", Object.entries(names), measure, (value) => { measure = value; redraw(); }),
      designs.report.progress_of_front_only ? element("span", { class: "hint" }, "Only designs on the front: there are too many.") : null);
  }
  if (designs.report.runs.some((run) => Object.keys(run.cpi).length)) {
    add("Where the cycles go", "CPI stack",
      (width) => stackSpecification(of((row, name) => designs.stack(row, workload, name)), designs.classes, "cycles an instruction", width), workloads());
  }
  if (designs.report.designs.some((design) => design.areas.length)) {
    add("Area", "Area", (width) => stackSpecification(of((row, name) => designs.area(row, name)), designs.areaParts, "mm2", width));
  }
  return { views, redraw };
}

function showDesign(panel, designs, columns, row) {
  const { report } = designs;
  const points = designs.points[row.index].map((place) => report.points[place]);
  const settings = plainTable("Settings", ["key", "value", "unit"], columns.map((c) => [c.key, c.shown(row) || "as in the run file", c.unit]));
  const results = plainTable("Points", ["workload", "seed", "status", ...report.objectives.map((o) => o.name), "overhead"],
    points.map((point) => [point.workload, point.seed, point.status, ...point.objectives.map(format),
                           percent(report.runs[point.run].overhead_measured)]));
  const overSeeds = designs.overSeeds(row);
  const stacks = designs.workloadsOf(row).flatMap((workload) => designs.stack(row, workload, workload));
  const place = element("div", { class: "chart" });
  panel.open(row.label, element("p", { class: "legend" }, row.state), settings,
    ...(overSeeds.length ? [element("h2", {}, "Over seeds, with 95 % confidence intervals"),
                            plainTable("Over seeds", ["workload", "seeds", ...report.objectives.map((o) => o.name)], overSeeds)] : []),
    element("h2", {}, "Points"), results,
    stacks.length ? place : "",
    ...points.flatMap((point) => [
      element("h2", {}, `${point.workload}, seed ${point.seed}`),
      report.runs[point.run].reason ? element("p", {}, report.runs[point.run].reason) : "",
      commandLine(report.runs[point.run].command),
      element("details", { open: points.length === 1 }, element("summary", {}, "Effective configuration"),
        element("pre", {}, designs.configuration(point))),
    ]));
  if (stacks.length) new Chart(place, "CPI stack of this design", "vega-lite", (width) => stackSpecification(stacks, designs.classes, "cycles an instruction", width)).draw();
}

async function showSweep(report) {
  sweepHead(report);
  const rows = rowsOf(report), columns = columnsOf(report, rows);
  const selection = new Selection(rows, columns), designs = new Designs(report, rows);
  let chosen = null;
  const panel = new Panel(() => choose(null));
  // Designs on the front are drawn last, so that nothing hides them.
  const drawn = rows.slice().sort((a, b) => a.front - b.front);
  const choose = (row) => {
    chosen = row;
    for (const view of [front, parallel]) view.mark(row);
    grid.table.mark(row);
    compare.redraw();
    if (row) showDesign(panel, designs, columns, row);
  };
  const coloring = new Coloring(rows);
  coloring.changed = () => Promise.all([front.chart.draw(), parallel.chart.draw()]);
  const front = frontView(columns, selection, drawn, report.seeds, coloring, choose);
  const parallel = parallelView(columns, selection, rows, choose);
  const grid = designTable(columns, selection, choose);
  const compare = comparisons(designs, columns, selection, () => chosen);
  const told = element("span", { role: "status", "aria-live": "polite", id: "selected" });
  const only = element("input", { type: "checkbox", onchange: () => selection.showFrontOnly(only.checked) });
  const clear = element("button", { type: "button", onclick: () => {
    grid.table.columns.forEach(({ input }) => { if (input) input.value = ""; });
    only.checked = false;
    selection.clear();
  } }, "Select all");
  const tell = () => {
    told.textContent = `${selection.selected.length.toLocaleString("en-US")} of ${rows.length.toLocaleString("en-US")} designs selected`;
    grid.update();
  };
  let settled = 0, frame = 0;
  const draw = () => {
    front.update();
    parallel.update();
    clearTimeout(settled);
    settled = setTimeout(compare.redraw, 200);
  };
  const update = () => {
    tell();
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
  };
  selection.subscribe(update);
  const table = section("Designs", element("div", { class: "controls" }, told, element("label", {}, only, " on the front only"), clear,
    element("span", { class: "hint" }, "Arrow keys and Enter open a design; a header sorts, the field under it filters.")), grid.table.node);
  table.classList.add("long");
  document.getElementById("main").append(element("div", { class: "row" }, front.node, parallel.node), table,
    element("div", { class: "row" }, ...compare.views.map(({ node }) => node)));
  grid.table.sortBy(0, false);
  tell();
  await Promise.all([front.chart, parallel.chart, ...compare.views.map(({ chart }) => chart)].map((chart) => chart.draw()));
}
