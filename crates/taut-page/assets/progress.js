// Progress: how far a job is, against its time limit.

/** Milliseconds before it is shown: most jobs are done by then, and a page that flickers is not calm. */
const PATIENCE = 150;

/** Progress; the button calls `cancel()`. */
function progressView(cancel) {
  const stage = element("p", { class: "stage-name" });
  const bar = element("progress", { "aria-label": "time" });
  const clock = element("span", {});
  const counts = element("p", { class: "quiet counts-line" });
  const found = element("p", { class: "known-line" });
  const stop = element("button", { type: "button", class: "cancel", text: "Cancel", onclick: cancel });
  const root = element("section", { class: "progress", "aria-label": "progress", hidden: true },
    element("div", { class: "progress-head" }, stage, stop), bar,
    element("p", { class: "quiet clock-line" }, clock), counts, found);
  let limit;
  let last;
  let timer;

  function begin() {
    timer = setTimeout(() => { root.hidden = false; }, PATIENCE);
    limit = last = undefined;
    stage.textContent = HOST.asking;
    clock.textContent = counts.textContent = found.textContent = "";
    bar.removeAttribute("value");
  }

  function waiting(ahead) {
    stage.textContent = "Waiting";
    clock.textContent = ahead ? `${counted(ahead, "job")} ahead` : "next in line";
  }

  function started({ limits }) {
    limit = limits.seconds;
    stage.textContent = "Started";
    clock.textContent = "";
    bar.max = limit;
    bar.value = 0;
  }

  function update(now) {
    stage.textContent = stageText(now.stage);
    if (limit) bar.value = Math.min(now.seconds, limit);
    clock.textContent = `${now.seconds.toFixed(1)} s${limit ? ` of ${limit} s` : ""}`;
    counts.textContent = countsLine(now, rate(now));
  }

  /** States a second since the last event of the same stage in which there were fewer. */
  function rate(now) {
    const fresh = !last || last.stage !== now.stage || now.states === null || now.states < last.states;
    if (fresh) {
      last = { stage: now.stage, states: now.states ?? 0, seconds: now.seconds, rate: undefined };
    } else if (now.seconds - last.seconds >= 0.2) {
      const current = (now.states - last.states) / (now.seconds - last.seconds);
      last = { ...last, states: now.states, seconds: now.seconds, rate: current };
    }
    return last.rate;
  }

  /** What is known while the job goes on. */
  function known(text) {
    found.textContent = text ? `Known: ${text}` : "";
  }

  function end() {
    clearTimeout(timer);
    root.hidden = true;
  }

  return { root, begin, waiting, started, update, known, end };
}

/** "checking tso" as "Checking under TSO". */
function stageText(stage) {
  const [verb, ...rest] = (stage || "working").split(" ");
  const models = rest.map(modelName).join(" ");
  return `${verb[0].toUpperCase()}${verb.slice(1)}${models ? ` under ${models}` : ""}`;
}

function countsLine({ states, depth, bytes }, rate) {
  const parts = [];
  if (states !== null && states !== undefined) parts.push(counted(states, "state"));
  if (rate !== undefined) parts.push(`${Math.round(rate).toLocaleString("en")} a second`);
  if (depth) parts.push(`depth ${depth.toLocaleString("en")}`);
  if (bytes) parts.push(`${Math.ceil(bytes / 2 ** 20).toLocaleString("en")} MiB`);
  return parts.join(" · ");
}
