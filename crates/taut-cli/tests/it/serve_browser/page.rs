//! The page as a test sees it.

use std::path::Path;

use serde_json::{Value, json};
use taut_testkit::browser::Browser;

use crate::serve_support::Server;

/// The page, in a browser, with its server.
pub struct Page {
    pub browser: Browser,
    pub server: Server,
}

impl Page {
    /// Runs a script in the page.
    pub fn run(&self, script: &str) -> Value {
        self.browser.run(script)
    }

    /// Opens the page, which must be silent and alone.
    pub fn open(&self) {
        self.browser.requests();
        self.browser.open(&self.server.address);
        self.browser.wait_for("document.querySelector('.area')");
        self.is_silent_and_alone();
    }

    /// Nothing was said to the console, and nobody else was asked for anything.
    pub fn is_silent_and_alone(&self) {
        assert_eq!(self.browser.console(), Vec::<String>::new());
        for address in self.browser.requests() {
            assert!(address.starts_with(&self.server.address) || address == "data:,", "{address}");
        }
    }

    /// Keeps what the page looks like.
    pub fn picture(&self, name: &str) {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target");
        let pictures = target.join("report-screenshots");
        self.browser.screenshot(&pictures.join(format!("serve-{name}.png")));
    }

    /// What is in the editor.
    pub fn program(&self) -> String {
        self.run("return document.querySelector('.area').value").as_str().expect("a text").into()
    }

    /// The name of the file.
    pub fn name(&self) -> Value {
        self.run("return document.querySelector('.name').value")
    }

    /// What is said about the last job.
    pub fn status(&self) -> String {
        self.browser.text("[role=status]")
    }

    /// Puts a program into the editor, as one that was pasted.
    pub fn set(&self, name: &str, text: &str) {
        let (name, text) = (json!(name), json!(text));
        self.run(&format!(
            "const name = document.querySelector('.name'), area = document.querySelector('.area');
             name.value = {name}; name.dispatchEvent(new Event('input'));
             area.value = {text}; area.dispatchEvent(new Event('input'))"
        ));
    }

    /// Chooses a memory model.
    pub fn choose_model(&self, model: &str) {
        self.browser.click(&format!("[name=model][value={model}]"));
    }

    /// Chooses an engine.
    pub fn choose_engine(&self, engine: &str) {
        self.run(&format!("document.querySelector('#engine').value = '{engine}'"));
    }

    /// Starts a task with its button and waits for its end.
    pub fn finish(&self, task: &str) {
        self.browser.click(&format!("[data-task={task}]"));
        self.browser.wait_for("document.querySelector('[aria-disabled=false]')");
    }

    /// The names above the lanes of the diagram.
    pub fn lanes(&self) -> Value {
        self.run(
            "return [...document.querySelectorAll('.machine .process')].map((name) => name.textContent)",
        )
    }

    /// What is marked in the editor: the numbers of lines, and the texts.
    pub fn marked(&self) -> Value {
        self.run(
            "const all = (what, of) => [...document.querySelectorAll(what)].map(of);
             return [all('.paint-line.error', (line) => line.dataset.line),
                     all('.marked.error', (mark) => mark.textContent)]",
        )
    }
}
