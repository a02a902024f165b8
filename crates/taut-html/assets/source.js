// The source beside the run: the lines of the last row, and for each process the lines at which it can go on.

/** The source pane; `update(run, row, state)` marks lines. */
function sourceView(report) {
  const lines = report.sources.map((source) => source.text.replace(/\r?\n$/, "").split(/\r?\n/));
  const content = element("div", { class: "lines" });
  const scroller = element("div", {
    class: "source-lines", tabindex: "0", role: "region", "data-own-keys": true, "aria-label": "source",
  }, content);
  const names = report.sources.map((source, file) => element("option", { value: file, text: source.name }));
  const choice = element("select", { "aria-label": "file", onchange: () => show(Number(choice.value)) }, names);
  const title = names.length > 1 ? choice : element("span", { class: "file-name", text: report.sources[0]?.name });
  const root = element("section", { class: "source", "aria-label": "source" },
    element("div", { class: "pane-head" }, title, legend()), scroller);
  let file = 0;
  let list;
  let run;
  let marks = new Map();

  function show(to) {
    file = to;
    choice.value = to;
    if (list) list.stop();
    content.replaceChildren();
    const longest = lines[file].reduce((most, line) => Math.max(most, line.length), 0);
    content.style.setProperty("--columns", longest);
    list = longList({
      scroller, content, count: lines[file].length, draw,
      height: () => parseFloat(getComputedStyle(content).lineHeight),
    });
    list.refresh();
  }

  function draw(index) {
    const mark = marks.get(`${file}:${index + 1}`);
    const line = element("div", { class: "line", "data-line": index + 1 },
      element("span", { class: "line-number", text: index + 1 }),
      element("span", { class: "line-marks" }), element("code", {}, coloured(lines[file][index])));
    if (!mark) return line;
    if (mark.now.length) line.classList.add("now", hue(mark.now[0]));
    line.children[1].append(...mark.next.map(here));
    return line;
  }

  function here(process) {
    const name = run.processes[process].name;
    return element("span", { class: `here ${hue(process)}`, title: `${name} goes on here`, text: name });
  }

  /** Marks the lines of a row, and those at which processes go on. */
  function update(ofRun, row, state) {
    run = ofRun;
    const before = marks;
    marks = marksOf(row, state);
    const place = row && row.part.place;
    if (place && place[0] !== file) {
      show(place[0]);
    } else {
      for (const key of new Set([...before.keys(), ...marks.keys()])) {
        const [of, line] = key.split(":").map(Number);
        if (of === file && !sameMark(before.get(key), marks.get(key))) list.redraw(line - 1);
      }
    }
    if (place) list.reveal(place[1] - 1);
  }

  show(0);
  const unwatch = whenResized(scroller, () => list.refresh());
  const stop = () => { unwatch(); list.stop(); };
  return { root, update, stop };
}

function legend() {
  return element("span", { class: "legend" },
    element("span", { class: "sample now" }), " this row  ",
    element("span", { class: "sample next" }), " goes on here");
}

function sameMark(a, b) {
  return a !== undefined && b !== undefined && `${a.now}|${a.next}` === `${b.now}|${b.next}`;
}

/** For each line that has any, the processes whose step it was, and those that go on there. */
function marksOf(row, state) {
  const marks = new Map();
  const at = ([file, line]) => {
    const key = `${file}:${line}`;
    if (!marks.has(key)) marks.set(key, { now: [], next: [] });
    return marks.get(key);
  };
  for (const part of row ? [row.part, row.partner].filter(Boolean) : []) {
    if (part.place) at(part.place).now.push(part.process);
  }
  state.at.forEach((places, process) => places.forEach((place) => at(place).next.push(process)));
  return marks;
}

/** A line with its comment set apart. */
function coloured(line) {
  const start = line.search(/\/\/|\/\*/);
  if (start < 0) return [line || " "];
  return [line.slice(0, start), element("span", { class: "comment", text: line.slice(start) })];
}
