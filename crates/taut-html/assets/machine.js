// The machine at one moment: the head of each lane with its queue of stores, and memory at the side.

/** `x = 1` as a chip. */
function storeChip(name, value, kind = "") {
  const worded = /^[A-Za-z]/.test(value) ? " worded" : "";
  return element("span", { class: `chip ${kind}${worded}` },
    element("span", { class: "name", text: name }), element("span", { class: "value", text: value }));
}

/** A value of a cell in the words of the source, if it has some: `null`, `node[1]`, `freed`. */
function valueWord(run, cell, value) {
  return run.cells[cell].words?.[value] ?? value;
}

/** A message: `3`, or `(1, 4)` if it has several fields. */
function messageText(values) {
  return values.length === 1 ? `${values[0]}` : `(${values.join(", ")})`;
}

/** Whether a memory model has a queue for each variable. */
function hasManyQueues(run) {
  return run.buffers === "per_variable";
}

/**
 * What a buffer holds as queues, oldest store first: one queue, or one for each variable; a `null` between them is a
 * store fence, which what comes after it waits for.
 */
function queuesOf(run, buffer) {
  if (!hasManyQueues(run)) return buffer.length ? [buffer] : [];
  const queues = [];
  let since = 0;
  for (const item of buffer) {
    if (item === "sfence") {
      queues.push(null);
      since = queues.length;
      continue;
    }
    const queue = queues.slice(since).find((queue) => queue[0].cell === item.cell);
    if (queue) queue.push(item);
    else queues.push([item]);
  }
  return queues;
}

/** The stores of a buffer in words, oldest first. */
function bufferText(run, buffer) {
  if (!buffer.length) return "empty";
  const word = (item) => (item === "sfence" ? "sfence" : `${run.cells[item.cell].name} = ${valueWord(run, item.cell, item.value)}`);
  return buffer.map(word).join(", ");
}

/** For each process the buffer of the run that holds most. */
function fullest(run) {
  const most = run.processes.map(() => []);
  for (const row of run.rows) {
    for (const [process, buffer] of row.buffers || []) {
      if (buffer.length > most[process].length) most[process] = buffer;
    }
  }
  return most;
}

/** The head of the lanes; `update(state, touched, row, entering)` shows the state after a row. */
function machineView(run) {
  const lanes = run.processes.map((process, index) => laneHead(run, process, index));
  const memory = memoryHead(run);
  const columns = laneColumns(run);
  const root = element("div", { class: "machine lanes" },
    element("div", { class: "corner", "aria-hidden": "true", text: "#" }),
    lanes.filter((_, process) => columns.has(process)).map((lane) => lane.root), memory.root,
    idleHeads(run, lanes.filter((_, process) => !columns.has(process))));

  /** Leaves room for the fullest buffers, so that the head of the lanes never jumps. */
  function reserve(state) {
    fullest(run).forEach((buffer, process) => lanes[process].reserve(buffer, state.buffers[process]));
  }

  function update(state, touched, row, entering) {
    for (const process of touched.buffers) lanes[process].showBuffer(state.buffers[process], entering === process);
    for (const process of touched.at) lanes[process].showPlace(state.at[process], state.lives[process]);
    for (const process of touched.lives) lanes[process].showPlace(state.at[process], state.lives[process]);
    for (const process of touched.registers) lanes[process].showRegisters(state.registers[process]);
    memory.update(state, touched, row);
  }

  return { root, update, reserve };
}

/** The processes that do not move, in one line; they open with a click. */
function idleHeads(run, lanes) {
  if (!lanes.length) return null;
  const verb = lanes.length === 1 ? "does" : "do";
  const names = lanes.map((lane) => lane.root.getAttribute("aria-label")).join(", ");
  return element("details", { class: "idle" },
    element("summary", { text: `${counted(lanes.length, "process")} ${verb} not move: ${names}` }),
    element("div", { class: "idle-heads" }, lanes.map((lane) => lane.root)));
}

function laneHead(run, process, index) {
  const place = element("span", { class: "at" });
  const queues = element("div", { class: "queues" });
  const registers = element("div", { class: "registers" });
  const root = element("div", { class: `lane-head ${hue(index)}`, role: "group", "aria-label": process.name },
    element("div", { class: "who" }, element("span", { class: "process", text: process.name }), place),
    run.buffers === "none" ? null : queues, registers);

  function showPlace(places, lives) {
    root.classList.toggle("gone", !lives);
    const lines = [...new Set(places.map(([, line]) => line))];
    const shown = lines.length > 3 ? `${lines.slice(0, 3).join(", ")}, …` : lines.join(", ");
    place.textContent = !lives ? "not running" : lines.length ? `at line ${shown}` : "ended";
  }

  function showBuffer(buffer, enters) {
    const drawn = queuesOf(run, buffer).map((queue) =>
      queue === null ? element("div", { class: "fence", text: "sfence" }) : drawQueue(run, queue));
    if (!drawn.length) drawn.push(element("div", { class: "queue empty", text: "buffer empty" }));
    if (enters && !hasManyQueues(run)) drawn.at(-1).lastChild.classList.add("enters");
    queues.replaceChildren(...drawn);
    queues.setAttribute("aria-label", `buffer of ${process.name}, oldest first: ${bufferText(run, buffer)}`);
  }

  function showRegisters(values) {
    // Names that end in a quote are values inside of statements.
    const own = process.registers.map((register, i) => [register.name, register.words?.[values[i]] ?? values[i]])
      .filter(([name]) => !name.endsWith("'"));
    registers.replaceChildren(...own.map(([name, value]) =>
      element("span", { class: "register" }, `${name} = `, element("b", { text: value }))));
  }

  function reserve(buffer, now) {
    queues.style.minHeight = "";
    showBuffer(buffer, false);
    queues.style.minHeight = `${queues.offsetHeight}px`;
    showBuffer(now, false);
  }

  queues.setAttribute("role", "group");
  return { root, showPlace, showBuffer, showRegisters, reserve };
}

function drawQueue(run, queue) {
  const chips = queue.map((item) => storeChip(run.cells[item.cell].name, valueWord(run, item.cell, item.value)));
  return element("div", { class: "queue" }, chips);
}

/** Memory and channels. */
function memoryHead(run) {
  const cells = run.cells.map((cell, i) => storeChip(cell.name, valueWord(run, i, cell.value), cell.ghost ? "cell ghost" : "cell"));
  run.cells.forEach((cell, i) => { if (cell.hidden) cells[i].style.display = "none"; });
  const channels = (run.channels || []).map((channel) => storeChip(channel.name, "[]", "cell channel"));
  const root = element("div", { class: "lane-head memory-head", role: "group", "aria-label": "memory" },
    element("div", { class: "who" }, element("span", { class: "process", text: "memory" })),
    element("div", { class: "cells", tabindex: run.cells.length + channels.length > 16 ? "0" : null }, cells, channels));

  let lit = [];
  /** Shows what may be different, and marks what the row itself changed. */
  function update(state, touched, row) {
    for (const cell of touched.memory) cells[cell].lastChild.textContent = valueWord(run, cell, state.memory[cell]);
    for (const channel of touched.channels) {
      channels[channel].lastChild.textContent = `[${state.channels[channel].map(messageText).join(", ")}]`;
    }
    for (const chip of lit) chip.classList.remove("changed");
    lit = (row?.memory || []).map(([cell]) => cells[cell]);
    lit.push(...(row?.channels || []).map(([channel]) => channels[channel]));
    for (const chip of lit) chip.classList.add("changed");
  }

  return { root, update };
}
