// The page of a single run: its figures, its CPI stack, the accuracy of its profilers, and what they found.

function runHead(report) {
  const { result } = report;
  const count = (value) => value.toLocaleString("en-US");
  document.getElementById("head").append(
    element("h1", {}, `${report.name}: ${result.workload}`),
    element("p", {}, `Mode ${result.mode} on ${result.core}, ${result.end === "exited" ? `exited with ${result.exit_code}` : result.end}` +
      `${result.error ? `: ${result.error}` : ""}. ${count(result.instructions)} instructions` +
      (result.cycles ? `, ${count(result.cycles)} cycles, IPC ${format(result.ipc)}` : "") + "." +
      (result.overhead_measured === null ? "" : ` Overhead ${percent(result.overhead_measured)} measured` +
        (result.overhead_analytical === null ? "." : `, ${percent(result.overhead_analytical)} by the analytical model.`))));
}

/** What makes the figures doubtful, beside them. */
function warningList(warnings) {
  return element("ul", { class: "warnings", "aria-label": "Warnings" }, ...warnings.map((text) => element("li", {}, text)));
}

/** A message for each event, to an observer: that is the exact profile, and no hardware to be paid. */
const isExact = (profiler) => !profiler.active && profiler.events !== 0 && profiler.messages === profiler.events;

function profilerTable(profilers) {
  const shown = ["kind", "fidelity", "events", "messages", "interrupts", "dropped", "residue", "overlap", "overlap_90",
                 "invariance_error", "storage_bits"];
  return plainTable("Profilers", ["profiler", ...shown, "analytical overhead"], profilers.map((profiler) => [
    profiler.name + (profiler.active ? " *" : ""), ...shown.map((key) => format(profiler[key])),
    isExact(profiler) ? "exact" : percent(profiler.overhead_analytical)]));
}

/** What each class of the CPI stack has more than in the baseline, the largest first. */
function overheadTable(classes) {
  const rows = Object.entries(classes).filter(([, { cycles }]) => cycles !== 0)
    .sort(([, one], [, other]) => Math.abs(other.cycles) - Math.abs(one.cycles));
  return plainTable("Overhead by class", ["class", "more cycles", "share of the baseline"],
    rows.map(([name, { cycles, share }]) => [name, cycles.toLocaleString("en-US"), percent(share)]));
}

/** Where the cycles go, by function, line and loop, and how far samplers of time are from that. */
function truthSections(truth) {
  const samplers = Object.keys(truth.samplers);
  const most = (what, rows) => plainTable(`Cycles by ${what}`, [what, "cycles", "share", ...samplers], rows.slice(0, 20).map((row) => [
    row.name, format(Math.round(row.cycles)), percent(row.share), ...samplers.map((name) => percent(row.sampled[name]))]));
  const errors = plainTable("Samplers of time", ["sampler", "samples", "error by function", "error by instruction", "bits in the core"],
    Object.entries(truth.samplers).map(([name, sampler]) => [name, format(sampler.samples), percent(sampler.error_by_function),
                                     percent(sampler.error_by_instruction), format(sampler.storage_bits)]));
  return [section("Where the cycles go, by function", most("function", truth.functions)),
          section("By innermost loop", most("loop", truth.loops)), section("By line", most("line", truth.lines)),
          ...(samplers.length ? [section("Samplers of time against every cycle", errors)] : [])];
}

/** What the observer thread has seen, and how far from the truth it was. */
function shimTable(shim) {
  const { rates, truth, tags } = shim;
  const rows = [["samples", format(shim.samples)], ["cycles from sample to sample", format(shim.mean_period)],
                ["cycles of a sample without idling", format(shim.busy)], ["the observer's own instructions per cycle", format(shim.observer_ipc)]];
  if (rates) rows.push([`${rates.counter}: samples kept`, percent(rates.kept_share)], ["of them impossible", format(rates.impossible_kept)]);
  if (truth) {
    rows.push(["kept rates off by", format(truth.rate_error_kept)], ["their distribution off by", format(truth.distance_kept)],
              ["precision of the correction", percent(truth.dte_precision)], ["recall of the correction", percent(truth.dte_recall)]);
  }
  if (tags) rows.push([`${tags.signal}: values`, format(tags.values)], ["cycles under another value than in truth", percent(tags.error)]);
  return plainTable(`Observer thread (${shim.where})`, ["figure", "value"], rows);
}

/** The buckets from the first to the last that any line has samples in. */
function rateLines(rates) {
  return ["kept", "all", "true"].filter((line) => rates[line].some((samples) => samples > 0)).flatMap((line) =>
    rates.rate.map((rate, i) => ({ line, rate, samples: rates[line][i] })));
}

function runStack(result) {
  const parts = [];
  for (const [name, cycles] of Object.entries(result.counters)) {
    const found = name.match(/^core0?\.cpi\.(.*)$/);
    if (!found || cycles === 0) continue;
    const note = result.overhead_measured === null ? "" : `overhead ${percent(result.overhead_measured)}`;
    parts.push({ bar: result.workload, part: found[1], value: cycles / result.instructions, note });
  }
  return parts;
}

