// Light and dark: what the system says, until the reader says something else.

const THEMES = ["system", "light", "dark"];

/** The button that changes the colours of an element; `changed(theme)` is called when it did. */
function themeButton(root, first = "system", changed = () => {}) {
  const toggle = element("button", { type: "button", class: "theme", onclick: () => { set(next()); changed(theme); } });
  let theme;

  function next() {
    return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  }

  function set(to) {
    theme = to;
    root.dataset.theme = theme;
    const sign = { system: "◐", light: "☀", dark: "☾" }[theme];
    toggle.textContent = `${sign} ${theme}`;
    toggle.setAttribute("aria-label", `colours: ${theme}; change to ${next()}`);
  }

  set(THEMES.includes(first) ? first : "system");
  return toggle;
}
