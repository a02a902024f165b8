//! One run of a report: what there is at the start, what happens, and why it can.

use std::collections::BTreeMap;

use taut_html::{Buffers, Cell, Channel, Finding, Lasso, Late, Process, Register, Run, Sentence};
use taut_ir::{ChanId, MemoryModel, ProcId, Program, RegId, VarKind};
use taut_render::view::constants;
use taut_render::{Delay, RunView, Story, explain, story};
use taut_witness::Address;

use super::places::Texts;
use super::rows;
use super::state::Numbers;
use crate::verdict::Witness;

/// The run of a witness.
pub(super) fn run(witness: &Witness, texts: &mut Texts<'_>) -> Run {
    let (run, finding) = (&witness.run, witness.trace.finding);
    let view = RunView::new(&witness.program, texts.map, run);
    let (program, numbers) = (view.program(), Numbers::new(view));
    let (said, told) = (explain(view, finding), story(view, finding));
    Run {
        model: run.memory.model.name().into(),
        buffers: buffers(run.memory.model),
        finding: Finding {
            property: finding.name(program),
            headline: said.headline,
            details: said.details,
        },
        processes: numbers.lanes().iter().map(|&p| process(&numbers, texts, p)).collect(),
        cells: cells(&numbers),
        channels: channels(program),
        atoms: view.atoms().map(|atoms| atoms.texts.clone()).unwrap_or_default(),
        truth: view.truth(0).map(<[bool]>::to_vec),
        rows: rows::rows(&numbers, finding, texts),
        lasso: run
            .lasso
            .map(|lasso| Lasso { before: lasso.cycle, fairness: lasso.fairness.name().into() }),
        late: told.delays.iter().map(|delay| late(&numbers, delay)).collect(),
        under_sc: told.under_sc,
        story: sentences(told),
    }
}

/// The buffers of a memory model, as queues to draw. A slot is a queue that has at most one store in it.
fn buffers(model: MemoryModel) -> Buffers {
    match model.buffers() {
        taut_ir::Buffers::None => Buffers::None,
        taut_ir::Buffers::PerProcess => Buffers::PerProcess,
        taut_ir::Buffers::PerCell | taut_ir::Buffers::Slot => Buffers::PerVariable,
    }
}

fn process(numbers: &Numbers<'_>, texts: &mut Texts<'_>, id: ProcId) -> Process {
    let (names, start) = (numbers.view.names(), numbers.view.start());
    let program = names.program();
    let elements = start.registers(id).enumerate().flat_map(|(register, value)| {
        let values = value.values.iter().enumerate();
        values.map(move |(index, &value)| (RegId::from(register), index as u32, value))
    });
    Process {
        name: names.process(id).into(),
        lives: start.state().process(id).started,
        at: numbers.at(start, id, texts),
        registers: elements
            .map(|(r, index, value)| Register {
                name: names.register(id, r, index),
                value,
                words: register_words(program.register(id, r), program),
            })
            .collect(),
    }
}

fn cells(numbers: &Numbers<'_>) -> Vec<Cell> {
    let view = numbers.view;
    let constants = constants(view.program());
    let cell = |address: Address| Cell {
        name: view.names().location(address),
        ghost: view.program().var(address.var).kind == VarKind::Ghost,
        value: view.run().initial.value(address),
        words: words(view.program(), address),
        hidden: address.index == 0 && view.program().shown.pool(address.var).is_some()
            || constants.contains(&address.var),
    };
    numbers.addresses().map(cell).collect()
}

/// The most values of a cell whose words are written out.
const MOST_WORDS: i64 = 256;

/// The words of the source for the values of a cell, where it has some: `null`, `node[1]`, `freed`.
fn words(program: &Program, address: Address) -> BTreeMap<i64, String> {
    let Address { var, index } = address;
    let ty = program.var(var).ty;
    if ty.hi.saturating_sub(ty.lo) > MOST_WORDS {
        return BTreeMap::new();
    }
    let word = |value| Some((value, program.shown.value(var, index, value)?.to_owned()));
    (ty.lo..=ty.hi).filter_map(word).collect()
}

/// The words of the source for the values of a register.
fn register_words(register: &taut_ir::Register, program: &Program) -> BTreeMap<i64, String> {
    let ty = register.ty;
    if ty.hi.saturating_sub(ty.lo) > MOST_WORDS {
        return BTreeMap::new();
    }
    let named = (register.span.start, register.name.as_str());
    let word = |value| Some((value, program.shown.register_value(named, value)?.to_owned()));
    (ty.lo..=ty.hi).filter_map(word).collect()
}

fn channels(program: &Program) -> Vec<Channel> {
    let ids = (0..program.channels.len()).map(ChanId::from).map(|id| program.channel(id));
    ids.map(|c| Channel { name: c.name.clone(), capacity: c.capacity }).collect()
}

fn late(numbers: &Numbers<'_>, delay: &Delay) -> Late {
    Late {
        process: numbers.lane(delay.store.process),
        cell: numbers.cell(delay.store.address),
        value: delay.store.value,
        stored: delay.store.row + 1,
        left: delay.store.left.map(|row| row + 1),
    }
}

fn sentences(told: Story) -> Vec<Sentence> {
    let sentence =
        |s: taut_render::Sentence| Sentence { kind: s.kind.word(), text: s.text, rows: s.rows };
    told.sentences.into_iter().map(sentence).collect()
}
