//! From a run to a document.

use std::collections::BTreeMap;

use serde_json::Value;
use taut_ir::{Action, Finding, ProcId, Program, StepId};
use taut_source::SourceMap;
use taut_witness::buffer::{Buffer, Item};
use taut_witness::{
    Address, Message, Read, Record, Row, Run, Source, State, Target, Trace, Transfer, Write, text,
};

use super::model::{
    Access, Buffered, Document, LassoDocument, MessageDocument, PropertyDocument, ReceiverDocument,
    StepDocument, fault_word, full_buffer_word,
};
use super::{FORMAT, RUN, VERSION};
use crate::explain::explain;

/// A trace and its run as a JSON value.
pub fn to_json(
    program: &Program,
    sources: &SourceMap,
    file: &str,
    trace: &Trace,
    run: &Run,
) -> Value {
    serde_json::to_value(document(program, sources, file, trace, run))
        .expect("a document has string keys only")
}

/// A trace and its run as JSON text, indented, with the fields in the order of [`Document`] and a
/// line break at the end.
pub fn to_json_text(
    program: &Program,
    sources: &SourceMap,
    file: &str,
    trace: &Trace,
    run: &Run,
) -> String {
    let document = document(program, sources, file, trace, run);
    let text = serde_json::to_string_pretty(&document).expect("a document has string keys only");
    text + "\n"
}

/// A trace and its run as a document.
pub fn document(
    program: &Program,
    sources: &SourceMap,
    file: &str,
    trace: &Trace,
    run: &Run,
) -> Document {
    let _phase = taut_budget::phase("the trace is written");
    let property = Writer { program, sources }.property(run, trace.finding);
    Document { property, ..document_of_run(program, sources, file, run) }
}

/// A run that claims nothing as a document.
pub fn document_of_run(program: &Program, sources: &SourceMap, file: &str, run: &Run) -> Document {
    let writer = Writer { program, sources };
    Document {
        format: FORMAT,
        version: VERSION,
        program: program.name.clone(),
        file: file.to_string(),
        model: run.memory.model.name(),
        bound: run.memory.bound,
        full_buffer: full_buffer_word(run.memory.full_buffer),
        property: PropertyDocument { name: String::new(), kind: RUN, fault: None, words: vec![] },
        lasso: run
            .lasso
            .map(|lasso| LassoDocument { cycle: lasso.cycle, fairness: lasso.fairness.name() }),
        atoms: run.atoms.as_ref().map(|atoms| atoms.texts.clone()),
        truth: truth(run, 0),
        initial: writer.memory(&run.initial),
        steps: (0..run.rows.len())
            .map(|i| StepDocument { truth: truth(run, i + 1), ..writer.row(&run.rows[i]) })
            .collect(),
    }
}

/// The truth of the atoms after so many rows.
fn truth(run: &Run, rows: usize) -> Option<Vec<bool>> {
    run.atoms.as_ref()?.at.get(rows)?.clone()
}

struct Writer<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
}

