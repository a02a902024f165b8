//! The editor: examples, keys, marks, files, and what is kept.

use serde_json::json;
use taut_testkit::browser::key;

use crate::serve_browser::page::Page;
use crate::serve_support::example;

pub fn loads_examples(page: &Page) {
    assert_eq!(page.program(), example("peterson.taut"), "there is something to begin with");
    page.picture("start");
    page.browser.click("[aria-haspopup=dialog]");
    assert!(page.browser.count(".example") >= 10);
    assert_eq!(page.browser.count(".examples section"), 6, "one for each language");
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

/// Tab indents, and after Escape it leaves.
pub fn lets_the_keyboard_go(page: &Page) {
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

    // The tabulator goes on through everything and out of the page, and what has the focus is marked.
    let mut visited = Vec::new();
    while visited.len() < 40 {
        let now = page.run(
            "const now = document.activeElement, style = getComputedStyle(now);
             if (now === document.body) return null;
             return [now.id || now.dataset.task || now.value || now.textContent,
                     style.outlineStyle === 'solid' && parseFloat(style.outlineWidth) > 0]",
        );
        if now.is_null() {
            break;
        }
        assert_eq!(now[1], json!(true), "{now}");
        visited.push(now[0].as_str().unwrap_or_default().to_string());
        page.browser.press(key::TAB, 1);
    }
    assert!(visited.len() < 40, "no way out: {visited:?}");
    for wanted in ["check", "compare", "repair", "tso", "engine", "bound", "seconds"] {
        assert!(visited.iter().any(|name| name == wanted), "{wanted}: {visited:?}");
    }
}

pub fn undoes_and_pages(page: &Page) {
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

pub fn marks_mistakes(page: &Page) {
    page.set(
        "wrong.taut",
        "shared bool x = 0;\nprocess p begin\n  x := ;\nend\ninvariant small: x <= 1;\n",
    );
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

pub fn opens_files(page: &Page) {
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

pub fn keeps_what_was_typed(page: &Page) {
    page.set("kept.pml", "byte kept;\n");
    page.choose_model("pso");
    page.open();
    assert_eq!(page.program(), "byte kept;\n");
    assert_eq!(page.name(), json!("kept.pml"));
    assert_eq!(
        page.run("return document.querySelector('[name=model]:checked').value"),
        json!("pso")
    );
}

pub fn works_without_storage(page: &Page) {
    let denied = "Object.defineProperty(window, 'sessionStorage', {
        get() { throw new DOMException('denied', 'SecurityError'); } })";
    page.browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": denied }));
    page.open();
    assert_eq!(page.program(), example("peterson.taut"), "nothing was kept");
    page.browser.click(".area");
    page.browser.write("z");
    page.finish("check");
    page.is_silent_and_alone();
}
