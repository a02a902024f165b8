//! The page of `taut serve` in a real browser, with a real server behind it.
//!
//! One browser and one server serve all of it; pictures of the main views are kept beside those of reports,
//! in `report-screenshots` of the target folder.

mod serve_support;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use serve_support::{Server, endless, example, soon};
use taut_testkit::browser::{Browser, key};

/// What is typed: the editor keeps the indentation, so only the first line of a body has one.
const TYPED: &str = "\
shared bool x = 0;
shared bool y = 0;
process p begin
  x := 1;
await(y == 0);
inside: skip;
x := 0;
end
process q begin
  y := 1;
await(x == 0);
inside: skip;
y := 0;
end
forbid both: p@inside && q@inside;";

/// Text that would like to be markup, in a program with a mistake on its third line.
const HOSTILE: &str = "\
/* </textarea></script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'> */
byte x;
active proctype p() { printf(\"<b>bold</b>\"); y = 1 }
";

struct Page {
    browser: Browser,
    server: Server,
}

impl Page {
    fn run(&self, script: &str) -> Value {
        self.browser.run(script)
    }

    /// Opens the page, which must be silent and alone.
    fn open(&self) {
        self.browser.requests();
        self.browser.open(&self.server.address);
        self.browser.wait_for("document.querySelector('.area')");
        self.is_silent_and_alone();
    }

    /// Nothing was said to the console, and nobody else was asked for anything.
    fn is_silent_and_alone(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        for address in self.browser.requests() {
            assert!(address.starts_with(&self.server.address) || address == "data:,", "{address}");
        }
    }

    fn picture(&self, name: &str) {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target");
        let pictures: PathBuf = target.join("report-screenshots");
        self.browser.screenshot(&pictures.join(format!("serve-{name}.png")));
    }

    fn program(&self) -> String {
        self.run("return document.querySelector('.area').value").as_str().expect("a text").into()
    }

    fn name(&self) -> Value {
        self.run("return document.querySelector('.name').value")
    }

    fn status(&self) -> String {
        self.browser.text("[role=status]")
    }

    /// Puts a program into the editor, as one that was pasted.
    fn set(&self, name: &str, text: &str) {
        let (name, text) = (json!(name), json!(text));
        self.run(&format!(
            "const name = document.querySelector('.name'), area = document.querySelector('.area');
             name.value = {name}; name.dispatchEvent(new Event('input'));
             area.value = {text}; area.dispatchEvent(new Event('input'))"
        ));
    }

    fn choose_model(&self, model: &str) {
        self.browser.click(&format!("[name=model][value={model}]"));
    }

    /// Starts a task with its button and waits for its end.
    fn finish(&self, task: &str) {
        self.browser.click(&format!("[data-task={task}]"));
        self.browser.wait_for("document.querySelector('[aria-disabled=false]')");
    }

    fn lanes(&self) -> Value {
        self.run(
            "return [...document.querySelectorAll('.machine .process')].map((name) => name.textContent)",
        )
    }

    /// What is marked in the editor: the numbers of lines, and the texts.
    fn marked(&self) -> Value {
        self.run(
            "const all = (what, of) => [...document.querySelectorAll(what)].map(of);
             return [all('.paint-line.error', (line) => line.dataset.line),
                     all('.marked.error', (mark) => mark.textContent)]",
        )
    }
}

#[test]
fn the_page_in_a_browser() {
    let server = Server::start(&["--jobs", "1", "--timeout", "20"]);
    let page = Page { browser: Browser::start(), server };
    page.browser.resize(1440, 1000);
    page.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    page.open();
    loads_examples(&page);
    checks_what_is_typed(&page);
    lets_the_keyboard_go(&page);
    undoes_and_pages(&page);
    marks_mistakes(&page);
    compares(&page);
    repairs_and_takes_over(&page);
    shows_progress_and_cancels(&page);
    waits_for_others(&page);
    refuses_what_cannot_be_asked(&page);
    opens_files(&page);
    keeps_what_was_typed(&page);
    is_light_and_dark(&page);
    fits_small_and_large_pages(&page);
    takes_text_for_text(&page);
    works_without_storage(&page);
    tells_that_the_server_is_gone(page);
}

fn loads_examples(page: &Page) {
    assert_eq!(page.program(), example("peterson.taut"), "there is something to begin with");
    page.picture("start");
    page.browser.click("[aria-haspopup=dialog]");
    assert!(page.browser.count(".example") >= 10);
    assert_eq!(page.browser.count(".examples section"), 4, "one for each language");
    page.browser.write("philosophers");
    page.browser.wait_for("document.querySelectorAll('li:not([hidden]) > .example').length === 1");
    page.picture("examples");
    page.browser.press(key::TAB, 2);
    page.browser.press(key::ENTER, 1);
    assert_eq!(page.program(), example("philosophers.pml"));
    assert_eq!(page.name(), json!("philosophers.pml"));
    assert_eq!(page.run("return document.querySelector('#language').value"), json!("promela"));
    assert!(page.browser.count(".ink-keyword") > 5);

    // The name follows the language, and the language the name.
    page.set("a.dve", "");
    assert_eq!(page.run("return document.querySelector('#language').value"), json!("dve"));
    page.run(
        "const language = document.querySelector('#language');
         language.value = 'taut'; language.dispatchEvent(new Event('change'))",
    );
    assert_eq!(page.name(), json!("a.taut"));
    page.is_silent_and_alone();
}

fn checks_what_is_typed(page: &Page) {
    page.set("typed.taut", "");
    page.choose_model("tso");
    page.browser.click(".area");
    page.browser.write(TYPED);
    assert!(page.program().contains("  x := 1;\n  await(y == 0);\n  inside: skip;"));
    page.browser.press_with(&[key::CONTROL], key::ENTER);
    page.browser.wait_for("window.tautReport");
    assert_eq!(page.lanes(), json!(["p", "q", "memory"]));
    assert_eq!(page.browser.count(".rows [role=option]"), 5, "the start and four rows");
    assert_eq!(page.status(), "Done: violated under TSO.");
    assert_eq!(page.browser.text(".run h2"), "both is violated under TSO");
    assert!(page.browser.text(".story").contains("was still in its buffer"));
    assert_eq!(page.browser.count("main"), 1);
    assert_eq!(page.browser.count(".theme"), 1, "the report has no button of its own");

    // The report steps with keys, once the focus is there and not in the editor.
    page.browser.press(key::DOWN, 1);
    assert_eq!(page.run("return tautReport.position()"), json!(0));
    page.browser.click(".to-result");
    page.browser.press(key::RIGHT, 2);
    assert_eq!(page.run("return tautReport.position()"), json!(2));
    page.picture("check");

    // What is shown is about the text as it was, until it is that again.
    page.browser.click(".area");
    page.browser.write("z");
    assert_eq!(page.browser.count(".stale-note:not([hidden])"), 1);
    page.browser.press_with(&[key::CONTROL], "z");
    assert_eq!(page.browser.count(".stale-note:not([hidden])"), 0);
    page.is_silent_and_alone();
}

/// Tab indents, and after Escape it leaves; the painted text is where the text is.
fn lets_the_keyboard_go(page: &Page) {
    page.set("a.taut", "skip");
    page.browser.click(".area");
    page.browser.press(key::HOME, 1);
    page.browser.press(key::TAB, 1);
    assert_eq!(page.program(), "  skip");
    page.browser.press_with(&[key::SHIFT], key::TAB);
    assert_eq!(page.program(), "skip");
    page.browser.press(key::ESCAPE, 1);
    page.browser.press(key::TAB, 1);
    assert_eq!(page.program(), "skip");
    let focus = page.run("return document.activeElement.dataset.task");
    assert_eq!(focus, json!("check"), "the next thing after the editor");
}

fn undoes_and_pages(page: &Page) {
    let lines: Vec<_> = (1..=100).map(|n| format!("// {n}: {}", "x".repeat(n * 2))).collect();
    page.set("a.taut", &lines.join("\n"));
    page.browser.click("[aria-haspopup=dialog]");
    page.browser.click(".example");
    assert_eq!(page.program(), example("peterson.taut"));
    page.browser.click(".area");
    page.browser.press_with(&[key::CONTROL], "z");
    assert_eq!(page.program(), lines.join("\n"), "undo brings back what was there");

    page.run("document.querySelector('.area').setSelectionRange(0, 0)");
    page.browser.press(key::PAGE_DOWN, 3);
    page.browser.press(key::END, 1);
    let seen = page.run(
        "const area = document.querySelector('.area'), frame = document.querySelector('.editor');
         const line = area.value.slice(0, area.selectionEnd).split('\\n').length;
         const painted = document.querySelector(`.paint-line[data-line='${line}']`);
         const [at, around] = [painted.getBoundingClientRect(), frame.getBoundingClientRect()];
         return [area.scrollTop, area.scrollLeft, line > 50,
                 at.top >= around.top && at.bottom <= around.bottom,
                 document.querySelectorAll('.paint-line').length < 70]",
    );
    assert_eq!(seen, json!([0, 0, true, true, true]), "the line of the caret is seen");
}

fn marks_mistakes(page: &Page) {
    page.set("wrong.taut", "shared bool x = 0;\nprocess p begin\n  x := ;\nend\n");
    page.finish("check");
    assert_eq!(page.marked(), json!([["3"], [";"]]));
    assert_eq!(page.status(), "The program has 1 mistake.");
    assert!(page.browser.text(".message").contains("expected an expression"));
    assert!(page.browser.text(".rendered").contains("wrong.taut:3:8"));
    page.picture("mistake");
    page.browser.click(".message .to-line");
    let selected = "const area = document.activeElement;
                    return area.value.slice(area.selectionStart - 5, area.selectionEnd)";
    assert_eq!(page.run(selected), json!("x := ;"));
    page.browser.write("1;");
    assert_eq!(page.marked(), json!([[], []]), "a mark goes with the text that it was for");
    page.finish("check");
    assert_eq!(page.browser.count(".message"), 0);
    assert_eq!(page.status(), "Done: holds under TSO.");
    page.is_silent_and_alone();
}

fn compares(page: &Page) {
    page.set("mp.taut", &example("mp.taut"));
    page.finish("compare");
    let verdicts = page.run(
        "return [...document.querySelectorAll('.verdicts tbody tr:first-child td')]
           .map((cell) => [cell.dataset.model, cell.querySelector('.badge').textContent.slice(2)])",
    );
    assert_eq!(verdicts, json!([["SC", "holds"], ["TSO", "holds"], ["PSO", "violated"]]));
    page.picture("compare");
    page.is_silent_and_alone();
}

fn repairs_and_takes_over(page: &Page) {
    page.set("peterson.taut", &example("peterson.taut"));
    page.finish("repair");
    assert_eq!(page.status(), "Done: mended.");
    assert_eq!(page.browser.count(".diff .added"), 1);
    assert_eq!(page.browser.text(".diff .added .diff-sign [aria-hidden]"), "+");
    assert_eq!(page.browser.text(".diff .added .diff-text").trim(), "fence;");
    assert_eq!(page.browser.count(".diff .removed"), 0);
    page.browser.click(".places .to-line");
    assert_eq!(
        page.run("return getSelection().toString()").as_str().expect("text").trim(),
        "turn := 1 - i;"
    );
    page.run("document.querySelector('.results').scrollIntoView()");
    page.picture("repair");
    page.browser.click(".take-over");
    assert!(page.program().contains("turn := 1 - i;\n    fence;\n"));
    assert_eq!(page.browser.count(".stale-note:not([hidden])"), 0, "what is shown is about it");
    page.finish("check");
    assert_eq!(page.status(), "Done: holds under TSO.");
    page.browser.click(".area");
    page.browser.press_with(&[key::CONTROL], "z");
    assert_eq!(page.program(), example("peterson.taut"));
    page.is_silent_and_alone();
}

/// A program whose check takes longer than any test.
fn ask_for_long(page: &Page) {
    page.set("lamport3.dve", &example("dve/lamport3.dve"));
    page.choose_model("delayed");
    page.browser.click("[data-task=check]");
}

fn shows_progress_and_cancels(page: &Page) {
    ask_for_long(page);
    page.browser.wait_for("/states · .* a second/.test(document.querySelector('.counts-line').textContent)");
    assert_eq!(page.browser.text(".stage-name"), "Checking under delayed writes");
    assert!(page.browser.text(".clock-line").ends_with(" s of 20 s"));
    let bar = page.run("const bar = document.querySelector('progress'); return [bar.max, bar.value > 0]");
    assert_eq!(bar, json!([20, true]));
    assert_eq!(page.server.health(), (1, 0));
    page.picture("progress");
    page.browser.click(".cancel");
    assert_eq!(page.status(), "Cancelled.");
    assert_eq!(page.browser.count(".progress:not([hidden])"), 0);
    let focus = page.run("return document.activeElement.dataset.task");
    assert_eq!(focus, json!("check"), "the focus is not lost with the button");
    soon("the job is gone", || page.server.health() == (0, 0) && page.server.children().is_empty());
    page.is_silent_and_alone();
}

fn waits_for_others(page: &Page) {
    let mut others = page.server.served.events(&endless());
    assert_eq!(others.next().expect("an event")["event"], "started");
    ask_for_long(page);
    page.browser.wait_for("document.querySelector('.stage-name').textContent === 'Waiting'");
    assert_eq!(page.browser.text(".clock-line"), "1 job ahead");
    drop(others);
    page.browser.wait_for("document.querySelector('.stage-name').textContent.startsWith('Checking')");
    page.browser.click(".cancel");
    soon("the jobs are gone", || page.server.health() == (0, 0));
}

/// Wrong numbers are for the page to say; what the server refuses is shown in its words.
fn refuses_what_cannot_be_asked(page: &Page) {
    page.set("peterson.taut", &example("peterson.taut"));
    let seconds = "const field = document.querySelector('#seconds');";
    page.run(&format!("{seconds} field.value = 999; field.dispatchEvent(new Event('input'))"));
    page.browser.click("[data-task=check]");
    assert_eq!(page.status(), "Time is a whole number from 1 to 20, or empty.");
    assert_eq!(page.run("return document.activeElement.id"), json!("seconds"));
    page.run(&format!("{seconds} field.value = ''"));
    page.set("../peterson.taut", &example("peterson.taut"));
    page.finish("check");
    assert!(page.browser.count(".trouble-message, .message.error") > 0);
    page.picture("refused");
    // The browser itself says to the console that an answer was a refusal.
    page.browser.console();

    page.set("large.taut", &"// 345678\n".repeat(30_000));
    page.browser.click("[data-task=check]");
    assert!(page.browser.text(".trouble-message").contains("The program has 300,000 bytes"));
    page.is_silent_and_alone();
}

fn opens_files(page: &Page) {
    let choose = |bytes: &str| {
        page.run(&format!(
            "const files = new DataTransfer(), input = document.querySelector('.file-input');
             files.items.add(new File([new Uint8Array({bytes})], 'mine.pml'));
             input.files = files.files; input.dispatchEvent(new Event('change'))"
        ))
    };
    choose("[98, 121, 116, 101, 32, 120, 59]");
    page.browser.wait_for("document.querySelector('.area').value === 'byte x;'");
    assert_eq!(page.name(), json!("mine.pml"));
    choose("[255, 0]");
    page.browser.wait_for("document.querySelector('.trouble')");
    assert!(page.browser.text(".trouble-message").contains("mine.pml is not a text in UTF-8."));
    assert_eq!(page.program(), "byte x;");
}

fn keeps_what_was_typed(page: &Page) {
    page.set("kept.pml", "byte kept;\n");
    page.choose_model("pso");
    page.open();
    assert_eq!(page.program(), "byte kept;\n");
    assert_eq!(page.name(), json!("kept.pml"));
    assert_eq!(page.run("return document.querySelector('[name=model]:checked').value"), json!("pso"));
}

fn is_light_and_dark(page: &Page) {
    page.set("peterson.taut", &example("peterson.taut"));
    page.finish("check");
    let colours = || {
        page.run(
            "const of = (what) => getComputedStyle(document.querySelector(what));
             return [of('body').backgroundColor, of('.diagram').backgroundColor, of('.paint').color]",
        )
    };
    let light = colours();
    page.browser.prefer("screen", &[("prefers-color-scheme", "dark")]);
    let dark = colours();
    for part in 0..3 {
        assert_ne!(light[part], dark[part]);
    }
    page.picture("dark");
    page.browser.click(".theme");
    assert_eq!(colours(), light, "light, whatever the system says; the report, too");
    page.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    page.browser.click(".theme");
    assert_eq!(colours(), dark);
    page.open();
    let background = page.run("return getComputedStyle(document.body).backgroundColor");
    assert_eq!(background, dark[0], "a reload does not change it");
    page.browser.click(".theme");
}

fn fits_small_and_large_pages(page: &Page) {
    page.finish("repair");
    for (width, height) in [(360, 3000), (768, 1600), (1920, 1600)] {
        page.browser.resize(width, height);
        let wide = page.run("return document.documentElement.scrollWidth");
        assert_eq!(wide, json!(width), "nothing sticks out");
        page.run("scrollTo(0, 0)");
        page.picture(&format!("{width}"));
    }
    page.browser.resize(1440, 1000);
    page.is_silent_and_alone();
}

fn takes_text_for_text(page: &Page) {
    page.set("hostile.pml", HOSTILE);
    page.finish("check");
    assert!(page.browser.count(".message.error") > 0);
    assert_eq!(page.marked()[0], json!(["3"]));
    let first = page.browser.text(".paint-line code");
    assert_eq!(first, HOSTILE.lines().next().expect("a line"));
    page.set("hostile.pml", &HOSTILE.replace("y = 1", "assert(x == 1)"));
    page.finish("check");
    assert!(page.browser.text(".rows").contains("<b>bold</b>"));
    assert_eq!(page.run("return window.hacked ?? null"), Value::Null);
    assert_eq!(page.browser.count("img, b b, script:not([src])"), 0);
    page.is_silent_and_alone();
}

fn works_without_storage(page: &Page) {
    let denied = "Object.defineProperty(window, 'sessionStorage', {
        get() { throw new DOMException('denied', 'SecurityError'); } })";
    page.browser
        .devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": denied }));
    page.open();
    assert_eq!(page.program(), example("peterson.taut"), "nothing was kept");
    page.browser.click(".area");
    page.browser.write("z");
    page.finish("check");
    page.is_silent_and_alone();
}

fn tells_that_the_server_is_gone(page: Page) {
    let Page { browser, server } = page;
    drop(server);
    browser.click("[data-task=check]");
    browser.wait_for("document.querySelector('.trouble')");
    assert!(browser.text(".trouble-message").contains("The server does not answer."));
    assert!(browser.text(".trouble-hint").contains("taut serve"));
}
