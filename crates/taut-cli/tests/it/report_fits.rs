//! Pages that fit: nothing is clipped and nothing overlaps, with two, four and eight processes, on large and small
//! windows; graphs fit the window.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;
use taut_testkit::browser::Browser;

use crate::command::{code, path, scratch, stderr, taut};

fn picture(browser: &Browser, name: &str) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target");
    browser.screenshot(&target.join("report-screenshots").join(name));
}

/// Processes that take turns, with long names and local steps, and one that never moves.
fn program(processes: usize) -> String {
    let mut text = format!("const N = {processes};\n");
    let _ = write!(
        text,
        "shared 0..N turn_of_the_process = 0;
shared 0..7 a_rather_long_name_of_an_array[N];
process p[N](i) {{
  int first = 0;
  int second = 0;
  await(turn_of_the_process == i);
  a_rather_long_name_of_an_array[i] := 3;
  first := first + 1;
  second := first * 2;
  second := a_rather_long_name_of_an_array[(i + 1) % N] + a_rather_long_name_of_an_array[i];
  if (second == 3 && (first > 0)) {{ first := 0; }}
  turn_of_the_process := i + 1;
  fence;
}}
process idle {{ await(turn_of_the_process == 7 * N); }}
forbid all_had_their_turn: turn_of_the_process == N;
"
    );
    text
}

fn write(arguments: &[&str]) {
    let output = taut(arguments);
    assert!(code(&output) <= 2, "{}", stderr(&output));
}

/// What is wrong with a page, in words. Text is clipped if it is larger than what hides it, or sticks out of the box it
/// is in; rows overlap if one begins before the one above it ends.
const FAULTS: &str = r#"
const faults = [];
const say = (what, element) => faults.push(`${what}: ${element.className} ${element.textContent.slice(0, 60)}`);
const hides = (value) => value === "hidden" || value === "clip";
for (const element of document.querySelectorAll(".taut-report *")) {
  const style = getComputedStyle(element);
  if (element.closest(".only-heard, .paper, svg") || style.display === "inline" || !element.clientWidth) continue;
  const wide = element.scrollWidth > element.clientWidth + 1;
  const high = element.scrollHeight > element.clientHeight + 1;
  if ((hides(style.overflowX) && wide) || (hides(style.overflowY) && high)) say("clipped", element);
  if (element.matches(".card, .chip, .effects, .act, .rule") && wide) say("sticks out", element);
}
const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
  && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
const rows = [...document.querySelectorAll(".rows > .row, .rows > .rule")];
const boxes = rows.map((row) => row.getBoundingClientRect());
rows.forEach((row, index) => {
  const above = boxes.filter((box) => box.top < boxes[index].top);
  if (above.some((box) => box.bottom > boxes[index].top + 1)) say("overlaps", row);
  const cards = [...row.querySelectorAll(".card, .number, .effects:not(:empty)")];
  const rects = cards.map((card) => card.getBoundingClientRect());
  cards.forEach((card, i) => {
    if (!inside(rects[i], boxes[index])) say("out of its row", card);
    const sticky = (at) => cards[at].matches(".effects");
    const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    rects.forEach((other, j) => {
      // The memory column stays in view, over lanes that are scrolled away under it.
      if (j > i && !sticky(i) && !sticky(j) && meets(rects[i], other)) say("meets its neighbour", card);
    });
  });
});
const page = document.documentElement;
if (page.scrollWidth > page.clientWidth) faults.push(`the page is ${page.scrollWidth} wide`);
return faults;
"#;

#[test]
fn nothing_is_clipped_and_nothing_overlaps() {
    let browser = Browser::start();
    for processes in [2, 4, 8] {
        let source = scratch(&format!("turns{processes}.taut"), program(processes));
        let page = scratch(&format!("turns{processes}.html"), "");
        write(&["check", path(&source), "--model", "tso", "--report", path(&page)]);
        for width in [1280, 390] {
            browser.resize(width, 900);
            browser.open_file(&page);
            browser.wait_for("window.tautReport");
            fits(&browser, &format!("{processes} processes, {width} pixels"));
            picture(&browser, &format!("turns-{processes}-{width}.png"));
        }
        memory_stays_in_view(&browser, &page);
        idle_lanes_are_folded(&browser, processes);
    }
}

/// Looks at the start, in the middle, at the end, and with all rows unfolded.
fn fits(browser: &Browser, when: &str) {
    for position in ["0", "Math.floor(length / 2)", "length"] {
        browser.run(&format!(
            "const length = window.tautReport.length(); window.tautReport.go({position});"
        ));
        assert_eq!(browser.run(FAULTS), json!([]), "{when}, row {position}");
    }
    assert!(browser.count(".row.fold") > 0, "{when}: local steps are folded");
    browser.click(".folds");
    assert_eq!(browser.count(".row.fold"), 0, "{when}: all rows are shown");
    assert_eq!(browser.run(FAULTS), json!([]), "{when}, unfolded");
    browser.click(".folds");
    assert!(browser.count(".row.fold") > 0, "{when}: and folded again");
    let one = browser.run(
        "const fold = document.querySelector('.row.fold');
         fold.click();
         return document.querySelectorAll(`[data-fold='${fold.dataset.fold}']`).length;",
    );
    assert_eq!(one, json!(0), "{when}: a click unfolds one");
    assert_eq!(browser.run(FAULTS), json!([]), "{when}, one unfolded");
}

/// However far the lanes are scrolled, memory is at the right.
fn memory_stays_in_view(browser: &Browser, page: &Path) {
    browser.resize(1280, 900);
    browser.open_file(page);
    let script = "const diagram = document.querySelector('.diagram');
        const room = diagram.getBoundingClientRect();
        return [0, diagram.scrollWidth].map((left) => {
          diagram.scrollLeft = left;
          const head = document.querySelector('.memory-head').getBoundingClientRect();
          return head.left >= room.left && head.right <= room.right + 1 && head.width > 100;
        });";
    assert_eq!(browser.run(script), json!([true, true]));
}

fn idle_lanes_are_folded(browser: &Browser, processes: usize) {
    assert_eq!(browser.count(".machine > .lane-head"), processes as u64 + 1, "and memory");
    assert_eq!(browser.text(".idle summary"), "1 process does not move: idle");
}

#[test]
fn a_graph_fits_the_window_and_can_be_moved_and_magnified() {
    let browser = Browser::start();
    let page = scratch("graph.html", "");
    write(&["graph", "examples/lw_two_writers.taut", "--model", "tso", "-o", path(&page)]);
    let fits = "const room = document.documentElement;
        const box = document.querySelector('svg > rect').getBoundingClientRect();
        return box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1
          && room.scrollWidth <= innerWidth && room.scrollHeight <= innerHeight;";
    for width in [1280, 390] {
        browser.resize(width, 800);
        browser.open_file(&page);
        assert_eq!(browser.run(fits), json!(true), "{width} pixels");
        picture(&browser, &format!("graph-{width}.png"));
    }
    let seen = || browser.run("return document.querySelector('svg').getAttribute('viewBox')");
    let all = seen();
    browser.click("#closer");
    let closer = seen();
    assert_ne!(closer, all);
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }))");
    assert_ne!(seen(), closer, "it has moved");
    browser.click("#fit");
    assert_eq!(seen(), all);
    assert_eq!(browser.console(), Vec::<String>::new());
}
