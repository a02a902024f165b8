//! What a job's process writes, on its way to whoever asked.
//!
//! Lines can be large, and are not gathered: bytes go on as they come. Only the beginning of a line is looked at, which
//! says which event it is. What is no event is left out, and so is everything after the last event.

/// How every event begins.
const EVENT: &[u8] = b"{\"event\":\"";
/// How the events begin that are not the last one: as long as each other, so that the same number of bytes decides.
const NOT_LAST: [&[u8]; 2] = [b"{\"event\":\"progress\"", b"{\"event\":\"partial\","];
/// How many bytes decide.
const CLEAR: usize = NOT_LAST[0].len();

/// Looks at the lines of one process.
#[derive(Default)]
pub(crate) struct Relay {
    /// The beginning of the current line, until it is clear what it is.
    beginning: Vec<u8>,
    line: Line,
    ended: bool,
}

/// What the current line is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Line {
    #[default]
    NotClear,
    /// No event.
    Noise,
    NotLast,
    Last,
}

impl Relay {
    /// Whether the last event has gone through as a whole.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether a line was begun and is not whole.
    pub(crate) fn is_within_line(&self) -> bool {
        matches!(self.line, Line::NotLast | Line::Last)
    }

    /// What of some bytes is to go on.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut passed = Vec::with_capacity(bytes.len() + CLEAR);
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            if self.ended {
                break;
            }
            self.part(part, &mut passed);
        }
        passed
    }

    /// A part of one line, perhaps with its end.
    fn part(&mut self, part: &[u8], passed: &mut Vec<u8>) {
        let is_whole = part.ends_with(b"\n");
        if self.line == Line::NotClear {
            self.beginning.extend_from_slice(part);
            self.line = kind(&self.beginning, is_whole);
            match self.line {
                Line::NotLast | Line::Last => passed.append(&mut self.beginning),
                Line::Noise => self.beginning.clear(),
                Line::NotClear => {}
            }
        } else if self.line != Line::Noise {
            passed.extend_from_slice(part);
        }
        if is_whole {
            self.ended = self.line == Line::Last;
            self.line = Line::NotClear;
            self.beginning.clear();
        }
    }
}

/// What a line is that begins so.
fn kind(beginning: &[u8], is_whole: bool) -> Line {
    let common = beginning.len().min(EVENT.len());
    if beginning[..common] != EVENT[..common] {
        Line::Noise
    } else if beginning.len() < CLEAR && !is_whole {
        Line::NotClear
    } else if common < EVENT.len() {
        Line::Noise
    } else if NOT_LAST.iter().any(|start| beginning.starts_with(start)) {
        Line::NotLast
    } else {
        Line::Last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"noise\n{\"event\":\"progress\",\"n\":1}\n\n{\n{\"event\":\"partial\",\"n\":1}\n{\"event\":\"report\"}\n\
          {\"event\":\"progress\"}\nmore\n";
    const PASSED: &[u8] = b"{\"event\":\"progress\",\"n\":1}\n{\"event\":\"partial\",\"n\":1}\n\
      {\"event\":\"report\"}\n";

    #[test]
    fn events_pass_and_noise_does_not_however_it_is_cut() {
        for size in 1..TEXT.len() {
            let mut relay = Relay::default();
            let passed: Vec<u8> = TEXT.chunks(size).flat_map(|part| relay.pass(part)).collect();
            assert_eq!(passed, PASSED, "{size}");
            assert!(relay.has_ended());
            assert!(!relay.is_within_line());
        }
    }

    #[test]
    fn a_line_that_is_cut_off_is_known() {
        let mut relay = Relay::default();
        let part = b"{\"event\":\"report\",\"document\":";
        assert_eq!(relay.pass(part), part);
        assert!(relay.is_within_line());
        assert!(!relay.has_ended());
    }

    #[test]
    fn noise_is_not_gathered() {
        let mut relay = Relay::default();
        for _ in 0..100 {
            assert!(relay.pass(&[b'x'; 1000]).is_empty());
        }
        assert!(relay.beginning.len() <= 1000);
    }
}
