// Typing in a text area: changes go through the browser's own editing, so that undo takes them back.

const INDENT = "  ";

/** Replaces a part of the text and puts the caret behind it, or selects what was put there. */
function replaceText(area, start, end, text, select = false) {
  if (start === end && !text) return;
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, end);
  quietly(area, () => {
    const done = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
    if (!done) area.setRangeText(text, start, end, "end");
  });
  if (select) area.setSelectionRange(start, start + text.length);
  area.dispatchEvent(new Event("input"));
}

/** Does something in an area of which nobody hears: browsers tell about every line that is inserted. */
function quietly(area, change) {
  const hush = (event) => event.stopImmediatePropagation();
  document.addEventListener("input", hush, true);
  change();
  document.removeEventListener("input", hush, true);
}

/**
 * Keys that help with programs: Enter keeps the indentation, Tab indents. After Escape Tab does what it does everywhere
 * else, so that nobody is kept in; `told(leaving)` is called when that changes.
 */
function typingKeys(area, told) {
  let leaving = false;

  function setLeaving(to) {
    if (to !== leaving) told(to);
    leaving = to;
  }

  area.addEventListener("blur", () => setLeaving(false));
  area.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return setLeaving(true);
    if (event.key === "Tab") {
      if (leaving) return;
      event.preventDefault();
      return event.shiftKey ? unindent(area) : indent(area);
    }
    if (event.key !== "Shift") setLeaving(false);
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      keepIndentation(area);
    }
  });
}

/** Where the line begins in which a position is. */
function lineStart(text, position) {
  return position ? text.lastIndexOf("\n", position - 1) + 1 : 0;
}

/** Where it ends. */
function lineEnd(text, position) {
  const end = text.indexOf("\n", position);
  return end < 0 ? text.length : end;
}

function indent(area) {
  const { selectionStart: start, selectionEnd: end, value } = area;
  if (!value.slice(start, end).includes("\n")) {
    const column = start - lineStart(value, start);
    return replaceText(area, start, end, INDENT.slice(column % INDENT.length));
  }
  changeLines(area, (line) => (line ? INDENT + line : line));
}

function unindent(area) {
  changeLines(area, (line) => line.replace(/^(?: {1,2}|\t)/, ""));
}

/** Changes the lines of the selection, which is all of them afterwards. */
function changeLines(area, change) {
  const { selectionStart, selectionEnd, value } = area;
  const start = lineStart(value, selectionStart);
  const end = lineEnd(value, Math.max(selectionStart, selectionEnd - 1));
  const before = value.slice(start, end);
  const after = before.split("\n").map(change).join("\n");
  if (after === before) return;
  const several = selectionStart !== selectionEnd;
  replaceText(area, start, end, after, several);
  if (!several) {
    const caret = Math.max(start, selectionStart + after.length - before.length);
    area.setSelectionRange(caret, caret);
  }
}

function keepIndentation(area) {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const [space] = /^[ \t]*/.exec(value.slice(lineStart(value, start), start));
  replaceText(area, start, end, `\n${space}`);
}
