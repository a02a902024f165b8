// The examples: a list in a dialog, by language, with a field that leaves only what is looked for.

/** A button that shows the examples; `load(example)` is called with the one that was chosen. */
function examplesButton(setup, load) {
  const filter = element("input", {
    type: "search", placeholder: "Search the examples", "aria-label": "search the examples", oninput: narrow,
  });
  const groups = setup.languages.map((language) => exampleGroup(setup, language, choose)).filter(Boolean);
  const none = element("p", { class: "quiet", role: "status" });
  const dialog = element("dialog", { class: "examples", "aria-label": "examples", onclick: closeOutside },
    element("div", { class: "examples-head" }, element("h2", { text: "Examples" }), filter,
      button("✕", "close", () => dialog.close())),
    element("div", { class: "examples-list" }, groups.map((group) => group.root), none));

  function choose(example) {
    dialog.close();
    load(example);
  }

  function narrow() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = groups.reduce((sum, group) => sum + group.narrow(words), 0);
    none.textContent = shown ? "" : "No example has these words.";
  }

  function closeOutside(event) {
    if (event.target === dialog) dialog.close();
  }

  function open() {
    filter.value = "";
    narrow();
    dialog.showModal();
    filter.focus();
  }

  const opener = element("button", { type: "button", text: "Examples", "aria-haspopup": "dialog", onclick: open });
  return { opener, dialog };
}

function exampleGroup(setup, language, choose) {
  const items = setup.examples.filter((example) => example.language === language.name).map((example) => ({
    words: `${example.name} ${example.title} ${language.title}`.toLowerCase(),
    root: element("li", {}, element("button", { type: "button", class: "example", onclick: () => choose(example) },
      element("code", { text: example.name }), element("span", { class: "quiet" }, prose(example.title)))),
  }));
  if (!items.length) return undefined;
  const root = element("section", {}, element("h3", { text: language.title }),
    element("ul", {}, items.map((item) => item.root)));

  function narrow(words) {
    let shown = 0;
    for (const item of items) {
      item.root.hidden = !words.every((word) => item.words.includes(word));
      if (!item.root.hidden) shown++;
    }
    root.hidden = !shown;
    return shown;
  }

  return { root, narrow };
}
