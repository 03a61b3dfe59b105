// Axes and lines, as SVG.

// Told apart by colour, by dashes and by marks.
const KNOWN = ["native", "smt", "random", "enumerative"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "1 4"];
const seriesOf = (name) => (KNOWN.includes(name) ? KNOWN.indexOf(name) : KNOWN.length);

function mark(series, x, y, size) {
  const attributes = { class: "mark" };
  const path = (d) => svg("path", { ...attributes, d });
  if (series === 0) return svg("circle", { ...attributes, cx: x, cy: y, r: size });
  if (series === 1) return svg("rect", { ...attributes, x: x - size, y: y - size, width: 2 * size, height: 2 * size });
  if (series === 2) return path(`M${x} ${y - size * 1.2}L${x + size * 1.2} ${y + size}H${x - size * 1.2}Z`);
  return path(`M${x} ${y - size * 1.4}L${x + size * 1.4} ${y}L${x} ${y + size * 1.4}L${x - size * 1.4} ${y}Z`);
}

function shortCount(number) {
  const [divisor, unit] = number >= 1e9 ? [1e9, "G"] : number >= 1e6 ? [1e6, "M"] : number >= 1e3 ? [1e3, "k"] : [1, ""];
  return `${+(number / divisor).toPrecision(3)}${unit}`;
}

function shortSeconds(number) {
  if (number === 0) return "0";
  const [factor, unit] = number < 1e-3 ? [1e6, "µs"] : number < 1 ? [1e3, "ms"] : [1, "s"];
  return `${+(number * factor).toPrecision(3)} ${unit}`;
}

// Round numbers in a range, about as many as wanted.
function roundNumbers(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const numbers = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++) numbers.push(n * step);
  return numbers;
}

// Powers of ten in a range, with twos and fives between if they are few.
function powers(low, high, wanted) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const decades = Math.log10(high / low);
  const factors = decades <= wanted / 3 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(decades / wanted));
  const numbers = [];
  for (let power = first; power <= last; power++) {
    if (power % stride) continue;
    for (const factor of factors) numbers.push(factor * 10 ** power);
  }
  const inside = numbers.filter((number) => number >= low * 0.999 && number <= high * 1.001);
  return inside.length >= 2 ? inside : roundNumbers(low, high, 3).filter((number) => number > 0);
}

// From numbers to places between `from` and `to`. What a logarithmic axis has no place for stands at its beginning.
function scale({ low, high, log }, from, to) {
  if (!(high > low)) high = log ? low * 10 : low + 1;
  const part = log
    ? (number) => Math.log(Math.max(number, low) / low) / Math.log(high / low)
    : (number) => (number - low) / (high - low);
  const place = (number) => from + (to - from) * Math.min(1, Math.max(0, part(number)));
  const wanted = Math.max(2, Math.floor(Math.abs(to - from) / 75));
  return { place, ticks: log ? powers(low, high, wanted) : roundNumbers(low, high, wanted) };
}

