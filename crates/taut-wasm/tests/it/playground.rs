//! The folder that `make playground` made, opened in a browser. Without one (`TAUT_PLAYGROUND`) the test is counted as one
//! that did not run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use taut_page::EXAMPLES;
use taut_testkit::browser::Browser;
use taut_testkit::corpus::skipped;
use taut_wasm::folder::LIMITS;

use crate::folder::WebHost;

/// The page, and its address.
struct Page {
    browser: Browser,
    address: String,
}

#[test]
fn the_page_without_a_server() {
    let Some(folder) = std::env::var_os("TAUT_PLAYGROUND") else {
        return skipped(
            "the_page_without_a_server",
            "TAUT_PLAYGROUND is not set (make playground)",
        );
    };
    let host = WebHost::start(PathBuf::from(folder));
    let page = Page { browser: Browser::start(), address: host.address };
    page.browser.resize(1280, 1000);
    loads_quickly(&page);
    checks_the_first_example(&page);
    a_link_is_a_counterexample(&page);
    a_damaged_link_says_so(&page);
    help_is_at_hand(&page);
    cancelling_keeps_what_is_known(&page);
    limits_end_in_unknown(&page);
    mistakes_have_their_places(&page);
    it_fits_a_telephone(&page);
    answers_are_those_of_the_native_engine(&page);
    every_example_has_its_verdicts(&page);
}

impl Page {
    fn open(&self, fragment: &str) {
        self.browser.open("about:blank");
        self.browser.open(&format!("{}{fragment}", self.address));
        self.browser.wait_for("document.querySelector('.tasks button')");
    }

    /// Waits for a job that may take long on a slow machine.
    fn wait(&self, condition: &str) {
        let started = Instant::now();
        while self.browser.run(&format!("return Boolean({condition})")) != json!(true) {
            let status =
                self.browser.run("return document.querySelector('[role=status]')?.textContent");
            assert!(
                started.elapsed() < Duration::from_secs(120),
                "never true: {condition}; {status}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn status(&self) -> String {
        self.browser.text("[role=status]")
    }

    /// Puts a program into the editor.
    fn set(&self, name: &str, text: &str) {
        let script = format!(
            "const set = (selector, value) => {{
               const field = document.querySelector(selector);
               field.value = value;
               field.dispatchEvent(new Event('input'));
             }};
             set('.name', {});
             set('.area', {});",
            json!(name),
            json!(text)
        );
        self.browser.run(&script);
    }

    fn set_field(&self, id: &str, value: &str) {
        let script = format!(
            "const field = document.getElementById({}); field.value = {};
             field.dispatchEvent(new Event('input'));",
            json!(id),
            json!(value)
        );
        self.browser.run(&script);
    }

    fn picture(&self, name: &str) {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target");
        let path = target.join("report-screenshots").join(format!("playground-{name}.png"));
        self.browser.screenshot(&path);
    }

    fn is_silent(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        for address in self.browser.requests() {
            let own = address.starts_with(&self.address) || address.starts_with("data:");
            assert!(own || address == "about:blank" || address.starts_with("blob:"), "{address}");
        }
    }
}

/// From the address to a page whose engine is compiled: under three seconds, in the best of three attempts.
fn loads_quickly(page: &Page) {
    let once = || {
        page.open("");
        let script = "return performance.getEntriesByType('resource')
          .filter((entry) => entry.name.endsWith('.wasm') || entry.name.endsWith('.json'))
          .map((entry) => entry.responseEnd)";
        page.wait("performance.getEntriesByName(new URL('taut.wasm', location).href).length");
        let ends = page.browser.run(script);
        let ends = ends.as_array().expect("entries").iter().filter_map(Value::as_f64);
        ends.fold(0.0, f64::max)
    };
    let best = (0..3).map(|_| once()).fold(f64::INFINITY, f64::min);
    eprintln!("loaded in {best:.0} ms");
    assert!(best < 3_000.0, "{best} ms");
    assert_eq!(page.browser.run("return document.title"), json!("peterson.taut · Taut"));
    page.picture("first");
    page.is_silent();
}

fn checks_the_first_example(page: &Page) {
    let started = Instant::now();
    page.browser.click("[data-task=check]");
    page.wait("window.tautReport");
    eprintln!("first verdict in {:.0?}", started.elapsed());
    assert_eq!(page.status(), "Done: violated under TSO.");
    page.picture("check");
    page.browser.click("[data-task=repair]");
    page.wait("document.querySelector('.repair')");
    assert_eq!(page.status(), "Done: fixed.");
    page.picture("repair");
    page.is_silent();
}

