// Paper: every run as one table, made when it is needed.

/** An element that is filled with all runs while the page is printed. */
function paperView(report) {
  const root = element("div", { class: "paper" });
  const fill = () => root.replaceChildren(...report.runs.map((run) => paperRun(report, run)));
  const clear = () => root.replaceChildren();
  const media = matchMedia("print");
  const change = () => (media.matches ? fill() : clear());
  window.addEventListener("beforeprint", fill);
  window.addEventListener("afterprint", clear);
  media.addEventListener("change", change);
  change();

  function stop() {
    window.removeEventListener("beforeprint", fill);
    window.removeEventListener("afterprint", clear);
    media.removeEventListener("change", change);
  }

  return { root, stop };
}

function paperRun(report, run) {
  const states = timeline(run);
  const head = ["#", "what happens", "buffers", "memory"].map((text) => element("th", { scope: "col", text }));
  const rows = [];
  for (let position = 0; position <= run.rows.length; position++) {
    states.go(position);
    rows.push(paperRow(report, run, position, states.state));
  }
  return element("section", {},
    element("h2", { text: `${run.finding.property} is ${run.finding.kind === "cover" ? "covered" : "violated"} under ${run.model.toUpperCase()}` }),
    element("ul", {}, run.story.map((sentence) => element("li", { text: sentence.text }))),
    element("table", {}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)));
}

function paperRow(report, run, position, state) {
  const waiting = run.processes.map((process, i) => [process.name, state.buffers[i]]).filter(([, buffer]) => buffer.length);
  const memory = run.cells.map((cell, i) => `${cell.name}=${state.memory[i]}`);
  const cyclic = run.lasso && position > run.lasso.before;
  return element("tr", { class: cyclic ? "cyclic" : null },
    element("td", { text: `${position || "start"}${cyclic ? " ↻" : ""}` }),
    element("td", { text: rowText(report, run, position) }),
    element("td", { text: waiting.map(([name, buffer]) => `${name}: ${bufferText(run, buffer)}`).join("; ") }),
    element("td", { text: memory.join(" ") }));
}
