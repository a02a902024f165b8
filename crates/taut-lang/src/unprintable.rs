//! What the program model has and the Taut language has no syntax for.
//!
//! Channels, processes on a stack and priorities among steps are Promela's. [`check`] is asked before a
//! program is printed, so that the printer meets only what it can write.

use std::fmt;

use taut_ir::{Control, Effect, Expr, Lifecycle, Program, PropertyKind, Step};

/// Why a program cannot be written in the Taut language: the first thing in it without a syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unprintable(&'static str);

impl fmt::Display for Unprintable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the Taut language has no syntax for {}", self.0)
    }
}

impl std::error::Error for Unprintable {}

const CHANNELS: &str = "channels";
const STACK: &str = "processes on a stack";

/// Whether everything in a valid program has a syntax.
pub(crate) fn check(program: &Program) -> Result<(), Unprintable> {
    if !program.channels.is_empty() {
        return Err(Unprintable(CHANNELS));
    }
    if program.lifecycle == Lifecycle::Stack {
        return Err(Unprintable(STACK));
    }
    program.defs.iter().flat_map(|d| &d.steps).try_for_each(step)?;
    program.properties.iter().try_for_each(|p| property(&p.kind))
}

/// Fails if something is there.
fn absent(there: bool, what: &'static str) -> Result<(), Unprintable> {
    if there { Err(Unprintable(what)) } else { Ok(()) }
}

fn step(step: &Step) -> Result<(), Unprintable> {
    absent(step.channel.is_some(), CHANNELS)?;
    absent(!step.yields_to.is_empty(), "steps that yield to others")?;
    absent(step.holds, "steps after which a process holds the others")?;
    absent(step.drains, "steps that wait for the buffer under some memory models only")?;
    absent(step.target == Control::Exit, STACK)?;
    for effect in &step.effects {
        match effect {
            Effect::Assign(_) | Effect::Assert { .. } | Effect::StoreFence => {}
            Effect::Spawn { pid, .. } => absent(pid.is_some(), STACK)?,
            Effect::Fail(_) => return Err(Unprintable("steps that always go wrong")),
        }
    }
    step.expressions().into_iter().try_for_each(|e| everywhere(e, &in_step))
}

fn property(kind: &PropertyKind) -> Result<(), Unprintable> {
    match kind {
        PropertyKind::Never(_) => return Err(Unprintable("never claims")),
        PropertyKind::Ltl(ltl) => absent(!ltl.finite_runs, "formulas about infinite runs only")?,
        PropertyKind::Assert
        | PropertyKind::Forbid(_)
        | PropertyKind::Cover(_)
        | PropertyKind::Invariant(_) => {}
    }
    kind.exprs().into_iter().try_for_each(|e| everywhere(e, &in_property))
}

/// Asks about an expression and all in it.
fn everywhere(
    expr: &Expr,
    ask: &impl Fn(&Expr) -> Result<(), Unprintable>,
) -> Result<(), Unprintable> {
    ask(expr)?;
    expr.operands().into_iter().try_for_each(|e| everywhere(e, ask))
}

fn in_step(expr: &Expr) -> Result<(), Unprintable> {
    let remote = matches!(expr, Expr::In(..) | Expr::At(..) | Expr::Drained(_) | Expr::Enabled(_));
    absent(remote, "steps that look into another process")?;
    in_property(expr)
}

fn in_property(expr: &Expr) -> Result<(), Unprintable> {
    match expr {
        Expr::Const(_)
        | Expr::Reg(_)
        | Expr::RegElem(..)
        | Expr::Var(_)
        | Expr::VarElem(..)
        | Expr::Unary(..)
        | Expr::Binary(..)
        | Expr::Cond(..)
        | Expr::In(..)
        | Expr::At(..)
        | Expr::Drained(_)
        | Expr::Enabled(_) => Ok(()),
        Expr::Pid | Expr::Processes => Err(Unprintable(STACK)),
        Expr::Alive(_) => Err(Unprintable("asking whether a process lives")),
        Expr::Timeout => Err(Unprintable("timeouts")),
        Expr::Channel(..) | Expr::Poll(_) => Err(Unprintable(CHANNELS)),
    }
}
