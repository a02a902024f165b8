// The program's name and language: the language follows the name, and the name follows a language that is chosen.

/** Name and language; `changed(language)` is called when either is another. */
function programView(setup, before, changed) {
  const language = element("select", { id: "language", "aria-label": "language", onchange: renamed },
    setup.languages.map(({ name, title }) => element("option", { value: name, text: title })));
  const name = element("input", {
    id: "name", class: "name", type: "text", maxlength: 100, spellcheck: "false", autocomplete: "off", "aria-label": "file name",
    oninput: () => { follow(); changed(language.value); },
  });
  const root = element("div", { class: "program" }, name, language);

  function follow() {
    const typed = name.value.toLowerCase();
    const found = setup.languages.find(({ extensions }) => extensions.some((one) => typed.endsWith(`.${one}`)));
    if (found) language.value = found.name;
  }

  function renamed() {
    const chosen = setup.languages.find((one) => one.name === language.value);
    name.value = (name.value.replace(/\.[^.]*$/, "") || "program") + endingOf(chosen);
    changed(language.value);
  }

  function set(toName, toLanguage) {
    name.value = toName;
    follow();
    if (setup.languages.some((one) => one.name === toLanguage)) language.value = toLanguage;
    changed(language.value);
  }

  name.value = before.name;
  follow();
  if (before.language) language.value = before.language;
  return { root, set, name: () => name.value.trim(), language: () => language.value };
}

/** How the names of new files in a language end. */
function endingOf({ extensions }) {
  return `.${extensions[0]}`;
}
