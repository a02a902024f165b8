//! Messages in a stream of bytes: a head with the length, an empty line, JSON.
//!
//! A stream may hold anything. Lines that belong to no head are passed over; a body that is too long is passed over without
//! being kept; a body that is no JSON is consumed, so that the next message is read.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// The longest body. Documents come whole in each change.
const MOST_BYTES: u64 = 64 << 20;

/// The longest line of a head.
const MOST_LINE: u64 = 4096;

/// What comes next in a stream.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    /// A message.
    Message(Value),
    /// Something that is no message, and why.
    Malformed(&'static str),
    /// Nothing any more.
    End,
}

/// Reads the next message.
pub fn read(input: &mut impl BufRead) -> io::Result<Incoming> {
    let mut length = None;
    loop {
        let Some(line) = line(input)? else { return Ok(Incoming::End) };
        match field(&line) {
            Field::Length(Some(bytes)) => length = Some(bytes),
            Field::Length(None) => return Ok(Incoming::Malformed("Content-Length is no number")),
            // An empty line before any length is no end of a head.
            Field::End if length.is_some() => break,
            Field::End | Field::Other => {}
        }
    }
    body(input, length.unwrap_or_default())
}

/// A line of a head.
enum Field {
    Length(Option<u64>),
    End,
    Other,
}

fn field(line: &[u8]) -> Field {
    let line = line.trim_ascii();
    let Some(colon) = line.iter().position(|byte| *byte == b':') else {
        return if line.is_empty() { Field::End } else { Field::Other };
    };
    if !line[..colon].eq_ignore_ascii_case(b"content-length") {
        return Field::Other;
    }
    let digits = std::str::from_utf8(line[colon + 1..].trim_ascii()).ok();
    Field::Length(digits.and_then(|digits| digits.parse().ok()))
}

/// The next line, or as much of it as a head may have; none at the end of the stream.
fn line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    input.take(MOST_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then_some(line))
}

fn body(input: &mut impl BufRead, length: u64) -> io::Result<Incoming> {
    let mut body = input.take(length);
    if length > MOST_BYTES {
        io::copy(&mut body, &mut io::sink())?;
        return Ok(Incoming::Malformed("the message is too long"));
    }
    // The buffer grows with what arrives, not with what was announced.
    let mut bytes = Vec::new();
    body.read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length {
        return Ok(Incoming::End);
    }
    Ok(match serde_json::from_slice(&bytes) {
        Ok(message) => Incoming::Message(message),
        Err(_) => Incoming::Malformed("the message is no JSON"),
    })
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn all(bytes: &[u8]) -> Vec<Incoming> {
        let mut input = bytes;
        let mut all = Vec::new();
        loop {
            match read(&mut input).expect("bytes are read") {
                Incoming::End => return all,
                next => all.push(next),
            }
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut bytes = Vec::new();
        let messages = [json!({"a": "µ𝄞\r\n\r\n"}), json!([]), json!(null)];
        for message in &messages {
            write(&mut bytes, message).expect("written");
        }
        assert_eq!(all(&bytes), messages.map(Incoming::Message));
    }

    #[test]
    fn what_is_no_message_does_not_swallow_the_next_one() {
        let good = "Content-Length: 2\r\n\r\n{}";
        let broken = [
            "garbage\r\n",
            "\r\n\r\n",
            "Content-Length: 3\r\n\r\n{x}",
            "Content-Length: -1\r\n",
            "content-length: 1\nContent-Type: x\n\n(",
        ];
        for text in broken {
            let found = all(format!("{text}{good}").as_bytes());
            assert_eq!(found.last(), Some(&Incoming::Message(json!({}))), "{text}");
        }
        assert_eq!(all(b"Content-Length: 99999999999999\r\n\r\n{}").len(), 1);
        assert_eq!(all(b"Content-Length: 9\r\n\r\n{}"), []);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_to_their_end(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            all(&bytes);
        }
    }
}
