// The overview: sorts, filters, opens.

const WEIGHT = ["failed", "error", "vacuous", "gave-up", "passed"];

function overview(root) {
  const body = root.tBodies[0];
  const heads = [...root.tHead.rows[0].cells];
  const lines = [...body.rows].map((row) => ({ row, detail: null, text: `${row.cells[0].textContent}::${row.cells[1].textContent}`.toLowerCase() }));
  lines.forEach((line) => makeOpener(line, heads.length));
  heads.forEach((head, column) => makeSorter(head, column, heads, lines, body));
  filters(lines);
  const wanted = () => lines.find(({ row }) => location.hash === `#${row.id}`);
  const openWanted = () => { const line = wanted(); if (line) open(line, true); };
  addEventListener("hashchange", openWanted);
  if (lines.length === 1) open(lines[0], true);
  openWanted();

  function makeOpener(line, columns) {
    const head = line.row.cells[1];
    const opener = element("button", { type: "button", class: "opener", "aria-expanded": "false", click: () => open(line, line.opener.getAttribute("aria-expanded") !== "true") });
    opener.append(...head.childNodes);
    head.append(opener);
    line.opener = opener;
    line.columns = columns;
  }
}

function open(line, wanted) {
  line.opener.setAttribute("aria-expanded", String(wanted));
  if (line.detail) {
    line.detail.hidden = !wanted;
    return;
  }
  if (!wanted) return;
  const number = line.row.dataset.line;
  const { node, draw } = functionElement(JSON.parse(document.getElementById(`data-${number}`).textContent));
  line.detail = element("tr", { class: "detail", id: `detail-${number}` }, element("td", { colspan: line.columns }, node));
  line.opener.setAttribute("aria-controls", line.detail.id);
  line.row.after(line.detail);
  draw();
}

function makeSorter(head, column, heads, lines, body) {
  const isNumber = head.classList.contains("number");
  const isVerdict = head.textContent === "Verdict";
  const key = ({ row }) => {
    const cell = row.cells[column];
    if (isVerdict) return WEIGHT.indexOf(row.dataset.verdict);
    return isNumber ? Number.parseFloat(cell.dataset.number) : cell.textContent;
  };
  const button = element("button", { type: "button", click: () => {
    const first = isNumber ? "descending" : "ascending";
    const other = isNumber ? "ascending" : "descending";
    const order = head.getAttribute("aria-sort") === first ? other : first;
    heads.forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const keyed = lines.map((line) => [key(line), line]);
    // What has no number stands last either way.
    keyed.sort(([a], [b]) => {
      if (typeof a === "string") return sign * a.localeCompare(b, "en", { numeric: true });
      if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
      return sign * (a - b);
    });
    body.append(...keyed.flatMap(([, line]) => (line.detail ? [line.row, line.detail] : [line.row])));
  } });
  button.append(...head.childNodes);
  head.append(button);
}

function filters(lines) {
  const form = document.getElementById("filters");
  const [search, status] = [document.getElementById("search"), document.getElementById("status")];
  const chips = [...form.querySelectorAll("[data-verdict]")];
  const apply = () => {
    const verdicts = chips.filter((chip) => chip.getAttribute("aria-pressed") === "true").map((chip) => chip.dataset.verdict);
    const text = search.value.trim().toLowerCase();
    let shown = 0;
    for (const { row, detail, opener, text: name } of lines) {
      const matches = (verdicts.length === 0 || verdicts.includes(row.dataset.verdict)) && name.includes(text);
      row.hidden = !matches;
      if (detail) detail.hidden = !matches || opener.getAttribute("aria-expanded") !== "true";
      shown += matches;
    }
    status.textContent = shown === lines.length ? `${count(shown)} shown` : `${count(shown)} of ${count(lines.length)} shown`;
  };
  chips.forEach((chip) => chip.addEventListener("click", () => {
    chip.setAttribute("aria-pressed", String(chip.getAttribute("aria-pressed") !== "true"));
    apply();
  }));
  search.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}

const root = document.getElementById("overview");
if (root) overview(root);
