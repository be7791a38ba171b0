// The color of each design, by its state or by its value in a column, and the labels of the front.

const kMissing = "#8c8c8c";
/** From the least value to the most: legible on white and on black, and ordered for any color vision. */
const kRamp = [[59, 125, 221], [201, 91, 160], [240, 160, 32]];

function rampAt(share) {
  const at = Math.min(0.999999, Math.max(0, share)) * (kRamp.length - 1), low = Math.floor(at), part = at - low;
  return `rgb(${kRamp[low].map((from, i) => Math.round(from + part * (kRamp[low + 1][i] - from))).join(",")})`;
}

/** Gives every row a color. Charts read it from the field `color`. */
class Coloring {
  constructor(rows) {
    this.rows = rows;
    this.by(null);
  }

  /** @param column  null: by the state of a design */
  by(column) {
    this.column = column;
    // A few texts have colors of their own, more have their place in the order.
    this.named = column && column.isText && column.steps.length <= kColours.length - 1;
    for (const row of this.rows) row.color = this.colorOf(row);
  }

  colorOf(row) {
    if (!this.column) return { "on the front": kFront, "not on it": kOther, infeasible: kInfeasible }[row.state];
    const value = row[this.column.id];
    if (value === null) return kMissing;
    return this.named ? kColours[this.column.places.get(value)] : rampAt(this.column.share(value));
  }

  /** What the colors mean: null when they are those of the states. */
  legend() {
    const { column } = this;
    if (!column) return null;
    const missing = this.rows.some((row) => row[column.id] === null) ? [["none", kMissing]] : [];
    const swatch = ([text, color]) => element("span", { class: "swatch" }, element("i", { style: `background:${color}` }), text);
    const few = column.steps && column.steps.length < kColours.length;
    const known = few ? column.steps.map((value) => [format(value), this.named ? kColours[column.places.get(value)] : rampAt(column.share(value))]) : [];
    const [least, most] = column.isText ? [column.steps[0], column.steps[column.steps.length - 1]] : [column.least, column.most];
    const ramp = few ? [] : [format(least), element("i", { class: "ramp", style: `background:linear-gradient(90deg,${[0, 0.5, 1].map(rampAt)})` }), format(most)];
    return element("span", {}, `${titleOf(column)}: `, ...ramp, ...[...known, ...missing].map(swatch));
  }
}

const kLetterWidth = 6, kLabelHeight = 13, kMostLabels = 200;

/** The axes whose values name the designs on the front, which are those in which they differ. */
function labelAxes(rows, columns) {
  const front = rows.filter((row) => row.front), axes = columns.filter((column) => !column.direction);
  return axes.filter((column) => front.some((row) => row[column.id] !== front[0][column.id]));
}

/**
 * The labels of the front that do not cover each other or a mark of the front, at the right or the left of their marks.
 * @param at      (row) => [x, y], in pixels
 * @param width   of the plane
 */
function frontLabels(rows, axes, at, width) {
  const front = rows.filter((row) => row.front && row.selected).slice(0, kMostLabels);
  const marks = front.map((row) => ({ row, place: at(row) })).filter(({ place }) => place.every(Number.isFinite));
  const taken = marks.map(({ row, place: [x, y] }) => ({ row, left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  const labels = [];
  for (const { row, place: [x, y] } of marks) {
    const text = axes.map((column) => (row[column.id] === null ? "-" : String(row[column.id]))).join(" ");
    const long = kLetterWidth * text.length;
    for (const left of [false, true]) {
      const from = left ? x - 9 - long : x + 9;
      const box = { row, left: from, right: from + long, top: y - kLabelHeight / 2, bottom: y + kLabelHeight / 2 };
      const free = taken.every((other) => other.row === row || other.left > box.right || other.right < box.left ||
                                          other.top > box.bottom || other.bottom < box.top);
      if (text === "" || box.left < 0 || box.right > width || !free) continue;
      taken.push(box);
      labels.push({ row, text, left });
      break;
    }
  }
  return labels;
}
