// The plots of a function: how counts grew, how large inputs were, how long the first failure took.

// A generator's curve as points: of one round x and y, of several x, the median, the least and the greatest.
function curvePoints(curve, over, what) {
  if (Array.isArray(curve)) {
    const [x, y] = [over === "time" ? 0 : 1, what === "valid" ? 2 : 3];
    return curve.map((point) => [point[x], point[y]]);
  }
  const first = what === "valid" ? 1 : 4;
  return curve[over === "time" ? "seconds" : "cases"].map((point) => [point[0], ...point.slice(first, first + 3)]);
}

// Where the first failure of the only round is on its curve.
function failurePoint(generator, points, over) {
  if (generator.failed_at.length !== 1 || !generator.failed_at[0]) return null;
  const x = over === "time" ? generator.failed_seconds[0] : generator.failed_at[0];
  const behind = points.find((point) => point[0] >= x) || points.at(-1);
  return behind ? [x, behind[1]] : null;
}

function growth(detail) {
  const chosen = { over: "cases", what: "valid", log: true };
  const series = () => detail.generators.map((generator) => {
    const points = curvePoints(generator.curve, chosen.over, chosen.what);
    return { name: generator.name, index: seriesOf(generator.name), points, failure: failurePoint(generator, points, chosen.over) };
  });
  const words = () => ({
    x: chosen.over === "time" ? "time since the generator began" : "cases, discarded ones included",
    y: chosen.what === "valid" ? "valid inputs" : "distinct inputs",
  });
  const { place, redraw } = fitted((width) => lines({
    width, log: chosen.log, series: series(), xLabel: words().x, yLabel: words().y,
    xShow: chosen.over === "time" ? shortSeconds : shortCount,
    title: `${words().y} over ${words().x}, by generator`,
    description: series().map((one) => `${one.name} ends with ${count(one.points.at(-1)?.[1] || 0)}`).join("; "),
  }));
  const again = (key) => (value) => { chosen[key] = value; redraw(); };
  const entries = detail.generators.map((generator) => ({
    name: generator.name, index: seriesOf(generator.name), note: generator.failed_at.length === 1 && generator.failed_at[0] ? "✗ first failure" : null,
  }));
  const section = element("section", {}, element("h3", {}, "How it went"),
    element("div", { class: "choices" },
      choice("Count", [["valid", "valid"], ["distinct", "distinct"]], chosen.what, again("what")),
      choice("Over", [["cases", "cases"], ["time", "time"]], chosen.over, again("over")),
      choice("Axes", [[true, "log"], [false, "linear"]], chosen.log, again("log"))),
    place, legend(entries),
    detail.rounds > 1 && element("p", { class: "soft" }, `Lines are medians over ${detail.rounds} rounds, areas reach from the least to the greatest.`),
    onDemand("The same as tables", () => detail.generators.map((generator) => growthTable(generator, detail.rounds))));
  return { section, redraw };
}

function growthTable(generator, rounds) {
  const both = (over) => {
    const [valid, distinct] = ["valid", "distinct"].map((what) => curvePoints(generator.curve, over, what));
    const shown = (point) => spread(point.length > 2 ? point.slice(1) : point[1], count);
    return valid.map((point, index) => [over === "time" ? shortSeconds(point[0]) : count(point[0]), shown(point), shown(distinct[index])]);
  };
  if (rounds === 1) {
    const rows = generator.curve.map(([time, ...counts]) => [shortSeconds(time), ...counts.map(count)]);
    return table(`By ${generator.name}`, ["Time", ["Cases", "number"], ["Valid", "number"], ["Distinct", "number"]], rows);
  }
  return [["time", "Time"], ["cases", "Cases"]].map(([over, name]) =>
    table(`By ${generator.name}, medians over time and cases`.replace("time and cases", over), [name, ["Valid", "number"], ["Distinct", "number"]], both(over)));
}

// Bars of one width: a size each, or as many sizes as make forty bars of all.
function bars(sizes, largest) {
  const wide = Math.max(1, Math.ceil((largest + 1) / 40));
  const heights = new Array(Math.floor(largest / wide) + 1).fill(0);
  for (const [size, inputs] of sizes) heights[Math.floor(size / wide)] += inputs;
  return { wide, heights };
}

function sizes(detail) {
  const looked = detail.generators.filter((generator) => generator.inputs > 0);
  if (looked.length === 0) return null;
  const largest = Math.max(...looked.flatMap((generator) => generator.sizes.map(([size]) => size)), 1);
  const shares = looked.map((generator) => {
    const { wide, heights } = bars(generator.sizes, largest);
    return { generator, wide, heights: heights.map((height) => height / generator.inputs) };
  });
  const most = Math.max(...shares.flatMap((one) => one.heights));
  const plots = shares.map((one) => fitted((width) => sizePlot(width, one, largest, most)));
  const figures = plots.map(({ place }, index) => element("figure", {},
    element("figcaption", {}, element("strong", {}, shares[index].generator.name), `, ${count(shares[index].generator.inputs)} inputs looked at`), place));
  const section = element("section", {}, element("h3", {}, "Sizes of inputs"),
    element("p", { class: "soft" }, "A size counts elements, characters, and constructors that have fields."),
    element("div", { class: "plots" }, figures),
    onDemand("The same as tables", () => looked.map((generator) => table(`By ${generator.name}`, [["Size", "number"], ["Inputs", "number"], ["Share", "number"]],
      generator.sizes.map(([size, inputs]) => [count(size), count(inputs), percent(inputs / generator.inputs)])))));
  return { section, redraw: () => plots.forEach((plot) => plot.redraw()) };
}

