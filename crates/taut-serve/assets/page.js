// The page as a whole: an editor, what to ask, and the answer.

/** Draws the page for what the server offers. */
function mountPage(root, setup) {
  const first = setup.examples[0] || { name: "program.taut", language: "taut", text: "" };
  const before = { name: first.name, language: first.language, text: first.text, model: first.model, ...kept() };
  const editor = editorView(setup, () => { messages.stale(); results.changed(editor.text()); keep(); });
  const messages = messagesView(editor.goTo);
  const program = programView(setup, before, (language) => { editor.setLanguage(language); keep(); });
  const choices = choicesView(setup, before, () => keep());
  const results = resultsView(editor.goTo, takeOver);
  const running = runningView(ask, shown, results.focus);
  const examples = examplesButton(setup, (example) => load(example.name, example.text, example));
  const files = fileOpener(setup.limits.bytes, load, trouble);
  let theme = before.theme;
  const keep = keeper(() => ({
    name: program.name(), language: program.language(), text: editor.text(), theme, ...choices.now(),
  }));

  function load(name, text, { language, model } = {}) {
    editor.load(text);
    program.set(name, language);
    if (model) choices.setModel(model);
    messages.clear();
    running.tell(`${name} is in the editor. Undo brings back what was there.`);
  }

  function takeOver(text) {
    editor.load(text);
    messages.clear();
    editor.root.scrollIntoView({ block: "nearest" });
    running.tell("The fixed program is in the editor. Undo takes it out again.");
  }

  /** Says what went wrong, where results are shown. */
  function trouble(message, hint) {
    results.trouble(message, hint);
    results.reveal();
    running.tell(message);
  }

  /** The request for a task; says what is wrong if there can be none. */
  function ask(task) {
    const { chosen, wrong, input } = choices.read();
    if (wrong) {
      running.tell(wrong);
      input.focus();
      return undefined;
    }
    const text = editor.text();
    const size = new TextEncoder().encode(text).length;
    if (size > setup.limits.bytes) {
      trouble(`The program has ${counted(size, "byte")}; here it may have ${counted(setup.limits.bytes, "byte")}.`,
        "Check it on the command line, or start the server with a larger `--max-bytes`.");
      return undefined;
    }
    messages.clear();
    editor.mark([]);
    results.setBusy(true);
    return { task, name: program.name(), language: program.language(), text, ...chosen };
  }

  /** Shows how a job ended; the sentence that says so, and whether there is something to look at. */
  function shown(event, request) {
    const { warnings = [], diagnostics = warnings } = event;
    const unchanged = request.text === editor.text();
    if (unchanged) editor.mark(diagnostics);
    messages.show(diagnostics, event.rendered);
    if (!unchanged) messages.stale();
    const told = results.end(event, request);
    results.changed(editor.text());
    if (event.event === "refused") messages.root.scrollIntoView({ block: "nearest" });
    else if (event.event !== "cancelled") results.reveal();
    return told;
  }

  files.takeDrops(root);
  editor.setLanguage(program.language());
  editor.begin(String(before.text));
  const colours = themeButton(root, before.theme, (to) => { theme = to; keep(); });
  const save = element("button", {
    type: "button", text: "Download", onclick: () => download(program.name() || "program.txt", editor.text()),
  });
  const fileButtons = element("div", { class: "file-buttons" }, examples.opener, files.opener, files.input, save);
  root.replaceChildren(topView(colours), element("main", {},
    deskView([program.root, fileButtons], [editor.root, messages.root, editor.hint], [running.root, choices.root]),
    results.root), examples.dialog, pageFoot(setup.version, setup.limits));
}

/** What the server offers, or undefined if it does not answer. */
async function askSetup() {
  try {
    const response = await fetch("setup");
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

async function startPage(root) {
  const setup = await askSetup();
  if (setup) return mountPage(root, setup);
  root.replaceChildren(troubleView("The server does not answer.", "Start `taut serve` and open the address that it prints."));
}

startPage(document.body);
