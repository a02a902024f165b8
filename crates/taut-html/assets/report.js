// The report as a whole.

/** How many reports were mounted, so that no two share an id. */
let mounted = 0;

/** Draws a report into an element; see the crate's documentation for the arguments and for what is returned. */
function mountReport(host, report, { part = false } = {}) {
  const id = `taut-report-${++mounted}`;
  const root = host;
  root.classList.add("taut-report");
  const stage = element("div", { class: "stage" });
  const source = report.sources.length ? sourceView(report) : undefined;
  const paper = paperView(report);
  let current;

  function show(index) {
    if (current) current.stop();
    current = runView(report, index, id, source);
    stage.replaceChildren(current.root);
    for (const link of root.querySelectorAll(".show-run")) {
      link.setAttribute("aria-pressed", String(Number(link.dataset.run) === index));
    }
    current.start();
  }

  const head = headView(report, part ? null : themeButton(root));
  root.replaceChildren(head, element(part ? "div" : "main", {},
    verdictsView(report, (index) => { show(index); stage.scrollIntoView({ block: "nearest" }); }), stage,
    report.runs.length ? helpView() : null), paper.root, part ? "" : footView(report));
  if (report.runs.length) show(0);
  else if (source) stage.append(element("div", { class: "panes single" }, source.root));

  function onKey(event) {
    const target = event.target;
    const mine = target.contains(root) || root.contains(target);
    if (!current || !mine || event.defaultPrevented) return;
    if (target.closest("input, select, textarea, [data-own-keys], [contenteditable]")) return;
    if (current.key(event)) event.preventDefault();
  }
  document.addEventListener("keydown", onKey);

  function unmount() {
    document.removeEventListener("keydown", onKey);
    if (current) current.stop();
    if (source) source.stop();
    paper.stop();
    root.replaceChildren();
    root.classList.remove("taut-report");
  }

  return {
    go: (position) => current && current.go(position),
    position: () => (current ? current.position() : 0),
    length: () => (current ? current.length : 0),
    run: show,
    unmount,
  };
}

function headView(report, colours) {
  return element("header", {},
    element("div", {}, element("h1", { text: report.file }),
      element("p", { class: "quiet", text: `${report.language} · checked by ${report.tool}` })),
    element("div", { class: "head-side" }, badge(report.verdict), colours));
}

function helpView() {
  const key = (text) => element("kbd", { text });
  return element("p", { class: "help" }, key("←"), key("→"), " one row ", key("Page ↑"), key("Page ↓"), " ten ",
    key("Home"), key("End"), " first and last ", key("Space"), " play");
}

function footView(report) {
  const text = `${report.tool}. This file needs no network and asks nobody for anything.`;
  const repeat = report.repeat ? [element("br", {}), "repeat: ", element("code", { text: report.repeat })] : [];
  return element("footer", { class: "quiet" }, text, ...repeat);
}

/** A run: its story, the controls, the diagram and the source. */
function runView(report, index, id, source) {
  const run = report.runs[index];
  const isCover = run.finding.kind === "cover";
  const now = element("p", { class: "now", "aria-live": "polite" });
  const atoms = element("p", { class: "atoms" });
  const ending = [" ", element("strong", { class: "finding" }, prose(`${isCover ? "✓" : "✗"} ${run.finding.headline}`))];
  const controls = controlsView(run, moved);
  const diagram = diagramView(report, run, id, controls.go);

  function moved(position) {
    const state = diagram.update(position);
    // Who listens to every row of a run that is played hears nothing else.
    now.setAttribute("aria-live", controls.isPlaying() ? "off" : "polite");
    now.replaceChildren(rowText(report, run, position), ...(position === run.rows.length ? ending : []));
    showAtoms(run, position, atoms);
    if (source) source.update(run, run.rows[position - 1], state);
  }

  const model = run.model.toUpperCase();
  const root = element("section", { class: "run", "aria-label": `${run.finding.property} under ${model}` },
    element("h2", {}, `${run.finding.property} is `, element("em", { text: isCover ? "covered" : "violated" }), ` under ${model}`),
    element("div", { class: "panes" }, storyView(run, (position) => { controls.go(position); reveal(); }),
      element("div", { class: "player" }, controls.root, diagram.folds ? foldButton(diagram) : null,
        element("div", { class: "told" }, now, run.atoms ? atoms : null), diagram.root),
      source ? source.root : null));

  /** Scrolls the page to the diagram, as little as it takes: keys and links work wherever the page is. */
  function reveal() {
    diagram.root.scrollIntoView({ block: "nearest" });
  }

  function key(event) {
    const known = controls.key(event);
    if (known) reveal();
    return known;
  }

  function start() {
    diagram.start();
    controls.go(0);
  }

  function stop() {
    controls.stop();
    diagram.stop();
  }

  const { go, position } = controls;
  return { root, start, stop, go, key, position, length: run.rows.length };
}

/** The button that shows local steps, or folds them. */
function foldButton(diagram) {
  const words = (all) => (all ? "fold local steps" : "show all rows");
  const made = element("button", {
    type: "button", class: "folds", text: words(false), "aria-pressed": "false",
    onclick: () => {
      const all = diagram.toggle();
      made.textContent = words(all);
      made.setAttribute("aria-pressed", String(all));
    },
  });
  return made;
}

/** The atoms of a property of runs, true or not. */
function showAtoms(run, position, host) {
  const truth = run.atoms && truthAt(run, position);
  if (!truth) return;
  host.replaceChildren(...run.atoms.map((atom, i) => element("span", { class: `atom ${truth[i]}` },
    element("span", { "aria-hidden": "true", text: truth[i] ? "✓ " : "✗ " }), element("code", { text: atom }),
    element("span", { class: "only-heard", text: truth[i] ? " is true" : " is false" }))));
}

window.mountReport = mountReport;
const embedded = document.getElementById("taut-report-data");
if (embedded) {
  window.tautReport = mountReport(document.getElementById("taut-report"), JSON.parse(embedded.textContent));
}
