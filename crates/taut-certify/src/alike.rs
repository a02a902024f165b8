//! Processes that may change places.
//!
//! The certificate lists groups of processes. Two neighbours of a group may change places if nothing tells them apart:
//! they have the same code, start in the same way with the same arguments, own no channel, no step names one of them,
//! and what is claimed says the same with the two exchanged. Then the exchange is an automorphism (Ip and Dill 1996;
//! Emerson and Sistla 1996): whatever can happen in a state can happen, exchanged, in the exchanged state, and is wrong
//! there if and only if it is wrong here. Exchanges of neighbours make up all orders of a group. So one order of each
//! state is enough, and it does not matter for the proof which one: here processes are sorted by the numbers of their parts.
//!
//! A spawn takes the first process that waits. Exchanged, it may take another one; both are at rest, so that a further
//! exchange makes up for it if both are in the group. So a group with one process of a definition that waits to be
//! spawned has all of them.

use taut_ir::{BinaryOp, Expr, Lifecycle, ProcId, Program, Start, Step};

/// Groups of processes that may change places.
#[derive(Debug)]
pub struct Alike {
    /// The numbers of processes.
    pub groups: Vec<Vec<usize>>,
}

impl Alike {
    /// The groups, if what is claimed and the program allow them; or why not.
    pub fn new(program: &Program, claimed: &[&Expr], groups: &[Vec<u32>]) -> Result<Alike, String> {
        let mut listed = vec![false; program.processes.len()];
        for &number in groups.iter().flatten() {
            match listed.get_mut(number as usize) {
                Some(known) if !*known => *known = true,
                _ => return Err(format!("process {number} cannot change places")),
            }
        }
        for group in groups {
            let alike =
                |pair: &[u32]| may_exchange(program, claimed, ProcId(pair[0]), ProcId(pair[1]));
            if !group.windows(2).all(alike) || !has_all_slots(program, group) {
                return Err(format!("the processes {group:?} cannot change places"));
            }
        }
        let groups = groups.iter().map(|group| group.iter().map(|&p| p as usize).collect());
        Ok(Alike { groups: groups.collect() })
    }
}

/// Whether a group with a process that waits to be spawned has all of its definition.
fn has_all_slots(program: &Program, group: &[u32]) -> bool {
    let waiting = group.iter().map(|&p| program.process(ProcId(p)));
    let mut waiting = waiting.filter(|process| process.start == Start::Spawned);
    waiting.all(|process| program.spawn_slots(process.def).all(|p| group.contains(&p.0)))
}

/// Whether nothing tells two processes apart, neither the program nor what is claimed.
pub fn may_exchange(program: &Program, claimed: &[&Expr], p: ProcId, q: ProcId) -> bool {
    let (a, b) = (program.process(p), program.process(q));
    let equal = (a.def, a.start, &a.args) == (b.def, b.start, &b.args);
    // Processes on a stack have numbers, and so have priorities.
    let unnumbered = program.lifecycle == Lifecycle::Slots && program.priorities.is_none();
    let own_no_channel = a.channels.is_empty() && b.channels.is_empty();
    let mut steps = program.defs.iter().flat_map(|def| &def.steps).flat_map(Step::expressions);
    equal
        && unnumbered
        && own_no_channel
        && !steps.any(|expr| names(expr, p) || names(expr, q))
        && claimed.iter().all(|expr| is_invariant(expr, p, q))
}

/// Whether an expression names a process.
pub(crate) fn names(expr: &Expr, process: ProcId) -> bool {
    let named = match expr {
        Expr::In(p, _) | Expr::At(p, _) => *p == process,
        Expr::Drained(p) | Expr::Enabled(p) | Expr::Alive(p) => *p == process,
        _ => false,
    };
    named || expr.operands().into_iter().any(|operand| names(operand, process))
}

/// Whether an expression over the whole state says the same with two processes exchanged. Operands of sums and the like
/// may change places where nothing can go wrong: `a && b` does not compute b where a is false.
fn is_invariant(expr: &Expr, p: ProcId, q: ProcId) -> bool {
    let named = names(expr, p) || names(expr, q);
    !named || (!may_fault(expr) && text(expr, (p, p)) == text(expr, (p, q)))
}

fn may_fault(expr: &Expr) -> bool {
    use BinaryOp::{Div, Rem, Shl, Shr};
    let own = match expr {
        Expr::RegElem(..) | Expr::VarElem(..) | Expr::Channel(..) | Expr::Poll(_) => true,
        Expr::Binary(op, ..) => matches!(op, Div | Rem | Shl | Shr),
        _ => false,
    };
    own || expr.operands().into_iter().any(may_fault)
}

/// An expression as a text with two processes exchanged, whatever the order of operands that may change places.
fn text(expr: &Expr, (p, q): (ProcId, ProcId)) -> String {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Eq, Mul, Ne, Or};
    match expr {
        Expr::Binary(op, a, b) => {
            let chains = matches!(op, Add | Mul | And | Or | BitAnd | BitOr | BitXor);
            let operands = if chains { chain(expr, *op) } else { vec![&**a, &**b] };
            let mut texts: Vec<String> = operands.iter().map(|e| text(e, (p, q))).collect();
            if chains || matches!(op, Eq | Ne) {
                texts.sort();
            }
            format!("{op:?}({})", texts.join(","))
        }
        Expr::Unary(op, a) => format!("{op:?}({})", text(a, (p, q))),
        other => {
            let renamed = format!("{other:?}").replace(&format!("{p:?}"), "#");
            renamed.replace(&format!("{q:?}"), &format!("{p:?}")).replace('#', &format!("{q:?}"))
        }
    }
}

/// The operands of a chain of one operator.
fn chain(expr: &Expr, op: BinaryOp) -> Vec<&Expr> {
    match expr {
        Expr::Binary(own, a, b) if *own == op => [chain(a, op), chain(b, op)].concat(),
        _ => vec![expr],
    }
}
