// What to ask: memory model, engine, bound and limits.

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
  for (const [name, field] of Object.entries(numbers)) {
    field.input.value = before[name] ?? "";
    field.input.addEventListener("input", changed);
  }
  const root = element("div", { class: "choices" }, model.root,
    element("label", { class: "field", for: "engine" }, element("span", { text: "Engine" }), engine),
    Object.values(numbers).map((field) => field.root));

  /** What was chosen, or what is wrong with it. */
  function read() {
    const chosen = { model: model.value(), engine: engine.value };
    for (const [name, field] of Object.entries(numbers)) {
      const wrong = field.wrong();
      if (wrong) return { wrong, input: field.input };
      chosen[name] = field.input.value === "" ? null : Number(field.input.value);
    }
    return { chosen };
  }

  /** What was chosen, to keep it: also what is wrong. */
  function now() {
    const texts = Object.entries(numbers).map(([name, field]) => [name, field.input.value]);
    return { model: model.value(), engine: engine.value, ...Object.fromEntries(texts) };
  }

  return { root, read, now, setModel: model.set };
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
