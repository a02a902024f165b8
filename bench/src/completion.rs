//! The time from a key to the names that an editor offers: the language server, spoken to as an editor does.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Lines of the document.
pub const LINES: usize = 1000;

/// The name of the document.
const URI: &str = "file:///long.taut";

/// The server, and an editor with a long document.
pub struct Editor {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Editor {
    /// Starts the server and opens the document.
    pub fn start(taut: &Path) -> Result<Editor, String> {
        let failed = |e: std::io::Error| e.to_string();
        let mut command = Command::new(taut);
        command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        let mut editor = Editor { child, input, output, next: 0 };
        editor
            .ask("initialize", json!({"processId": null, "rootUri": null, "capabilities": {}}))?;
        editor.tell("initialized", json!({}))?;
        let document =
            json!({"uri": URI, "languageId": "taut", "version": 0, "text": document("")});
        editor.tell("textDocument/didOpen", json!({"textDocument": document}))?;
        // The first answer comes when the document has been read.
        let at = json!({"line": 0, "character": 8});
        editor.ask("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": at}))?;
        Ok(editor)
    }

    /// Types a letter of a name in the middle of the document and asks for names; the time until they are there.
    pub fn complete(&mut self) -> Result<Duration, String> {
        let started = Instant::now();
        let version = self.next + 1;
        let letter = ["x", "x1", "x12"][(version % 3) as usize];
        self.tell(
            "textDocument/didChange",
            json!({
                "textDocument": {"uri": URI, "version": version},
                "contentChanges": [{"text": document(letter)}],
            }),
        )?;
        let at = json!({"line": LINES - 4, "character": 2 + letter.len()});
        let params = json!({"textDocument": {"uri": URI}, "position": at});
        let answer = self.ask("textDocument/completion", params)?;
        let taken = started.elapsed();
        let names = answer["result"].as_array().map_or(0, Vec::len);
        if names < 100 { Err(format!("{names} names: {answer}")) } else { Ok(taken) }
    }

    fn tell(&mut self, method: &str, params: Value) -> Result<(), String> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let message = self.receive()?;
            if message["id"] == id {
                return Ok(message);
            }
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let body = message.to_string();
        let whole = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let sent = self.input.write_all(whole.as_bytes()).and_then(|()| self.input.flush());
        sent.map_err(|e| e.to_string())
    }

    fn receive(&mut self) -> Result<Value, String> {
        let failed = |e: std::io::Error| e.to_string();
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(failed)? == 0 {
                return Err("the language server ended".into());
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().map_err(|_| "no length")?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).map_err(failed)?;
        serde_json::from_slice(&body).map_err(|e| e.to_string())
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A document of [`LINES`] lines: variables, processes that use them, and a statement that is being typed.
fn document(typed: &str) -> String {
    let variables = 300;
    let mut text: String = (0..variables).map(|k| format!("shared 0..3 x{k} = 0;\n")).collect();
    let mut lines = variables;
    let mut process = 0;
    while lines + 28 < LINES {
        text += &format!("process p{process} begin\n  local 0..3 r{process};\n");
        for step in 0..10 {
            let k = (process * 13 + step * 7) % variables;
            text += &format!("  x{k} := r{process};\n  r{process} := x{};\n", (k + 1) % variables);
        }
        text += "end\n";
        (lines, process) = (lines + 23, process + 1);
    }
    text += "process last begin\n";
    lines += 1;
    while lines < LINES - 4 {
        text += "  skip;\n";
        lines += 1;
    }
    text + &format!("  {typed}\nend\n\nforbid both: x0 == 1 && x1 == 2;\n")
}
