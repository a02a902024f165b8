// What a repair found: the places, the change, and the fixed program.

/** How an outcome is called, and the verdict whose colours it has. */
const OUTCOMES = {
  fixed: ["fixed", "holds"],
  right: ["right as it is", "holds"],
  "wrong-under-sc": ["wrong under SC", "violated"],
  impossible: ["cannot be fixed", "violated"],
  unknown: ["unknown", "unknown"],
};

function outcomeOf({ outcome }) {
  const [called, verdict] = OUTCOMES[outcome] || OUTCOMES.unknown;
  return { called, verdict };
}

/** The head of a repair: all but the report. `goTo(place)` shows a line, `takeOver(text)` puts the fixed program in. */
function repairView(event, request, goTo, takeOver) {
  const { called, verdict } = outcomeOf(event);
  const mark = element("span", { class: `badge ${verdict}` },
    element("span", { "aria-hidden": "true", text: `${SIGNS[verdict]} ` }), called);
  return element("section", { class: "repair", "aria-label": "repair" },
    element("div", { class: "repair-head" },
      element("h2", { text: `Repair of ${request.name} under ${modelName(request.model)}` }), mark),
    event.summary.split("\n").filter(Boolean).map((line) => element("p", {}, prose(line))),
    event.places.length ? placesView(event.places, goTo) : null,
    event.list ? listView(event.list) : event.diff ? diffView(event.diff) : null,
    event.text ? mendedButtons(event.text, request.name, takeOver) : null,
    event.document ? element("h3", { class: "proof-title", text: proofTitle(event.outcome) }) : null);
}

function mendedButtons(text, name, takeOver) {
  const labelled = (label, kind, onclick) => element("button", { type: "button", class: kind, text: label, onclick });
  return element("p", { class: "repair-buttons" }, labelled("Take it over", "primary take-over", () => takeOver(text)),
    labelled("Download", null, () => download(name, text)));
}

function proofTitle(outcome) {
  return outcome === "fixed" ? "The fixed program, checked" : "The program, checked";
}

function placesView(places, goTo) {
  const head = ["line", "what", "where", "processes", "why"].map((text) => element("th", { scope: "col", text }));
  const rows = places.map((place) => element("tr", {},
    element("td", {}, place.line ? lineButton({ line: place.line }, goTo) : null), element("td", { text: place.kind }),
    element("td", {}, prose(place.where)), element("td", { text: place.processes.join(", ") }),
    element("td", { class: "quiet" }, prose(place.why || ""))));
  return element("div", { class: "wide" }, element("table", { class: "places" },
    element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
}

/** DVE has no words for what fixes a model: that stands in a list beside it. */
function listView(list) {
  const use = "This list goes into a file beside the model, which `taut check --atomic FILE` reads.";
  return element("div", {}, element("pre", { tabindex: "0", "aria-label": "list of atomic writes", text: list }),
    element("p", { class: "quiet" }, prose(use)),
    element("p", { class: "repair-buttons" },
      element("button", { type: "button", text: "Download", onclick: () => download("atomic.txt", list) })));
}
