// Running: the buttons that start a job, what is said while it runs, and what comes of it.

/** What can be done with a program: how the button is called, the keys, and what is said while it is done. */
const TASKS = [
  { task: "check", title: "Check", keys: ["Ctrl", "Enter"], doing: "Checking" },
  { task: "compare", title: "Compare", keys: ["Ctrl", "Shift", "Enter"], doing: "Comparing" },
  { task: "repair", title: "Repair", keys: ["Ctrl", "Alt", "Enter"], doing: "Repairing" },
];

/**
 * Buttons, progress and status. `ask(task)` gives the request, or undefined; `shown(event, request)` shows how it ended
 * and says what to tell about it.
 */
function runningView(ask, shown, look) {
  const said = element("span", {});
  const toResult = element("button", {
    type: "button", class: "to-result", text: "Show the result", onclick: look, hidden: true,
  });
  const status = element("p", { class: "status" }, element("span", { role: "status", "aria-live": "polite" }, said), toResult);
  const progress = progressView(() => job && job.cancel());
  const buttons = TASKS.map(({ task, title, keys }) => element("button", {
    type: "button", class: task === "check" ? "primary" : null, "data-task": task, text: title,
    title: keys.join("-"), "aria-keyshortcuts": keys.join("+").replace("Ctrl", "Control"), onclick: () => start(task),
  }));
  const root = element("div", { class: "running" },
    element("div", { class: "tasks", role: "group", "aria-label": "tasks" }, buttons), progress.root, status);
  let job;
  let partial;

  function tell(text, result = false) {
    said.replaceChildren(...prose(text));
    toResult.hidden = !result;
  }

  function start(task) {
    if (job) return tell("A job is running. Cancel it to start another.");
    const request = ask(task);
    if (!request) return;
    setBusy(true);
    partial = undefined;
    progress.begin();
    tell(`${TASKS.find((one) => one.task === task).doing} ${request.name}.`);
    job = startJob(request, (event) => happened(event, request));
  }

  function happened(event, request) {
    if (event.event === "waiting") {
      progress.waiting(event.ahead);
    } else if (event.event === "started") {
      progress.started(event);
    } else if (event.event === "progress") {
      progress.update(event);
    } else if (event.event === "partial") {
      partial = event;
      progress.known(verdictText(event.document));
    } else {
      job = undefined;
      const within = progress.root.contains(document.activeElement);
      setBusy(false);
      progress.end();
      if (within) buttons.find((one) => one.dataset.task === request.task).focus();
      const { text, result } = shown(withKnown(event, partial), request);
      tell(text, result);
    }
  }

  /** Buttons that wait keep the focus: who uses keys must not be thrown out of the page. */
  function setBusy(busy) {
    for (const one of buttons) one.setAttribute("aria-disabled", String(busy));
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    start(event.altKey ? "repair" : event.shiftKey ? "compare" : "check");
  });

  return { root, tell, start };
}

/** A job that ended without an answer, beside what it had told before. */
function withKnown(event, partial) {
  const hasNone = ["cancelled", "failed", "stopped"].includes(event.event);
  return hasNone && partial ? { ...partial, event: event.event, message: event.message, hint: event.hint } : event;
}
