// The machine at one moment: the head of each lane with its queue of stores, and memory at the side.

/** `x = 1` as a chip. */
function storeChip(name, value, kind = "") {
  return element("span", { class: `chip ${kind}` },
    element("span", { class: "name", text: name }), element("span", { class: "value", text: value }));
}

/** A message: `3`, or `(1, 4)` if it has several fields. */
function messageText(values) {
  return values.length === 1 ? `${values[0]}` : `(${values.join(", ")})`;
}

/** Whether a memory model has a queue for each variable. */
function hasManyQueues(run) {
  return run.model === "pso" || run.model === "delayed";
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
  const word = (item) => (item === "sfence" ? "sfence" : `${run.cells[item.cell].name} = ${item.value}`);
  return buffer.map(word).join(", ");
}

/** The lines of queues that the fullest buffer of the run takes, so that the head of the lanes never jumps. */
function mostQueues(run) {
  let most = 1;
  for (const row of run.rows) {
    for (const [, buffer] of row.buffers || []) most = Math.max(most, queuesOf(run, buffer).length);
  }
  return Math.min(most, 6);
}

/** The head of the lanes; `update(state, touched, entering)` shows another state. */
function machineView(run) {
  const lanes = run.processes.map((process, index) => laneHead(run, process, index));
  const memory = memoryHead(run);
  const root = element("div", { class: "machine lanes" },
    element("div", { class: "corner", "aria-hidden": "true", text: "#" }),
    lanes.map((lane) => lane.root), memory.root);
  root.style.setProperty("--queues", mostQueues(run));

  function update(state, touched, entering) {
    for (const process of touched.buffers) lanes[process].showBuffer(state.buffers[process], entering === process);
    for (const process of touched.at) lanes[process].showPlace(state.at[process], state.lives[process]);
    for (const process of touched.lives) lanes[process].showPlace(state.at[process], state.lives[process]);
    for (const process of touched.registers) lanes[process].showRegisters(state.registers[process]);
    memory.update(state, touched);
  }

  return { root, update };
}

function laneHead(run, process, index) {
  const place = element("span", { class: "at" });
  const queues = element("div", { class: "queues" });
  const registers = element("div", { class: "registers" });
  const root = element("div", { class: `lane-head ${hue(index)}`, role: "group", "aria-label": process.name },
    element("div", { class: "who" }, element("span", { class: "process", text: process.name }), place),
    run.model === "sc" ? null : queues, registers);

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
    registers.replaceChildren(...process.registers.map((register, i) =>
      element("span", { class: "register" }, `${register.name} = `, element("b", { text: values[i] }))));
  }

  queues.setAttribute("role", "group");
  return { root, showPlace, showBuffer, showRegisters };
}

function drawQueue(run, queue) {
  const chips = queue.map((item) => storeChip(run.cells[item.cell].name, item.value));
  return element("div", { class: "queue" }, chips);
}

/** Memory and channels. */
function memoryHead(run) {
  const cells = run.cells.map((cell) => storeChip(cell.name, cell.value, cell.ghost ? "cell ghost" : "cell"));
  const channels = (run.channels || []).map((channel) => storeChip(channel.name, "[]", "cell channel"));
  const root = element("div", { class: "lane-head memory-head", role: "group", "aria-label": "memory" },
    element("div", { class: "who" }, element("span", { class: "process", text: "memory" })),
    element("div", { class: "cells", tabindex: run.cells.length + channels.length > 16 ? "0" : null }, cells, channels));

  function show(chip, text, changed) {
    chip.lastChild.textContent = text;
    chip.classList.toggle("changed", changed);
  }

  let lit = [];
  function update(state, touched) {
    for (const chip of lit) chip.classList.remove("changed");
    lit = [];
    for (const cell of touched.memory) {
      show(cells[cell], state.memory[cell], true);
      lit.push(cells[cell]);
    }
    for (const channel of touched.channels) {
      show(channels[channel], `[${state.channels[channel].map(messageText).join(", ")}]`, true);
      lit.push(channels[channel]);
    }
  }

  return { root, update };
}