fn a_link_is_a_counterexample(page: &Page) {
    page.set("mine.taut", include_str!("../../../../examples/mp.taut"));
    page.set_field("bound", "3");
    page.browser.click("input[value=pso]");
    page.browser.click("[data-task=check]");
    page.wait("document.querySelector('[role=status]').textContent.startsWith('Done')");
    let before = page.browser.text(".run h2");
    page.browser.run("[...document.querySelectorAll('.file-buttons button')].find((b) => b.textContent === 'Link').click()");
    page.wait("document.querySelector('.linking[open] .link-text')?.value");
    page.picture("link");
    let link = page.browser.run("return document.querySelector('.link-text').value");
    let link = link.as_str().expect("a link");
    let (_, fragment) = link.split_once('#').expect("a fragment");
    assert!(fragment.len() < 1500, "{}", fragment.len());
    // Another browser knows nothing of this one's storage.
    page.browser.run("sessionStorage.clear()");
    page.browser.run("window.addEventListener('pagehide', () => sessionStorage.clear())");
    page.open(&format!("#{fragment}"));
    page.wait("window.tautReport");
    assert_eq!(page.status(), "Done: violated under PSO.");
    assert_eq!(page.browser.text(".run h2"), before);
    assert_eq!(
        page.browser.run("return document.querySelector('.name').value"),
        json!("mine.taut")
    );
    assert_eq!(page.browser.run("return document.getElementById('bound').value"), json!("3"));
    assert_eq!(page.browser.run("return document.title"), json!("mine.taut · Taut"));
    // An address that names a program is not that of another one.
    page.set("mine.taut", "shared bool x;");
    assert_eq!(page.browser.run("return location.hash"), json!(""));
    page.is_silent();
}

fn a_damaged_link_says_so(page: &Page) {
    for fragment in ["#taut1=zzzz", "#taut1=", "#taut1=%%%", "#taut1=AAAA"] {
        page.open(fragment);
        page.wait("document.querySelector('.trouble-message')");
        assert!(page.browser.text(".trouble-message").contains("damaged"), "{fragment}");
    }
    page.open("#something-else");
    assert_eq!(page.browser.count(".trouble-message"), 0);
}

fn help_is_at_hand(page: &Page) {
    page.open("");
    page.browser.run("[...document.querySelectorAll('.file-buttons button')].find((b) => b.textContent === 'Help').click()");
    page.wait("document.querySelector('.book-dialog[open] .help-text h2')");
    assert_eq!(page.browser.text(".help-text h2"), "Cheat sheet");
    page.picture("help");
    let chapters = page.browser.count(".chapter");
    assert!(chapters >= 8, "{chapters}");
    page.browser.click(".chapter[data-file='language.md']");
    page.wait("document.querySelector('.help-text h2')?.textContent !== 'Cheat sheet'");
    assert!(page.browser.count(".help-text pre") > 5);
    page.picture("help-language");
    page.browser.run("document.querySelector('.book-dialog').close()");
    page.is_silent();
}

/// A program with a violation that is found at once, and a search that has no end in sight.
const LONG: &str = "\
shared 0..1 x = 0;
shared 0..200 a = 0;
shared 0..200 b = 0;
shared 0..200 c = 0;
shared 0..200 d = 0;
process one begin loop { a := (a + 1) % 200; x := 1; } end
process two begin loop { b := (b + 1) % 200; } end
process three begin loop { c := (c + 1) % 200; } end
process four begin loop { d := (d + 1) % 200; } end
forbid early: x == 1;
forbid late: a == 199 && b == 199 && c == 199 && d == 199;
";

fn cancelling_keeps_what_is_known(page: &Page) {
    page.open("");
    page.set("long.taut", LONG);
    page.browser.click("[data-task=compare]");
    page.wait("document.querySelector('.counts-line').textContent.includes('state')");
    page.wait(
        "document.querySelector('.known-line').textContent.startsWith('Known: violated under SC')",
    );
    page.picture("progress");
    page.browser.click(".cancel");
    let status = page.status();
    assert!(status.starts_with("Cancelled. Known until then: violated under SC"), "{status}");
    assert_eq!(page.browser.text(".run h2"), "early is violated under SC");
    page.picture("cancelled");
    // The next job has a worker of its own.
    page.set("sb.taut", include_str!("../../../../examples/sb.taut"));
    page.browser.click("[data-task=check]");
    page.wait("document.querySelector('[role=status]').textContent.startsWith('Done')");
    page.is_silent();
}

fn limits_end_in_unknown(page: &Page) {
    page.open("");
    page.set("long.taut", &LONG.replace("forbid early: x == 1;\n", ""));
    page.set_field("seconds", "1.5");
    page.browser.click("[data-task=check]");
    page.wait("document.querySelector('[role=status]').textContent.startsWith('Done')");
    assert!(page.status().contains("unknown"), "{}", page.status());
    page.set_field("seconds", "");
}

fn mistakes_have_their_places(page: &Page) {
    page.open("");
    page.set("bad.taut", "shared bool x = 0;\nprocess p begin\n  x = 1;\nend\n");
    page.browser.click("[data-task=check]");
    page.wait("document.querySelector('.message.error')");
    assert!(page.browser.text(".message.error .to-line").contains("line 3"));
    // A program cannot ask for files.
    page.set("include.c", "#include \"/etc/passwd\"\nint main(void) { return 0; }\n");
    page.browser.click("[data-task=check]");
    page.wait("document.querySelector('.message.error .to-line')?.textContent === 'line 1'");
    page.picture("mistake");
    page.is_silent();
}

