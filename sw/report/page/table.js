// A table of any length, of which only the visible rows are in the document. Its headers sort it, the fields under them
// filter it, and the arrow keys move through it.

const kRowHeight = 26, kSpareRows = 8, kPrintedRows = 300;

class GridTable {
  /**
   * @param columns  [{name, title, text, value(row), shown(row), filter}]; `filter(words)` gets the typed text; a
   *                 column without it has no filter field
   * @param choose   gets the row on a click or Enter
   */
  constructor(name, columns, choose) {
    Object.assign(this, { name, columns, choose, rows: [], order: null, active: 0, chosen: null, printing: false });
    this.body = element("tbody");
    this.headers = columns.map((column, place) => {
      const button = element("button", { type: "button", title: column.title, onclick: () => this.sortBy(place) }, column.name);
      return element("th", { scope: "col", class: column.text ? "text" : null, "aria-sort": "none" }, button);
    });
    const filters = columns.map((column) => element("td", { class: column.text ? "text" : null }, this.filterOf(column)));
    const anyFilter = columns.some((column) => column.filter);
    this.table = element("table", { role: "grid", "aria-label": name, "aria-readonly": "true" },
      element("thead", {}, element("tr", {}, ...this.headers), anyFilter ? element("tr", { class: "filters" }, ...filters) : null),
      this.body);
    this.node = element("div", { class: "grid", tabindex: "0", "aria-label": `${name}: arrow keys, Enter`, onscroll: () => this.render(),
                                 onkeydown: (event) => this.key(event) }, this.table);
    window.addEventListener("beforeprint", () => { this.printing = true; this.render(); });
    window.addEventListener("afterprint", () => { this.printing = false; this.render(); });
  }

  filterOf(column) {
    if (!column.filter) return "";
    column.input = element("input", { type: "text", size: 7, "aria-label": `Filter ${column.name}`, placeholder: column.text ? "part" : "2..5, <9",
      oninput: () => {
        const good = column.filter(column.input.value);
        column.input.setAttribute("aria-invalid", good ? "false" : "true");
      } });
    return column.input;
  }

  /** Shows these rows, in the table's order. */
  show(rows) {
    const active = this.rows[this.active];
    this.rows = rows.slice();
    this.sort();
    this.active = Math.max(0, this.rows.indexOf(active));
    this.table.setAttribute("aria-rowcount", this.rows.length + 1);
    this.render();
  }

  sortBy(place, descending = null) {
    const same = this.order && this.order.place === place;
    this.order = { place, descending: descending ?? (same ? !this.order.descending : false) };
    this.headers.forEach((header, i) => header.setAttribute("aria-sort",
      i !== place ? "none" : this.order.descending ? "descending" : "ascending"));
    this.sort();
    this.render();
  }

  /** Sorts the rows. Missing values come last in either direction. */
  sort() {
    if (!this.order) return;
    const { value } = this.columns[this.order.place], sign = this.order.descending ? -1 : 1;
    const missing = (v) => v === null || v === undefined;
    const keyed = this.rows.map((row) => [value(row), row]);
    keyed.sort(([a], [b]) => {
      if (missing(a) || missing(b)) return missing(a) - missing(b);
      return a < b ? -sign : a > b ? sign : 0;
    });
    this.rows = keyed.map(([, row]) => row);
  }

  key(event) {
    if (event.target !== this.node) return;
    const page = Math.max(1, Math.floor(this.node.clientHeight / kRowHeight) - 3);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.rows.length, End: this.rows.length };
    if (event.key in steps) {
      this.active = Math.min(this.rows.length - 1, Math.max(0, this.active + steps[event.key]));
      this.reveal();
      event.preventDefault();
    } else if (event.key === "Enter" && this.rows[this.active]) {
      event.preventDefault();
      this.choose(this.rows[this.active]);
    }
  }

  reveal() {
    const head = this.table.tHead.offsetHeight, top = this.active * kRowHeight;
    const view = this.node.clientHeight - head;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    if (top + kRowHeight > this.node.scrollTop + view) this.node.scrollTop = top + kRowHeight - view;
    this.render();
  }

  render() {
    const first = this.printing ? 0 : Math.max(0, Math.floor(this.node.scrollTop / kRowHeight) - kSpareRows);
    const sight = this.printing ? kPrintedRows : Math.ceil(this.node.clientHeight / kRowHeight) + 2 * kSpareRows;
    const last = Math.min(this.rows.length, first + sight);
    const space = (rows) => element("tr", { class: "space", "aria-hidden": "true" },
      element("td", { colspan: this.columns.length, style: `height:${rows * kRowHeight}px;border:0;padding:0` }));
    const shown = [];
    for (let i = first; i < last; ++i) shown.push(this.rowAt(i));
    if (this.rows.length === 0) {
      shown.push(element("tr", {}, element("td", { class: "empty text", colspan: this.columns.length }, "No row: widen the filters.")));
    }
    if (first > 0) shown.unshift(space(first));
    if (last < this.rows.length) shown.push(space(this.rows.length - last));
    this.body.replaceChildren(...shown);
    const active = this.body.querySelector(".active");
    if (active) this.node.setAttribute("aria-activedescendant", active.id);
  }

  rowAt(place) {
    const row = this.rows[place];
    const marks = [place === this.active && "active", row === this.chosen && "chosen"].filter(Boolean).join(" ");
    return element("tr", {
      id: `${this.name}-row-${place}`.replace(/\s/g, "-"), class: marks || null, "aria-rowindex": place + 2, "aria-selected": row === this.chosen ? "true" : "false",
      onclick: () => { this.active = place; this.render(); this.choose(row); },
    }, ...this.columns.map((column) => element("td", { class: column.class || (column.text ? "text" : null) }, column.shown(row))));
  }

  mark(row) {
    this.chosen = row;
    this.render();
  }
}
