// Light and dark: what the system says, until the reader says something else.

const THEMES = ["system", "light", "dark"];

function themeButton(root) {
  const toggle = element("button", { type: "button", class: "theme", onclick: () => set(next()) });
  let theme = "system";

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

  set("system");
  return toggle;
}
