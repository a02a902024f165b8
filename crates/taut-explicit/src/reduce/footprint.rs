//! What a step touches.

use taut_ir::{Control, Effect, Expr, Lvalue, MemoryModel, Mode, ProcId, Program, Step};
use taut_memory::{CellId, MemorySystem};

use super::objects::{ALL_DRAINED, Numbering, Objects, PROCESS_TABLE, VISIBLE};
use super::visibility::Visibility;
use taut_machine::Machine;

/// Objects that are read, written at once, and stored to by way of the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Footprint {
    pub(super) reads: Objects,
    pub(super) writes: Objects,
    pub(super) stores: Objects,
}

impl Footprint {
    pub(super) fn join(&mut self, other: Footprint) {
        self.reads |= other.reads;
        self.writes |= other.writes;
        self.stores |= other.stores;
    }
}

/// A program with what its objects are called and what is asked of it.
pub(super) struct StepAnalysis<'a, M> {
    pub(super) program: &'a Program,
    pub(super) machine: &'a Machine<M>,
    pub(super) model: MemoryModel,
    pub(super) numbering: &'a Numbering,
    pub(super) sight: &'a Visibility,
}

impl<M: MemorySystem> StepAnalysis<'_, M> {
    /// What a step of a process touches, but for where the process goes.
    pub(super) fn step(&self, process: ProcId, step: &Step) -> Footprint {
        taut_budget::tick();
        let mut touch = Footprint::default();
        for expr in step.expressions() {
            touch.reads |= self.reads(expr);
        }
        if let Some(op) = &step.channel {
            touch.reads |= self.numbering.channels_of(op.channel());
            touch.writes |= self.numbering.channels_of(op.channel());
        }
        if step.mode == Mode::Sync {
            touch.writes |= ALL_DRAINED;
        }
        self.comings_and_goings(process, step, &mut touch);
        touch.writes |= self.numbering.process(process.index());
        for place in step.stores() {
            self.store(process, step, place, &mut touch);
        }
        if touch.stores != 0 {
            touch.reads |= ALL_DRAINED;
        }
        if self.sight.notices_step(process, step, touch) {
            touch.writes |= VISIBLE;
        }
        touch
    }

    fn reads(&self, expr: &Expr) -> Objects {
        let numbering = self.numbering;
        let mut reads = numbering.places(self.machine.places().read(self.program, expr));
        expr.visit(&mut |e| match e {
            Expr::In(p, _) | Expr::At(p, _) | Expr::Alive(p) => {
                reads |= numbering.process(p.index()) | PROCESS_TABLE;
            }
            Expr::Processes => reads |= PROCESS_TABLE,
            Expr::Channel(_, channel) => reads |= numbering.channels_of(channel),
            Expr::Poll(poll) => reads |= numbering.channels_of(&poll.channel),
            // These are for properties; whoever asks them in a step depends on everything.
            Expr::Drained(_) | Expr::Enabled(_) => reads = Objects::MAX,
            _ => {}
        });
        reads
    }

    fn store(&self, process: ProcId, step: &Step, place: &Lvalue, touch: &mut Footprint) {
        let plain = step.plain_stores().any(|plain| std::ptr::eq(plain, place));
        let waits = |p: &CellId| plain && self.machine.memory().is_buffered(process, *p);
        let stored = self.machine.places().stored(self.program, place);
        let (buffered, direct): (Vec<_>, Vec<_>) = stored.into_iter().partition(waits);
        touch.stores |= self.numbering.places(buffered);
        touch.writes |= self.numbering.places(direct);
    }

    /// Spawns and exits: the list of processes, and the objects that begin anew with them.
    fn comings_and_goings(&self, process: ProcId, step: &Step, touch: &mut Footprint) {
        for effect in &step.effects {
            if let Effect::Spawn { def, .. } = effect {
                touch.writes |= PROCESS_TABLE;
                for slot in self.program.spawn_slots(*def) {
                    touch.writes |= self.belongings(slot);
                }
            }
        }
        if step.target == Control::Exit {
            touch.writes |= PROCESS_TABLE | self.belongings(process);
        }
    }

    /// The objects that are part of a process.
    pub(super) fn belongings(&self, process: ProcId) -> Objects {
        let channels = self.program.process(process).channels.iter();
        let own = channels.fold(0, |all, c| all | self.numbering.channel(c.index()));
        own | self.numbering.process(process.index())
    }
}
