//! Steps that are racy read-modify-writes: they load what they store, and other processes store it, too.

use taut_ir::{DefId, Expr, Lvalue, ProcId, Program, RegId, Step, StepId, VarId};

/// Whether a step loads a program point that it stores, of some variables, and another process may store it, too.
pub(super) fn is_race(program: &Program, def: DefId, step: StepId, vars: &[VarId]) -> bool {
    let step = &program.defs[def.index()].steps[step.index()];
    let of_vars = |place: &&Lvalue| place.variable().is_some_and(|var| vars.contains(&var));
    let mut updated = step.stores().filter(of_vars).filter(|place| loads(step, place));
    updated.any(|place| is_stored_by_others(program, def, place))
}

/// Whether a step loads a place. Two elements of an array are the same if their indices read the same.
fn loads(step: &Step, place: &Lvalue) -> bool {
    let mut found = false;
    for expr in step.expressions() {
        expr.visit(&mut |e| {
            found |= match (e, place) {
                (Expr::Var(a), Lvalue::Var(b)) => a == b,
                (Expr::VarElem(a, i), Lvalue::VarElem(b, j)) => a == b && **i == *j,
                _ => false,
            };
        });
    }
    found
}

/// Whether two processes, of which one is of a definition and takes a step that stores to a place, may store to the same
/// program point.
fn is_stored_by_others(program: &Program, def: DefId, place: &Lvalue) -> bool {
    let ours = program.process_ids().filter(|&p| program.process(p).def == def);
    let mut pairs = ours.flat_map(|our| program.process_ids().map(move |other| (our, other)));
    pairs.any(|(our, other)| {
        let stores = program.def_of(other).steps.iter().flat_map(|step| step.stores());
        let mut same = stores.filter(|stored| stored.variable() == place.variable());
        our != other && same.any(|stored| may_meet(program, (our, place), (other, stored)))
    })
}

/// Whether two places of the same variable may be the same program point, each in the view of its process.
fn may_meet(
    program: &Program,
    (a, place): (ProcId, &Lvalue),
    (b, other): (ProcId, &Lvalue),
) -> bool {
    let index = |process, place: &Lvalue| place.index().and_then(|i| value(program, process, i));
    match (index(a, place), index(b, other)) {
        (Some(i), Some(j)) => i == j,
        _ => true,
    }
}

/// The value of an index that never changes: a number, or a parameter that is never assigned.
fn value(program: &Program, process: ProcId, index: &Expr) -> Option<i64> {
    match index {
        Expr::Const(number) => Some(*number),
        Expr::Reg(register) if !is_assigned(program, process, *register) => {
            program.process(process).args.get(register.index()).copied()
        }
        _ => None,
    }
}

fn is_assigned(program: &Program, process: ProcId, register: RegId) -> bool {
    let mut places = program.def_of(process).steps.iter().flat_map(|step| step.stores());
    places.any(|place| matches!(place, Lvalue::Reg(r) | Lvalue::RegElem(r, _) if *r == register))
}