impl Writer<'_> {
    fn property(&self, run: &Run, finding: Finding) -> PropertyDocument {
        let words = explain(self.program, self.sources, run, finding);
        let fault = match finding {
            Finding::Fault(fault) => Some(fault_word(fault)),
            _ => None,
        };
        PropertyDocument {
            name: finding.name(self.program),
            kind: finding.kind(self.program),
            fault,
            words: std::iter::once(words.headline).chain(words.details).collect(),
        }
    }

    fn row(&self, row: &Row) -> StepDocument {
        taut_budget::tick();
        let process = row.action.process();
        let record = &row.record;
        let common = StepDocument {
            process: self.name(process),
            fails: row.failure.is_some(),
            reads: self.reads(record),
            writes: self.writes(record),
            locals: self.locals(process, record),
            spawned: self.spawned(record),
            message: record.message.as_ref().map(|m| self.message(m)),
            channels: self.channels(&row.after),
            memory: self.memory(&row.after),
            buffers: self.buffers(&row.after),
            ..StepDocument::default()
        };
        match row.action {
            Action::Step { step, .. } => {
                StepDocument { action: "step", ..self.with_step(common, process, step) }
            }
            Action::Handshake { step, receiver, receive, .. } => StepDocument {
                action: "handshake",
                receiver: record.partner.as_ref().map(|r| self.receiver(receiver, receive, r)),
                ..self.with_step(common, process, step)
            },
            Action::Commit { var, index, .. } => {
                let variable = self.program.var(var);
                StepDocument {
                    action: "commit",
                    variable: Some(variable.name.clone()),
                    index: variable.len.map(|_| index),
                    value: record.writes.first().map(|w| w.value),
                    ..common
                }
            }
        }
    }

    fn with_step(&self, common: StepDocument, process: ProcId, step: StepId) -> StepDocument {
        StepDocument {
            step: Some(step.0),
            line: text::step_line(self.program, self.sources, process, step),
            text: Some(text::step(self.program, process, step)),
            ..common
        }
    }

    fn receiver(&self, process: ProcId, step: StepId, record: &Record) -> ReceiverDocument {
        ReceiverDocument {
            process: self.name(process),
            step: step.0,
            line: text::step_line(self.program, self.sources, process, step),
            text: text::step(self.program, process, step),
            reads: self.reads(record),
            writes: self.writes(record),
            locals: self.locals(process, record),
            spawned: self.spawned(record),
        }
    }

    fn reads(&self, record: &Record) -> Vec<Access> {
        record.reads.iter().map(|r| self.read(r)).collect()
    }

    fn writes(&self, record: &Record) -> Vec<Access> {
        record.writes.iter().map(|w| self.write(w)).collect()
    }

    fn locals(&self, process: ProcId, record: &Record) -> BTreeMap<String, i64> {
        let name = |register, index| text::register(self.program, process, register, index);
        record.locals.iter().map(|l| (name(l.register, l.index), l.value)).collect()
    }

    fn spawned(&self, record: &Record) -> Vec<String> {
        record.spawned.iter().map(|&p| self.name(p)).collect()
    }

    fn message(&self, message: &Message) -> MessageDocument {
        let channel = self.program.channel(message.channel).name.clone();
        let how = match message.how {
            Transfer::Sent => "sent",
            Transfer::Received => "received",
            Transfer::Copied => "copied",
        };
        MessageDocument { channel, how, values: message.values.clone() }
    }

    fn channels(&self, state: &State) -> BTreeMap<String, Vec<Vec<i64>>> {
        let named = self.program.channels.iter().zip(&state.channels);
        let filled = named.filter(|(_, messages)| !messages.is_empty());
        filled.map(|(channel, messages)| (channel.name.clone(), messages.clone())).collect()
    }

    fn name(&self, process: ProcId) -> String {
        self.program.process(process).name.clone()
    }

    fn address(&self, address: Address) -> String {
        text::address(self.program, address)
    }

    fn read(&self, read: &Read) -> Access {
        let from = match read.from {
            Source::Buffer => "buffer",
            Source::Memory => "memory",
        };
        let variable = self.address(read.address);
        Access { variable, value: read.value, from: Some(from), to: None }
    }

    fn write(&self, write: &Write) -> Access {
        let to = match write.to {
            Target::Buffer => "buffer",
            Target::Memory => "memory",
        };
        let variable = self.address(write.address);
        Access { variable, value: write.value, from: None, to: Some(to) }
    }

    fn memory(&self, state: &State) -> BTreeMap<String, Value> {
        let named = self.program.vars.iter().zip(&state.memory).map(|(variable, values)| {
            let value = match variable.len {
                Some(_) => Value::from(values.clone()),
                None => Value::from(values[0]),
            };
            (variable.name.clone(), value)
        });
        named.collect()
    }

    fn buffers(&self, state: &State) -> BTreeMap<String, Vec<Buffered>> {
        let all = self.program.process_ids().map(|p| (p, &state.process(p).buffer));
        all.filter(|(_, buffer)| !buffer.is_empty())
            .map(|(p, buffer)| (self.name(p), self.buffer(buffer)))
            .collect()
    }

    fn buffer(&self, buffer: &Buffer) -> Vec<Buffered> {
        let item = |item: &Item| match item {
            Item::Store(entry) => {
                Buffered::Store { variable: self.address(entry.address), value: entry.value }
            }
            Item::Barrier => Buffered::Barrier("sfence"),
        };
        buffer.items().iter().map(item).collect()
    }
}
