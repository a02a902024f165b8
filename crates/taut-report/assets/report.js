// The report as a whole.

/** How many reports were mounted, so that no two share an id. */
let mounted = 0;

/** Draws a report into an element; see the crate's documentation for the data and for what is returned. */
function mountReport(host, report) {
  const id = `taut-report-${++mounted}`;
  const root = host;
  root.classList.add("taut-report");
  const stage = element("div", { class: "stage" });
  const source = report.sources.length ? sourceView(report, id) : undefined;
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

  root.replaceChildren(headView(report, root), element("main", {},
    verdictsView(report, (index) => { show(index); stage.scrollIntoView({ block: "nearest" }); }), stage,
    report.runs.length ? helpView() : null), paper.root, footView(report));
  if (report.runs.length) show(0);
  else if (source) stage.append(element("div", { class: "panes single" }, source.root)), source.refresh();

  function onKey(event) {
    const target = event.target;
    const mine = target === document.body || root.contains(target);
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

function headView(report, root) {
  return element("header", {},
    element("div", {}, element("h1", { text: report.file }),
      element("p", { class: "quiet", text: `${report.language} · checked by ${report.tool}` })),
    element("div", { class: "head-side" }, badge(report.verdict), themeButton(root)));
}

function helpView() {
  const key = (text) => element("kbd", { text });
  return element("p", { class: "help" }, key("←"), key("→"), " one row ", key("Page ↑"), key("Page ↓"), " ten ",
    key("Home"), key("End"), " first and last ", key("Space"), " play");
}

function footView(report) {
  return element("footer", { class: "quiet", text: `${report.tool}. This file needs no network and asks nobody for anything.` });
}

/** A run: its story, the controls, the diagram and the source. */
function runView(report, index, id, source) {
  const run = report.runs[index];
  const states = timeline(run);
  const now = element("p", { class: "now", "aria-live": "polite" });
  const ending = [" ", element("strong", { class: "finding" }, prose(`✗ ${run.finding.headline}`))];
  const atoms = element("p", { class: "atoms" });
  const machine = machineView(run);
  const items = itemsOf(run);
  const places = [];
  items.forEach((item, at) => { if (item.position !== undefined) places[item.position] = at; });
  let shown = 0;
  const lifelines = element("div", { class: "lifelines lanes", "aria-hidden": "true" },
    run.processes.map((_, lane) => inColumn(element("span", { class: hue(lane) }), lane + 2, lane + 3)),
    inColumn(element("span", { class: "memory-line" }), run.processes.length + 2, run.processes.length + 3));
  const rows = element("div", {
    class: "rows", role: "listbox", tabindex: "0", "aria-label": "the run, row by row",
    onclick: (event) => {
      const row = event.target.closest("[data-position]");
      if (row) controls.go(Number(row.dataset.position));
    },
  }, lifelines);
  const scroller = element("div", { class: "diagram" }, element("div", { class: "canvas" }, machine.root, rows));
  scroller.style.setProperty("--lanes", run.processes.length);
  const list = longList({
    scroller, content: rows, count: items.length,
    height: () => parseFloat(getComputedStyle(rows).getPropertyValue("--row")) * parseFloat(getComputedStyle(document.documentElement).fontSize),
    draw: rowDrawer(report, run, items, id, (position) => position === shown),
  });
  const controls = controlsView(run, moved);
  const everything = () => ({
    memory: run.cells.keys(), channels: (run.channels || []).keys(), buffers: run.processes.keys(),
    registers: run.processes.keys(), at: run.processes.keys(), lives: run.processes.keys(),
  });

  function select(position) {
    const mark = (at, selected) => list.item(places[at])?.setAttribute("aria-selected", selected);
    mark(shown, "false");
    shown = position;
    list.reveal(places[position]);
    mark(position, "true");
    rows.setAttribute("aria-activedescendant", `${id}-${position}`);
  }

  function moved(position) {
    const before = states.position();
    const touched = states.go(position);
    const row = position ? run.rows[position - 1] : undefined;
    const enters = row && position === before + 1 && (row.part.writes || []).some((write) => write.buffer);
    machine.update(states.state, touched, row, enters ? row.part.process : undefined);
    select(position);
    now.setAttribute("aria-live", controls?.isPlaying() ? "off" : "polite");
    now.replaceChildren(rowText(report, run, position), ...(position === run.rows.length ? ending : []));
    showAtoms(run, truthAt(run, position), atoms);
    if (source) source.update(run, row, states.state);
  }

  const root = element("section", { class: "run", "aria-label": `${run.finding.property} under ${run.model.toUpperCase()}` },
    element("h2", {}, `${run.finding.property} is `, element("em", { text: "violated" }), ` under ${run.model.toUpperCase()}`),
    element("div", { class: "panes" }, storyView(run, (position) => controls.go(position)),
      element("div", { class: "player" }, controls.root,
        element("div", { class: "told" }, now, run.atoms ? atoms : null), scroller),
      source ? source.root : null));

  function start() {
    machine.update(states.state, everything());
    machine.reserve(states.state);
    list.refresh();
    if (source) source.refresh();
    controls.go(0);
  }

  return {
    root, start, go: controls.go, key: controls.key, position: controls.position, length: run.rows.length,
    stop: () => { controls.stop(); list.stop(); },
  };
}

/** The atoms of a property of runs, true or not. */
function showAtoms(run, truth, host) {
  if (!run.atoms || !truth) return;
  host.replaceChildren(...run.atoms.map((atom, i) => element("span", { class: `atom ${truth[i]}` },
    element("span", { "aria-hidden": "true", text: truth[i] ? "✓ " : "✗ " }), element("code", { text: atom }),
    element("span", { class: "only-heard", text: truth[i] ? " is true" : " is false" }))));
}

window.mountReport = mountReport;
const embedded = document.getElementById("taut-report-data");
if (embedded) {
  window.tautReport = mountReport(document.getElementById("taut-report"), JSON.parse(embedded.textContent));
}
