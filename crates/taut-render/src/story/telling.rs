//! Late stores in sentences.

use super::delays::{Delay, Overtaking, Seen};
use super::stores::Store;
use super::{Sentence, SentenceKind, Teller};

/// How many late stores are told.
const MOST_DELAYS: usize = 5;
/// How many reads are told of one late store and one kind.
const MOST_READS: usize = 2;

impl Teller<'_> {
    /// A sentence for each late store, in the order in which it shows.
    pub(super) fn delays(&self, delays: &[Delay]) -> Vec<Sentence> {
        let mut sentences: Vec<_> =
            delays.iter().take(MOST_DELAYS).map(|delay| self.delay(delay)).collect();
        let rest = &delays[delays.len().min(MOST_DELAYS)..];
        if !rest.is_empty() {
            let text = match rest.len() {
                1 => "One more store was late.".into(),
                n => format!("{n} more stores were late."),
            };
            let rows = rest.iter().map(|delay| delay.store.row);
            sentences.push(self.sentence(SentenceKind::Remark, text, rows));
        }
        sentences
    }

    fn delay(&self, delay: &Delay) -> Sentence {
        let mut rows = vec![delay.store.row];
        let mut text = match &delay.overtaken {
            Some(overtaking) => self.overtaken(delay, overtaking, &mut rows),
            None => self.waited(delay, &mut rows),
        };
        if let Some(own) = &delay.forwarded {
            rows.push(own.row);
            let (name, at) = (self.name(own.process), self.at(own.row, own.process));
            text.push_str(&format!(
                "; {name} itself read {} out of its buffer{at} and saw {}",
                self.place(own.address),
                self.value(own.address, own.value)
            ));
        }
        self.sentence(SentenceKind::Delay, text + ".", rows)
    }

    /// "p's store of 1 to x (line 7)".
    fn store(&self, store: &Store) -> String {
        let (name, place) = (self.name(store.process), self.place(store.address));
        let at = self.at(store.row, store.process);
        let value = self.value(store.address, store.value);
        format!("{name}'s store of {value} to {place}{at}")
    }

    /// "q read x (line 9) and saw 0".
    pub(super) fn read(&self, seen: &Seen) -> String {
        let (name, place) = (self.name(seen.process), self.place(seen.address));
        let again = if seen.again > 0 { ", again and again" } else { "" };
        let at = self.at(seen.row, seen.process);
        let value = self.value(seen.address, seen.value);
        format!("{name} read {place}{at} and saw {value}{again}")
    }

    fn overtaken(&self, delay: &Delay, how: &Overtaking, rows: &mut Vec<usize>) -> String {
        rows.extend([how.by.row, how.seen.row]);
        rows.extend(how.by.left);
        let by = format!(
            "its later store of {} to {}{}",
            self.value(how.by.address, how.by.value),
            self.place(how.by.address),
            self.at(how.by.row, how.by.process)
        );
        let then = match (&how.missed, delay.at_end) {
            (Some(missed), _) => {
                rows.push(missed.row);
                let again = if missed.again > 0 { ", again and again" } else { "" };
                let (place, at) = (self.place(missed.address), self.at(missed.row, missed.process));
                format!(
                    ", then {place}{at} and saw {}{again}",
                    self.value(missed.address, missed.value)
                )
            }
            (None, Some(held)) => {
                let address = delay.store.address;
                let held = self.value(address, held);
                format!(", and at the end {} in memory is {held}", self.place(address))
            }
            (None, None) => String::new(),
        };
        format!(
            "{} was overtaken by {by}: {}{then}",
            self.store(&delay.store),
            self.read(&how.seen)
        )
    }

    fn waited(&self, delay: &Delay, rows: &mut Vec<usize>) -> String {
        let store = self.store(&delay.store);
        let mut whens: Vec<String> = Vec::new();
        let reads = delay.ahead.iter().take(MOST_READS).chain(delay.missed.iter().take(MOST_READS));
        for seen in reads {
            rows.push(seen.row);
            whens.push(format!("when {}", self.read(seen)));
        }
        if let Some(other) = delay.overwrote.filter(|_| delay.missed.is_empty()) {
            rows.push(other.row);
            rows.extend(delay.store.left);
            let (name, place) = (self.name(other.process), self.place(delay.store.address));
            whens.push(format!(
                "when {name}'s store of {} to {place} reached memory (row {}), and overwrote it later",
                self.value(delay.store.address, other.value),
                other.row + 1
            ));
        }
        if delay.forever {
            let never = format!("{store} stays in its buffer for ever");
            return if whens.is_empty() {
                never
            } else {
                format!("{never}, even {}", joined(&whens))
            };
        }
        if let Some(held) = delay.at_end {
            whens.push(format!("at the end, where memory holds {held}"));
        }
        let went_on = self.went_on(delay, rows);
        format!("{store} was still in its buffer {}{went_on}", joined(&whens))
    }

    /// How far the process had come when its store was missed, where nothing else says what went ahead.
    fn went_on(&self, delay: &Delay, rows: &mut Vec<usize>) -> String {
        let Some(missed) = delay.missed.get(..MOST_READS.min(delay.missed.len())) else {
            return String::new();
        };
        let last = missed.last().filter(|_| delay.ahead.is_empty()).map_or(0, |seen| seen.row);
        let process = delay.store.process;
        let mut steps = (delay.store.row + 1..last).rev();
        let Some(row) = steps.find(|&row| self.step_of(row, process).is_some()) else {
            return String::new();
        };
        rows.push(row);
        let (name, at) = (self.name(process), self.at(row, process));
        format!(", though {name} had taken later steps by then{at}")
    }
}

/// "when a", "when a, and when b", "when a, when b, and when c".
fn joined(whens: &[String]) -> String {
    match whens {
        [rest @ .., last] if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
        _ => whens.concat(),
    }
}
