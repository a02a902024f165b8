// Help: chapters of the book in a dialog, which are fetched when they are asked for.

/** A button that shows the help. */
function helpButton(setup) {
  const list = element("nav", { class: "help-list", "aria-label": "chapters" }, setup.book.map(({ file, title }) =>
    element("button", { type: "button", class: "chapter", "data-file": file, text: title, onclick: () => show(file) })));
  const text = element("article", { class: "help-text", tabindex: "-1" });
  const dialog = element("dialog", { class: "book-dialog", "aria-label": "help", onclick: closeOutside },
    element("div", { class: "examples-head" }, element("h2", { text: "Help" }), button("✕", "close", () => dialog.close())),
    element("div", { class: "help-body" }, list, text));
  let shown;

  function closeOutside(event) {
    if (event.target === dialog) dialog.close();
  }

  /** A link to a chapter that is here shows it; of all others the words stay. */
  function linked(address, words) {
    const file = address.split("#")[0];
    if (!setup.book.some((chapter) => chapter.file === file)) return element("span", {}, words);
    return element("button", { type: "button", class: "link", onclick: () => show(file) }, words);
  }

  async function show(file) {
    shown = file;
    for (const one of list.children) one.setAttribute("aria-current", String(one.dataset.file === file));
    const response = await fetch(`book/${file}`).catch(() => undefined);
    const found = response && response.ok ? await response.text() : undefined;
    if (shown !== file) return;
    text.replaceChildren(...(found === undefined ? ["This chapter cannot be loaded."] : markdownView(found, linked)));
    text.scrollTo(0, 0);
  }

  function open() {
    dialog.showModal();
    if (!shown && setup.book.length) show(setup.book[0].file);
  }

  const opener = element("button", { type: "button", text: "Help", "aria-haspopup": "dialog", onclick: open });
  return { opener, dialog };
}