/** What handlers or instrumentation collected: a row a profile. */
function collectedTable(profile) {
  const rows = [];
  const add = (name, part, all, unit) => rows.push([name, `${format(part.events ?? part.references)} ${unit}`, format(all), format(part.overlap),
                                                    format(part.overlap_90), format(part.functions && part.functions.overlap)]);
  for (const [key, name] of [["call_pairs", "call pairs"], ["methods", "methods"], ["edges", "edges"], ["values", "values"]]) {
    if (profile[key]) add(name, profile[key], profile[key].exhaustive_events, "events");
  }
  const streams = profile.hot_streams;
  for (const detector of streams ? ["subpaths", "symbols"] : []) {
    rows.push([`hot streams by ${detector}`, `${format(streams.references)} references in ${format(streams.bursts)} bursts`,
               format(streams.exhaustive_references), format(streams[detector].overlap), "", ""]);
  }
  return plainTable("Collected profiles", ["profile", "collected", "exhaustive", "overlap", "at 90 %", "by function"], rows);
}

/** How good each tag of a profiler is, where it has several. */
function tagTable(profilers) {
  const rows = profilers.flatMap(({ name, tags }) => Object.entries(tags).map(([tag, part]) =>
    [name, tag, part.profile, ...["events", "overlap", "overlap_90", "invariance_error"].map((key) => format(part[key]))]));
  return plainTable("Profilers by tag", ["profiler", "tag", "profile", "events", "overlap", "at 90 %", "invariance error"], rows);
}

/** The entries of a profile, and a flame graph of the code they belong to. */
function profileSections(report) {
  const text = (name, place, hint) => ({ name, title: hint || name, text: true, place, value: (row) => row[place], shown: (row) => row[place] });
  const columns = [{ name: "count", title: "count", text: false, place: 2, value: (row) => row[2], shown: (row) => format(row[2]) },
                   text("symbol", 3), text("target", 4, "where an edge or a call leads"), text("line", 5), text("pc", 0), text("value", 1)];
  const first = Math.max(0, report.profiles.findIndex((p) => p.profiler === "truth"));
  let part = "", profile = report.profiles[first];
  const told = element("span", { role: "status", id: "selected" });
  const table = new GridTable("Profile", columns, () => {});
  const flames = new FlameGraph();
  const search = element("input", { type: "text", "aria-label": "Filter", placeholder: "symbol, line, pc or value",
    oninput: () => { part = search.value.trim().toLowerCase(); fill(); } });
  const fill = () => {
    const rows = profile.entries.filter((row) => row.some((field) => typeof field === "string" && field.toLowerCase().includes(part)));
    told.textContent = `${rows.length.toLocaleString("en-US")} of ${profile.tuples.toLocaleString("en-US")} tuples` +
      (profile.entries.length < profile.tuples ? ` (this page has the ${profile.entries.length.toLocaleString("en-US")} largest)` : "");
    table.show(rows);
  };
  const show = (place) => {
    profile = report.profiles[place];
    flames.show(profile, (name) => { search.value = name; part = name.toLowerCase(); fill(); });
    fill();
  };
  const named = report.profiles.map((p, i) => [String(i), `${p.profiler}: ${p.kind}`]);
  const which = choice("Profile", named, String(first), (place) => show(+place));
  const flame = section("Flame graph", element("div", { class: "controls" }, which), flames.node);
  const node = section("Profile", element("div", { class: "controls" }, search, told), table.node);
  node.classList.add("long");
  return { nodes: [flame, node], fill: () => show(first) };
}

async function showRun(report) {
  const { result } = report;
  const charts = [];
  const add = (title, name, specify, ...controls) => {
    const place = element("div", { class: "chart" });
    charts.push(new Chart(place, name, "vega-lite", specify));
    return section(title, element("div", { class: "controls" }, ...controls), place);
  };
  runHead(report);
  const main = document.getElementById("main");
  if (report.warnings.length) main.append(warningList(report.warnings));
  if (result.profilers.length) {
    main.append(section("Profilers", profilerTable(result.profilers),
      result.profilers.some((p) => p.active) ? element("p", { class: "hint" }, "* active: its overhead is part of the run; the others only observe.") : ""));
  }
  if (result.profilers.some((p) => Object.keys(p.tags).length > 1)) main.append(section("Accuracy by tag", tagTable(result.profilers)));
  if (result.profile) main.append(section("What software collected", collectedTable(result.profile)));
  const stack = runStack(result);
  if (stack.length) {
    main.append(add("Where the cycles go", "CPI stack", (width) => stackSpecification(stack, largestParts(stack), "cycles an instruction", width)));
  }
  if (result.overhead_by_class) main.append(section("Where the overhead arises", overheadTable(result.overhead_by_class)));
  if (result.truth) main.append(...truthSections(result.truth));
  if (result.shim) main.append(section("Observer thread", shimTable(result.shim)));
  if (report.rates) {
    main.append(add("Rates of the samples", "Rates of the samples",
                    (width) => ratesSpecification(rateLines(report.rates), `${result.shim.rates.counter} a cycle`, width)));
  }
  if (report.progress.length) {
    const names = { overlap: "overlap with the exhaustive profile", invariance_error: "invariance error" };
    let measure = "overlap";
    const lines = () => report.progress.flatMap((curve) => progressLine(curve.profiler, curve, measure));
    main.append(add("Accuracy against progress", "Accuracy against progress", (width) => progressSpecification(lines(), names[measure], width),
      choice("Measure", Object.entries(names), measure, (value) => { measure = value; Chart.redrawAll(); })));
  }
  const profile = report.profiles.length ? profileSections(report) : null;
  if (profile) main.append(...profile.nodes);
  main.append(section("Command", commandLine(report.command)),
    section("Effective configuration", element("details", {}, element("summary", {}, "Show"), element("pre", {}, report.configuration))));
  await Promise.all(charts.map((chart) => chart.draw()));
  if (profile) profile.fill();
}
