//! The loop: messages of the editor, results of jobs, and the clock.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

use serde_json::{Value, json};
use taut::MemoryModel;
use taut::budget::{Budget, Interrupt, Meter, host};

use crate::Settings;
use crate::completion::completions;
use crate::document::{Document, language_of};
use crate::edits::{actions, between, formatting, workspace_edit};
use crate::hover::hover;
use crate::jobs::{Done, Job};
use crate::lens::{CHECK, FIX, lenses};
use crate::messages::{diagnostics, violations};
use crate::names::definition;
use crate::text::{Lines, place_of};
use crate::transport::{self, Incoming};

/// Codes of errors, as JSON-RPC and the protocol number them.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const INTERNAL_ERROR: i32 = -32603;
const NOT_INITIALIZED: i32 = -32002;

/// The kinds of `window/showMessage`.
const WARNING: u8 = 2;
const INFO: u8 = 3;

/// The most open documents.
const MOST_DOCUMENTS: usize = 1000;
/// The most jobs that wait.
const MOST_JOBS: usize = 16;

/// Serves an editor until it says goodbye; whether it did so as the protocol asks.
pub fn serve(input: impl BufRead + Send + 'static, output: impl Write, settings: Settings) -> bool {
    let (events, queue) = channel();
    let reader = events.clone();
    let spawned =
        std::thread::Builder::new().name("reader".into()).spawn(move || listen(input, &reader));
    if spawned.is_err() {
        return false;
    }
    Server::new(output, events, settings).run(&queue)
}

/// What happens next.
enum Event {
    Incoming(Incoming),
    Done(Box<Done>),
}

/// Passes messages on until there are none.
fn listen(mut input: impl BufRead, events: &Sender<Event>) {
    loop {
        let next = transport::read(&mut input).unwrap_or(Incoming::End);
        let is_end = next == Incoming::End;
        if events.send(Event::Incoming(next)).is_err() || is_end {
            return;
        }
    }
}

/// The way a request fails.
type Failure = (i32, String);

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    New,
    Ready,
    ShutDown,
}

struct Server<O> {
    output: O,
    events: Sender<Event>,
    settings: Settings,
    phase: Phase,
    documents: BTreeMap<String, Document>,
    /// Whether documents in C are looked at.
    reads_c: bool,
    /// Whether the editor can be asked to fetch lenses again.
    refreshes: bool,
    waiting: VecDeque<Job>,
    /// The document of the job that runs, and the flag that ends it.
    running: Option<(String, Interrupt)>,
    next_id: u64,
    /// Whether the editor still listens.
    is_open: bool,
}

impl<O: Write> Server<O> {
    fn new(output: O, events: Sender<Event>, settings: Settings) -> Server<O> {
        Server {
            output,
            events,
            settings,
            phase: Phase::New,
            documents: BTreeMap::new(),
            reads_c: true,
            refreshes: false,
            waiting: VecDeque::new(),
            running: None,
            next_id: 0,
            is_open: true,
        }
    }

    fn run(mut self, queue: &Receiver<Event>) -> bool {
        while self.is_open {
            match self.next(queue) {
                Some(Event::Incoming(Incoming::End)) => break,
                Some(Event::Incoming(Incoming::Malformed(why))) => {
                    self.send(&failed(&Value::Null, (PARSE_ERROR, why.into())));
                }
                Some(Event::Incoming(Incoming::Message(message))) => {
                    if message["method"] == "exit" {
                        break;
                    }
                    self.take(&message);
                }
                Some(Event::Done(done)) => self.done(*done),
                None => self.read_due(),
            }
        }
        if let Some((_, interrupt)) = &self.running {
            interrupt.raise();
        }
        self.phase == Phase::ShutDown
    }

