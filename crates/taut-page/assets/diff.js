// A change of the program, drawn as one: line numbers, a sign, the text.

/** The lines of a unified diff, each with its sign and its numbers before and after; `gap` between parts. */
function diffLines(diff) {
  const lines = [];
  let before = 0;
  let after = 0;
  for (const text of diff.replace(/\n$/, "").split("\n")) {
    const part = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (part) {
      if (lines.length) lines.push({ sign: "gap" });
      before = Number(part[1]);
      after = Number(part[2]);
    } else if (before || after) {
      const sign = text[0] || " ";
      if (sign === "+") lines.push({ sign, after: after++, text: text.slice(1) });
      else if (sign === "-") lines.push({ sign, before: before++, text: text.slice(1) });
      else if (sign === " ") lines.push({ sign, before: before++, after: after++, text: text.slice(1) });
    }
  }
  return lines;
}

/** A diff as a table. */
function diffView(diff) {
  const rows = diffLines(diff).map((line) => {
    if (line.sign === "gap") return element("tr", { class: "gap" }, element("td", { colspan: 4, text: "⋯" }));
    const kind = { "+": "added", "-": "removed", " ": "same" }[line.sign];
    return element("tr", { class: kind }, element("td", { class: "diff-number", text: line.before ?? "" }),
      element("td", { class: "diff-number", text: line.after ?? "" }),
      element("td", { class: "diff-sign" }, element("span", { "aria-hidden": "true", text: line.sign.replace("-", "−") }),
        kind === "same" ? null : element("span", { class: "only-heard", text: kind })),
      element("td", { class: "diff-text" }, element("code", { text: line.text || " " })));
  });
  return element("div", {
    class: "diff", tabindex: "0", role: "region", "data-own-keys": true, "aria-label": "change of the program",
  }, element("table", {}, element("tbody", {}, rows)));
}
