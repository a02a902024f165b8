//! What the search over crowds does not know, said before anything is searched: processes that are not alike, and what no
//! search over load buffers knows.
//!
//! Processes of one definition must be *alike*: nothing that one does may depend on its number, since numbers have no
//! bound and a crowd has no names. So no step may look at the parameter that is the number.

use taut_engine::Unsupported;
use taut_ir::{Expr, MemoryModel, Program, PropertyKind, RegId, Span, Step, VarKind};

use super::prepare::prepare;
use crate::locals::users_of_ghosts;
use crate::refuse::{self, PREFIX};

/// The code of the messages.
pub const CODE: &str = "E0025";

type Check = Result<(), Unsupported>;

fn absent(
    there: bool,
    message: &str,
    span: Span,
    label: &'static str,
    help: &'static str,
) -> Check {
    match there {
        true => Err(Unsupported::new(message).at(CODE, span).label(label).help(help)),
        false => Ok(()),
    }
}

/// Whether there are answers for every number of processes under a memory model.
pub(crate) fn knows(model: MemoryModel) -> bool {
    !model.is_relaxed() || model == MemoryModel::Tso
}

/// Whether the search knows everything in a valid program.
pub(crate) fn check(program: &Program, model: MemoryModel) -> Check {
    let Some(&first) = program.replicated.first() else {
        let message = "no process of this program has any number of instances";
        return Err(Unsupported::new(message));
    };
    if !knows(model) {
        let span = program.defs[first.index()].span;
        return absent(
            true,
            &format!("no proof for every number of processes under {}", model.name()),
            span,
            "any number of processes",
            "ask for `--model sc` or `--model tso`, or for a fixed number: `--threads 2`",
        );
    }
    check_temporal(program)?;
    for &def in &program.replicated {
        let def = &program.defs[def.index()];
        def.steps.iter().try_for_each(|step| check_step(def.params, step))?;
        let entry = &def.points[def.entry.index()];
        absent(
            entry.atomic,
            "any number of processes that start in an atomic section",
            def.span,
            "starts in an atomic section",
            FIXED,
        )?;
    }
    check_properties(program)?;
    let prepared = prepare(program, model);
    check_ghosts(&prepared)?;
    refuse::check_single(&prepared).and_then(|()| refuse::check(&prepared)).map_err(as_any)
}

const FIXED: &str = "ask for a fixed number: `--threads 2`";

/// The refusal of the engine for a fixed number, in the words of this one.
fn as_any(why: Unsupported) -> Unsupported {
    let what = why.message.strip_prefix(PREFIX).unwrap_or(&why.message);
    let message = format!("for every number of processes, Taut does not know {what}");
    let refusal = Unsupported::new(message).at(CODE, why.span);
    let refusal = why.label.map_or(refusal.clone(), |label| refusal.label(label));
    refusal.help(FIXED)
}

/// Steps must not look at the number of the process.
fn check_step(params: u32, step: &Step) -> Check {
    let mut looks = false;
    for expr in step.expressions() {
        expr.visit(&mut |e| {
            looks |= match e {
                Expr::Reg(RegId(r)) | Expr::RegElem(RegId(r), _) => *r < params,
                Expr::Pid => true,
                _ => false,
            };
        });
    }
    absent(
        looks,
        "what a process does depends on its number, and there is any number of them",
        step.span,
        "looks at the number of the process",
        "make processes that do different things different definitions; or ask for a fixed number: `--threads 2`",
    )
}

/// Properties may name processes, but not look at their numbers, nor count them.
fn check_properties(program: &Program) -> Check {
    for property in &program.properties {
        let (PropertyKind::Forbid(expr)
        | PropertyKind::Cover(expr)
        | PropertyKind::Invariant(expr)) = &property.kind
        else {
            continue;
        };
        let mut looks = false;
        expr.visit(&mut |e| looks |= looks_at_number(program, e));
        absent(
            looks,
            "this property depends on the number of a process, and there is any number of them",
            property.span,
            "looks at the number of a process",
            FIXED,
        )?;
    }
    Ok(())
}

fn looks_at_number(program: &Program, expr: &Expr) -> bool {
    let Expr::In(process, inner) = expr else { return false };
    let def = program.process(*process).def;
    let params = program.defs[def.index()].params;
    let mut looks = false;
    inner.visit(&mut |e| {
        looks |= match e {
            Expr::Reg(RegId(r)) | Expr::RegElem(RegId(r), _) => *r < params,
            Expr::Pid => true,
            _ => false,
        };
    });
    looks && program.is_replicated(def)
}

fn check_temporal(program: &Program) -> Check {
    let temporal = program.properties.iter().find(|p| p.kind.is_temporal());
    absent(
        temporal.is_some(),
        "no answer for every number of processes about properties of runs",
        temporal.map_or(Span::NONE, |p| p.span),
        "about runs",
        "leave it out, or ask for a fixed number: `--threads 2`",
    )
}

/// A ghost of steps that are not locked belongs to one process.
fn check_ghosts(prepared: &Program) -> Check {
    let users = users_of_ghosts(prepared);
    let is_shared = |(var, users): &(&taut_ir::VarId, &Vec<taut_ir::ProcId>)| {
        let any = users.iter().any(|&p| prepared.is_replicated(prepared.process(p).def));
        prepared.var(**var).kind == VarKind::Ghost && (any || users.len() > 1)
    };
    let shared = users.iter().filter(is_shared).map(|(var, _)| *var).min();
    absent(
        shared.is_some(),
        "a ghost that several processes use in steps that are not locked",
        shared.map_or(Span::NONE, |var| prepared.var(var).span),
        "used by several processes",
        "use it in `locked { … }` only, make it `shared`, or ask for a fixed number: `--threads 2`",
    )
}
