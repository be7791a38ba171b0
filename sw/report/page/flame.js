// A flame graph of one profile, upside down: the program, its functions, their lines, their instructions. A profiler sees
// an instruction and not how control came there, so there are no callers; a call has its callee below it.

/** A box of the graph: {name, count, children}, the largest child first. */
function flameTree(profile) {
  const root = { name: "all", count: 0, children: new Map() };
  for (const [pc, , count, symbol, target, line] of profile.entries) {
    const path = [symbol.replace(/\+0x[0-9a-f]+$/, ""), ...(line ? [line] : []),
                  profile.kind === "call_target" ? `calls ${target}` : pc];
    let box = root;
    box.count += count;
    for (const name of path) {
      if (!box.children.has(name)) box.children.set(name, { name, count: 0, children: new Map() });
      box = box.children.get(name);
      box.count += count;
    }
  }
  const sorted = (box) => ({ ...box, children: [...box.children.values()].sort((a, b) => b.count - a.count).map(sorted) });
  return sorted(root);
}

class FlameGraph {
  constructor() {
    this.node = element("div", { class: "flame", role: "tree", "aria-label": "Flame graph" });
    this.told = element("p", { class: "hint" });
  }

  /** @param chosen  called with the name of a box that is clicked */
  show(profile, chosen) {
    Object.assign(this, { profile, chosen });
    this.zoom([flameTree(profile)]);
  }

  /** Shows the last box of a path as wide as the page, below those that contain it. */
  zoom(path) {
    const rows = [];
    const whole = path[0].count;
    const place = (here, from, width, alone) => {
      if (width < 0.0015) return;
      const box = here[here.length - 1], level = here.length - 1;
      const share = percent(box.count / whole);
      const button = element("button", { type: "button", role: "treeitem", "aria-level": String(level + 1),
        title: `${box.name}: ${format(box.count)} ${this.profile.unit}, ${share}`,
        onclick: () => { this.zoom(here); this.chosen(here.length === 1 ? "" : box.name.replace(/^calls /, "")); } },
      width > 0.03 ? `${box.name} ${share}` : "");
      button.style.left = `${100 * from}%`;
      button.style.width = `${100 * width}%`;
      button.style.background = this.color(here);
      (rows[level] = rows[level] || element("div", { class: "level", role: "group" })).append(button);
      let next = from;
      for (const child of alone ? [] : box.children) {
        const part = width * child.count / box.count;
        place([...here, child], next, part, false);
        next += part;
      }
    };
    path.forEach((_, level) => place(path.slice(0, level + 1), 0, 1, level + 1 < path.length));
    this.node.replaceChildren(...rows, this.told);
    const missing = this.profile.total - whole;
    this.told.textContent = `A click shows a box alone and its entries in the table; a click on one above it goes back.` +
      (missing > this.profile.total / 1000 ? ` ${percent(missing / this.profile.total)} are in smaller entries, which the page does not have.` : "");
  }

  /** One color a function, lighter for lines and instructions; text stays readable on all of them. */
  color(path) {
    if (path.length === 1) return "#d0d7de";
    let hash = 0;
    for (const letter of path[1].name) hash = (hash * 31 + letter.charCodeAt(0)) % 4093;
    return `hsl(${20 + hash % 40}, ${55 + hash % 30}%, ${64 + 6 * Math.min(path.length - 2, 3)}%)`;
  }
}
