// The columns of a sweep: its axes and objectives, the values of a design in them, and the ranges that a user sets.

const format = (value) => {
  if (value === null || value === undefined) return "";
  if (typeof value !== "number") return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return value.toExponential(3);
  return value.toLocaleString("en-US", Number.isInteger(value) ? {} : { maximumSignificantDigits: 4 });  // counts are exact
};

/** A mean and half of the width of its interval, which is null when there is none; undefined shows the mean alone. */
const withHalf = (mean, half) =>
  (half === undefined || mean === null ? format(mean) : `${format(mean)} ± ${half === null ? "-" : format(+half.toPrecision(2))}`);

const percent = (fraction) => (fraction === null || fraction === undefined ? "" : `${(100 * fraction).toFixed(2)} %`);

/** A column of at most this many values is a ladder with equal steps, as suits parameters in powers of two. */
const kLadder = 16;

class Column {
  constructor(id, about, isText, values) {
    this.id = id;
    this.key = about.key;
    this.name = about.name;
    this.unit = about.unit || "";
    this.direction = about.direction || null;
    this.isText = isText;
    const known = [...new Set(values.filter((v) => v !== null))];
    known.sort(isText ? (a, b) => (String(a) < String(b) ? -1 : 1) : (a, b) => a - b);
    this.steps = isText || (!this.direction && known.length <= kLadder) ? known : null;
    this.places = this.steps && new Map(known.map((value, place) => [value, place]));
    this.least = isText ? 0 : known[0];
    this.most = isText ? known.length - 1 : known[known.length - 1];
    this.ends = [this.least, this.most];  // with the intervals around the values
    this.half = null;
  }

  /** Gives the values intervals: field `half` of a row is half of the width, null when there is none. */
  surround(rows, half) {
    this.half = half;
    for (const row of rows) {
      if (row[half] === null) continue;
      this.ends = [Math.min(this.ends[0], row[this.id] - row[half]), Math.max(this.ends[1], row[this.id] + row[half])];
    }
  }

  shown(row) { return withHalf(row[this.id], this.half ? row[this.half] : undefined); }

  /** The value as a number that ranges compare with. A text's number is its place in the order. */
  number(value) {
    if (value === null) return NaN;
    return this.isText ? this.places.get(value) : value;
  }

  /** The value's place from 0 at the least to 1 at the most. A missing value is below 0. */
  share(value) {
    if (value === null) return -0.06;
    if (this.steps) return this.steps.length === 1 ? 0.5 : this.places.get(value) / (this.steps.length - 1);
    return this.most === this.least ? 0.5 : (value - this.least) / (this.most - this.least);
  }

  /** The least and the most value, intervals included. The two always differ. */
  domain() {
    if (this.least === undefined) return [0, 1];
    const [low, high] = this.ends;
    return low === high ? [low - 0.5, high + 0.5] : [low, high];
  }

  /** The range of values between two shares, or null when there is none. */
  rangeOf(low, high) {
    if (!this.steps) {
      const at = (share) => this.least + share * (this.most - this.least);
      return [at(low), at(high)];
    }
    const inside = this.steps.filter((v) => this.share(v) >= low && this.share(v) <= high).map((v) => this.number(v));
    return inside.length ? [inside[0], inside[inside.length - 1]] : null;
  }

  /** Parses what a user types: 5, >=5, <5, 2..5; for texts a part of one. null: nothing, or not understood. */
  parse(text) {
    const words = text.trim();
    if (words === "") return null;
    if (this.isText) return { part: words.toLowerCase() };
    const bounds = words.match(/^(-?[\d.e+-]*?)\.\.(-?[\d.e+-]*)$/i);
    if (bounds) return this.valid(bounds[1] === "" ? -Infinity : +bounds[1], bounds[2] === "" ? Infinity : +bounds[2]);
    const compared = words.match(/^(<=?|>=?|=)?\s*(-?[\d.]+(?:e[+-]?\d+)?)\s*(%)?$/i);
    if (!compared) return null;
    const value = +compared[2] / (compared[3] ? 100 : 1);
    const tiny = Math.abs(value) * 1e-12 + Number.MIN_VALUE;
    switch (compared[1]) {
      case "<": return this.valid(-Infinity, value - tiny);
      case "<=": return this.valid(-Infinity, value);
      case ">": return this.valid(value + tiny, Infinity);
      case ">=": return this.valid(value, Infinity);
      default: return this.valid(value, value);
    }
  }

  valid(low, high) {
    return Number.isNaN(low) || Number.isNaN(high) ? null : { low, high };
  }

  /** A range as a text that parse() takes. */
  write(range) {
    if (this.isText) return "";
    if (range.low === range.high) return String(range.low);
    const short = (value) => (Number.isFinite(value) ? String(+value.toPrecision(6)) : "");
    return `${short(range.low)}..${short(range.high)}`;
  }
}

/** The selected rows, which are those inside every column's range. Views subscribe and are notified of each change. */
class Selection {
  constructor(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.ranges = new Map();
    this.frontOnly = false;
    this.listeners = [];
    this.apply();
  }

  subscribe(listener) { this.listeners.push(listener); }

  /** @param changes  [column, range] pairs; a range is {low, high} or {part}, null for all values */
  set(changes) {
    for (const [column, range] of changes) {
      if (range) this.ranges.set(column, range); else this.ranges.delete(column);
    }
    this.changed();
  }

  showFrontOnly(only) { this.frontOnly = only; this.changed(); }
  clear() { this.ranges.clear(); this.frontOnly = false; this.changed(); }

  changed() {
    this.apply();
    for (const listener of this.listeners) listener();
  }

  apply() {
    const tests = [...this.ranges].map(([column, range]) => (row) => {
      const value = row[column.id];
      if (range.part !== undefined) return value !== null && String(value).toLowerCase().includes(range.part);
      const number = column.number(value);
      return number >= range.low && number <= range.high;
    });
    for (const row of this.rows) row.selected = (!this.frontOnly || row.front) && tests.every((test) => test(row));
    this.selected = this.rows.filter((row) => row.selected);
  }
}

/** Makes an element: element("td", {class: "x", onclick: f}, "text", other) */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A select with a label before it. */
function choice(label, options, chosen, onchange) {
  const select = element("select", { "aria-label": label, onchange: () => onchange(select.value) });
  for (const [value, text] of options) select.append(element("option", { value, selected: value === chosen }, text));
  return element("label", {}, `${label} `, select);
}