// The frame of a plot: an axis below, one at the left, what is drawn, and words for those who don't see it.
function frame({ width, height, left, x, y, title, description }, draw) {
  const box = { left: left || 46, right: width - 16, top: y.label ? 24 : 8, bottom: height - 38 };
  const [across, up] = [scale(x, box.left, box.right), scale(y, box.bottom, box.top)];
  const [titleId, descriptionId] = [newId("title"), newId("description")];
  const rounded = (number) => Math.round(number * 10) / 10;
  // The words of the first and the last tick would stick out.
  const inside = (place, words) => Math.min(Math.max(place, words.length * 3.6), width - words.length * 3.6);
  const along = across.ticks.map((tick) => [
    svg("line", { class: "grid", x1: rounded(across.place(tick)), x2: rounded(across.place(tick)), y1: box.top, y2: box.bottom }),
    svg("text", { class: "tick", x: rounded(inside(across.place(tick), x.show(tick))), y: box.bottom + 16, "text-anchor": "middle" }, x.show(tick)),
  ]);
  const beside = !y.show ? [] : up.ticks.map((tick) => [
    svg("line", { class: "grid", x1: box.left, x2: box.right, y1: rounded(up.place(tick)), y2: rounded(up.place(tick)) }),
    svg("text", { class: "tick", x: box.left - 6, y: rounded(up.place(tick)) + 4, "text-anchor": "end" }, y.show(tick)),
  ]);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": titleId, "aria-describedby": descriptionId },
    svg("title", { id: titleId }, title),
    svg("desc", { id: descriptionId }, description),
    along, beside,
    svg("line", { class: "axis", x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }),
    y.label && svg("text", { class: "axis-label", x: Math.max(0, box.left - 40), y: 12 }, y.label),
    svg("text", { class: "axis-label", x: (box.left + box.right) / 2, y: height - 4, "text-anchor": "middle" }, x.label),
    draw((number) => rounded(across.place(number)), (number) => rounded(up.place(number)), box));
}

// Draws anew when the place gets another width.
function fitted(draw) {
  const place = element("div", { class: "plot" });
  let width = 0;
  const redraw = () => {
    width = place.clientWidth || width || 640;
    place.replaceChildren(draw(width));
  };
  new ResizeObserver(() => {
    if (place.clientWidth && Math.abs(place.clientWidth - width) > 1) redraw();
  }).observe(place);
  return { place, redraw };
}

// Lines over an axis. A series has a name, points of x and y with the least and the greatest y, and maybe a failure.
function lines({ width, series, xLabel, xShow, yLabel, log, linearY, title, description }) {
  const logY = log && !linearY;
  const points = series.flatMap((one) => one.points);
  const positive = (numbers) => numbers.filter((number) => number > 0);
  const xs = points.map((point) => point[0]);
  const ys = points.flatMap((point) => [point[1], point[3] ?? point[1]]);
  const x = { low: log ? Math.min(...positive(xs), Infinity) : 0, high: Math.max(...xs, 0), log, label: xLabel, show: xShow };
  if (!Number.isFinite(x.low)) x.low = 1;
  const y = { low: logY ? 1 : 0, high: Math.max(...ys, 2), log: logY, label: yLabel, show: shortCount };
  return frame({ width, height: 270, x, y, title, description }, (across, up, box) => series.map((one) => {
    const start = log ? [] : [[0, 0, 0, 0]];
    const path = [...start, ...one.points].map((point) => `${across(point[0])} ${up(point[1])}`).join("L");
    const high = one.points.map((point) => `${across(point[0])} ${up(point[3] ?? point[1])}`);
    const low = one.points.map((point) => `${across(point[0])} ${up(point[2] ?? point[1])}`).reverse();
    const [endX, endY] = one.points.at(-1) || [x.low, y.low];
    const has = one.points.length > 0;
    const failed = one.failure && [across(one.failure[0]), up(one.failure[1])];
    return svg("g", { class: `s${one.index}` },
      has && one.points[0].length > 2 && svg("path", { class: "band", d: `M${[...high, ...low].join("L")}Z` }),
      has && svg("path", { class: "series", d: `M${path}`, "stroke-dasharray": DASHES[one.index] || null }),
      has && mark(one.index, across(endX), up(endY), 4.5),
      failed && svg("path", { class: "failure", d: `M${failed[0] - 6} ${failed[1] - 6}l12 12m0-12l-12 12` },
        svg("title", {}, `${one.name}: first failure`)));
  }));
}

function legend(entries) {
  return element("ul", { class: "legend" }, entries.map(({ name, index, note }) => element("li", {},
    svg("svg", { width: 34, height: 14, class: `s${index}`, "aria-hidden": "true" },
      svg("path", { class: "series", d: "M1 7H33", "stroke-dasharray": DASHES[index] || null }), mark(index, 17, 7, 4)),
    name, note && element("span", { class: "soft" }, ` ${note}`))));
}
