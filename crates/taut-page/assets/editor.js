// The editor: a text area whose own text cannot be seen, over the same text in colours. The area is as large as its text and
// the frame around both is scrolled, so the two are never apart. Of the colours only the lines that can be seen are there.

/** The editor for the languages of the setup; `changed()` is called when its text is another one. */
function editorView(setup, changed) {
  const hintId = "editor-hint";
  const area = element("textarea", {
    id: "program", class: "area", spellcheck: "false", autocapitalize: "off", autocomplete: "off", autocorrect: "off",
    wrap: "off", "aria-label": "program", "aria-describedby": hintId, oninput: edited,
  });
  const paint = element("div", { class: "paint", "aria-hidden": "true" });
  const frame = element("div", { class: "editor" }, element("div", { class: "sheet" }, paint, area));
  const hint = element("p", { id: hintId, class: "editor-hint quiet" });
  let lines = [""];
  let inside = [false];
  let syntax = syntaxOf();
  let marks = new Map();
  let list;

  function edited() {
    marks = new Map();
    repaint();
    showCaret();
    changed();
  }

  /** The number of the line in which the caret is, from 0. */
  function caretLine() {
    const caret = area.selectionDirection === "backward" ? area.selectionStart : area.selectionEnd;
    return area.value.slice(0, caret).split("\n").length - 1;
  }

  /** The browser scrolls to the caret before there is room for what was typed, so this is done again. */
  function showCaret() {
    if (document.activeElement === area) list.reveal(caretLine());
  }

  /** Paints everything again: what can be seen are some forty lines. */
  function repaint() {
    lines = area.value.split("\n");
    inside = commentStarts(lines, syntax);
    if (list) list.stop();
    paint.replaceChildren();
    frame.style.setProperty("--digits", String(lines.length).length);
    frame.style.setProperty("--columns", lines.reduce((most, line) => Math.max(most, columnsOf(line)), 0));
    list = longList({
      scroller: frame, content: paint, count: lines.length, draw,
      height: () => parseFloat(getComputedStyle(paint).lineHeight),
    });
    list.refresh();
    makeRoom();
  }

  /** Columns are a guess where characters are not equally wide: the browser knows what the text takes. */
  function makeRoom() {
    paint.style.minWidth = "";
    if (area.scrollWidth > area.clientWidth) paint.style.minWidth = `${area.scrollWidth}px`;
  }

  function draw(index) {
    const here = marks.get(index + 1) || [];
    const pieces = cutAtMarks(piecesOf(lines[index], inside[index], syntax), here);
    const line = element("div", { class: "paint-line", "data-line": index + 1 },
      element("span", { class: "paint-number", text: index + 1 }),
      element("code", {}, pieces.map(({ kind, text, marked }) =>
        element("span", { class: `ink-${kind}${marked ? ` marked ${marked}` : ""}`, text }))));
    if (here.length) line.classList.add(here.some((mark) => mark.severity === "error") ? "error" : "warning");
    return line;
  }

  /** Takes another text in the place of this one; undo brings it back. */
  function load(text) {
    replace(text);
    area.setSelectionRange(0, 0);
    frame.scrollTo(0, 0);
  }

  /** Begins with a text; there is nothing to undo then. */
  function begin(text) {
    area.value = text;
    repaint();
  }

  function mark(diagnostics) {
    marks = marksByLine(diagnostics, lines);
    repaint();
  }

  /** Goes to a line and selects what is meant there, or all of it. */
  function goTo(place) {
    const number = Math.min(Math.max(1, place.line), lines.length);
    const before = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const span = place.column ? spanIn(lines[number - 1], place) : { start: 0, end: lines[number - 1].length };
    area.focus({ preventScroll: true });
    area.setSelectionRange(before + span.start, before + span.end);
    frame.scrollIntoView({ block: "nearest" });
    frame.scrollLeft = 0;
    list.reveal(number - 1);
  }

  function setLanguage(name) {
    syntax = syntaxOf(setup.languages.find((one) => one.name === name));
    repaint();
  }

  function tell(leaving) {
    hint.replaceChildren(...(leaving ? ["Tab leaves the editor now."] : [key("Tab"), " indents; ", key("Esc"), " and then ",
      key("Tab"), " leaves the editor."]));
  }

  tell(false);
  const replace = loader(area);
  typingKeys(area, tell);
  pagingKeys(area, () => Math.max(1, Math.floor(frame.clientHeight / parseFloat(getComputedStyle(paint).lineHeight)) - 1));
  area.addEventListener("paged", showCaret);
  whenResized(frame, () => { list.refresh(); makeRoom(); });
  repaint();
  return { root: frame, hint, area, load, begin, mark, goTo, setLanguage, text: () => area.value };
}

/** How wide a line is, about: tabulators go to the next column that four divides, and letters of the East take two. */
function columnsOf(line) {
  if (!/[^ -~]/.test(line)) return line.length;
  let columns = 0;
  for (const letter of line) {
    if (letter === "\t") columns += 4 - (columns % 4);
    else columns += letter > "\u2e7f" ? 2 : 1;
  }
  return columns;
}

/** A key as it is written on a keyboard. */
function key(text) {
  return element("kbd", { text });
}
