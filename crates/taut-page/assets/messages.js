// What the server has to say about the text, under the editor: each message with its line, and what to do about it.

/** The list of messages; `goTo(place)` is called to look at one. */
function messagesView(goTo) {
  const list = element("ol", { class: "messages-list" });
  const terminal = element("pre", { class: "rendered", tabindex: "0", "aria-label": "as in the terminal" });
  const more = element("details", {}, element("summary", { text: "As in the terminal" }), terminal);
  const root = element("section", { class: "messages", "aria-label": "messages", hidden: true }, list, more);

  function show(diagnostics, rendered = "") {
    root.hidden = !diagnostics.length && !rendered;
    root.classList.remove("stale");
    list.replaceChildren(...diagnostics.map((diagnostic) => messageItem(diagnostic, goTo)));
    terminal.textContent = rendered;
    more.hidden = !rendered;
    more.open = !diagnostics.length;
  }

  return { root, show, clear: () => show([]), stale: () => root.classList.add("stale") };
}

function messageItem(diagnostic, goTo) {
  const { severity, code, line, message, hint } = diagnostic;
  const sign = severity === "error" ? "✗" : "!";
  return element("li", { class: `message ${severity}` },
    element("span", { class: "message-sign" }, element("span", { "aria-hidden": "true", text: `${sign} ` }), severity),
    line ? lineButton(diagnostic, goTo) : null,
    element("span", { class: "message-text" }, prose(message),
      code ? element("span", { class: "quiet", text: `  ${code}` }) : null,
      hint ? element("span", { class: "message-hint" }, prose(hint)) : null));
}

/** A button that goes to a line of the editor. */
function lineButton(place, goTo) {
  return element("button", { type: "button", class: "to-line", text: `line ${place.line}`, onclick: () => goTo(place) });
}
