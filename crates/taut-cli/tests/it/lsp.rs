//! `taut lsp`, by speaking the protocol: what an editor does, and what no editor would do.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// The time in which an answer must be there, on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A lock that is right under SC and needs fences under TSO. Signs outside of ASCII stand before names.
const LOCK: &str = "// ünïcode 𝄞
shared bool flag[2] = 0;
shared 0..1 turn = 0;
process p[2](i) begin
  loop {
    /* 𝄞 */ flag[i] := 1;
    turn := 1 - i;
    await(flag[1 - i] == 0 || turn == i);
    cs: skip;
    flag[i] := 0;
  }
end
forbid mutex: p[0]@cs && p[1]@cs;
";

/// A server and an editor.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that came while others were waited for.
    kept: VecDeque<Value>,
    next: u64,
}

impl Editor {
    fn new() -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
        let command = command.args(["lsp", "--timeout", "30s"]).stdin(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().expect("taut runs");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || read_all(output, |message| sender.send(message).is_ok()));
        Editor { input: child.stdin.take(), child, messages, kept: VecDeque::new(), next: 0 }
    }

    /// One that has said hello.
    fn ready() -> Editor {
        let mut editor = Editor::new();
        let workspace = json!({"codeLens": {"refreshSupport": true}});
        let hello =
            json!({"processId": null, "rootUri": null, "capabilities": {"workspace": workspace}});
        let answer = editor.ask("initialize", hello);
        assert_eq!(answer["result"]["capabilities"]["hoverProvider"], true, "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server listens");
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The next message that is as wanted; others are kept.
    fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at).expect("it is there");
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("a message");
            if wanted(&message) {
                return message;
            }
            self.kept.push_back(message);
        }
    }

    fn wait_for(&mut self, method: &str) -> Value {
        self.wait(|message| message["method"] == method)["params"].clone()
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// Opens a document; what is said about it.
    fn open(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({"uri": uri, "languageId": "", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        let params = self.wait_for("textDocument/publishDiagnostics");
        assert_eq!((&params["uri"], &params["version"]), (&json!(uri), &json!(1)));
        params["diagnostics"].as_array().expect("a list").clone()
    }

    fn at(&mut self, method: &str, uri: &str, line: u64, character: u64) -> Value {
        let position = json!({"line": line, "character": character});
        let answer = self.ask(method, json!({"textDocument": {"uri": uri}, "position": position}));
        answer["result"].clone()
    }

    /// Says goodbye; the exit code.
    fn close(mut self) -> i32 {
        assert_eq!(self.ask("shutdown", Value::Null)["result"], Value::Null);
        self.tell("exit", Value::Null);
        self.child.wait().expect("it ends").code().expect("an exit code")
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads messages until there are none, as the protocol frames them.
fn read_all(mut output: impl BufRead, mut take: impl FnMut(Value) -> bool) {
    loop {
        let (mut head, mut empty) = (String::new(), String::new());
        if output.read_line(&mut head).is_err() || head.is_empty() {
            return;
        }
        let length = head.trim().strip_prefix("Content-Length: ").expect("a length");
        output.read_line(&mut empty).expect("an empty line");
        assert_eq!(empty, "\r\n");
        let mut body = vec![0; length.parse().expect("a number")];
        output.read_exact(&mut body).expect("a body");
        if !take(serde_json::from_slice(&body).expect("JSON")) {
            return;
        }
    }
}

fn place(value: &Value) -> (u64, u64) {
    (value["line"].as_u64().expect("a line"), value["character"].as_u64().expect("a character"))
}

#[test]
fn names_are_offered_also_in_the_middle_of_a_change() {
    let mut editor = Editor::ready();
    let uri = "file:///w/lock.taut";
    editor.open(uri, LOCK);
    let offered = |editor: &mut Editor, line: usize, character: usize| {
        let at = json!({"line": line, "character": character});
        let asked = json!({"textDocument": {"uri": uri}, "position": at});
        let answer = editor.ask("textDocument/completion", asked);
        let all = answer["result"].as_array().expect("a list").clone();
        all.iter().map(|item| (item["label"].to_string(), item["kind"].clone())).collect::<Vec<_>>()
    };
    let has = |all: &[(String, Value)], name: &str, kind: u8| {
        all.contains(&(format!("\"{name}\""), json!(kind)))
    };
    let all = offered(&mut editor, 6, 6);
    assert!(has(&all, "turn", 6) && has(&all, "i", 6) && has(&all, "p", 3), "{all:?}");
    assert!(has(&all, "await", 14) && has(&all, "mutex", 10), "{all:?}");
    // A label, and nothing else, after `@`.
    let last = LOCK.lines().count() - 1;
    assert_eq!(offered(&mut editor, last, 19), [("\"cs\"".to_owned(), json!(18))]);
    // A text that cannot be read keeps the names that it had, and has its own.
    let broken = LOCK.replace("turn := 1 - i;", "fresh_name = tu");
    let document = json!({"uri": uri, "version": 7});
    let change = json!({"textDocument": document, "contentChanges": [{"text": broken}]});
    editor.tell("textDocument/didChange", change);
    let all = offered(&mut editor, 6, 19);
    assert!(has(&all, "turn", 6) && has(&all, "fresh_name", 1) && !has(&all, "tu", 1), "{all:?}");
}

#[test]
fn mistakes_are_shown_as_they_are_typed_with_their_fix() {
    let mut editor = Editor::ready();
    let uri = "file:///w/a.taut";
    let found = editor.open(uri, "shared bool x = 0;\nprocess p { /* 𝄞 */ x = 1; }\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["source"]), (&json!(1), &json!("taut")));
    assert!(found[0]["code"].as_str().is_some_and(|code| code.starts_with('T')), "{found:?}");
    // Two units of UTF-16 for the sign in the comment.
    assert_eq!(place(&found[0]["range"]["start"]), (1, 23));
    let document = json!({"uri": uri});
    let range = found[0]["range"].clone();
    let asked = json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
    let actions = editor.ask("textDocument/codeAction", asked)["result"].clone();
    let edit = &actions[0]["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!((edit["newText"].as_str(), &edit["range"]), (Some(":="), &range), "{actions}");
    let changes = json!([{"text": "shared bool x = 0;\nprocess p { x := 1; }\n"}]);
    for version in [2, 3] {
        let document = json!({"uri": uri, "version": version});
        editor.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": changes}),
        );
    }
    let params = editor.wait_for("textDocument/publishDiagnostics");
    // The first of two changes in a row is not looked at.
    assert_eq!(params["version"], 3, "{params}");
    assert!(params["diagnostics"].as_array().expect("a list").iter().all(|d| d["severity"] != 1));
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    assert_eq!(editor.wait_for("textDocument/publishDiagnostics")["diagnostics"], json!([]));
    assert_eq!(editor.close(), 0);
}

#[test]
fn names_have_types_ranges_users_and_definitions() {
    let mut editor = Editor::ready();
    let uri = "file:///w/lock.taut";
    editor.open(uri, LOCK);
    // Behind a comment with a sign of two units.
    let flag = editor.at("textDocument/hover", uri, 5, 14);
    let text = flag["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("shared bool flag[2]") && text.contains("Values: 0 to 1"), "{text}");
    assert!(text.contains("Read by `p[0]`, `p[1]`; written by `p[0]`, `p[1]`"), "{text}");
    let definition = editor.at("textDocument/definition", uri, 5, 14);
    assert_eq!(place(&definition["range"]["start"]), (1, 12), "{definition}");
    assert_eq!(place(&definition["range"]["end"]), (1, 16), "{definition}");
    let turn = editor.at("textDocument/definition", uri, 7, 33);
    assert_eq!(place(&turn["range"]["start"]), (2, 12), "{turn}");
    let process = editor.at("textDocument/definition", uri, 12, 14);
    assert_eq!(place(&process["range"]["start"]), (3, 8), "{process}");
    let label = editor.at("textDocument/definition", uri, 12, 20);
    assert_eq!(place(&label["range"]["start"]), (8, 4), "{label}");
    let label = editor.at("textDocument/hover", uri, 12, 20);
    assert!(
        label["contents"]["value"].as_str().is_some_and(|t| t.contains("Label of `p`")),
        "{label}"
    );
    for (line, character) in [(0, 999), (999, 0), (12, 4_000_000_000)] {
        assert_eq!(editor.at("textDocument/hover", uri, line, character), Value::Null);
        assert_eq!(editor.at("textDocument/definition", uri, line, character), Value::Null);
    }
    assert_eq!(editor.close(), 0);
}

#[test]
fn taut_programs_are_formatted_and_others_left_alone() {
    let mut editor = Editor::ready();
    let ask = |editor: &mut Editor, uri: &str| {
        let options = json!({"tabSize": 2, "insertSpaces": true});
        let asked = json!({"textDocument": {"uri": uri}, "options": options});
        editor.ask("textDocument/formatting", asked)["result"].clone()
    };
    editor.open("file:///w/a.taut", "shared   bool x=0;\nprocess p begin x:=1; end\n");
    let edits = ask(&mut editor, "file:///w/a.taut");
    assert!(
        edits[0]["newText"].as_str().is_some_and(|t| t.contains("shared bool x = 0;")),
        "{edits}"
    );
    editor.open("file:///w/a.pml", "byte x;active proctype p(){x=1}\n");
    assert_eq!(ask(&mut editor, "file:///w/a.pml"), json!([]));
    editor.open("file:///w/b.taut", "shared   bool x=;\n");
    assert_eq!(ask(&mut editor, "file:///w/b.taut"), json!([]), "it has mistakes");
    assert_eq!(ask(&mut editor, "file:///w/none.taut"), Value::Null);
    assert_eq!(editor.close(), 0);
}

/// The lenses of a document by their titles.
fn lenses(editor: &mut Editor, uri: &str) -> Vec<(String, Value)> {
    let answer = editor.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let all = answer["result"].as_array().expect("a list").clone();
    let titled = |lens: Value| {
        (lens["command"]["title"].as_str().expect("a title").to_string(), lens["command"].clone())
    };
    all.into_iter().map(titled).collect()
}

fn execute(editor: &mut Editor, command: &Value) -> Value {
    let asked = json!({"command": command["command"], "arguments": command["arguments"]});
    editor.ask("workspace/executeCommand", asked)
}

#[test]
fn a_lens_checks_and_the_next_one_applies_the_repair() {
    let mut editor = Editor::ready();
    let uri = "file:///w/lock.taut";
    editor.open(uri, LOCK);
    let check = |editor: &mut Editor, title: &str| {
        let all = lenses(editor, uri);
        let (_, command) =
            all.iter().find(|(t, _)| t == title).unwrap_or_else(|| panic!("{all:?}"));
        assert_eq!(execute(editor, command)["result"], Value::Null);
        editor.wait_for("window/showMessage")["message"].as_str().expect("a text").to_string()
    };
    assert!(check(&mut editor, "check under SC").contains("everything asked holds"));
    let told = check(&mut editor, "check under TSO");
    assert!(told.contains("mutex violated.") && told.contains("it."), "{told}");
    let all = lenses(&mut editor, uri);
    let (title, fix) = all.iter().find(|(title, _)| title.starts_with("fix with ")).expect("a fix");
    assert!(title.ends_with(" (TSO)"), "{title}");
    assert_eq!(execute(&mut editor, fix)["result"], Value::Null);
    let edit = editor.wait_for("workspace/applyEdit");
    let change = &edit["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 1}));
    let new = change["edits"][0]["newText"].as_str().expect("a text");
    let start = change["edits"][0]["range"]["start"]["line"].as_u64().expect("a line") as usize;
    let end = change["edits"][0]["range"]["end"]["line"].as_u64().expect("a line") as usize;
    let lines: Vec<&str> = LOCK.split_inclusive('\n').collect();
    let fixed = format!("{}{new}{}", lines[..start].concat(), lines[end..].concat());
    // The text as fixed is what Taut says is right.
    let file = crate::command::scratch("lsp-fixed.taut", &fixed);
    let output = crate::command::taut(&["check", crate::command::path(&file), "--model", "tso"]);
    assert_eq!(crate::command::code(&output), 0, "{fixed}\n{}", crate::command::shown(&output));
    assert_eq!(editor.close(), 0);
}

#[test]
fn a_violation_is_shown_in_the_text_until_the_text_changes() {
    let mut editor = Editor::ready();
    let uri = "file:///w/lock.taut";
    editor.open(uri, LOCK);
    let fix = json!({"command": "taut.fix", "arguments": [uri, "tso"]});
    execute(&mut editor, &fix);
    let params = editor.wait_for("textDocument/publishDiagnostics");
    let found = params["diagnostics"].as_array().expect("a list");
    let violated = found.iter().find(|d| d["source"] == "taut check").expect("a violation");
    assert_eq!(place(&violated["range"]["start"]).0, 12, "{violated}");
    assert_eq!(violated["code"], "forbid");
    editor.wait_for("workspace/applyEdit");
    let document = json!({"uri": uri, "version": 2});
    editor.tell(
        "textDocument/didChange",
        json!({"textDocument": document, "contentChanges": [{"text": LOCK}]}),
    );
    let params = editor.wait_for("textDocument/publishDiagnostics");
    let found = params["diagnostics"].as_array().expect("a list");
    assert!(found.iter().all(|d| d["source"] != "taut check"), "{found:?}");
    assert!(lenses(&mut editor, uri).iter().all(|(title, _)| title.starts_with("check")));
    for (arguments, why) in [
        (json!([uri, "arm"]), "memory model"),
        (json!(["file:///none", "tso"]), "document"),
        (json!(null), "memory model"),
    ] {
        let answer =
            execute(&mut editor, &json!({"command": "taut.check", "arguments": arguments}));
        assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains(why)), "{answer}");
    }
    assert_eq!(editor.close(), 0);
}

#[test]
fn promela_and_c_are_read_without_opening_files() {
    let mut editor = Editor::ready();
    let pml = "byte turn;\nactive [2] proctype p() {\nagain: turn = _pid;\n  goto again\n}\n";
    assert!(editor.open("file:///w/a.pml", pml).iter().all(|d| d["severity"] != 1));
    let hover = editor.at("textDocument/hover", "file:///w/a.pml", 2, 8);
    assert!(
        hover["contents"]["value"].as_str().is_some_and(|t| t.contains("0..255 turn")),
        "{hover}"
    );
    let label = editor.at("textDocument/definition", "file:///w/a.pml", 3, 9);
    assert_eq!(place(&label["range"]["start"]), (2, 0), "{label}");
    let c = "#include <assert.h>\n#include <pthread.h>\nint x;\nvoid *f(void *a) { x = 1; return 0; }\n\
             int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); assert(x == 1); return 0; }\n";
    let found = editor.open("file:///w/a.c", c);
    assert!(found.iter().all(|d| d["severity"] != 1), "{found:?}");
    let x = editor.at("textDocument/definition", "file:///w/a.c", 3, 19);
    assert_eq!(place(&x["range"]["start"]), (2, 4), "{x}");
    // A file that is there is not opened all the same.
    let secret = crate::command::scratch("secret.h", "int secret;\n");
    let text = format!("#include \"{}\"\nint main(void) {{ return secret; }}\n", secret.display());
    let found = editor.open("file:///w/b.c", &text);
    assert!(found.iter().any(|d| d["severity"] == 1), "{found:?}");
    assert_eq!(editor.close(), 0);
}

#[test]
fn nothing_that_is_sent_ends_the_server() {
    let mut editor = Editor::new();
    let early = editor.ask("textDocument/hover", json!({}));
    assert_eq!(early["error"]["code"], -32002, "{early}");
    editor.ask("initialize", json!({"capabilities": []}));
    for garbage in [
        "garbage\r\n\r\n",
        "Content-Length: 5\r\n\r\n{{{{{",
        "Content-Length: none\r\n\r\n",
        "Content-Length: 2\r\n\r\n[]",
        "Content-Length: 4\r\n\r\nnull",
        "Content-Length: 13\r\n\r\n{\"method\": 1}",
    ] {
        editor.raw(garbage.as_bytes());
    }
    let deep = "[".repeat(100_000);
    editor.raw(format!("Content-Length: {}\r\n\r\n{deep}", deep.len()).as_bytes());
    editor.tell("textDocument/didOpen", json!({"textDocument": 7}));
    editor.tell("textDocument/didChange", json!({"textDocument": {"uri": "file:///none"}}));
    editor.tell("$/unknown", json!({}));
    assert_eq!(editor.ask("no/such", json!({}))["error"]["code"], -32601);
    editor.open("file:///w/bytes.taut", "\u{0}\u{feff}\u{202e}\r\r\n");
    let huge = "shared bool x;\n".repeat(200_000);
    let found = editor.open("file:///w/huge.taut", &huge);
    assert!(found[0]["message"].as_str().is_some_and(|m| m.contains("too large")), "{found:?}");
    let nested = format!("process p begin {} end", "if (".repeat(50_000));
    editor.open("file:///w/nested.taut", &nested);
    assert!(editor.at("textDocument/hover", "file:///w/nested.taut", 0, 3).is_null());
    let bad =
        editor.ask("textDocument/hover", json!({"textDocument": {"uri": "file:///w/nested.taut"}}));
    assert_eq!(bad["error"]["code"], -32602, "{bad}");
    assert_eq!(editor.close(), 0);
}

#[test]
fn an_editor_that_goes_without_a_word_ends_the_server() {
    let mut editor = Editor::ready();
    editor.input = None;
    let status = editor.child.wait().expect("it ends");
    assert_eq!(status.code(), Some(1));
}
