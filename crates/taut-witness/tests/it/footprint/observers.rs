//! An action that no observer notices changes no value that is looked at.

use taut_ir::{
    Action, Atom, ChanId, ChannelQuery, Expr, Footprint, Locations, PointId, ProcId, Program,
    RegId, Start, Visibility,
};
use taut_witness::{Machine, Outcome, State};

use super::facts::actors;
use super::{Analysis, Tally};

/// The values that were different after an action, each of which must have been noticed.
pub(super) const KINDS: &[&str] = &[
    "seen: memory",
    "seen: view",
    "seen: register",
    "seen: program point",
    "seen: buffer",
    "seen: life",
    "seen: channel",
    "seen: number of processes",
    "unseen",
];

/// An expression that is looked at.
pub(super) struct Observer {
    kind: &'static str,
    atom: Atom,
    visibility: Visibility,
}

/// Everything that a property can look at.
pub(super) fn all(program: &Program) -> Vec<Observer> {
    let mut all = Vec::new();
    let mut add = |kind, expr: Expr| {
        let visibility = Visibility::of(program, [&expr]);
        all.push(Observer { kind, atom: Atom { expr, text: String::new() }, visibility });
    };
    let inside = |p: ProcId, expr: Expr| Expr::In(p, Box::new(expr));
    let is = |expr: Expr, value: i64| expr.equals(value.into());
    for var in program.var_ids().filter(|&v| program.var(v).len.is_none()) {
        for value in 0..3 {
            add("seen: memory", is(Expr::Var(var), value));
            for p in program.process_ids() {
                add("seen: view", is(inside(p, Expr::Var(var)), value));
            }
        }
    }
    for p in program.process_ids() {
        let def = program.def_of(p);
        for r in (0..def.registers.len()).filter(|&r| def.registers[r].len.is_none()) {
            let register = Expr::Reg(RegId::from(r));
            (0..3).for_each(|v| add("seen: register", is(inside(p, register.clone()), v)));
        }
        for point in (0..def.points.len()).map(PointId::from) {
            add("seen: program point", Expr::At(p, vec![point]));
        }
        add("seen: buffer", Expr::Drained(p));
        add("seen: life", Expr::Alive(p));
        if program.lifecycle == taut_ir::Lifecycle::Stack {
            (0..4).for_each(|v| add("seen: life", is(inside(p, Expr::Pid), v)));
        }
    }
    if program.lifecycle == taut_ir::Lifecycle::Stack {
        (0..5).for_each(|v| add("seen: number of processes", is(Expr::Processes, v)));
    }
    for channel in (0..program.channels.len()).map(ChanId::from) {
        let named = Box::new(Expr::Const(channel.value()));
        add("seen: channel", Expr::Channel(ChannelQuery::Length, named.clone()));
        add("seen: channel", Expr::Channel(ChannelQuery::Full, named));
    }
    all
}

pub(super) fn check(
    analysis: &Analysis<'_>,
    machine: &Machine<'_>,
    (state, action): (&State, Action),
    (observers, tally): (&[Observer], &mut Tally),
) -> Result<(), String> {
    let Ok(done) = machine.apply(state, action) else { return Ok(()) };
    let Outcome::State(after) = done.outcome else { return Ok(()) };
    for observer in observers {
        let atom = std::slice::from_ref(&observer.atom);
        let differs = machine.valuation(state, atom) != machine.valuation(&after, atom);
        let notices = notices(analysis, &observer.visibility, action, (state, &after));
        if differs && !notices {
            return Err(format!("not noticed: {} ({:?})", observer.kind, observer.atom.expr));
        }
        let kind = if differs { Some(observer.kind) } else { (!notices).then_some("unseen") };
        if let Some(kind) = kind {
            *tally.entry(kind).or_default() += 1;
        }
    }
    Ok(())
}

fn notices(
    analysis: &Analysis<'_>,
    visibility: &Visibility,
    action: Action,
    (before, after): (&State, &State),
) -> bool {
    let program = analysis.program;
    let vanishes = |p: ProcId| {
        let spawned = program.process(p).start == Start::Spawned;
        spawned && before.process(p).started && !after.process(p).started
    };
    if let Action::Commit { process, var, index } = action {
        let committed = Locations { var, index: Some(index) };
        return visibility.memory_but(process).any(|seen| seen.meets(committed))
            || visibility.of_process(process).buffer
            || (vanishes(process) && visibility.notices_end(program, process));
    }
    actors(action).into_iter().any(|(process, step)| {
        let footprint: Footprint = analysis.of(process, step);
        let [from, to] = [before, after].map(|state| state.process(process).point);
        visibility.notices_step((program, analysis.memory.model), process, &footprint)
            || visibility.notices_move(process, from, to)
            || (vanishes(process) && visibility.notices_end(program, process))
    })
}