    /// The next event; none if a document is to be read first.
    fn next(&self, queue: &Receiver<Event>) -> Option<Event> {
        let due = self.documents.values().filter_map(|document| document.due).min();
        let Some(due) = due else {
            return Some(queue.recv().unwrap_or(Event::Incoming(Incoming::End)));
        };
        match queue.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Incoming(Incoming::End)),
        }
    }

    fn send(&mut self, message: &Value) {
        self.is_open &= transport::write(&mut self.output, message).is_ok();
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Asks the editor; the answer changes nothing.
    fn ask(&mut self, method: &str, params: &Value) {
        self.next_id += 1;
        let id = format!("taut-{}", self.next_id);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }

    /// Takes a request, a notification or an answer.
    fn take(&mut self, message: &Value) {
        let (id, params) = (&message["id"], &message["params"]);
        let Some(method) = message["method"].as_str() else {
            // What has no method is an answer, or nonsense.
            if message.get("result").is_none() && message.get("error").is_none() {
                let why = "a message has a method".to_string();
                self.send(&failed(id, (INVALID_REQUEST, why)));
            }
            return;
        };
        let taken = catch_unwind(AssertUnwindSafe(|| match message.get("id") {
            Some(_) => Some(self.request(method, params)),
            None => {
                self.notification(method, params);
                None
            }
        }));
        let answer = match taken {
            Ok(None) => return,
            Ok(Some(Ok(result))) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Ok(Some(Err(failure))) => failed(id, failure),
            Err(_) => failed(id, (INTERNAL_ERROR, "internal error".into())),
        };
        self.send(&answer);
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        match (self.phase, method) {
            (Phase::New, "initialize") => Ok(self.initialize(params)),
            (Phase::New, _) => Err((NOT_INITIALIZED, "`initialize` comes first".into())),
            (Phase::ShutDown, _) => Err((INVALID_REQUEST, "the server is shut down".into())),
            (Phase::Ready, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Ready, "workspace/executeCommand") => self.execute(params),
            (Phase::Ready, _) => self.about_document(method, params),
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.phase = Phase::Ready;
        self.reads_c = params["initializationOptions"]["c"] != false;
        let workspace = &params["capabilities"]["workspace"];
        self.refreshes = workspace["codeLens"]["refreshSupport"] == true;
        json!({
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {"openClose": true, "change": 1},
                "hoverProvider": true,
                "completionProvider": {"triggerCharacters": ["@"]},
                "definitionProvider": true,
                "documentFormattingProvider": true,
                "codeActionProvider": {"codeActionKinds": ["quickfix", "source.fixAll"]},
                "codeLensProvider": {},
                "executeCommandProvider": {"commands": [CHECK, FIX]},
            },
            "serverInfo": {"name": "taut", "version": env!("CARGO_PKG_VERSION")},
        })
    }

    /// Answers what is asked about a document.
    fn about_document(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        let known = [
            "textDocument/completion",
            "textDocument/hover",
            "textDocument/definition",
            "textDocument/formatting",
            "textDocument/codeAction",
            "textDocument/codeLens",
        ];
        if !known.contains(&method) {
            return Err((METHOD_NOT_FOUND, format!("there is no `{method}`")));
        }
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let Some(document) = self.documents.get_mut(uri) else { return Ok(Value::Null) };
        // The names of a text in the middle of a change are asked for with every key.
        if method != "textDocument/completion" {
            document.read();
        }
        let at = || {
            let place = place_of(&params["position"]);
            let place = place.ok_or_else(|| (INVALID_PARAMS, "a position is missing".into()))?;
            Ok::<usize, Failure>(Lines::new(&document.text).offset(place))
        };
        Ok(match method {
            "textDocument/completion" => json!(completions(document, at()?)),
            "textDocument/hover" => hover(document, at()?).map_or(
                Value::Null,
                |text| json!({"contents": {"kind": "markdown", "value": text}}),
            ),
            "textDocument/definition" => definition(document, at()?).map_or(
                Value::Null,
                |part| json!({"uri": uri, "range": Lines::new(&document.text).range(part)}),
            ),
            "textDocument/formatting" => json!(formatting(document)),
            "textDocument/codeAction" => json!(actions(document, &params["range"])),
            _ => json!(lenses(document)),
        })
    }

    fn notification(&mut self, method: &str, params: &Value) {
        if self.phase != Phase::Ready {
            return;
        }
        let document = &params["textDocument"];
        let Some(uri) = document["uri"].as_str() else { return };
        match method {
            "textDocument/didOpen" => self.open(uri, document),
            "textDocument/didChange" => self.change(uri, document, &params["contentChanges"]),
            "textDocument/didClose" => {
                self.interrupt(uri);
                if self.documents.remove(uri).is_some() {
                    let nothing = json!({"uri": uri, "diagnostics": []});
                    self.notify("textDocument/publishDiagnostics", &nothing);
                }
            }
            _ => {}
        }
    }

    fn open(&mut self, uri: &str, document: &Value) {
        let id = document["languageId"].as_str().unwrap_or_default();
        let (Some(language), Some(text)) = (language_of(id, uri), document["text"].as_str()) else {
            return;
        };
        let is_refused = language.name() == "c" && !self.reads_c;
        if is_refused || self.documents.len() >= MOST_DOCUMENTS {
            return;
        }
        let version = document["version"].as_i64().unwrap_or_default();
        let mut document = Document::new(uri.into(), version, text.into(), language);
        document.read();
        self.documents.insert(uri.into(), document);
        self.publish(uri);
    }

    /// Takes the last whole text of a change. Texts come whole, as was agreed.
    fn change(&mut self, uri: &str, document: &Value, changes: &Value) {
        let whole = |change: &&Value| change.get("range").is_none();
        let text = changes.as_array().and_then(|all| all.iter().rfind(whole));
        let Some(text) = text.and_then(|change| change["text"].as_str()) else { return };
        let version = document["version"].as_i64().unwrap_or_default();
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.change(version, text.into());
        self.interrupt(uri);
    }

    /// Ends the jobs of a document whose text is no longer the one they are about.
    fn interrupt(&mut self, uri: &str) {
        self.waiting.retain(|job| job.uri != uri);
        if let Some((_, interrupt)) = self.running.as_ref().filter(|(of, _)| of == uri) {
            interrupt.raise();
        }
    }

    /// Reads the documents whose time has come.
    fn read_due(&mut self) {
        let now = Instant::now();
        let is_due = |document: &&mut Document| document.due.is_some_and(|due| due <= now);
        let mut read = Vec::new();
        for document in self.documents.values_mut().filter(is_due) {
            // An earlier request may have read it already.
            document.read();
            read.push(document.uri.clone());
        }
        read.iter().for_each(|uri| self.publish(uri));
    }

    fn publish(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let (version, diagnostics) = (document.version, diagnostics(document));
        let params = json!({"uri": uri, "version": version, "diagnostics": diagnostics});
        self.notify("textDocument/publishDiagnostics", &params);
    }

    fn execute(&mut self, params: &Value) -> Result<Value, Failure> {
        let refuse = |why: &str| (INVALID_PARAMS, why.to_string());
        let applies = match params["command"].as_str() {
            Some(CHECK) => false,
            Some(FIX) => true,
            _ => return Err(refuse("there is no such command")),
        };
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let model = params["arguments"][1].as_str().and_then(|name| name.parse().ok());
        let model: MemoryModel = model.ok_or_else(|| refuse("there is no such memory model"))?;
        let document = self.documents.get_mut(uri).ok_or_else(|| refuse("no such document"))?;
        document.read();
        if applies && document.fixes.iter().any(|fix| fix.model == model) {
            self.apply(uri, model);
            return Ok(Value::Null);
        }
        let Some(loaded) = document.current().cloned() else {
            return Err((INVALID_REQUEST, "the program has mistakes".into()));
        };
        let job = Job { uri: uri.into(), version: document.version, loaded, model, applies };
        if self.waiting.len() >= MOST_JOBS {
            return Err((INVALID_REQUEST, "too many checks wait already".into()));
        }
        self.waiting.push_back(job);
        self.start();
        Ok(Value::Null)
    }

    /// Starts the next job, if none runs.
    fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(job) = self.waiting.pop_front() else { return };
        let interrupt = Interrupt::new();
        let budget = Budget::new()
            .interrupted_by(interrupt.clone())
            .time(Some(self.settings.time))
            .memory(host::memory_limit(self.settings.memory), Meter::new());
        let (uri, events) = (job.uri.clone(), self.events.clone());
        let work = move || {
            // Without a receiver the server has ended.
            let _ = events.send(Event::Done(Box::new(job.run(&budget))));
        };
        match std::thread::Builder::new().name("job".into()).spawn(work) {
            Ok(_) => self.running = Some((uri, interrupt)),
            Err(error) => self.show(WARNING, &format!("Taut cannot start a thread: {error}")),
        }
    }

    /// Shows what came of a job, unless the text is another one by now.
    fn done(&mut self, done: Done) {
        self.running = None;
        let Done { job, message, is_bad, remarks, fix } = done;
        let document = self.documents.get_mut(&job.uri);
        if let Some(document) = document.filter(|document| document.version == job.version) {
            document.violations = violations(document, &remarks);
            document.fixes.retain(|fix| fix.model != job.model);
            let has_fix = fix.is_some();
            document.fixes.extend(fix);
            self.publish(&job.uri);
            self.show(if is_bad { WARNING } else { INFO }, &message);
            if self.refreshes {
                self.ask("workspace/codeLens/refresh", &Value::Null);
            }
            if job.applies && has_fix {
                self.apply(&job.uri, job.model);
            }
        }
        self.start();
    }

    /// Has the editor apply a repair.
    fn apply(&mut self, uri: &str, model: MemoryModel) {
        let Some(document) = self.documents.get(uri) else { return };
        let Some(fix) = document.fixes.iter().find(|fix| fix.model == model) else { return };
        let edit = workspace_edit(document, &between(&document.text, &fix.text));
        let params = json!({"label": format!("Taut: {}", fix.title), "edit": edit});
        self.ask("workspace/applyEdit", &params);
    }

    fn show(&mut self, kind: u8, message: &str) {
        self.notify("window/showMessage", &json!({"type": kind, "message": message}));
    }
}

fn failed(id: &Value, (code, message): Failure) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}
