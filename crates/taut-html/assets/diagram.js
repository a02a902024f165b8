// The diagram: the head of the lanes, which stays, and the rows under it, which are scrolled.

/** The diagram of a run; `go(position)` is called when a row is clicked. */
function diagramView(report, run, id, go) {
  const states = timeline(run);
  const machine = machineView(run);
  const open = { all: false, at: new Set() };
  const drawn = { items: itemsOf(run, open) };
  let places = placesOf(run, drawn.items);
  let current = 0;
  const rows = element("div", {
    class: "rows", role: "listbox", tabindex: "0", "aria-label": "the run, row by row",
    onclick: (event) => {
      const row = event.target.closest("[data-position]");
      if (!row) return;
      if (row.dataset.fold) unfold(Number(row.dataset.fold));
      go(Number(row.dataset.position));
    },
  }, lifelines(run));
  const root = element("div", { class: "diagram" }, element("div", { class: "canvas" }, machine.root, rows));
  root.style.setProperty("--lanes", laneColumns(run).size);
  const isCurrent = (position, last = position) => position <= current && current <= last;
  const list = longList({
    scroller: root, content: rows, count: drawn.items.length, height: () => rowHeight(rows), measured: true,
    draw: rowDrawer(report, run, drawn, id, isCurrent),
  });

  /** Shows other rows. */
  function reopen() {
    drawn.items = itemsOf(run, open);
    places = placesOf(run, drawn.items);
    list.reset(drawn.items.length);
  }

  /** Shows the local steps that begin at a row. */
  function unfold(position) {
    open.at.add(position);
    reopen();
  }

  /** Shows all rows, or folds local steps; whether all are shown. */
  function toggle() {
    open.all = !open.all;
    open.at.clear();
    reopen();
    select(current);
    return open.all;
  }

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
    rows.setAttribute("aria-activedescendant", `${id}-${drawn.items[places[position]].position}`);
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
  const folds = drawn.items.some((item) => item.fold);
  return { root, start, update, stop, toggle, folds };
}

/** For each position the item that shows it. */
function placesOf(run, items) {
  const places = [];
  items.forEach((item, at) => {
    if (item.position === undefined) return;
    for (let position = item.position; position <= (item.last ?? item.position); position++) places[position] = at;
  });
  return places;
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
  const columns = laneColumns(run);
  const memory = columns.size + 2;
  return element("div", { class: "lifelines lanes", "aria-hidden": "true" },
    [...columns].map(([process, column]) => inColumn(element("span", { class: hue(process) }), column, column + 1)),
    inColumn(element("span", { class: "memory-line" }), memory, memory + 1));
}

/** The least height of a row in pixels: the style sheet says it in units of the page's font. */
function rowHeight(rows) {
  const unit = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return parseFloat(getComputedStyle(rows).getPropertyValue("--row")) * unit;
}
