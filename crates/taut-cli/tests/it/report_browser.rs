//! The report in a real browser: what it draws, how it is stepped through, and that it keeps to itself.
//!
//! One browser serves all of it, one page after the other; pictures of the main views are kept in
//! `report-screenshots` of the target folder.

use crate::command;

use std::path::{Path, PathBuf};

use command::{code, path, scratch, stderr, taut};
use serde_json::{Value, json};
use taut_testkit::browser::{Browser, LONG_RUN, key};

/// Text that would like to be markup.
const HOSTILE: &str = "\
/* </script><script>window.hacked = 1</script><!--<script> <img src=x onerror='window.hacked = 1'> */
byte x;
active proctype p() { printf(\"</script><b>bold</b>&amp;\\n\"); assert(x == 1) }
";

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target").join("report-screenshots")
}

/// A page that `taut check` wrote.
fn report(name: &str, arguments: &[&str]) -> PathBuf {
    let page = scratch(&format!("{name}.html"), "");
    let output = taut(&[&["check"], arguments, &["--report", path(&page)]].concat());
    assert!(code(&output) <= 2, "{}", stderr(&output));
    page
}

fn example(name: &str) -> String {
    format!("examples/{name}")
}

struct View {
    browser: Browser,
}

impl View {
    /// Opens a page, which must be silent and alone.
    fn open(&self, page: &Path) {
        self.browser.requests();
        self.browser.open_file(page);
        self.browser.wait_for("window.tautReport");
        self.is_silent_and_alone();
    }

    fn is_silent_and_alone(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        for address in self.browser.requests() {
            assert!(address.starts_with("file://") || address == "data:,", "{address}");
        }
    }

    fn picture(&self, name: &str) {
        self.browser.screenshot(&pictures().join(format!("{name}.png")));
    }

    fn position(&self) -> u64 {
        self.browser.run("return tautReport.position()").as_u64().expect("a position")
    }

    fn go(&self, position: u64) {
        self.browser.run(&format!("tautReport.go({position})"));
    }

    /// The chips in the queue of a lane, oldest first.
    fn queue(&self, lane: u64) -> Value {
        self.browser.run(&format!(
            "const head = document.querySelectorAll('.lane-head')[{lane}];
             return [...head.querySelectorAll('.queue .chip')].map((chip) =>
               [...chip.children].map((part) => part.textContent).join('='))"
        ))
    }

    fn memory(&self) -> Value {
        self.browser.run(
            "return [...document.querySelectorAll('.memory-head .chip')].map((chip) =>
               [...chip.children].map((part) => part.textContent).join('='))",
        )
    }
}

#[test]
fn the_report_in_a_browser() {
    let view = View { browser: Browser::start() };
    view.browser.resize(1440, 1000);
    view.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    draws_lanes_and_rows(&view);
    steps_with_keys_and_slider(&view);
    plays(&view);
    shows_sources(&view);
    can_be_used_with_keys_alone(&view);
    is_light_and_dark(&view);
    fits_small_and_large_pages(&view);
    prints_every_row(&view);
    marks_the_cycle(&view);
    draws_channels_and_rendezvous(&view);
    takes_text_for_text(&view);
    steps_fast_through_long_runs(&view);
    shows_verdicts_without_runs(&view);
    can_be_mounted_elsewhere(&view);
    lets_nothing_out(&view);
}

fn draws_lanes_and_rows(view: &View) {
    view.open(&report("peterson", &[&example("peterson.taut")]));
    let browser = &view.browser;
    let lanes = browser.run(
        "return [...document.querySelectorAll('.machine .process')].map((name) => name.textContent)",
    );
    assert_eq!(lanes, json!(["p[0]", "p[1]", "memory"]));
    assert_eq!(browser.count(".rows [role=option]"), 7, "the start and six rows");
    assert_eq!(browser.count(".lifelines .hue-0"), 1);
    assert_eq!(browser.count("thead th"), 4, "a column for each model");
    assert_eq!(browser.count(".badge.violated"), 3, "TSO, PSO and all in all");
    assert!(browser.text(".story").contains("was still in its buffer"));
    assert_eq!(browser.count(".mark.late"), 1);
    assert_eq!(view.queue(0), json!([]));
    view.go(2);
    assert_eq!(view.queue(0), json!(["flag[0]=1", "turn=1"]));
    assert_eq!(view.memory(), json!(["flag[0]=0", "flag[1]=0", "turn=0"]));
    view.go(6);
    assert!(browser.text(".now").contains("is violated"));
    view.picture("peterson-light");

    // The run under PSO, by its button; its link to a row.
    browser.click(".show-run[data-run='1']");
    assert_eq!(browser.text(".run h2"), "mutex is violated under PSO");
    browser.click(".to-row");
    assert_eq!(view.position(), 1);
    view.is_silent_and_alone();
}

