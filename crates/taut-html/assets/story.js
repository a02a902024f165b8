// Why it is possible: the story of a run, with links to its rows.

/** The finding and the story; `go(position)` is called by the links. */
function storyView(run, go) {
  const links = (rows) => rows.map((row) =>
    element("button", { type: "button", class: "to-row", text: `row ${row}`, onclick: () => go(row) }));
  const sentences = run.story.map((sentence) => element("li", { class: sentence.kind },
    element("span", {}, prose(sentence.text)), " ",
    element("span", { class: "to-rows" }, links(shortened(sentence.rows)))));
  return element("section", { class: "story", "aria-label": "why it is possible" },
    element("h3", { text: run.under_sc ? "How it happens" : "Why it is possible" }),
    element("ol", {}, sentences),
    element("details", {}, element("summary", {}, prose(run.finding.headline)),
      element("ul", { class: "finding-details" }, run.finding.details.map((text) => element("li", {}, prose(text))))));
}

/** A few of many rows: a sentence about a long cycle needs no link to each of them. */
function shortened(rows) {
  return rows.length <= 6 ? rows : [...rows.slice(0, 5), rows.at(-1)];
}
