//! One run of a report: what there is at the start, what happens, and why it can.

use taut_html::{Buffers, Cell, Channel, Finding, Lasso, Late, Process, Register, Run, Sentence};
use taut_ir::{ChanId, MemoryModel, ProcId, Program, VarKind};
use taut_render::{Delay, Story, explain, story};
use taut_witness::{Address, text};

use super::places::Texts;
use super::rows;
use super::state::Numbers;
use crate::verdict::Witness;

/// The run of a witness.
pub(super) fn run(witness: &Witness, texts: &mut Texts<'_>) -> Run {
    let (program, run, finding) = (&*witness.program, &witness.run, witness.trace.finding);
    let numbers = Numbers::new(program, run);
    let said = explain(program, texts.map, run, finding);
    let told = story(program, texts.map, run, finding);
    let atoms = run.atoms.as_ref();
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
        atoms: atoms.map(|atoms| atoms.texts.clone()).unwrap_or_default(),
        truth: rows::truth(run, 0),
        rows: rows::rows(&numbers, texts),
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
    let state = numbers.run.initial.process(id);
    let mut registers = Vec::new();
    for (register, index) in numbers.registers(id) {
        let name = text::register(numbers.program, id, register, index);
        let value = state.registers[register.index()][index as usize];
        registers.push(Register { name, value });
    }
    Process {
        name: numbers.program.process(id).name.clone(),
        lives: state.started,
        at: numbers.at(&numbers.run.initial, id, texts),
        registers,
    }
}

fn cells(numbers: &Numbers<'_>) -> Vec<Cell> {
    let cell = |address: Address| Cell {
        name: text::address(numbers.program, address),
        ghost: numbers.program.var(address.var).kind == VarKind::Ghost,
        value: numbers.run.initial.value(address),
    };
    numbers.addresses().map(cell).collect()
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
