// The details of one design, in a panel at the side that the keyboard can enter and leave.

class Panel {
  constructor(closed) {
    this.node = document.getElementById("panel");
    this.closed = closed;
    this.before = null;
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.node.hidden) this.close();
    });
  }

  open(title, ...content) {
    if (this.node.hidden) this.before = document.activeElement;
    this.node.replaceChildren(
      element("button", { type: "button", class: "close", onclick: () => this.close() }, "Close (Esc)"),
      element("h2", { id: "panel-title" }, title), ...content);
    this.node.hidden = false;
    this.node.scrollTop = 0;
    this.node.focus();
  }

  close() {
    this.node.hidden = true;
    this.node.replaceChildren();
    if (this.before && this.before.isConnected) this.before.focus();
    this.closed();
  }
}

/** A plain table: a header and rows of texts. */
function plainTable(name, header, rows) {
  return element("div", { class: "scroll" }, element("table", { class: "plain", "aria-label": name },
    element("thead", {}, element("tr", {}, ...header.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((text) => element("td", {}, text)))))));
}

function commandLine(command) {
  const copy = element("button", { type: "button", onclick: () => {
    const text = element("textarea", {}, command);
    document.body.append(text);
    text.select();
    copy.textContent = document.execCommand("copy") ? "Copied" : "Select it";
    text.remove();
  } }, "Copy");
  return element("div", { class: "command" }, element("pre", {}, command), copy);
}

/** A section of the page: a heading, then what belongs to it. */
function section(title, ...content) {
  return element("section", {}, element("h2", {}, title), ...content);
}
