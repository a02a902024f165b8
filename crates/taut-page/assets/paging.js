// A page up and down in an area that is as large as its text: the browser would take all of it for one page.

/** Moves the caret by pages of so many lines as `lines()` says; with Shift the selection goes along. */
function pagingKeys(area, lines) {
  area.addEventListener("keydown", (event) => {
    const direction = { PageUp: -1, PageDown: 1 }[event.key];
    if (!direction || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const backward = area.selectionDirection === "backward";
    const anchor = backward ? area.selectionEnd : area.selectionStart;
    const focus = moved(area.value, backward ? area.selectionStart : area.selectionEnd, direction * lines());
    if (!event.shiftKey) area.setSelectionRange(focus, focus);
    else if (focus < anchor) area.setSelectionRange(focus, anchor, "backward");
    else area.setSelectionRange(anchor, focus, "forward");
    area.dispatchEvent(new Event("paged"));
  });
}

/** The position so many lines below another (above, if negative), in the same column as far as there is one. */
function moved(text, position, lines) {
  const column = position - lineStart(text, position);
  let start = lineStart(text, position);
  for (let i = 0; i < Math.abs(lines); i++) {
    const next = lines > 0 ? lineEnd(text, start) + 1 : lineStart(text, start - 1);
    if (lines > 0 ? next > text.length : start === 0) return lines > 0 ? text.length : 0;
    start = next;
  }
  return Math.min(start + column, lineEnd(text, start));
}
