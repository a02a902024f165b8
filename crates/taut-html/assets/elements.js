// Elements, made without ever reading text as markup: whatever a program says, it is only text.

/** An element with attributes (`class`, `text`, `on…` listeners, the rest as they are) and children. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return made;
}

/** A button that says what it does, also where it shows a sign only. */
function button(sign, label, onclick, more = {}) {
  return element("button", { type: "button", "aria-label": label, title: label, text: sign, onclick, ...more });
}

/** The class that gives a process its colour; there are eight, and a name beside each. */
function hue(process) {
  return `hue-${process % 8}`;
}

/** "1 row", "2 rows", "2 processes". */
function counted(number, noun) {
  const ending = noun.endsWith("s") ? "es" : "s";
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : ending}`;
}

/** A text in which what stands between backquotes is code. */
function prose(text) {
  return text.split("`").map((part, i) => (i % 2 ? element("code", { text: part }) : part));
}
