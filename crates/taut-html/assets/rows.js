// The rows of the diagram: time goes down, a lane for each process, memory at the right. A commit, and every other write to
// memory, is an arrow to memory; a load is an arrow from it, unless the process's own buffer served it.

/** What the list shows: the start, the rows, and lines between them around the cycle and at the end; local steps that follow
 * each other are one item, unless they are `open`: `all` of them, or those that begin `at` these positions. */
function itemsOf(run, open) {
  const items = [{ position: 0 }];
  const cycle = run.lasso ? run.lasso.before : undefined;
  const cyclic = (index) => cycle !== undefined && index >= cycle;
  for (let index = 0; index < run.rows.length;) {
    if (index === cycle) items.push({ rule: "cycle", text: "↻ cycle: from here on, repeated for ever" });
    const end = endOfFold(run, index, cycle);
    if (end >= index + 2 && !open.all && !open.at.has(index + 1)) {
      items.push({ position: index + 1, last: end, fold: foldOf(run, index, end), cyclic: cyclic(index) });
      index = end;
      continue;
    }
    for (const stop = Math.max(end, index + 1); index < stop; index++) {
      items.push({ position: index + 1, row: run.rows[index], cyclic: cyclic(index) });
    }
  }
  if (cycle === run.rows.length) items.push({ rule: "cycle", text: "■ nothing can happen any more" });
  else if (cycle !== undefined) items.push({ rule: "cycle", text: `↺ and again from row ${cycle + 1}` });
  items.push({ rule: "finding", text: `✗ ${run.finding.headline}` });
  return items;
}

/** Where the local steps end that begin at a row. */
function endOfFold(run, index, cycle) {
  let end = index;
  while (end < run.rows.length && run.rows[end].local && (end === index || end !== cycle)) end++;
  return end;
}

/** The number of local steps of each process between two rows. */
function foldOf(run, from, to) {
  const steps = new Map();
  for (const { part } of run.rows.slice(from, to)) steps.set(part.process, (steps.get(part.process) || 0) + 1);
  return steps;
}

/** The processes that do something in a run, each with its column in the diagram; others need none. */
function laneColumns(run) {
  const acting = new Set(run.rows.flatMap((row) => [row.part, row.partner].filter(Boolean).map((part) => part.process)));
  if (!acting.size) run.processes.forEach((_, process) => acting.add(process));
  const columns = new Map();
  run.processes.forEach((_, process) => { if (acting.has(process)) columns.set(process, columns.size + 2); });
  return columns;
}

/** A row in words, for who cannot see it and for the line above the diagram. */
function rowText(report, run, position) {
  if (position === 0) return "The start: buffers are empty, memory has its initial values.";
  const row = run.rows[position - 1];
  const parts = [row.part, row.partner].filter(Boolean).map((part) => partText(report, run, row, part));
  return `${parts.join("; ")}.`;
}

function partText(report, run, row, part) {
  const name = run.processes[part.process].name;
  if (row.action === "commit") return `${name}’s store ${part.text} commits: it leaves the buffer and reaches memory`;
  const line = part.place ? ` (${placeText(report, part.place)})` : "";
  const said = [...accessTexts(run, part), failureText(part)].filter(Boolean).map((text) => `, ${text}`).join("");
  const results = part.results ? ` → ${part.results.join(" ")}` : "";
  return `${name}${line}: ${part.text}${results}${said}`;
}

/** "line 7", with the file if it is not the program's own. */
function placeText(report, [file, line]) {
  return file ? `line ${line} of ${report.sources[file].name}` : `line ${line}`;
}

function failureText(part) {
  return part.failure ? `and that goes wrong: ${part.failure}` : "";
}

function accessTexts(run, part) {
  const store = (access) => `${run.cells[access.cell].name} = ${valueWord(run, access.cell, access.value)}`;
  const list = (accesses) => [...new Set(accesses.map(store))].join(", ");
  const reads = part.reads || [];
  const writes = part.writes || [];
  const said = [
    ["reads", reads.filter((r) => r.buffer), "from its own buffer"],
    ["reads", reads.filter((r) => !r.buffer), "from memory"],
    ["puts", writes.filter((w) => w.buffer), "into its buffer"],
    ["writes", writes.filter((w) => !w.buffer), "to memory"],
  ];
  return said.filter(([, which]) => which.length).map(([verb, which, where]) => `${verb} ${list(which)} ${where}`);
}

/** Draws items of the list, whose items are `list.items`. */
function rowDrawer(report, run, list, id, isCurrent) {
  const late = new Map((run.late || []).map((store) => [store.stored, store]));
  const columns = laneColumns(run);
  const memoryColumn = columns.size + 2;

  return function draw(index) {
    const item = list.items[index];
    if (item.rule) return ruleOf(item);
    const { position, row, fold } = item;
    const kind = fold ? " fold" : row ? ` ${row.action}` : " start";
    const said = fold ? foldText(run, item) : rowText(report, run, position);
    const drawn = element("div", {
      class: `row lanes${item.cyclic ? " cyclic" : ""}${kind}`,
      role: "option", id: `${id}-${position}`, "data-position": position, "data-fold": fold ? position : null,
      "aria-posinset": position + 1, "aria-setsize": run.rows.length + 1,
      "aria-selected": isCurrent(position, item.last) ? "true" : "false",
      "aria-label": `${position && !fold ? `row ${position}. ` : ""}${said}`,
      title: fold ? "show these rows" : null,
    }, element("div", { class: "number", text: fold ? `${position}–${item.last}` : position || "start" }),
    bars(run, columns, position, item.last));
    if (fold) drawn.append(...foldParts(run, fold, columns));
    else if (row) drawn.append(...rowParts(run, row, columns, late.get(position)));
    else drawn.append(inColumn(element("div", { class: "act quiet", text: "initial state" }), 2, memoryColumn));
    const effects = element("div", { class: "effects" }, row ? effectsOf(run, row) : []);
    drawn.append(inColumn(effects, memoryColumn, memoryColumn + 1));
    return drawn;
  };
}

