// Results: the report of a check, a repair, or why there is neither.

/** Where results are shown. */
function resultsView(goTo, takeOver) {
  const host = element("div", { class: "result-report" });
  const above = element("div", { class: "result-above" });
  const stale = element("p", { class: "stale-note quiet", hidden: true, text: "The program was changed after this." });
  const root = element("section", { class: "results", "aria-label": "result", tabindex: "-1", hidden: true }, stale, above, host);
  let report;
  let about = [];

  function clear() {
    if (report) report.unmount();
    report = window.tautReport = undefined;
    above.replaceChildren();
    about = [];
    root.hidden = true;
    setBusy(false);
  }

  /** While a job runs, what is shown is the result of another. */
  function setBusy(busy) {
    root.classList.toggle("busy", busy);
    root.setAttribute("aria-busy", String(busy));
  }

  /** Shows something about programs with these texts. */
  function show(head, document, texts = []) {
    clear();
    about = texts;
    above.replaceChildren(...head);
    root.hidden = false;
    if (document) report = window.tautReport = mountReport(host, document, { part: true });
  }

  function trouble(message, hint) {
    show([troubleView(message, hint)]);
  }

  /** Shows what was known when a job ended early. */
  function known(event, request, why) {
    const note = "This is what was known by then; what is not listed is open.";
    const said = event.event === "cancelled" ? element("p", { class: "known-note quiet", text: `${why} ${note}` })
      : troubleView(why, `${event.hint ?? ""} ${note}`.trim());
    show([said], event.document, [request.text]);
    return { text: `${why} Known until then: ${verdictText(event.document)}.`, result: true };
  }

  /** Shows how a job ended; the sentence that says so, and whether there is something to look at. */
  function end(event, request) {
    switch (event.event) {
      case "report":
        show([], event.document, [request.text]);
        return { text: `Done: ${verdictText(event.document)}.`, result: true };
      case "repaired":
        show([repairView(event, request, goTo, takeOver)], event.document, [request.text, event.text]);
        return { text: `Done: ${outcomeOf(event).called}.`, result: true };
      case "refused":
        clear();
        return { text: mistakesText(event.diagnostics) };
      case "cancelled":
        if (event.document) return known(event, request, "Cancelled.");
        setBusy(false);
        return { text: "Cancelled." };
      default:
        if (event.document) return known(event, request, event.message);
        trouble(event.message, event.hint);
        return { text: event.message };
    }
  }

  /** Says so if what is shown is not about this text. */
  function changed(text) {
    stale.hidden = !about.length || about.includes(text);
  }

  function reveal() {
    const head = above.firstElementChild || host.querySelector(".verdicts") || root;
    head.scrollIntoView({ block: "nearest" });
  }

  function focus() {
    root.focus({ preventScroll: true });
    root.scrollIntoView({ block: "start" });
  }

  return { root, setBusy, trouble, end, changed, reveal, focus };
}

/** The verdicts of the models that were asked for: "holds under SC; violated under TSO, PSO". */
function verdictText({ models }) {
  const asked = models.filter((model) => model.asked);
  const under = (verdict) => asked.filter((model) => worstOf(model.answers) === verdict).map(({ model }) => modelName(model));
  const parts = Object.keys(SIGNS).map((verdict) => [verdict, under(verdict)]).filter(([, names]) => names.length);
  return parts.map(([verdict, names]) => `${verdict} under ${names.join(", ")}`).join("; ");
}

function worstOf(answers) {
  return ["violated", "never", "unknown"].find((verdict) => answers.some((answer) => answer.verdict === verdict)) || "holds";
}

function mistakesText(diagnostics) {
  const errors = diagnostics.filter(({ severity }) => severity === "error").length;
  return errors ? `The program has ${counted(errors, "mistake")}.` : "The program was refused.";
}

/** Something that went wrong, and what to do about it. */
function troubleView(message, hint) {
  return element("div", { class: "trouble" },
    element("p", { class: "trouble-message" }, element("span", { "aria-hidden": "true", text: "! " }), prose(message)),
    hint ? element("p", { class: "trouble-hint" }, prose(hint)) : null);
}