fn steps_with_keys_and_slider(view: &View) {
    view.open(&report("late", &[&example("late_toggles.taut"), "--model", "tso"]));
    let browser = &view.browser;
    let length = browser.run("return tautReport.length()").as_u64().expect("a length");
    assert!(length > 40);
    let presses = [
        (key::RIGHT, 3, 3),
        (key::LEFT, 1, 2),
        (key::DOWN, 2, 4),
        (key::UP, 1, 3),
        (key::PAGE_DOWN, 1, 13),
        (key::PAGE_UP, 1, 3),
        (key::END, 1, length),
        (key::RIGHT, 1, length),
        (key::HOME, 1, 0),
        (key::LEFT, 1, 0),
    ];
    for (pressed, times, position) in presses {
        browser.press(pressed, times);
        assert_eq!(view.position(), position);
        let selected = browser.run(
            "return [...document.querySelectorAll('[aria-selected=true]')]
               .map((row) => Number(row.dataset.position))",
        );
        assert_eq!(
            selected,
            json!([position]),
            "one row is the current one, and it is in the page"
        );
    }
    browser.run(
        "const slider = document.querySelector('input[type=range]');
         slider.value = 20; slider.dispatchEvent(new Event('input'))",
    );
    assert_eq!(view.position(), 20);
    browser.run("document.querySelector('input[type=range]').focus()");
    browser.press(key::RIGHT, 2);
    assert_eq!(view.position(), 22);
    assert_eq!(browser.text(".where"), format!("row 22 of {length}"));

    // Stepping there, jumping there and coming back shows the same machine.
    let here = (view.queue(0), view.queue(1), view.memory());
    view.go(length);
    view.go(22);
    assert_eq!((view.queue(0), view.queue(1), view.memory()), here);
    view.is_silent_and_alone();
}

fn plays(view: &View) {
    view.go(0);
    view.browser.run("document.activeElement.blur()");
    view.browser.press(key::SPACE, 1);
    view.browser.wait_for("tautReport.position() >= 2");
    view.browser.press(key::SPACE, 1);
    assert_eq!(
        view.browser.run("return document.querySelector('.play').ariaPressed"),
        json!("false")
    );
}

fn shows_sources(view: &View) {
    scratch("shown.h", "inline set(n) {\n  x = n;\n  assert(x == 0)\n}\n");
    let text = "#include \"shown.h\"\nbyte x;\nactive proctype p() {\n  skip;\n  set(1)\n}\n";
    let model = scratch("shown.pml", text);
    view.open(&report("shown", &[path(&model), "--model", "sc"]));
    let marked =
        "return [...document.querySelectorAll('.line.now')].map((line) => line.dataset.line)";
    view.go(1);
    assert_eq!(view.browser.run(marked), json!(["4"]));
    assert_eq!(view.browser.run("return document.querySelector('select').value"), json!("0"));
    view.go(2);
    assert_eq!(view.browser.run(marked), json!(["2"]));
    assert_eq!(view.browser.run("return document.querySelector('select').value"), json!("1"));
    let goes_on = "return document.querySelector('.here').closest('.line').dataset.line";
    assert_eq!(view.browser.run(goes_on), json!("3"));
    view.is_silent_and_alone();
}

/// The tabulator visits everything once and comes around, and what has the focus is marked.
fn can_be_used_with_keys_alone(view: &View) {
    view.open(&report("peterson", &[&example("peterson.taut")]));
    let mut visited = Vec::new();
    for _ in 0..60 {
        view.browser.press(key::TAB, 1);
        let now = view.browser.run(
            "const now = document.activeElement;
             if (now === document.body) return null;
             const style = getComputedStyle(now);
             const name = now.getAttribute('aria-label') || now.textContent;
             return [name, style.outlineStyle, parseFloat(style.outlineWidth) > 0]",
        );
        if now.is_null() {
            break;
        }
        assert_eq!((&now[1], &now[2]), (&json!("solid"), &json!(true)), "{now}");
        visited.push(now[0].as_str().unwrap_or_default().to_string());
    }
    assert!(visited.len() < 60, "no way out: {visited:?}");
    for wanted in ["play", "row", "the run, row by row", "source", "to the end"] {
        assert_eq!(visited.iter().filter(|v| *v == wanted).count(), 1, "{wanted}: {visited:?}");
    }
}

