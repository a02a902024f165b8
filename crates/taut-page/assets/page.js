// The page as a whole: an editor, what to ask, and the answer.

/** Draws the page for what the server offers. */
function mountPage(root, setup) {
  const first = setup.examples[0] || { name: "program.taut", language: "taut", text: "" };
  const before = { name: first.name, language: first.language, text: first.text, model: first.model, ...kept() };
  const editor = editorView(setup, () => { messages.stale(); results.changed(editor.text()); leaveLink(); keep(); });
  const messages = messagesView(editor.goTo);
  const program = programView(setup, before, (language) => { editor.setLanguage(language); choices.setLanguage(language); entitle(); keep(); });
  const choices = choicesView(setup, before, () => keep());
  const results = resultsView(editor.goTo, takeOver);
  const running = runningView(ask, shown, results.focus);
  const examples = examplesButton(setup, (example) => load(example.name, example.text, example));
  const help = helpButton(setup);
  const link = linkButton(() => ({ ...asked(), task: lastTask }));
  const files = fileOpener(setup.limits.bytes, load, trouble);
  let theme = before.theme;
  let lastTask = "check";
  let linking = false;
  const asked = () => ({ name: program.name(), language: program.language(), text: editor.text(), ...choices.now() });
  const keep = keeper(() => ({ ...asked(), theme }));

  /** The title of the page is the program's name: tabs and bookmarks show it. */
  function entitle() {
    const name = program.name();
    document.title = name ? `${name} · Taut` : "Taut";
  }

  /** An address that names a program is not that of another one. */
  function leaveLink() {
    if (!linking && location.hash) history.replaceState(null, "", location.pathname + location.search);
  }

  /** Takes what the address asks, and asks it. */
  async function openLink() {
    let found;
    try {
      found = await askedBy(location.hash);
    } catch {
      return trouble("The link is damaged.", "It has to be copied whole, up to its last letter.");
    }
    if (!found) return;
    linking = true;
    editor.load(found.text);
    program.set(found.name, found.language);
    choices.set(found);
    linking = false;
    messages.clear();
    running.start(TASKS.some(({ task }) => task === found.task) ? found.task : "check");
  }

  function load(name, text, { language, model } = {}) {
    editor.load(text);
    program.set(name, language);
    choices.forget();
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
        HOST.larger);
      return undefined;
    }
    messages.clear();
    editor.mark([]);
    results.setBusy(true);
    lastTask = task;
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
    if (event.document) choices.suggest(questionsOf(event.document));
    results.changed(editor.text());
    if (event.event === "refused") messages.root.scrollIntoView({ block: "nearest" });
    else if (event.event !== "cancelled" || event.document) results.reveal();
    return told;
  }

  files.takeDrops(root);
  editor.setLanguage(program.language());
  choices.setLanguage(program.language());
  entitle();
  editor.begin(String(before.text));
  const colours = themeButton(root, before.theme, (to) => { theme = to; keep(); });
  const save = element("button", {
    type: "button", text: "Download", onclick: () => download(program.name() || "program.txt", editor.text()),
  });
  const fileButtons = element("div", { class: "file-buttons" }, examples.opener, files.opener, files.input, save, link.opener,
    help.opener);
  root.replaceChildren(topView(colours), element("main", {},
    deskView([program.root, fileButtons], [editor.root, messages.root, editor.hint], [running.root, choices.root]),
    results.root), examples.dialog, link.dialog, help.dialog, pageFoot(setup.version, setup.limits));
  window.addEventListener("hashchange", openLink);
  openLink();
}

/** The names of the questions in a report. */
function questionsOf({ models }) {
  return [...new Set(models.flatMap(({ answers }) => answers.map(({ property }) => property)))];
}

async function startPage(root) {
  const setup = await askSetup();
  if (setup) return mountPage(root, setup);
  root.replaceChildren(troubleView(...HOST.absent));
}

startPage(document.body);
