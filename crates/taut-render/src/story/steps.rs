//! What happened, one thing after the other: what each process stored, read, sent and received.

use taut_ir::{Action, ProcId};
use taut_witness::{Record, Target, Transfer, text};

use super::stores::parts;
use crate::view::is_hidden;

use super::{Sentence, SentenceKind, Teller, enumeration};

/// How many sentences tell what happened; the last ones do.
const MOST_TURNS: usize = 5;
/// How many things are told in one sentence; the last ones are.
const MOST_THINGS: usize = 4;

/// What one process did until another moved.
struct Turn {
    process: ProcId,
    things: Vec<String>,
    rows: Vec<usize>,
}

impl Teller<'_> {
    /// The run as it went, in short sentences.
    pub(super) fn interleaving(&self, under_sc: bool) -> Vec<Sentence> {
        let mut sentences = Vec::new();
        if under_sc {
            let too = if self.is_sc() { "" } else { ", too" };
            let text =
                format!("No store was late: this happens under sequential consistency{too}.");
            sentences.push(self.sentence(SentenceKind::Remark, text, []));
        }
        let turns = self.turns(under_sc);
        let left_out = turns.len().saturating_sub(MOST_TURNS);
        if left_out > 0 {
            let rows: Vec<_> = turns[..left_out].iter().flat_map(|t| t.rows.clone()).collect();
            let last = rows.iter().max().map_or(0, |row| row + 1);
            let text =
                format!("The story begins after row {last}; `taut check --full` shows all rows.");
            sentences.push(self.sentence(SentenceKind::Remark, text, rows));
        }
        sentences.extend(turns[left_out..].iter().map(|turn| self.turn(turn)));
        sentences
    }

    fn is_sc(&self) -> bool {
        !self.run.memory.model.is_relaxed()
    }

    fn turn(&self, turn: &Turn) -> Sentence {
        let from = turn.things.len().saturating_sub(MOST_THINGS);
        let more = if from > 0 { " went on," } else { "" };
        let things = enumeration(&turn.things[from..]);
        let text = format!("{}{more} {things}.", self.name(turn.process));
        self.sentence(SentenceKind::Step, text, turn.rows.iter().copied())
    }

    /// Who did what, where a process that moves several times in a row does so in one turn. Rows in a cycle are
    /// told by the ending.
    fn turns(&self, under_sc: bool) -> Vec<Turn> {
        let rows = self.run.cycle().unwrap_or(self.run.rows.len()).min(self.run.rows.len());
        let mut turns: Vec<Turn> = Vec::new();
        for row in 0..rows {
            for (process, record) in parts(&self.run.rows[row]) {
                let things = self.things(row, process, record, under_sc);
                if things.is_empty() {
                    continue;
                }
                match turns.last_mut() {
                    Some(turn) if turn.process == process => turn.add(row, things),
                    _ => {
                        let mut turn = Turn { process, things: Vec::new(), rows: Vec::new() };
                        turn.add(row, things);
                        turns.push(turn);
                    }
                }
            }
        }
        turns
    }

    /// What a process did in a row that others can tell, or that it could tell of others.
    fn things(&self, row: usize, process: ProcId, record: &Record, under_sc: bool) -> Vec<String> {
        let at = self.at(row, process);
        let is_commit = matches!(self.run.rows[row].action, Action::Commit { .. });
        let reads = record.reads.iter().filter_map(|read| {
            let (place, value) = (self.place(read.address), self.value(read.address, read.value));
            (!is_hidden(&place)).then(|| format!("read {place}{at} and saw {value}"))
        });
        let writes = record.writes.iter().filter_map(|write| {
            let place = self.place(write.address);
            if is_hidden(&place) {
                return None;
            }
            let value = self.value(write.address, write.value);
            match write.to {
                // Told only where its being late matters.
                Target::Memory if is_commit && under_sc => None,
                Target::Memory if is_commit => {
                    Some(format!("let its store of {value} reach {place}{at}"))
                }
                _ => Some(format!("stored {value} to {place}{at}")),
            }
        });
        let started = record.spawned.iter().map(|&p| format!("started {}{at}", self.name(p)));
        let message = record.message.iter().map(|message| {
            let channel = &self.program.channel(message.channel).name;
            let values = text::message(&message.values);
            match message.how {
                Transfer::Sent => format!("sent {values} to {channel}{at}"),
                Transfer::Received => format!("received {values} from {channel}{at}"),
                Transfer::Copied => format!("saw {values} in {channel}{at}"),
            }
        });
        let mut things: Vec<String> = Vec::new();
        for thing in reads.chain(message).chain(writes).chain(started) {
            if !things.contains(&thing) {
                things.push(thing);
            }
        }
        things
    }
}

impl Turn {
    /// Adds what happened in a row; what is repeated at once happens "again and again".
    fn add(&mut self, row: usize, things: Vec<String>) {
        self.rows.push(row);
        for thing in things {
            let again = format!("{thing}, again and again");
            match self.things.last_mut() {
                Some(last) if *last == thing => *last = again,
                Some(last) if *last == again => {}
                _ => self.things.push(thing),
            }
        }
    }
}
