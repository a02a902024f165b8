// The rows of the diagram: time goes down, a lane for each process, memory at the right. A commit, and every other write to
// memory, is an arrow to memory; a load is an arrow from it, unless the process's own buffer served it.

/** What the list shows: the start, the rows, and lines between them around the cycle and at the end. */
function itemsOf(run) {
  const items = [{ position: 0 }];
  const cycle = run.lasso ? run.lasso.before : undefined;
  run.rows.forEach((row, index) => {
    if (index === cycle) items.push({ rule: "cycle", text: "↻ cycle: from here on, repeated for ever" });
    items.push({ position: index + 1, row, cyclic: cycle !== undefined && index >= cycle });
  });
  if (cycle === run.rows.length) items.push({ rule: "cycle", text: "■ nothing can happen any more" });
  else if (cycle !== undefined) items.push({ rule: "cycle", text: `↺ and again from row ${cycle + 1}` });
  items.push({ rule: "finding", text: `✗ ${run.finding.headline}` });
  return items;
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
  const store = (access) => `${run.cells[access.cell].name} = ${access.value}`;
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

/** Draws items of the list. */
function rowDrawer(report, run, items, id, isCurrent) {
  const late = new Map((run.late || []).map((store) => [store.stored, store]));
  const memoryColumn = run.processes.length + 2;

  return function draw(index) {
    const item = items[index];
    if (item.rule) return ruleOf(item);
    const { position, row } = item;
    const drawn = element("div", {
      class: `row lanes${item.cyclic ? " cyclic" : ""}${row ? ` ${row.action}` : " start"}`,
      role: "option", id: `${id}-${position}`, "data-position": position,
      "aria-posinset": position + 1, "aria-setsize": run.rows.length + 1,
      "aria-selected": isCurrent(position) ? "true" : "false",
      "aria-label": `${position ? `row ${position}. ` : ""}${rowText(report, run, position)}`,
    }, element("div", { class: "number", text: position || "start" }), bars(run, position));
    if (row) drawn.append(...rowParts(run, row, memoryColumn, late.get(position)));
    else drawn.append(inColumn(element("div", { class: "act quiet", text: "initial state" }), 2, memoryColumn));
    return drawn;
  };
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
function bars(run, position) {
  const waiting = (run.late || []).filter((store) =>
    store.stored <= position && position <= (store.left ?? Infinity));
  return waiting.map((store) => {
    const first = store.stored === position ? " first" : "";
    const last = store.left === position ? " last" : "";
    const bar = element("div", { class: `waits${first}${last}`, "aria-hidden": "true" });
    return inColumn(bar, store.process + 2, store.process + 3);
  });
}

function rowParts(run, row, memoryColumn, late) {
  const made = [];
  const { part, partner } = row;
  if (partner) made.push(messageWire(part.process, partner.process));
  for (const one of [part, partner].filter(Boolean)) made.push(actOf(run, row, one, memoryColumn, late));
  made.push(inColumn(element("div", { class: "effects" }, effectsOf(run, row)), memoryColumn, memoryColumn + 1));
  return made;
}

/** The arrow of a rendezvous, from the sender's lane to the receiver's. */
function messageWire(from, to) {
  const wire = element("div", { class: `wire message ${to > from ? "right" : "left"}`, "aria-hidden": "true" });
  return inColumn(wire, Math.min(from, to) + 2, Math.max(from, to) + 2);
}

function actOf(run, row, part, memoryColumn, late) {
  const inMemory = (accesses) => (accesses || []).some((access) => !access.buffer);
  const writes = inMemory(part.writes);
  const reads = inMemory(part.reads);
  const wired = (writes || reads) && !row.partner;
  const first = part.process + 2;
  const act = element("div", { class: `act ${hue(part.process)}` }, cardOf(run, row, part, late));
  if (wired) {
    const kind = `wire${row.action === "commit" ? " commit" : ""}${writes ? " right" : ""}${reads ? " left" : ""}`;
    act.append(element("span", { class: kind, "aria-hidden": "true" }));
  }
  return inColumn(act, first, wired ? memoryColumn : first + 1);
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
      if (!buffer) add(`${run.cells[cell].name} = ${value}`, "written");
    }
    for (const { cell, value, buffer } of part.reads || []) {
      if (!buffer) add(`${run.cells[cell].name} is ${value}`, "read");
    }
  }
  for (const [channel, messages] of row.channels || []) {
    add(`${run.channels[channel].name} = [${messages.map(messageText).join(", ")}]`, "written");
  }
  return made;
}