/** A fold in words. */
function foldText(run, { position, last, fold }) {
  const steps = [...fold].map(([process, count]) => `${counted(count, "local step")} of ${run.processes[process].name}`);
  return `rows ${position} to ${last}: ${steps.join(", ")}`;
}

/** The local steps of each process, in its lane. */
function foldParts(run, fold, columns) {
  return [...fold].map(([process, count]) => {
    const column = columns.get(process);
    const words = element("span", { class: "card" },
      element("span", { class: "tag", text: run.processes[process].name }), `… ${counted(count, "local step")}`);
    return inColumn(element("div", { class: `act ${hue(process)}` }, words), column, column + 1);
  });
}

function ruleOf(item) {
  return element("div", { class: `rule ${item.rule}`, role: "presentation" }, element("span", {}, prose(item.text)));
}

function inColumn(made, from, to) {
  made.style.gridColumn = `${from} / ${to}`;
  made.style.setProperty("--span", Math.max(1, to - from));
  return made;
}

/** The pieces of lifelines along which a late store waits. */
function bars(run, columns, position, end = position) {
  const waiting = (run.late || []).filter((store) =>
    store.stored <= end && position <= (store.left ?? Infinity));
  return waiting.map((store) => {
    const first = store.stored === position ? " first" : "";
    const last = store.left === position ? " last" : "";
    const bar = element("div", { class: `waits${first}${last}`, "aria-hidden": "true" });
    const column = columns.get(store.process);
    return inColumn(bar, column, column + 1);
  });
}

function rowParts(run, row, columns, late) {
  const made = [];
  const { part, partner } = row;
  if (partner) made.push(messageWire(columns.get(part.process), columns.get(partner.process)));
  for (const one of [part, partner].filter(Boolean)) made.push(actOf(run, row, one, columns, late));
  return made;
}

/** The arrow of a rendezvous, from the sender's lane to the receiver's. */
function messageWire(from, to) {
  const wire = element("div", { class: `wire message ${to > from ? "right" : "left"}`, "aria-hidden": "true" });
  return inColumn(wire, Math.min(from, to), Math.max(from, to));
}

function actOf(run, row, part, columns, late) {
  const inMemory = (accesses) => (accesses || []).some((access) => !access.buffer);
  const writes = inMemory(part.writes);
  const reads = inMemory(part.reads);
  const wired = (writes || reads) && !row.partner;
  const first = columns.get(part.process);
  const act = element("div", { class: `act ${hue(part.process)}` }, cardOf(run, row, part, late));
  if (wired) {
    const kind = `wire${row.action === "commit" ? " commit" : ""}${writes ? " right" : ""}${reads ? " left" : ""}`;
    act.append(element("span", { class: kind, "aria-hidden": "true" }));
  }
  return inColumn(act, first, wired ? columns.size + 2 : first + 1);
}

function cardOf(run, row, part, late) {
  const card = element("span", { class: "card" },
    element("span", { class: "tag", text: run.processes[part.process].name }),
    row.action === "commit" ? element("span", { class: "sign", text: "commit " }) : null,
    element("code", { text: part.text }));
  if (part.results) card.append(element("span", { class: "result", text: ` → ${part.results.join(" ")}` }));
  const mark = (kind, text) => card.append(element("span", { class: `mark ${kind}`, text }));
  if ((part.reads || []).some((read) => read.buffer)) mark("forwarded", "from own buffer");
  if ((part.writes || []).some((write) => write.buffer)) {
    if (late && late.process === part.process) mark("buffered late", "late store");
    else mark("buffered", "into buffer");
  }
  if (part.failure) mark("failure", `✗ ${part.failure}`);
  return card;
}

/** What a row means for memory and channels: what was read there, and what it holds now. */
function effectsOf(run, row) {
  const made = [];
  const seen = new Set();
  const add = (text, kind) => {
    if (seen.has(text)) return;
    seen.add(text);
    made.push(element("span", { class: `effect ${kind}`, text }));
  };
  for (const part of [row.part, row.partner].filter(Boolean)) {
    for (const { cell, value, buffer } of part.writes || []) {
      if (!buffer) add(`${run.cells[cell].name} = ${valueWord(run, cell, value)}`, "written");
    }
    for (const { cell, value, buffer } of part.reads || []) {
      if (!buffer) add(`${run.cells[cell].name} is ${valueWord(run, cell, value)}`, "read");
    }
  }
  for (const [channel, messages] of row.channels || []) {
    add(`${run.channels[channel].name} = [${messages.map(messageText).join(", ")}]`, "written");
  }
  return made;
}