fn is_light_and_dark(view: &View) {
    let background = || {
        view.browser
            .run("return getComputedStyle(document.querySelector('.taut-report')).backgroundColor")
    };
    let light = background();
    view.browser.prefer("screen", &[("prefers-color-scheme", "dark")]);
    let dark = background();
    assert_ne!(light, dark);
    view.go(4);
    view.picture("peterson-dark");
    view.browser.click(".theme");
    assert_eq!(background(), light, "light, whatever the system says");
    view.browser.click(".theme");
    assert_eq!(background(), dark);
    view.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    assert_eq!(background(), dark, "dark, whatever the system says");
}

fn fits_small_and_large_pages(view: &View) {
    view.open(&report("peterson", &[&example("peterson.taut")]));
    for (width, height) in [(360, 1600), (768, 1200), (1920, 1080)] {
        view.browser.resize(width, height);
        view.go(6);
        let wide = view.browser.run("return document.documentElement.scrollWidth");
        assert_eq!(wide, json!(width), "nothing sticks out");
        let smallest = view.browser.run(
            "return Math.min(...[...document.querySelectorAll('.card code, .now, .story li, .line code')]
               .map((part) => parseFloat(getComputedStyle(part).fontSize)))",
        );
        assert!(smallest.as_f64().expect("a size") >= 12.0, "{smallest}");
        view.picture(&format!("peterson-{width}"));
    }
    view.browser.resize(1440, 1000);
}

fn prints_every_row(view: &View) {
    view.browser.prefer("print", &[]);
    view.browser.wait_for("document.querySelector('.paper table')");
    let rows = view.browser.count(".paper section:first-child tbody tr");
    assert_eq!(rows, 7);
    let hidden = view.browser.run("return document.querySelector('.stage').offsetHeight");
    assert_eq!(hidden, json!(0), "what is for stepping is not for paper");
    view.picture("peterson-print");
    view.browser.prefer("screen", &[("prefers-color-scheme", "light")]);
    view.browser.wait_for("!document.querySelector('.paper table')");
}

fn marks_the_cycle(view: &View) {
    view.open(&report("polite", &[&example("polite_lock.taut"), "--model", "tso"]));
    let browser = &view.browser;
    view.browser.resize(1440, 1800);
    let length = browser.run("return tautReport.length()").as_u64().expect("a length");
    view.go(length);
    let cyclic = browser.run(
        "return Math.min(...[...document.querySelectorAll('.row.cyclic')]
           .map((row) => Number(row.dataset.position)))",
    );
    let said = browser.run(
        "return [...document.querySelectorAll('.rule.cycle')].map((rule) => rule.textContent).sort()",
    );
    assert_eq!(said[0], json!(format!("↺ and again from row {cyclic}")));
    assert_eq!(said[1], json!("↻ cycle: from here on, repeated for ever"));
    assert_eq!(browser.count(".atom.false"), 2);
    view.picture("lasso");
    // Playing goes around.
    browser.run("document.activeElement.blur()");
    browser.press(key::SPACE, 1);
    browser.wait_for(&format!("tautReport.position() === {cyclic}"));
    browser.press(key::SPACE, 1);
    view.browser.resize(1440, 1000);
    view.is_silent_and_alone();
}

fn draws_channels_and_rendezvous(view: &View) {
    let text = "chan q = [2] of { byte };\nchan r = [0] of { byte };\nbyte x;\n\
                active proctype s() { q!3; r!7; x = 1 }\n\
                active proctype t() { byte a; r?a; q?a; assert(a == 7) }\n";
    let model = scratch("channels.pml", text);
    view.open(&report("channels", &[path(&model), "--model", "tso"]));
    view.go(1);
    assert!(view.browser.text(".memory-head").contains("q[3]"));
    assert_eq!(view.browser.count(".row.handshake .wire.message.right"), 1);
    assert_eq!(view.browser.count(".row.handshake .card"), 2);
    view.go(2);
    assert!(view.browser.text(".now").contains("s (line 4): r!7; t (line 5): r?a → 7"));
    view.picture("channels");
}

