//! A real browser, driven: Debian's chromium through its driver.
//!
//! WebDriver is JSON over HTTP on the loopback interface, one request at a time, and the tests need a dozen
//! of its commands: `http` has the requests, this file the commands. That is less to build and to trust
//! than an asynchronous client with all that it brings along.

mod http;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use http::Server;

/// A program whose report is long: its run has a bit more than 2,000 rows.
pub const LONG_RUN: &str = "\
shared 0..1001 count = 0;
process worker begin
  loop { count := count + 1; }
end
process watcher begin
  await(count == 1000);
  far: skip;
end
forbid far: watcher@far;
";

/// Keys as WebDriver names them.
pub mod key {
    /// Arrow left.
    pub const LEFT: &str = "\u{e012}";
    /// Arrow up.
    pub const UP: &str = "\u{e013}";
    /// Arrow right.
    pub const RIGHT: &str = "\u{e014}";
    /// Arrow down.
    pub const DOWN: &str = "\u{e015}";
    /// End.
    pub const END: &str = "\u{e010}";
    /// Home.
    pub const HOME: &str = "\u{e011}";
    /// Page up.
    pub const PAGE_UP: &str = "\u{e00e}";
    /// Page down.
    pub const PAGE_DOWN: &str = "\u{e00f}";
    /// Space.
    pub const SPACE: &str = " ";
    /// Tabulator.
    pub const TAB: &str = "\u{e004}";
    /// Escape.
    pub const ESCAPE: &str = "\u{e00c}";
    /// Enter.
    pub const ENTER: &str = "\u{e007}";
    /// Shift.
    pub const SHIFT: &str = "\u{e008}";
    /// Control.
    pub const CONTROL: &str = "\u{e009}";
}

/// A browser without a window, and the driver that it hangs on. Both end when this is dropped.
pub struct Browser {
    driver: Child,
    server: Server,
    session: String,
}

impl Browser {
    /// Starts a browser. Panics, with what to do about it, if there is none.
    pub fn start() -> Browser {
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts: `scripts/setup` installs it");
        let port = port(&mut driver);
        let mut browser = Browser { driver, server: Server { port }, session: String::new() };
        let options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--force-color-profile=srgb",
        ] });
        let wanted = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let capabilities = json!({ "capabilities": { "alwaysMatch": wanted } });
        let session = browser.server.post("/session", &capabilities);
        browser.session = session["sessionId"].as_str().expect("a session").into();
        browser
    }

    fn post(&self, command: &str, body: &Value) -> Value {
        self.server.post(&format!("/session/{}/{command}", self.session), body)
    }

    /// A command of the DevTools protocol.
    pub fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Opens an address.
    pub fn open(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// Opens a file.
    pub fn open_file(&self, path: &Path) {
        self.open(&format!("file://{}", path.display()));
    }

    /// Runs a script in the page; what it returns.
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits, for at most ten seconds, until an expression is true in the page.
    pub fn wait_for(&self, condition: &str) {
        let started = Instant::now();
        while self.run(&format!("return Boolean({condition})")) != json!(true) {
            assert!(started.elapsed() < Duration::from_secs(10), "never true: {condition}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The text of the first element that a selector finds.
    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({selector:?})?.textContent ?? null");
        let text = self.run(&script);
        text.as_str().unwrap_or_else(|| panic!("no {selector}")).into()
    }

    /// How many elements a selector finds.
    pub fn count(&self, selector: &str) -> u64 {
        let found = self.run(&format!("return document.querySelectorAll({selector:?}).length"));
        found.as_u64().expect("a number")
    }

    /// Presses a key, so many times, wherever the focus is.
    pub fn press(&self, key: &str, times: usize) {
        self.keys((0..times).flat_map(|_| [("keyDown", key), ("keyUp", key)]));
    }

    /// Presses a key while others are held down.
    pub fn press_with(&self, held: &[&str], key: &str) {
        let down = held.iter().map(|key| ("keyDown", *key));
        let up = held.iter().rev().map(|key| ("keyUp", *key));
        self.keys(down.chain([("keyDown", key), ("keyUp", key)]).chain(up));
    }

    /// Types a text, letter by letter, wherever the focus is.
    pub fn write(&self, text: &str) {
        let letters = text.char_indices().map(|(at, letter)| match letter {
            '\n' => key::ENTER,
            _ => &text[at..at + letter.len_utf8()],
        });
        self.keys(letters.flat_map(|letter| [("keyDown", letter), ("keyUp", letter)]));
    }

    fn keys<'a>(&self, moves: impl Iterator<Item = (&'static str, &'a str)>) {
        let moves: Vec<_> =
            moves.map(|(kind, key)| json!({ "type": kind, "value": key })).collect();
        self.post(
            "actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": moves }] }),
        );
    }

    /// Clicks on the middle of the first element that a selector finds.
    pub fn click(&self, selector: &str) {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }));
        let id = found.as_object().and_then(|o| o.values().next()).and_then(Value::as_str);
        let id = id.unwrap_or_else(|| panic!("no {selector}"));
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Makes the page so large, in CSS pixels.
    pub fn resize(&self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Makes believe that pages are for a medium (`screen`, `print`), and that the reader prefers
    /// something, such as `prefers-color-scheme` to be `dark`.
    pub fn prefer(&self, medium: &str, preferences: &[(&str, &str)]) {
        let features: Vec<_> = preferences
            .iter()
            .map(|(name, value)| json!({ "name": name, "value": value }))
            .collect();
        self.devtools(
            "Emulation.setEmulatedMedia",
            json!({ "media": medium, "features": features }),
        );
    }

    /// What the page has said to the console since the last question, a line for each message.
    pub fn console(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| format!("{}: {}", entry["level"], entry["message"])).collect()
    }

    /// The addresses that were asked for since the last question.
    pub fn requests(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "performance" }));
        let mut addresses = Vec::new();
        for entry in entries.as_array().into_iter().flatten() {
            let message = entry["message"].as_str().unwrap_or_default();
            let event: Value = serde_json::from_str(message).expect("an event");
            if event["message"]["method"] == "Network.requestWillBeSent" {
                let address = &event["message"]["params"]["request"]["url"];
                addresses.push(address.as_str().unwrap_or_default().into());
            }
        }
        addresses
    }

    /// What the page looks like, as a PNG file.
    pub fn screenshot(&self, path: &Path) {
        let image = self.server.get(&format!("/session/{}/screenshot", self.session));
        let image = STANDARD.decode(image.as_str().expect("an image")).expect("base64");
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, image).expect("a file");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            self.server.delete(&format!("/session/{}", self.session));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// The port that the driver chose, which it prints once it listens.
fn port(driver: &mut Child) -> u16 {
    let output = BufReader::new(driver.stdout.take().expect("standard output"));
    for line in output.lines().map_while(Result::ok) {
        if let Some((_, port)) = line.split_once("started successfully on port ") {
            return port.trim_end_matches('.').parse().expect("a port");
        }
    }
    panic!("chromedriver ended before it listened");
}
