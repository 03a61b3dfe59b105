// Elements, and figures as text. Whatever is the user's becomes text here, and is never parsed as HTML.

// Characters that are not there, or turn others around, become escapes, as they do in the other reports.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const plain = (text) => text.replaceAll("\r\n", "\n").replace(INVISIBLE, (c) => `\\u{${c.codePointAt(0).toString(16)}}`);

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : plain(String(value)));
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(typeof child === "string" ? plain(child) : child);
  }
  return node;
}

const element = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

let lastId = 0;
const newId = (what) => `${what}-${++lastId}`;

const count = (number) => Math.round(number).toLocaleString("en-US");

function seconds(number) {
  if (number === 0) return "0 s";
  if (number < 0.001) return "<1 ms";
  if (number < 1) return `${(number * 1000).toFixed(0)} ms`;
  if (number < 10) return `${number.toFixed(2)} s`;
  if (number < 100) return `${number.toFixed(1)} s`;
  return `${count(number)} s`;
}

const plural = (number, word) => `${count(number)} ${word}${number === 1 ? "" : "s"}`;

function percent(share) {
  if (share > 0 && share < 0.01) return "<1 %";
  return `${Math.round(share * 100)} %`;
}

// A figure over the rounds is a number, or else a median with the least and the greatest.
function spread(figure, show) {
  if (figure === null) return "–";
  if (!Array.isArray(figure)) return show(figure);
  const [median, least, greatest] = figure.map(show);
  return [median, element("span", { class: "range" }, `${least}–${greatest}`)];
}

const middle = (figure) => (Array.isArray(figure) ? figure[0] : figure);

function spreadOf(figures) {
  const sorted = [...figures].sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const half = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return sorted[0] === sorted[sorted.length - 1] ? median : [median, sorted[0], sorted[sorted.length - 1]];
}

// A table that scrolls by itself where the window is too narrow. `columns` are names, or pairs of a name and a class.
function table(caption, columns, rows) {
  const classOf = (index) => (Array.isArray(columns[index]) ? columns[index][1] : null);
  const head = columns.map((column, index) =>
    element("th", { scope: "col", class: classOf(index) }, Array.isArray(column) ? column[0] : column));
  const body = rows.map((cells) =>
    element("tr", {}, cells.map((cell, index) => index === 0
      ? element("th", { scope: "row", class: classOf(0) }, cell)
      : element("td", { class: classOf(index) }, cell))));
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

// Something long that is made when somebody wants to see it.
function onDemand(summary, make) {
  const details = element("details", {}, element("summary", {}, summary));
  details.addEventListener("toggle", () => filled(details, {}, [make()]), { once: true });
  return details;
}

// Buttons of which one is pressed.
function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) =>
    element("button", { type: "button", "aria-pressed": String(value === chosen), click: () => {
      buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(options[index][0] === value)));
      choose(value);
    } }, text));
  return element("div", { class: "choice", role: "group", "aria-label": label }, element("span", {}, label), buttons);
}

// Text to paste, with a button that copies it.
function quoted(label, text) {
  const pre = element("pre", { tabindex: 0, "aria-label": label }, text);
  const copy = element("button", { type: "button", class: "action", "aria-label": `Copy: ${label}`, click: async () => {
    const done = await copied(text, pre);
    copy.firstChild.data = done ? "Copied" : "Selected";
    copy.setAttribute("aria-label", `${copy.firstChild.data}: ${label}`);
  } }, "Copy");
  return element("div", { class: "quoted" }, element("p", { class: "label" }, label), pre, copy);
}

// Browsers may keep the clipboard from a page that is a file; then the text is selected at least.
async function copied(text, node) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
}
