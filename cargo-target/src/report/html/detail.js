// What there is to say of one function, made of its JSON when it is opened.

function generatorTable(detail) {
  const rounds = detail.rounds;
  const words = (pairs) => pairs.map(([word, n], index) => [index > 0 && ", ", rounds > 1 ? `${word} ${n}` : word]);
  const verdicts = (pairs) => pairs.map(([verdict, n], index) => [index > 0 && " ",
    element("span", { class: `verdict ${verdict}` }, verdict), rounds > 1 && ` ${n}`]);
  const found = (figures, show) => spread(spreadOf(figures), show);
  const failed = (generator) => generator.failed_at.filter(Boolean);
  const failedSeconds = (generator) => generator.failed_seconds.filter((_, round) => generator.failed_at[round]);
  const threads = detail.generators.some((generator) => generator.solving && middle(generator.solving) > 1);
  const rows = detail.generators.map((generator) => [
    [generator.name, generator.main && element("span", { class: "soft" }, " main")],
    verdicts(generator.verdicts), words(generator.stopped),
    spread(generator.valid, count), spread(generator.discarded, count), spread(generator.distinct, count), spread(generator.boundary, count),
    found(failed(generator), count), found(failedSeconds(generator), shortSeconds),
    spread(generator.seconds, seconds), spread(generator.generating, percent), spread(generator.solving, percent),
  ]);
  const number = (name) => [name, "number"];
  return element("section", {}, element("h3", {}, "By generator"),
    detail.disagreement && element("p", {}, element("span", { class: `verdict ${detail.verdict}` }, detail.verdict), `: ${detail.disagreement}.`),
    table(rounds > 1 ? `Medians over ${rounds} rounds, and the range` : "One round", ["Generator", "Verdict", "Stopped by", number("Valid"), number("Discards"), number("Distinct"),
      number("Boundary"), number("Failed at"), number("after"), number("Time"), number("Generating"), number("Solver")], rows),
    threads && element("p", { class: "soft" }, "The solver's time is added up over threads."));
}

const fact = (term, ...text) => element("div", {}, element("dt", {}, term), element("dd", {}, ...text));

// A call, and those of the functions that it returns: `adder(3)(2)`.
function applied(detail, args) {
  if (!detail.form) return `${detail.function}(${args.join(", ")})`;
  let at = 0;
  return detail.form.replace(/\{\}/g, () => args[at++]);
}

function counterexample(detail, found) {
  const place = found.boundary ? "beyond the bound" : "inside the bound";
  const origin = found.saved ? "from the corpus" : `found by ${found.generator}`;
  return element("section", {}, element("h3", {}, `Counterexample ${place}, ${origin}`),
    element("code", { class: "call" }, applied(detail, found.args)),
    element("p", { class: "happened bad" }, found.happened),
    element("dl", { class: "facts" },
      found.clause && fact("Breaks", element("code", {}, found.clause)),
      found.clause_location && fact("which stands at", element("code", {}, found.clause_location)),
      found.location && fact("Panicked at", element("code", {}, found.location)),
      (found.shrinks > 0 || found.tries > 0) && fact("Shrinking", `${plural(found.shrinks, "step")}, ${plural(found.tries, "candidate")} tried`)),
    found.doubt && element("p", {}, element("span", { class: "odd" }, "Not confirmed: "), `${found.doubt}.`),
    found.general && general(detail, found.general),
    quoted("A test that shows it", found.test.trimEnd()),
    quoted("Run it again", found.rerun));
}

function general(detail, form) {
  const call = applied(detail, form.args);
  const names = [...new Set(call.match(/\bany_\d+\b/g) || [])];
  return element("div", { class: "general" }, element("p", {}, "It generalizes: all values of ",
    names.map((name, index) => [index > 0 && ", ", element("code", {}, name)]), " that were tried within the spec fail too:"),
    element("code", { class: "call" }, call),
    element("p", { class: "soft" }, form.tried === 1 ? "1 other value was tried." : `${count(form.tried)} other values were tried.`));
}

function otherCalls(detail) {
  const shown = detail.counterexamples.map((found) => applied(detail, found.args));
  const others = detail.generators.filter((generator) => generator.call && !shown.includes(generator.call));
  if (others.length === 0) return null;
  return element("section", {}, element("h3", {}, "What other generators found"),
    table("Counterexamples, shrunk", ["Generator", ["Call", "text"]], others.map((generator) => [generator.name, element("code", {}, generator.call)])));
}

function problem(what) {
  return element("section", {}, element("h3", {}, "What is wrong with the spec"),
    element("p", { class: "happened bad" }, what.message),
    what.args && element("p", {}, "for ", element("code", {}, `(${what.args.join(", ")})`)),
    what.clauses.length > 0 && table("Clauses concerned", [["Clause", "text"], "stands at"],
      what.clauses.map((clause) => [element("code", {}, clause.text), element("code", {}, clause.location)])),
    what.help && element("p", {}, element("strong", {}, "help: "), what.help));
}

function unknowns(detail) {
  const said = detail.generators.filter((generator) => generator.unknowns.length > 0);
  if (said.length === 0) return null;
  return element("section", {}, element("h3", {}, "What generators could not find out"),
    element("ul", {}, said.map((generator) => generator.unknowns.map((why) => element("li", {}, `${generator.name}: ${why}`)))));
}

function boundaries(detail) {
  if (detail.boundaries.length === 0) return null;
  const looked = detail.generators.filter((generator) => generator.inputs > 0);
  const cell = (touched, generator) => {
    if (touched === null) return "–";
    if (touched === 0) return element("span", { class: "never" }, "✗ never");
    return [count(touched), element("span", { class: "soft" }, ` of ${count(generator.inputs)}`)];
  };
  const rows = detail.boundaries.map(([part, end], index) => [element("code", {}, part), element("code", {}, end),
    ...looked.map((generator) => cell(generator.boundaries[index], generator))]);
  return element("section", {}, element("h3", {}, "Ends of ranges"),
    table("How many of the inputs looked at touch an end", ["Part", ["End", "text"], ...looked.map((generator) => [generator.name, "number"])], rows));
}

// The element of a function, and what draws its plots once it is in the page.
function functionElement(detail) {
  const plots = [growth(detail), sizes(detail), failures(detail), covered(detail)];
  const [grown, sized, failed, reached] = plots.map((plot) => plot && plot.section);
  const node = element("div", { class: "function", role: "region", "aria-label": `${detail.function} in detail` },
    element("dl", { class: "facts" }, fact("Package", detail.package), fact("Depth", String(detail.depth)), fact("Bound", String(detail.bound))),
    detail.problem && problem(detail.problem),
    detail.counterexamples.map((found) => counterexample(detail, found)),
    otherCalls(detail), generatorTable(detail), unknowns(detail), grown, failed, sized, boundaries(detail), reached);
  return { node, draw: () => plots.forEach((plot) => plot && plot.redraw()) };
}
