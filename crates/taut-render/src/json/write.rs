//! From a run to a document.

use std::collections::BTreeMap;

use serde_json::Value;
use taut_ir::{Action, Finding};

use super::model::{
    Access, Buffered, Document, LassoDocument, MessageDocument, PropertyDocument, ReceiverDocument,
    StepDocument, fault_word, full_buffer_word,
};
use super::{FORMAT, RUN, VERSION};
use crate::explain::explain;
use crate::view::{
    AccessView, ActionKind, BufferView, Held, MessageView, PartView, RowView, RunView, StateView,
};

/// A run and its finding as a JSON value.
pub fn to_json(view: RunView<'_>, file: &str, finding: Finding) -> Value {
    serde_json::to_value(document(view, file, finding)).expect("a document has string keys only")
}

/// A run and its finding as JSON text, indented, with the fields in the order of [`Document`] and a
/// line break at the end.
pub fn to_json_text(view: RunView<'_>, file: &str, finding: Finding) -> String {
    let document = document(view, file, finding);
    let text = serde_json::to_string_pretty(&document).expect("a document has string keys only");
    text + "\n"
}

/// A run and its finding as a document.
pub fn document(view: RunView<'_>, file: &str, finding: Finding) -> Document {
    let _phase = taut_budget::phase("the trace is written");
    Document { property: property(view, finding), ..of_run(view, file, Some(finding)) }
}

/// A run that claims nothing as a document.
pub fn document_of_run(view: RunView<'_>, file: &str) -> Document {
    of_run(view, file, None)
}

fn of_run(view: RunView<'_>, file: &str, finding: Option<Finding>) -> Document {
    let (program, run) = (view.program(), view.run());
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
        atoms: view.atoms().map(|atoms| atoms.texts.clone()),
        truth: view.truth(0).map(<[bool]>::to_vec),
        initial: memory(view.start()),
        steps: steps(view, finding),
    }
}

fn property(view: RunView<'_>, finding: Finding) -> PropertyDocument {
    let words = explain(view, finding);
    let fault = match finding {
        Finding::Fault(fault) => Some(fault_word(fault)),
        _ => None,
    };
    PropertyDocument {
        name: finding.name(view.program()),
        kind: finding.kind(view.program()),
        fault,
        words: std::iter::once(words.headline).chain(words.details).collect(),
    }
}

/// All rows: files keep those that do not matter, too.
fn steps(view: RunView<'_>, finding: Option<Finding>) -> Vec<StepDocument> {
    let mut buffers = BTreeMap::new();
    let changes = view.buffer_changes().into_iter().zip(view.matters(finding)).enumerate();
    let step = |(index, (changed, matters)): (usize, (Vec<BufferView>, bool))| {
        for (process, held) in changed {
            let name = view.names().process(process).to_owned();
            match held.is_empty() {
                true => buffers.remove(&name),
                false => buffers.insert(name, buffered(held)),
            };
        }
        StepDocument { matters, buffers: buffers.clone(), ..step(view, index) }
    };
    changes.map(step).collect()
}

fn step(view: RunView<'_>, index: usize) -> StepDocument {
    taut_budget::tick();
    let row = view.row(index);
    let (part, after) = (row.first(), row.after());
    let document = StepDocument {
        action: row.kind().word(),
        process: part.name().into(),
        step: part.step().map(|step| step.0),
        choice: Some(row.row().action.choice().0).filter(|&choice| choice > 0),
        line: part.line(),
        text: part.text(),
        outcome: part.outcome(),
        fails: row.fails(),
        reads: part.reads().map(read).collect(),
        writes: part.writes().map(write).collect(),
        locals: part.locals().collect(),
        spawned: part.spawned().map(String::from).collect(),
        message: row.message().map(message),
        receiver: row.receiver().map(receiver),
        channels: channels(after),
        memory: memory(after),
        truth: view.truth(index + 1).map(<[bool]>::to_vec),
        ..StepDocument::default()
    };
    match row.kind() {
        ActionKind::Commit => commit(view, row, document),
        ActionKind::Step | ActionKind::Handshake => document,
    }
}

/// A commit names its variable, so that it can be read back.
fn commit(view: RunView<'_>, row: RowView<'_>, document: StepDocument) -> StepDocument {
    let Action::Commit { var, index, .. } = row.row().action else { return document };
    let variable = view.program().var(var);
    StepDocument {
        variable: Some(variable.name.clone()),
        index: variable.len.map(|_| index),
        value: row.first().writes().next().map(|write| write.value),
        ..document
    }
}

fn receiver(part: PartView<'_>) -> ReceiverDocument {
    ReceiverDocument {
        process: part.name().into(),
        step: part.step().map_or(0, |step| step.0),
        line: part.line(),
        text: part.text().unwrap_or_default(),
        reads: part.reads().map(read).collect(),
        writes: part.writes().map(write).collect(),
        locals: part.locals().collect(),
        spawned: part.spawned().map(String::from).collect(),
    }
}

fn message(message: MessageView<'_>) -> MessageDocument {
    let (channel, how) = (message.channel.into(), message.how_word());
    MessageDocument { channel, how, values: message.values.to_vec() }
}

fn read(access: AccessView) -> Access {
    let from = Some(access.side());
    Access { variable: access.name, value: access.value, from, to: None }
}

fn write(access: AccessView) -> Access {
    let to = Some(access.side());
    Access { variable: access.name, value: access.value, from: None, to }
}

fn channels(state: StateView<'_>) -> BTreeMap<String, Vec<Vec<i64>>> {
    let filled = state.channels().filter(|(_, messages)| !messages.is_empty());
    filled.map(|(name, messages)| (name.into(), messages.to_vec())).collect()
}

fn memory(state: StateView<'_>) -> BTreeMap<String, Value> {
    let named = state.variables().map(|variable| {
        let value = match variable.is_array {
            true => Value::from(variable.values.to_vec()),
            false => Value::from(variable.values[0]),
        };
        (variable.name.into(), value)
    });
    named.collect()
}

fn buffered(held: Vec<Held>) -> Vec<Buffered> {
    let items = |held: Held| match held {
        Held::Stores { name, values, .. } => {
            let store = |value| Buffered::Store { variable: name.clone(), value };
            values.into_iter().map(store).collect()
        }
        Held::Barrier => vec![Buffered::Barrier("sfence")],
    };
    held.into_iter().flat_map(items).collect()
}
