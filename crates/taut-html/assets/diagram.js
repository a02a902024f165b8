// The diagram: the head of the lanes, which stays, and the rows under it, which are scrolled.

/** The diagram of a run; `go(position)` is called when a row is clicked. */
function diagramView(report, run, id, go) {
  const states = timeline(run);
  const machine = machineView(run);
  const items = itemsOf(run);
  const places = [];
  items.forEach((item, at) => { if (item.position !== undefined) places[item.position] = at; });
  let current = 0;
  const rows = element("div", {
    class: "rows", role: "listbox", tabindex: "0", "aria-label": "the run, row by row",
    onclick: (event) => {
      const row = event.target.closest("[data-position]");
      if (row) go(Number(row.dataset.position));
    },
  }, lifelines(run));
  const root = element("div", { class: "diagram" }, element("div", { class: "canvas" }, machine.root, rows));
  root.style.setProperty("--lanes", run.processes.length);
  const list = longList({
    scroller: root, content: rows, count: items.length, height: () => rowHeight(rows),
    draw: rowDrawer(report, run, items, id, (position) => position === current),
  });

  /** Shows the state after so many rows. */
  function update(position) {
    const before = states.position();
    const touched = states.go(position);
    const row = position ? run.rows[position - 1] : undefined;
    const enters = row && position === before + 1 && (row.part.writes || []).some((write) => write.buffer);
    machine.update(states.state, touched, row, enters ? row.part.process : undefined);
    select(position);
    return states.state;
  }

  function select(position) {
    const mark = (at, selected) => list.item(places[at])?.setAttribute("aria-selected", selected);
    mark(current, "false");
    current = position;
    list.reveal(places[position]);
    mark(position, "true");
    rows.setAttribute("aria-activedescendant", `${id}-${position}`);
  }

  /** Draws everything for the first time, once the diagram is in the page and has a size. */
  function start() {
    machine.update(states.state, everything(run));
    resized();
  }

  function resized() {
    machine.reserve(states.state);
    list.refresh();
  }

  const unwatch = [whenResized(root, resized), whenResized(machine.root, list.refresh)];
  const stop = () => { unwatch.forEach((end) => end()); list.stop(); };
  return { root, start, update, stop };
}

/** The numbers of all that there is, by kind. */
function everything(run) {
  const processes = [...run.processes.keys()];
  return {
    memory: [...run.cells.keys()], channels: [...(run.channels || []).keys()],
    buffers: processes, registers: processes, at: processes, lives: processes,
  };
}

/** The lines that stand for processes and memory in time. */
function lifelines(run) {
  const memory = run.processes.length;
  return element("div", { class: "lifelines lanes", "aria-hidden": "true" },
    run.processes.map((_, lane) => inColumn(element("span", { class: hue(lane) }), lane + 2, lane + 3)),
    inColumn(element("span", { class: "memory-line" }), memory + 2, memory + 3));
}

/** The height of a row in pixels: the style sheet says it in units of the page's font. */
function rowHeight(rows) {
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return parseFloat(getComputedStyle(rows).getPropertyValue("--row")) * unit;
}