/// Starts a job in a worker of the page, beside the page's own; what it says is kept in `window.said`.
const JOB: &str = "
  window.said = [];
  window.last = undefined;
  const worker = new Worker('worker.js');
  worker.onmessage = ({ data }) => {
    const event = data.event ? JSON.parse(data.event) : { event: 'ended', why: data.ended };
    window.said.push(event.event);
    if (!['progress', 'partial'].includes(event.event)) {
      window.last ??= event;
      worker.terminate();
    }
  };
  // Not `window.engine`: the page has an element with that id.
  window.compiledHere ??= WebAssembly.compileStreaming(fetch('taut.wasm'));
  window.compiledHere.then((module) => worker.postMessage({ module, job: JSON.stringify(job) }));";

fn answers_are_those_of_the_native_engine(page: &Page) {
    page.open("");
    let mut compared = 0;
    for example in EXAMPLES {
        for task in ["check", "repair"] {
            let job = json!({
                "task": task, "name": example.name, "language": example.language, "text": example.text,
                "model": example.model, "engine": "auto", "seconds": LIMITS.seconds,
                "memory_mib": LIMITS.memory_mib,
            });
            let started = Instant::now();
            page.browser.run(&format!("const job = {job};{JOB}"));
            page.wait("window.last");
            let there = page.browser.run("return window.last");
            let took = started.elapsed();
            let here = native(&job);
            eprintln!("{task} {}: {took:.1?}, {:.1?} here", example.name, started.elapsed() - took);
            assert_eq!(known(there), known(here), "{task} {}", example.name);
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * EXAMPLES.len());
    page.is_silent();
}

/// Every program of `examples/`: the report is that of the native engine, where both come to an end in time.
fn every_example_has_its_verdicts(page: &Page) {
    page.open("");
    let (mut compared, mut late) = (0, Vec::new());
    for path in programs() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a text");
        let language = language(&path).expect("a program");
        let job = json!({
            "task": "check", "name": name, "language": language, "text": text, "model": "tso",
            "engine": "auto", "seconds": 10.0, "memory_mib": LIMITS.memory_mib,
        });
        page.browser.run(&format!("const job = {job};{JOB}"));
        page.wait("window.last");
        let (there, here) = (page.browser.run("return window.last"), native(&job));
        if there.to_string().contains(" was met") || here.to_string().contains(" was met") {
            late.push(name);
            continue;
        }
        assert_eq!(known(there), known(here), "{}", path.display());
        compared += 1;
    }
    eprintln!("{compared} examples compared, later than 10 s: {late:?}");
    assert!(compared >= 190, "{compared}");
}

/// The programs of `examples/`, in all its folders.
fn programs() -> Vec<PathBuf> {
    let mut folders = vec![taut_testkit::suite::root().join("examples")];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if language(&path).is_some() {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// The language of a program by the ending of its name.
fn language(path: &Path) -> Option<&str> {
    let ending = path.extension()?.to_str()?;
    match ending {
        "pml" => Some("promela"),
        "taut" | "c" | "dve" | "rmm" | "litmus" => Some(ending),
        _ => None,
    }
}

/// On a small screen nothing sticks out at the side.
fn it_fits_a_telephone(page: &Page) {
    page.browser.resize(390, 844);
    page.open("");
    page.set("peterson.taut", include_str!("../../../../examples/peterson.taut"));
    page.picture("telephone");
    page.browser.click("[data-task=check]");
    page.wait("window.tautReport");
    page.picture("telephone-check");
    for _ in 0..2 {
        let wide = "return document.documentElement.scrollWidth - innerWidth";
        let wide = page.browser.run(wide);
        assert!(wide.as_f64().is_some_and(|more| more <= 0.0), "{wide} pixels too wide");
        page.browser.run("document.querySelector('.run')?.scrollIntoView()");
        page.picture("telephone-run");
    }
    page.browser.resize(1280, 1000);
}

/// What comes of a job in this process.
fn native(job: &Value) -> Value {
    let job = serde_json::from_value(job.clone()).expect("a job");
    let telling = taut_job::begin(&job, None, Arc::new(|_| {}));
    serde_json::to_value(taut_job::run(&job, 1, &telling)).expect("JSON")
}

/// An event without its times. A model that is only compared with may not be finished in its time on a slow machine; then its
/// answers are left out.
fn known(mut event: Value) -> Value {
    forget_times(&mut event);
    event
}

fn forget_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in ["seconds", "limit_seconds", "bytes"] {
                fields.remove(name);
            }
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        // A browser rounds numbers beyond 2^53, such as the one that stands for "no value yet" in a C program.
        Value::Number(number) if number.as_f64().is_some_and(|n| n.abs() >= 9.0e15) => {
            *value = Value::Null;
        }
        _ => {}
    }
}
