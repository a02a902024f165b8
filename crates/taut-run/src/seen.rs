//! What a run has seen, as it prints it.
//!
//! A fact per line; the last line is `end`. Lines that are not known are no report.

/// What was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Seen {
    /// Processors that threads were spread over.
    pub cpus: u64,
    /// Most threads of a round.
    pub threads: u64,
    /// Rounds that were begun.
    pub rounds: u64,
    /// Rounds that came to their end.
    pub finished: u64,
    /// Rounds that were ended because they took too long.
    pub cut: u64,
    /// Rounds that ended at an assumption that was false.
    pub assumed: u64,
    /// Final states: how often each was seen, and the values of what is watched.
    pub states: Vec<(u64, Vec<i64>)>,
    /// Rounds whose final state had no room in the table.
    pub others: u64,
    /// Violations of a harness by their bits, with the number of rounds that had them.
    pub violated: Vec<(u32, u64)>,
    /// What went wrong in rounds of a C program.
    pub events: Vec<Event>,
    /// Events that had no room in the table.
    pub left_out: u64,
}

/// Something that went wrong in rounds of a C program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Number of rounds.
    pub count: u64,
    /// What it is.
    pub kind: EventKind,
    /// The line, if it is known.
    pub line: Option<u32>,
    /// The file, as the compiler names it; empty if it is not known.
    pub file: String,
    /// The text of the assertion, the call, or the number of the signal.
    pub text: String,
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// An assertion that fails.
    Assert,
    /// A call of `abort`.
    Abort,
    /// A call of `reach_error` and its relatives.
    Error,
    /// A signal that ended the program.
    Signal,
}

impl Seen {
    /// Reads a report; none if it is not whole.
    pub(crate) fn read(text: &str) -> Option<Seen> {
        let mut lines = text.lines();
        if lines.next()? != "taut-run 1" {
            return None;
        }
        let mut seen = Seen::default();
        for line in lines {
            if line == "end" {
                seen.states.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
                seen.events.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.line.cmp(&b.line)));
                return Some(seen);
            }
            seen.fact(line)?;
        }
        None
    }

    fn fact(&mut self, line: &str) -> Option<()> {
        if let Some(event) = line.strip_prefix("event\t") {
            self.events.push(Event::read(event)?);
            return Some(());
        }
        let (word, rest) = line.split_once(' ')?;
        let mut numbers = rest.split(' ');
        let first = numbers.next()?;
        match word {
            "state" => {
                let values: Option<Vec<i64>> = numbers.map(|n| n.parse().ok()).collect();
                self.states.push((first.parse().ok()?, values?));
            }
            "violated" => {
                self.violated.push((first.parse().ok()?, numbers.next()?.parse().ok()?));
            }
            _ => *self.field(word)? = first.parse().ok()?,
        }
        Some(())
    }

    fn field(&mut self, word: &str) -> Option<&mut u64> {
        Some(match word {
            "cpus" => &mut self.cpus,
            "threads" => &mut self.threads,
            "rounds" => &mut self.rounds,
            "finished" => &mut self.finished,
            "cut" => &mut self.cut,
            "assumed" => &mut self.assumed,
            "others" => &mut self.others,
            "left-out" => &mut self.left_out,
            _ => return None,
        })
    }
}

impl Event {
    fn read(line: &str) -> Option<Event> {
        let mut fields = line.splitn(5, '\t');
        let count = fields.next()?.parse().ok()?;
        let kind = match fields.next()? {
            "assert" => EventKind::Assert,
            "abort" => EventKind::Abort,
            "error" => EventKind::Error,
            "signal" => EventKind::Signal,
            _ => return None,
        };
        let line = fields.next()?.parse().ok().filter(|&line| line > 0);
        // The report is the word of a program that is under test: nothing in it reaches a terminal as it is.
        let clean = |text: &str| text.chars().filter(|c| !c.is_control()).collect::<String>();
        let (file, text) = (clean(fields.next()?), clean(fields.next()?));
        Some(Event { count, kind, line, file, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_back() {
        let text = "taut-run 1\ncpus 2\nrounds 10\nstate 3 0 -1\nstate 7 1 1\nviolated 63 2\n\
                    event\t4\tassert\t12\ta b.c\tx == 1 \t|| y\nend\n";
        let seen = Seen::read(text).expect("a report");
        assert_eq!((seen.cpus, seen.rounds), (2, 10));
        assert_eq!(seen.states, [(7, vec![1, 1]), (3, vec![0, -1])]);
        assert_eq!(seen.violated, [(63, 2)]);
        assert_eq!(seen.events[0].line, Some(12));
        assert_eq!(seen.events[0].text, "x == 1 || y");
    }

    #[test]
    fn what_is_not_whole_is_no_report() {
        for text in ["", "taut-run 1\n", "taut-run 2\nend\n", "taut-run 1\nodd 3\nend\n"] {
            assert_eq!(Seen::read(text), None, "{text:?}");
        }
    }
}
