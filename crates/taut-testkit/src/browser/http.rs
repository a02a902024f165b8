//! Requests to a WebDriver server: JSON there, JSON back.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// How long the browser may take for one command.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server on the loopback interface.
pub(super) struct Server {
    pub(super) port: u16,
}

impl Server {
    /// Sends a command; the value that comes back. Panics if the command fails.
    pub(super) fn post(&self, path: &str, body: &Value) -> Value {
        value(path, &self.request("POST", path, &body.to_string()).expect("the driver answers"))
    }

    /// Asks for a value.
    pub(super) fn get(&self, path: &str) -> Value {
        value(path, &self.request("GET", path, "").expect("the driver answers"))
    }

    /// Ends something; whether that works no longer matters.
    pub(super) fn delete(&self, path: &str) {
        let _ = self.request("DELETE", path, "");
    }

    fn request(&self, method: &str, path: &str, body: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

/// The value in an answer.
fn value(path: &str, answer: &str) -> Value {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((answer, ""));
    let object: Value = serde_json::from_str(body).unwrap_or_default();
    let status = head.lines().next().unwrap_or_default();
    let error = &object["value"]["message"];
    assert!(status.contains(" 200 "), "{path}: {status}: {error}");
    object["value"].clone()
}