function sizePlot(width, { generator, wide, heights }, largest, most) {
  const x = { low: 0, high: (Math.floor(largest / wide) + 1) * wide, log: false, label: "size", show: () => "" };
  const y = { low: 0, high: most, log: false, label: "share of inputs", show: percent };
  const summary = generator.sizes.slice(0, 8).map(([size, inputs]) => `size ${size}: ${percent(inputs / generator.inputs)}`).join(", ");
  return frame({ width, height: 190, x, y, title: `Sizes of inputs by ${generator.name}`, description: summary }, (across, up, box) => {
    const stride = Math.max(1, Math.ceil(heights.length / Math.max(2, Math.floor((box.right - box.left) / 32))));
    return svg("g", { class: `s${seriesOf(generator.name)}` }, heights.map((height, index) => {
      const [start, end] = [across(index * wide), across((index + 1) * wide)];
      const gap = Math.max(end - start > 6 ? 1.5 : 0.4, (end - start - 40) / 2);
      const [from, to] = [start + gap, end - gap];
      const label = index % stride === 0 && svg("text", { class: "tick", x: (from + to) / 2, y: box.bottom + 16, "text-anchor": "middle" }, shortCount(index * wide));
      return [height > 0 && svg("rect", { class: "bar", x: from, width: Math.max(0.8, to - from), y: up(height), height: Math.max(1, box.bottom - up(height)) },
        svg("title", {}, `${wide === 1 ? `size ${index}` : `sizes ${index * wide} to ${(index + 1) * wide - 1}`}: ${percent(height)}`)), label];
    }));
  });
}

// When each round failed first, a dot a round.
function failures(detail) {
  const rounds = detail.rounds;
  if (rounds < 2 || !detail.generators.some((generator) => generator.failed_at.some(Boolean))) return null;
  const chosen = { over: "time" };
  const figures = (generator) => generator.failed_at.map((at, round) => at && (chosen.over === "time" ? generator.failed_seconds[round] : at))
    .filter((_, round) => generator.failed_at[round]);
  const { place, redraw } = fitted((width) => failurePlot(width, detail, figures, chosen.over));
  const section = element("section", {}, element("h3", {}, "First failure, by round"),
    element("div", { class: "choices" }, choice("In", [["time", "time"], ["cases", "cases"]], chosen.over, (over) => { chosen.over = over; redraw(); })),
    place,
    onDemand("The same as a table", () => table("First failure by round", ["Round", ...detail.generators.map((generator) => [generator.name, "number"])],
      Array.from({ length: rounds }, (_, round) => [String(round + 1), ...detail.generators.map((generator) =>
        generator.failed_at[round] ? `case ${count(generator.failed_at[round])}, ${shortSeconds(generator.failed_seconds[round])}` : "–")]))));
  return { section, redraw };
}

function failurePlot(width, detail, figures, over) {
  const all = detail.generators.flatMap(figures).filter((figure) => figure > 0);
  const [low, high] = [Math.min(...all, Infinity), Math.max(...all, 0)];
  const x = { low: Number.isFinite(low) ? low / 1.3 : 1, high: high * 1.3 || 10, log: true,
    label: over === "time" ? "time to the first failure" : "cases to the first failure", show: over === "time" ? shortSeconds : shortCount };
  const rows = detail.generators.length;
  const found = (generator) => generator.failed_at.filter(Boolean).length;
  const says = (generator) => `${generator.name} in ${found(generator)} of ${generator.failed_at.length} rounds`;
  const left = width < 520 ? 16 : 190;
  const step = left === 16 ? 44 : 30;
  return frame({ width, height: rows * step + 52, left, x, y: { low: 0, high: rows, log: false }, title: `Rounds by their ${x.label}`, description: detail.generators.map(says).join("; ") },
    (across, up, box) => detail.generators.map((generator, row) => {
      const middleOfRow = box.top + (box.bottom - box.top) * (row + (left === 16 ? 0.68 : 0.5)) / rows;
      const median = middle(spreadOf(figures(generator)));
      const label = left === 16
        ? svg("text", { x: box.left, y: middleOfRow - 12 }, says(generator))
        : svg("text", { x: box.left - 10, y: middleOfRow + 4, "text-anchor": "end" }, says(generator));
      return svg("g", { class: `s${seriesOf(generator.name)}` }, label,
        svg("line", { class: "grid", x1: box.left, x2: box.right, y1: middleOfRow, y2: middleOfRow }),
        figures(generator).map((figure) => svg("circle", { class: "dot", cx: across(figure), cy: middleOfRow, r: 5 })),
        median !== null && svg("line", { class: "median", x1: across(median), x2: across(median), y1: middleOfRow - 10, y2: middleOfRow + 10 },
          svg("title", {}, `median ${x.show(median)}`)));
    }));
}
