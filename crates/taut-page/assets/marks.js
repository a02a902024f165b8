// Marks: where in a line something is to be said, as the server counts it (lines and columns from 1, columns in characters).

/** The marks of diagnostics, by line; the last line of one that goes over several is not marked beyond the first. */
function marksByLine(diagnostics, lines) {
  const marks = new Map();
  for (const diagnostic of diagnostics) {
    if (!diagnostic.line || diagnostic.line > lines.length) continue;
    if (!marks.has(diagnostic.line)) marks.set(diagnostic.line, []);
    marks.get(diagnostic.line).push({ ...spanIn(lines[diagnostic.line - 1], diagnostic), severity: diagnostic.severity });
  }
  return marks;
}

/** From where to where a diagnostic points in its first line, in UTF-16 units; at least one character, if there is one. */
function spanIn(line, { line: first, column, end_line: last, end_column: end }) {
  const start = unitsOf(line, (column || 1) - 1);
  const stop = last === first ? unitsOf(line, (end || column || 1) - 1) : line.length;
  return { start, end: Math.max(stop, Math.min(start + 1, line.length)) };
}

/** How many UTF-16 units so many characters at the start of a line have. */
function unitsOf(line, characters) {
  return [...line].slice(0, characters).join("").length;
}

/** Pieces cut at the edges of marks; those inside of one have `marked` with its severity. */
function cutAtMarks(pieces, marks) {
  const edges = marks.flatMap((mark) => [mark.start, mark.end]);
  const cut = [];
  let at = 0;
  for (const { kind, text } of pieces) {
    const end = at + text.length;
    const stops = [...new Set([at, ...edges.filter((edge) => edge > at && edge < end), end])].sort((a, b) => a - b);
    for (let i = 1; i < stops.length; i++) {
      const mark = marks.find(({ start, end: stop }) => start <= stops[i - 1] && stops[i] <= stop);
      cut.push({ kind, text: text.slice(stops[i - 1] - at, stops[i] - at), marked: mark && mark.severity });
    }
    at = end;
  }
  return cut;
}
