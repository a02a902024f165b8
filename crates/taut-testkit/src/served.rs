//! A page that a program of ours serves, as a client on the same machine sees it: bytes there, bytes back.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// How long an answer may take. Machines that run all tests at once are slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server, by the address that it printed.
#[derive(Clone, Debug)]
pub struct Served {
    /// The host and the port.
    pub host: String,
    /// The path of the page, with the token: `/TOKEN/`.
    pub root: String,
}

/// An answer.
#[derive(Debug)]
pub struct Reply {
    /// The status; 0 if there was no answer.
    pub status: u16,
    /// The status line and the headers, in small letters.
    pub head: String,
    /// What was answered, without the marks of chunks.
    pub body: String,
}

impl Reply {
    /// The object that was answered.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The objects that were answered, a line each.
    pub fn events(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{self:?}");
        self.body.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

impl Served {
    /// The server at an address such as `http://127.0.0.1:4000/TOKEN/`.
    pub fn at(address: &str) -> Served {
        let rest = address.trim().strip_prefix("http://").expect("an address");
        let (host, path) = rest.split_once('/').expect("a path");
        Served { host: host.into(), root: format!("/{path}") }
    }

    /// A connection.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
        stream
    }

    /// Sends bytes as they are; the answer, to its end.
    pub fn raw(&self, bytes: impl AsRef<[u8]>) -> Reply {
        let mut stream = self.connect();
        // A server that refuses may do so before it has read everything.
        let _ = stream.write_all(bytes.as_ref());
        reply(stream)
    }

    /// A request without a body, with some more headers, each with its line break.
    pub fn request(&self, method: &str, path: &str, headers: &str) -> Reply {
        let host = &self.host;
        self.raw(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n"))
    }

    /// Asks for something below the page.
    pub fn get(&self, below: &str) -> Reply {
        self.request("GET", &format!("{}{below}", self.root), "")
    }

    /// The bytes that ask for a job.
    pub fn job(&self, body: &str) -> String {
        let (host, root, length) = (&self.host, &self.root, body.len());
        format!(
            "POST {root}jobs HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
    }

    /// Asks for a job; the answer, to its end.
    pub fn post(&self, job: &Value) -> Reply {
        self.raw(self.job(&job.to_string()))
    }

    /// Asks for a job; the events as they come. Dropping them ends the connection.
    pub fn events(&self, job: &Value) -> Events {
        let mut stream = self.connect();
        stream.write_all(self.job(&job.to_string()).as_bytes()).expect("a request is taken");
        let mut reader = BufReader::new(stream);
        let head = head(&mut reader);
        assert!(head.starts_with("http/1.1 200"), "{head}");
        Events { reader, line: Vec::new() }
    }
}

/// The events of a job as they come.
pub struct Events {
    reader: BufReader<TcpStream>,
    /// The beginning of the next one.
    line: Vec<u8>,
}

impl Iterator for Events {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
                let rest = self.line.split_off(end + 1);
                let line = std::mem::replace(&mut self.line, rest);
                return Some(serde_json::from_slice(&line).expect("an object per line"));
            }
            self.line.extend(chunk(&mut self.reader)?);
        }
    }
}

fn reply(stream: TcpStream) -> Reply {
    let mut reader = BufReader::new(stream);
    let head = head(&mut reader);
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let mut body = Vec::new();
    if head.contains("transfer-encoding: chunked") {
        while let Some(chunk) = chunk(&mut reader) {
            body.extend(chunk);
        }
    } else {
        // A connection that is reset after the answer still had the answer.
        let _ = reader.read_to_end(&mut body);
    }
    Reply { status, head, body: String::from_utf8_lossy(&body).into_owned() }
}

fn head(reader: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        match reader.read_line(&mut head) {
            Ok(1..) => {}
            _ => break,
        }
    }
    head.to_lowercase()
}

/// The next chunk; none after the last one, or when the connection ended.
fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut size = String::new();
    reader.read_line(&mut size).ok()?;
    let size = usize::from_str_radix(size.trim(), 16).ok().filter(|&size| size > 0)?;
    let mut chunk = vec![0; size + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(size);
    Some(chunk)
}
