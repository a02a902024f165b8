//! The file: one entry with its metadata, as YAML of a fixed shape.
//!
//! Texts are written as JSON writes them, in double quotes: every JSON string is a YAML scalar that means the same.

use std::fmt::Write;
use std::time::{Duration, SystemTime};

use crate::provenance::VERSION;

/// The version of the format.
const FORMAT: &str = "2.0";

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) function: Option<String>,
}

/// A condition that holds whenever control is at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Invariant {
    pub(super) place: Place,
    /// Whether the place is that of a loop.
    pub(super) is_loop: bool,
    pub(super) value: String,
}

/// A statement of a violating run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Waypoint {
    pub(super) place: Place,
    /// What holds before the statement; none for the last one, which is the target.
    pub(super) assumption: Option<String>,
}

/// What a witness says.
#[derive(Clone, Debug)]
pub(super) enum Content {
    Correctness(Vec<Invariant>),
    Violation(Vec<Waypoint>),
}

/// A witness.
pub(super) struct Witness {
    /// The name of the program's file, and its hash.
    pub(super) source: (String, String),
    pub(super) specification: &'static str,
    pub(super) language: &'static str,
    pub(super) content: Content,
}

impl Witness {
    /// The text of the file.
    pub(super) fn text(&self, now: SystemTime) -> String {
        let content = self.content();
        let (file, hash) = (quoted(&self.source.0), &self.source.1);
        let (kind, time) = (self.kind(), time(now));
        let uuid = uuid(&format!("{kind} {hash} {time} {content}"));
        let (specification, language) = (quoted(self.specification), self.language);
        format!(
            "\
- entry_type: {kind}
  metadata:
    format_version: \"{FORMAT}\"
    uuid: \"{uuid}\"
    creation_time: \"{time}\"
    producer:
      name: \"Taut\"
      version: \"{VERSION}\"
    task:
      input_files:
        - {file}
      input_file_hashes:
        {file}: \"{hash}\"
      specification: {specification}
      data_model: LP64
      language: {language}
  content:{content}"
        )
    }

    fn kind(&self) -> &'static str {
        match self.content {
            Content::Correctness(_) => "invariant_set",
            Content::Violation(_) => "violation_sequence",
        }
    }

    fn content(&self) -> String {
        let mut out = String::new();
        match &self.content {
            Content::Correctness(all) => {
                for Invariant { place, is_loop, value } in all {
                    let kind = if *is_loop { "loop_invariant" } else { "location_invariant" };
                    let _ = writeln!(out, "    - invariant:\n        type: {kind}");
                    self.location(&mut out, place, "        ");
                    let _ = writeln!(out, "        value: {}", quoted(value));
                    let _ = writeln!(out, "        format: c_expression");
                }
            }
            Content::Violation(all) => {
                for Waypoint { place, assumption } in all {
                    let kind = if assumption.is_some() { "assumption" } else { "target" };
                    let _ = writeln!(out, "    - segment:\n        - waypoint:");
                    let _ = writeln!(out, "            type: {kind}\n            action: follow");
                    self.location(&mut out, place, "            ");
                    if let Some(value) = assumption {
                        let _ = writeln!(out, "            constraint:");
                        let _ = writeln!(out, "              value: {}", quoted(value));
                        let _ = writeln!(out, "              format: c_expression");
                    }
                }
            }
        }
        if out.is_empty() { " []\n".into() } else { format!("\n{out}") }
    }

    fn location(&self, out: &mut String, place: &Place, indent: &str) {
        let Place { line, column, function } = place;
        let file = quoted(&self.source.0);
        let _ = writeln!(out, "{indent}location:\n{indent}  file_name: {file}");
        let _ = writeln!(out, "{indent}  line: {line}\n{indent}  column: {column}");
        if let Some(function) = function {
            let _ = writeln!(out, "{indent}  function: {}", quoted(function));
        }
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// An identifier that is made of a text, in the form of a UUID of version 8 (RFC 9562).
fn uuid(text: &str) -> String {
    let mut bytes = hmac_sha256::Hash::hash(text.as_bytes());
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = |part: &[u8]| part.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let parts = [&bytes[..4], &bytes[4..6], &bytes[6..8], &bytes[8..10], &bytes[10..16]];
    parts.map(hex).join("-")
}

/// A time in the form of ISO 8601, in UTC. Days become dates by the algorithm of Howard Hinnant, *chrono-compatible low-level date
/// algorithms* (2013): years begin in March, so that the leap day is the last one.
fn time(now: SystemTime) -> String {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (days, rest) = (since / 86_400 + 719_468, since % 86_400);
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (date, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        let at = |seconds| time(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(951_868_800), "2000-03-01T00:00:00Z");
        assert_eq!(at(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
    }

    #[test]
    fn identifiers_have_the_form_of_a_uuid() {
        let id = uuid("x");
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert!(id.split('-').nth(2).is_some_and(|part| part.starts_with('8')));
        assert_ne!(id, uuid("y"));
    }
}
