//! What the steps of a process look at, and what they may change: by a look at its code.
//!
//! A step sees its own process. Beside that it may read and write variables, use channels, and ask about other processes:
//! whether they live, whether their buffers are empty, where they are, what is in their registers. All of this is found
//! here, program point by program point. What a program point has is what all steps that leave it have together, and,
//! after a step with which a process begins to hold the others, what the program point has where it goes on.

use std::collections::{BTreeMap, BTreeSet};

use taut_ir::{ChannelOp, Control, Effect, Expr, Mode, PointId, ProcId, Program, Step, VarId};

/// What is seen of another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum How {
    /// Whether it lives, and whether its buffer is empty.
    Life,
    /// That, and where it is.
    Point,
    /// Everything.
    Whole,
}

/// What is looked at or changed beside the own process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sight {
    pub(super) variables: BTreeSet<VarId>,
    pub(super) channels: bool,
    pub(super) others: BTreeMap<ProcId, How>,
    /// A step may send in a rendezvous.
    pub(super) sends: bool,
    /// A step may receive in a rendezvous.
    pub(super) receives: bool,
    /// It is more than can be said here.
    pub(super) unknown: bool,
}

impl Sight {
    fn see(&mut self, process: ProcId, how: How) {
        let known = self.others.entry(process).or_insert(how);
        *known = (*known).max(how);
    }

    fn see_all(&mut self, program: &Program, how: How) {
        program.process_ids().for_each(|process| self.see(process, how));
    }

    /// Adds what another one has.
    fn add(&mut self, other: &Sight) {
        self.variables.extend(&other.variables);
        self.channels |= other.channels;
        other.others.iter().for_each(|(&process, &how)| self.see(process, how));
        self.unknown |= other.unknown;
    }

    /// Adds what an expression of a step looks at.
    fn look(&mut self, program: &Program, expr: &Expr) {
        match expr {
            Expr::Var(var) | Expr::VarElem(var, _) => drop(self.variables.insert(*var)),
            Expr::In(process, _) => self.see(*process, How::Whole),
            Expr::At(process, _) => self.see(*process, How::Point),
            Expr::Alive(process) => self.see(*process, How::Life),
            Expr::Processes => self.see_all(program, How::Life),
            Expr::Channel(..) | Expr::Poll(_) => self.channels = true,
            Expr::Drained(_) | Expr::Enabled(_) => self.unknown = true,
            // As long as anything can happen, a timeout is not due.
            Expr::Timeout => {}
            Expr::Const(_) | Expr::Reg(_) | Expr::RegElem(..) | Expr::Pid => {}
            Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {}
        }
        expr.operands().into_iter().for_each(|operand| self.look(program, operand));
    }

    fn step(&mut self, program: &Program, step: &Step) {
        step.expressions().into_iter().for_each(|expr| self.look(program, expr));
        self.variables.extend(step.stores().filter_map(|place| place.variable()));
        let spawns = step.effects.iter().any(|effect| matches!(effect, Effect::Spawn { .. }));
        let ends = step.target == Control::Exit;
        if spawns || ends || step.mode == Mode::Sync {
            self.see_all(program, How::Life);
        }
        self.channels |= spawns || ends || step.channel.is_some();
        let has_rendezvous = program.channels.iter().any(|channel| channel.capacity == 0);
        self.sends |= has_rendezvous && matches!(step.channel, Some(ChannelOp::Send { .. }));
        self.receives |= has_rendezvous && matches!(step.channel, Some(ChannelOp::Receive { .. }));
    }
}

/// For each program point of each definition.
pub(super) fn sights(program: &Program) -> Vec<Vec<Sight>> {
    (0..program.defs.len()).map(|def| of_definition(program, def)).collect()
}

fn of_definition(program: &Program, number: usize) -> Vec<Sight> {
    let def = &program.defs[number];
    let mut all = vec![Sight::default(); def.points.len()];
    // A process that ends empties its channels.
    let owners = program.processes.iter().filter(|process| process.def.index() == number);
    let owns_channels = owners.into_iter().any(|process| !process.channels.is_empty());
    for sight in &mut all {
        sight.channels = owns_channels;
        sight.unknown = program.priorities.is_some();
    }
    for step in &def.steps {
        taut_budget::tick();
        let own = &mut all[step.source.index()];
        own.step(program, step);
        // Whether a rendezvous could be had depends on all that would receive.
        let is_send = |step: &Step| matches!(step.channel, Some(ChannelOp::Send { .. }));
        let yields = step.yields_to.iter().any(|id| is_send(&def.steps[id.index()]));
        own.unknown |= yields && program.channels.iter().any(|channel| channel.capacity == 0);
    }
    for step in def.steps.iter().filter(|step| step.holds) {
        all[step.source.index()].unknown |= !matches!(step.target, Control::Goto(_));
    }
    go_on(def.steps.iter().filter(|step| step.holds), &mut all);
    all
}

/// Adds to a program point what a process that holds the others goes on with.
fn go_on<'s>(holding: impl Iterator<Item = &'s Step> + Clone, all: &mut [Sight]) {
    let mut changed = true;
    while changed {
        changed = false;
        for step in holding.clone() {
            taut_budget::tick();
            let Control::Goto(PointId(to)) = step.target else { continue };
            let mut later = all[to as usize].clone();
            // It could meet any process.
            later.unknown |= later.sends;
            let own = &mut all[step.source.index()];
            let before = own.clone();
            own.add(&later);
            changed |= *own != before;
        }
    }
}
