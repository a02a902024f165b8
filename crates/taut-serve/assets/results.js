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
    report = undefined;
    above.replaceChildren();
    stale.hidden = true;
    root.hidden = true;
  }

  /** Shows something about programs with these texts. */
  function show(head, document, texts = []) {
    clear();
    about = texts;
    above.replaceChildren(...head);
    root.hidden = false;
    if (document) report = mountReport(host, document, { part: true });
    window.tautReport = report;
  }

  return {
    root, clear,
    report: (event, request) => show([], event.document, [request.text]),
    repaired: (event, request) =>
      show([repairView(event, request, goTo, takeOver)], event.document, [request.text, event.text]),
    trouble: (message, hint) => show([troubleView(message, hint)]),
    changed: (text) => { stale.hidden = !about.length || about.includes(text); },
    reveal: () => (above.firstElementChild || host.querySelector(".verdicts") || root).scrollIntoView({ block: "nearest" }),
    focus: () => { root.focus({ preventScroll: true }); root.scrollIntoView({ block: "start" }); },
  };
}

/** Something that went wrong, and what to do about it. */
function troubleView(message, hint) {
  return element("div", { class: "trouble" },
    element("p", { class: "trouble-message" }, element("span", { "aria-hidden": "true", text: "! " }), prose(message)),
    hint ? element("p", { class: "trouble-hint" }, prose(hint)) : null);
}
