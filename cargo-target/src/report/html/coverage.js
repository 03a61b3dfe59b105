// What was reached: of a function by each generator, and the text of a file with what nobody reached.

const share = ({ covered, total }) => (total === 0 ? "–" : [`${count(covered)} of ${count(total)}`, element("span", { class: "range" }, percent(covered / total))]);

// Between two inputs that add something nothing grows.
const steps = (points) => points.flatMap((point, index) => (index === 0 ? [point] : [[point[0], points[index - 1][1]], point]));

function covered(detail) {
  const all = detail.covered;
  if (all.length === 0) return null;
  const chosen = { over: "cases", what: "regions", log: true };
  const series = () => all.map((one) => ({ name: one.generator, index: seriesOf(one.generator),
    points: steps(one.curve.map((point) => [point[chosen.over === "time" ? 0 : 1], point[chosen.what === "regions" ? 2 : 3]])) }));
  const xLabel = () => (chosen.over === "time" ? "time of the instrumented run" : "cases, discarded ones included");
  const { place, redraw } = fitted((width) => lines({
    width, log: chosen.log, linearY: true, series: series(), xLabel: xLabel(), yLabel: `${chosen.what} reached`,
    xShow: chosen.over === "time" ? shortSeconds : shortCount,
    title: `${chosen.what} reached over ${xLabel()}, by generator`,
    description: series().map((one) => `${one.name} ends with ${count(one.points.at(-1)?.[1] || 0)}`).join("; "),
  }));
  const again = (key) => (value) => { chosen[key] = value; redraw(); };
  const number = (name) => [name, "number"];
  const section = element("section", {}, element("h3", {}, "Coverage"),
    table("Reached of the code that any generator entered for this spec", ["Generator", number("Cases"), number("Regions"), number("Lines"), number("Functions"), number("Inputs that add something"), number("Missed regions")],
      all.map((one) => [one.generator, count(one.cases), share(one.regions), share(one.lines), share(one.functions), count(one.n_adding), `${count(one.n_missed)}${one.n_missed >= 200 ? " or more" : ""}`])),
    element("p", { class: "soft" }, "Missed regions are those that another generator reached for this spec."),
    all.flatMap((one) => one.notes.map((note) => element("p", { class: "soft" }, `${one.generator}: ${note}`))),
    element("div", { class: "choices" },
      choice("Count", [["regions", "regions"], ["lines", "lines"]], chosen.what, again("what")),
      choice("Over", [["cases", "cases"], ["time", "time"]], chosen.over, again("over")),
      choice("Axis", [[true, "log"], [false, "linear"]], chosen.log, again("log"))),
    place, legend(all.map((one) => ({ name: one.generator, index: seriesOf(one.generator) }))),
    onDemand("The same as tables", () => all.map((one) => table(`By ${one.generator}`, ["Time", number("Cases"), number("Regions"), number("Lines")],
      one.curve.map(([time, ...counts]) => [shortSeconds(time), ...counts.map(count)])))),
    onDemand("Inputs that add something, and what was missed", () => all.map((one) => [
      one.adding.length > 0 && table(`First inputs by ${one.generator} that add something`, [number("Case"), ["Input", "text"], number("New regions")],
        one.adding.map((input) => [count(input.case), element("code", {}, `(${input.args.join(", ")})`), count(input.regions)])),
      one.missed.length > 0 && table(`First regions that ${one.generator} missed`, ["File", "From", "To"],
        one.missed.map(({ file, region }) => [element("code", {}, file), `${region.line}:${region.column}`, `${region.end_line}:${region.end_column}`])),
    ])));
  return { section, redraw };
}

// The parts of a line, each with whether nobody reached it. Columns count bytes.
function partsOfLine(text, number, uncovered) {
  const bytes = new TextEncoder().encode(text);
  const marks = new Uint8Array(bytes.length);
  for (const [line, column, endLine, endColumn] of uncovered) {
    if (line > number || endLine < number) continue;
    marks.fill(1, line === number ? column - 1 : 0, endLine === number ? endColumn - 1 : bytes.length);
  }
  const indent = text.length - text.trimStart().length;
  marks.fill(0, 0, indent);
  const parts = [];
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    while (to < bytes.length && marks[to] === marks[from]) to++;
    parts.push([new TextDecoder().decode(bytes.subarray(from, to)), marks[from] === 1]);
  }
  return parts;
}

function sourceElement({ file, source, counts, uncovered }) {
  const countOf = new Map(counts);
  const rows = source.replace(/\n$/, "").split("\n").map((text, index) => {
    const number = index + 1;
    const times = countOf.get(number);
    const code = partsOfLine(text, number, uncovered).map(([part, missed]) => (missed ? element("mark", {}, part) : part));
    return element("tr", {}, element("th", { scope: "row", class: "number soft" }, String(number)),
      element("td", { class: times === 0 ? "number never" : "number soft" }, times === undefined ? "" : times === 0 ? "✗ 0" : shortCount(times)),
      element("td", {}, element("code", {}, code)));
  });
  const head = ["Line", "Ran", "Source"].map((name) => element("th", { scope: "col" }, name));
  return element("div", { class: "scroll source", tabindex: 0, role: "region", "aria-label": `Source of ${file}` },
    element("table", {}, element("caption", {}, "What no input reached is marked"), element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
}

function coverageTable(root) {
  for (const row of [...root.tBodies[0].rows]) {
    const data = document.getElementById(`text-${row.dataset.text}`);
    if (!data) continue;
    let detail = null;
    const opener = element("button", { type: "button", class: "opener", "aria-expanded": "false", click: () => {
      const wanted = opener.getAttribute("aria-expanded") !== "true";
      opener.setAttribute("aria-expanded", String(wanted));
      if (!detail) {
        detail = element("tr", { class: "detail" }, element("td", { colspan: 4 }, element("div", { class: "function" }, sourceElement(JSON.parse(data.textContent)))));
        row.after(detail);
      }
      detail.hidden = !wanted;
    } });
    opener.append(...row.cells[0].childNodes);
    row.cells[0].append(opener);
  }
}

document.querySelectorAll("table.coverage").forEach(coverageTable);
