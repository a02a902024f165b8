//! Check, compare and repair, progress, cancelling, and what goes wrong.

use serde_json::json;
use taut_testkit::browser::key;

use crate::serve_browser::page::Page;
use crate::serve_support::{endless, example, soon};

/// What is typed: the editor keeps the indentation, so only the first line of a body has one.
const TYPED: &str = "\
shared bool x = 0;
shared bool y = 0;
process p begin
  local bool r;
x := 1;
r := y;
done: ;
end
process q begin
  local bool r;
y := 1;
r := x;
done: ;
end
forbid both: p@done && q@done && p:r == 0 && q:r == 0;";

pub fn checks_what_is_typed(page: &Page) {
    page.set("typed.taut", "");
    page.choose_model("tso");
    page.browser.click(".area");
    page.browser.write(TYPED);
    assert!(page.program().contains("  local bool r;\n  x := 1;\n  r := y;\n"));
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

pub fn compares(page: &Page) {
    page.set("mp.taut", &example("mp.taut"));
    page.finish("compare");
    let verdicts = page.run(
        "return [...document.querySelectorAll('.verdicts tbody tr:first-child td')]
           .map((cell) => [cell.dataset.model, cell.querySelector('.badge').textContent.slice(2)])",
    );
    assert_eq!(verdicts, json!([["SC", "holds"], ["TSO", "holds"], ["PSO", "violated"]]));
    assert_eq!(page.status(), "Done: holds under SC, TSO; violated under PSO.");
    page.picture("compare");
    page.is_silent_and_alone();
}

pub fn repairs_and_takes_over(page: &Page) {
    page.set("peterson.taut", &example("peterson.taut"));
    page.finish("repair");
    assert_eq!(page.status(), "Done: fixed.");
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

/// Asks for a check that takes longer than any test.
fn ask_for_long(page: &Page) {
    let job = endless();
    let of = |field: &str| job[field].as_str().expect("a text").to_string();
    page.set(&of("name"), &of("text"));
    page.choose_model(&of("model"));
    page.choose_engine(&of("engine"));
    page.browser.click("[data-task=check]");
    page.choose_engine("auto");
}

pub fn shows_progress_and_cancels(page: &Page) {
    ask_for_long(page);
    page.browser.wait_for(
        "/states · .* a second/.test(document.querySelector('.counts-line').textContent)",
    );
    assert_eq!(page.browser.text(".stage-name"), "Checking under TSO");
    assert!(page.browser.text(".clock-line").ends_with(" s of 20 s"));
    let bar =
        page.run("const bar = document.querySelector('progress'); return [bar.max, bar.value > 0]");
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

pub fn waits_for_others(page: &Page) {
    let mut runs = page.server.served.events(&endless());
    assert_eq!(runs.next().expect("an event")["event"], "started");
    let mut waits = page.server.served.events(&endless());
    assert_eq!(waits.next().expect("an event")["event"], "waiting");
    ask_for_long(page);
    let says = |selector: &str, start: &str| {
        page.browser.wait_for(&format!(
            "document.querySelector('{selector}').textContent.startsWith('{start}')"
        ));
    };
    says(".stage-name", "Waiting");
    says(".clock-line", "1 job ahead");
    drop(waits);
    says(".clock-line", "next in line");
    drop(runs);
    says(".stage-name", "Checking");
    page.browser.click(".cancel");
    soon("the jobs are gone", || page.server.health() == (0, 0));
}

/// Wrong numbers are for the page to say; what the server refuses is shown in its words.
pub fn refuses_what_cannot_be_asked(page: &Page) {
    page.set("peterson.taut", &example("peterson.taut"));
    let seconds = "const field = document.querySelector('#seconds');";
    page.run(&format!("{seconds} field.value = 999; field.dispatchEvent(new Event('input'))"));
    page.browser.click("[data-task=check]");
    assert_eq!(page.status(), "Time is a number from 0.1 to 20, or empty.");
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

pub fn tells_that_the_server_is_gone(page: Page) {
    let Page { browser, server } = page;
    drop(server);
    browser.click("[data-task=check]");
    browser.wait_for("document.querySelector('.trouble')");
    assert!(browser.text(".trouble-message").contains("The server does not answer."));
    assert!(browser.text(".trouble-hint").contains("taut serve"));
}