fn takes_text_for_text(view: &View) {
    let model = scratch("<img src=x onerror=hacked=1>.pml", HOSTILE);
    view.open(&report("hostile", &[path(&model), "--model", "sc"]));
    let browser = &view.browser;
    assert_eq!(browser.run("return window.hacked ?? null"), Value::Null);
    assert_eq!(browser.count("img, b b, .lines b"), 0);
    assert_eq!(browser.count("script"), 2);
    let first = browser.text(".line code");
    assert_eq!(first, HOSTILE.lines().next().expect("a line"));
    assert!(browser.text("h1").contains("<img src=x onerror=hacked=1>"));
    assert!(
        browser.text(".rows").contains("</script><b>bold</b>&amp;"),
        "{}",
        browser.text(".rows")
    );
}

/// 30 frames per second: a step must take less than 33 ms, with everything that the browser computes before
/// it paints.
fn steps_fast_through_long_runs(view: &View) {
    let program = scratch("long.taut", LONG_RUN);
    let arguments = [path(&program), "--model", "tso", "--engine", "explicit", "--bound", "1"];
    let page = report("long", &arguments);
    view.open(&page);
    let browser = &view.browser;
    let length = browser.run("return tautReport.length()").as_u64().expect("a length");
    assert!(length >= 2000, "{length}");
    assert!(browser.count(".rows [role=option]") < 100, "only what can be seen is in the page");
    let times = browser.run(
        "const times = [];
         for (const start of [0, 900, 1850]) {
           tautReport.go(start);
           for (let i = 1; i <= 50; i++) {
             const before = performance.now();
             tautReport.go(start + i);
             document.body.offsetHeight;
             times.push(performance.now() - before);
           }
         }
         times.sort((a, b) => a - b);
         return [times[times.length >> 1], times[Math.floor(times.length * 0.8)]]",
    );
    let median = times[0].as_f64().expect("a time");
    println!("a step of the view takes {median:.1} ms, 80 in 100 at most {} ms", times[1]);
    assert!(median < 33.0, "{times}");
    view.go(length);
    assert_eq!(browser.count("[aria-selected=true]"), 1);
    view.picture("long");
}

fn shows_verdicts_without_runs(view: &View) {
    view.open(&report("live", &[&example("peterson_live.taut"), "--model", "sc"]));
    assert_eq!(view.browser.count(".run"), 0);
    assert!(view.browser.count(".badge.holds") >= 4);
    assert!(view.browser.count(".line") > 10, "the source is shown");
    view.browser.press(key::RIGHT, 1);
    view.is_silent_and_alone();
    view.picture("holds");
}

/// What `taut serve` will do: the view in an element of another page, and out of it again.
fn can_be_mounted_elsewhere(view: &View) {
    view.open(&report("peterson", &[&example("peterson.taut")]));
    let left = view.browser.run(
        "tautReport.unmount();
         const empty = document.getElementById('taut-report').childElementCount;
         const host = document.body.appendChild(document.createElement('div'));
         const data = JSON.parse(document.getElementById('taut-report-data').textContent);
         window.second = mountReport(host, data);
         second.go(3);
         return empty",
    );
    assert_eq!(left, json!(0));
    view.browser.press(key::RIGHT, 1);
    assert_eq!(view.browser.run("return second.position()"), json!(4));
    assert_eq!(view.browser.count(".rows [role=option]"), 7);
    view.is_silent_and_alone();
}

/// Even code that got into the page could load nothing and send nothing.
fn lets_nothing_out(view: &View) {
    let outcome = view
        .browser
        .run("return fetch('http://127.0.0.1:9/').then(() => 'sent', (error) => error.name)");
    assert_eq!(outcome, json!("TypeError"));
    let said = view.browser.console().join("\n");
    assert!(said.contains("Content Security Policy"), "{said}");
    let inline = view.browser.run(
        "const script = document.createElement('script');
         script.textContent = 'window.hacked = 1';
         document.body.append(script);
         return window.hacked ?? null",
    );
    assert_eq!(inline, Value::Null);
}
