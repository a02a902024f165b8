// What to ask: memory model, engine, bound and limits; a formula, the names of questions, and of observers.

/** The choices, as they were (`before`) or as they are at first; `changed()` is called when one is another. */
function choicesView(setup, before, changed) {
  const { limits } = setup;
  const model = modelChoice(setup.models, before.model, changed);
  const engine = element("select", { id: "engine", onchange: changed }, setup.engines.map(({ name, title }) =>
    element("option", { value: name, text: title, selected: name === before.engine })));
  const numbers = {
    bound: numberField({ id: "bound", title: "Bound", unit: "stores per buffer", empty: "by itself", least: 1, most: 1_000_000 }),
    seconds: numberField({
      id: "seconds", title: "Time", unit: "seconds", empty: limits.seconds, least: 0.1, most: limits.seconds, step: "any",
    }),
    memory_mib: numberField({
      id: "memory_mib", title: "Memory", unit: "MiB", empty: limits.memory_mib, least: 16, most: limits.memory_mib,
    }),
  };
  const texts = {
    formula: textField({ id: "formula", title: "Formula", empty: "[] (want -> <> got)", hint: "asked of all runs, instead of the program's questions" }),
    property: textField({ id: "property", title: "Property", empty: "all", hint: "names of questions, with commas" }),
    ghost: textField({ id: "ghost", title: "Ghosts", empty: "none", hint: "variables of observers, with commas: they have no buffer" }),
  };
  for (const [name, field] of Object.entries({ ...numbers, ...texts })) {
    field.input.value = before[name] ?? "";
    field.input.addEventListener("input", changed);
  }
  const known = element("datalist", { id: "properties" });
  texts.property.input.setAttribute("list", known.id);
  const root = element("div", { class: "choices" }, model.root,
    element("label", { class: "field", for: "engine" }, element("span", { text: "Engine" }), engine),
    Object.values(texts).map((field) => field.root), known, Object.values(numbers).map((field) => field.root));

  /** What was chosen, or what is wrong with it. */
  function read() {
    const chosen = { model: model.value(), engine: engine.value };
    for (const [name, field] of Object.entries(numbers)) {
      const wrong = field.wrong();
      if (wrong) return { wrong, input: field.input };
      chosen[name] = field.input.value === "" ? null : Number(field.input.value);
    }
    for (const [name, field] of Object.entries(texts)) chosen[name] = field.value();
    return { chosen };
  }

  /** What was chosen, to keep it: also what is wrong. */
  function now() {
    const typed = Object.entries({ ...numbers, ...texts }).map(([name, field]) => [name, field.input.value]);
    return { model: model.value(), engine: engine.value, ...Object.fromEntries(typed) };
  }

  /** Takes what another page asked; what it did not say is as at first. */
  function set(asked) {
    if (asked.model) model.set(asked.model);
    engine.value = setup.engines.some(({ name }) => name === asked.engine) ? asked.engine : setup.engines[0].name;
    for (const [name, field] of Object.entries({ ...numbers, ...texts })) field.input.value = asked[name] ?? "";
  }

  /** Observers are named here only for languages that have no word for them. */
  function setLanguage(name) {
    const language = setup.languages.find((one) => one.name === name);
    texts.ghost.show(Boolean(language && language.names_ghosts));
  }

  /** Offers names for questions. */
  function suggest(names) {
    known.replaceChildren(...names.map((name) => element("option", { value: name })));
  }

  /** Another program has other questions. */
  function forget() {
    for (const field of Object.values(texts)) field.input.value = "";
    suggest([]);
  }

  return { root, read, now, set, setModel: model.set, setLanguage, suggest, forget };
}

function modelChoice(models, before, changed) {
  for (const { name, title } of models) modelLabels.set(name, title.split(": ")[0]);
  const first = models.some(({ name }) => name === before) ? before : "tso";
  const inputs = models.map(({ name }) => element("input", {
    type: "radio", name: "model", value: name, checked: name === first, onchange: changed,
  }));
  const root = element("fieldset", { class: "models" }, element("legend", { text: "Memory model" }),
    models.map(({ title }, i) => element("label", { class: "model" }, inputs[i], modelTitle(title))));

  function set(name) {
    for (const input of inputs) input.checked = input.value === name;
  }

  const value = () => inputs.find((input) => input.checked)?.value ?? "tso";
  return { root, set, value };
}

/** Short names of the memory models, as the page offers them. */
const modelLabels = new Map();

/** A memory model in a sentence. */
function modelName(model) {
  return modelLabels.get(model) ?? model.toUpperCase();
}

/** "TSO: total store order", with the abbreviation, if there is one, set apart. */
function modelTitle(title) {
  const [short, long] = title.split(": ");
  return element("span", {}, element("span", { class: "model-name", text: short }),
    long ? element("span", { class: "quiet", text: ` ${long}` }) : null);
}

/** A field for a short text; it may be empty, and it asks nothing where it is not shown. */
function textField({ id, title, empty, hint }) {
  const input = element("input", {
    id, type: "text", class: "code-field", maxlength: 4000, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
    placeholder: empty, title: hint, "aria-describedby": `${id}-hint`,
  });
  const root = element("label", { class: "field text-field", for: id }, element("span", { text: title }), input,
    element("span", { id: `${id}-hint`, class: "only-heard", text: hint }));
  const value = () => (root.hidden || !input.value.trim() ? null : input.value.trim());
  return { root, input, value, show: (shown) => { root.hidden = !shown; } };
}

/** A field for a number, a whole one unless `step` says something else; it may be empty. */
function numberField({ id, title, unit, empty, least, most, step = 1 }) {
  const input = element("input", {
    id, type: "number", inputmode: "numeric", min: least, max: most, step, placeholder: empty,
    "aria-describedby": `${id}-unit`,
  });
  const root = element("label", { class: "field", for: id }, element("span", { text: title }), input,
    element("span", { id: `${id}-unit`, class: "unit quiet", text: unit }));

  function wrong() {
    const good = input.validity.valid;
    input.setAttribute("aria-invalid", String(!good));
    const kind = step === 1 ? "whole number" : "number";
    return good ? "" : `${title} is a ${kind} from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}, or empty.`;
  }

  return { root, input, wrong };
}
