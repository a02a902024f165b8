// The verdicts: a row for each property, a column for each memory model, and what each answer covers.

/** How a verdict is marked, besides its colour. */
const SIGNS = { holds: "✓", covered: "✓", violated: "✗", never: "✗", unknown: "?", "not asked": "–" };

function badge(verdict) {
  return element("span", { class: `badge ${verdict.replace(" ", "-")}` },
    element("span", { "aria-hidden": "true", text: `${SIGNS[verdict] || ""} ` }), verdict);
}

/** The table; `show(run)` is called to look at a run. */
function verdictsView(report, show) {
  const properties = new Map();
  for (const model of report.models) {
    for (const answer of model.answers) if (!properties.has(answer.property)) properties.set(answer.property, answer.kind);
  }
  const head = element("tr", {}, element("th", { scope: "col", text: "property" }),
    report.models.map((model) => element("th", { scope: "col" }, model.model.toUpperCase(),
      model.asked ? null : element("span", { class: "quiet", text: " to compare" }))));
  const body = [...properties].map(([name, kind]) => element("tr", {},
    element("th", { scope: "row" }, element("span", { class: "property", text: name }),
      kind === name ? null : element("span", { class: "quiet", text: ` ${kind}` })),
    report.models.map((model) => answerCell(model, name, show))));
  const foot = element("tr", { class: "counts" }, element("th", { scope: "row", text: "search" }),
    report.models.map((model) => element("td", {}, countsText(model))));
  return element("section", { class: "verdicts", "aria-label": "verdicts" },
    element("div", { class: "wide" }, element("table", {}, element("thead", {}, head),
      element("tbody", {}, body), element("tfoot", {}, foot))), vacuityView(report));
}

/** What never happens, with the models under which it does not; nothing if everything happens. */
function vacuityView(report) {
  const found = new Map();
  for (const model of report.models) {
    for (const one of model.vacuity || []) {
      const key = JSON.stringify([one.file, one.line, one.message]);
      if (!found.has(key)) found.set(key, { one, models: [] });
      found.get(key).models.push(model.model.toUpperCase());
    }
  }
  if (found.size === 0) return null;
  const items = [...found.values()].map(({ one, models }) => element("li", { "data-kind": one.kind },
    element("span", { class: "quiet", text: one.line ? `${one.file}:${one.line} ` : `${one.file} ` }),
    prose(one.message), element("span", { class: "quiet", text: ` under ${models.join(", ")}` })));
  return element("details", { class: "vacuity", open: found.size <= 8 },
    element("summary", { text: `${counted(found.size, "thing")} in the program never ${found.size === 1 ? "happens" : "happen"}` }),
    element("ul", {}, items));
}

function answerCell(model, property, show) {
  const answer = model.answers.find((one) => one.property === property);
  const cell = element("td", { "data-model": model.model.toUpperCase() });
  if (!answer) {
    cell.append(element("span", { class: "quiet", text: "not asked" }));
    return cell;
  }
  cell.append(badge(answer.verdict), element("span", { class: "coverage", text: answer.coverage }));
  if (answer.note) cell.append(element("span", { class: "coverage", text: answer.note }));
  if (answer.run !== undefined) {
    cell.append(element("button", {
      type: "button", class: "show-run", "data-run": answer.run, text: "show the run",
      "aria-label": `show the run that violates ${property} under ${model.model.toUpperCase()}`,
      onclick: () => show(answer.run),
    }));
  }
  return cell;
}

function countsText(model) {
  const parts = [];
  if (model.counts) {
    parts.push(counted(model.counts.states, "state"), secondsText(model.counts.seconds));
  }
  parts.push(`engine ${model.engine}`);
  if (model.bound !== undefined) parts.push(`buffers up to ${model.bound}`);
  if (model.limit_seconds !== undefined) parts.push(`time limit ${model.limit_seconds} s`);
  return parts.join(" · ");
}

function secondsText(seconds) {
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  return seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(1)} s`;
}
