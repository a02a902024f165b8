//! Requests to a WebDriver server: JSON there, JSON back.

use std::io::{BufRead, BufReader, Write};
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

    fn request(&self, method: &str, path: &str, body: &str) -> std::io::Result<Answer> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        read(&mut BufReader::new(stream))
    }
}

/// What a server says.
struct Answer {
    status: String,
    body: Vec<u8>,
}

/// Reads an answer: as many bytes as it says it has, since the server may keep the connection open.
fn read(stream: &mut impl BufRead) -> std::io::Result<Answer> {
    let mut status = String::new();
    stream.read_line(&mut status)?;
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().map_err(std::io::Error::other)?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(Answer { status, body })
}

/// The value in an answer.
fn value(path: &str, answer: &Answer) -> Value {
    let object: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let error = &object["value"]["message"];
    assert!(answer.status.contains(" 200 "), "{path}: {}: {error}", answer.status);
    object["value"].clone()
}
