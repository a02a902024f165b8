//! Statements that are one step here and several instructions on a processor.
//!
//! Promela and DVE perform a whole statement at once. On relaxed memory that is a strange mixture: the statement is
//! indivisible, as no instruction of a processor is, but its store waits in a buffer, as those of processors do. So every
//! statement is named that accesses more than one program point of shared memory, or reads and writes one.
//!
//! Not named are locked instructions, atomic blocks (the author asked for one step), what a channel reads and writes in
//! its own operation, and ghosts. Reading one program point twice is one access: a compiler loads it once.

use taut_source::{Diagnostic, Span};

use super::{codes, is_inside, push};
use crate::{Control, Effect, Expr, Lvalue, Mode, ProcessDef, Program, Step, VarId};

/// Statements that are named; the others are counted.
pub const MOST_WARNINGS: usize = 5;

/// A warning for each statement with several accesses, except those inside of `atomic` places of the source and those that
/// only access the variables in `observers`.
pub fn granularity(program: &Program, atomic: &[Span], observers: &[VarId]) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    for def in &program.defs {
        let held = held(def);
        let is_plain = |step: &&Step| {
            let is_alone = !step.span.is_none() && !atomic.iter().any(|&a| is_inside(step.span, a));
            is_alone
                && step.mode != Mode::Locked
                && step.channel.is_none()
                && !held[step.source.index()]
                && !step.holds
        };
        for step in def.steps.iter().filter(is_plain) {
            let found = Accesses::of(program, step, observers);
            if found.loads.len() + found.stores.len() > 1 {
                push(&mut list, found.warning(program, step.span));
            }
        }
    }
    list.sort_by_key(|d| d.span);
    shortened(list)
}

fn shortened(mut list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    // One more than the limit is shown as it is: saying that there is one more takes as much room.
    if list.len() <= MOST_WARNINGS + 1 {
        return list;
    }
    let more = list.len() - MOST_WARNINGS;
    let span = list[MOST_WARNINGS].span;
    list.truncate(MOST_WARNINGS);
    let message = format!("and {more} more statements with several accesses to shared memory");
    list.push(Diagnostic::warning(codes::GRANULARITY, message, span).label("the first of them"));
    list
}

/// For each program point, whether a process there is in a sequence that other processes do not interrupt.
fn held(def: &ProcessDef) -> Vec<bool> {
    let mut held: Vec<bool> = def.points.iter().map(|point| point.atomic).collect();
    for step in def.steps.iter().filter(|step| step.holds) {
        if let Control::Goto(to) = step.target {
            held[to.index()] = true;
        }
    }
    held
}

/// The different program points that a step loads and stores.
struct Accesses<'p> {
    program: &'p Program,
    observers: &'p [VarId],
    /// By the expression that names them.
    loads: Vec<Expr>,
    stores: Vec<Expr>,
}

impl<'p> Accesses<'p> {
    fn of(program: &'p Program, step: &Step, observers: &'p [VarId]) -> Accesses<'p> {
        let mut all = Accesses { program, observers, loads: Vec::new(), stores: Vec::new() };
        step.expressions().into_iter().for_each(|e| all.load(e));
        for effect in &step.effects {
            if let Effect::Assign(list) = effect {
                list.iter().for_each(|a| all.store(&a.place));
            }
        }
        all
    }

    fn counts(&self, var: VarId) -> bool {
        self.program.var(var).kind.is_buffered() && !self.observers.contains(&var)
    }

    fn load(&mut self, expr: &Expr) {
        let mut found = Vec::new();
        expr.visit(&mut |e| {
            if let Expr::Var(v) | Expr::VarElem(v, _) = e
                && self.counts(*v)
            {
                found.push(e.clone());
            }
        });
        found.retain(|e| !self.loads.contains(e));
        for one in found {
            if !self.loads.contains(&one) {
                self.loads.push(one);
            }
        }
    }

    fn store(&mut self, place: &Lvalue) {
        let expr = match place {
            Lvalue::Var(v) => Expr::Var(*v),
            Lvalue::VarElem(v, index) => Expr::VarElem(*v, Box::new(index.clone())),
            Lvalue::Reg(_) | Lvalue::RegElem(..) => return,
        };
        if place.variable().is_some_and(|v| self.counts(v)) && !self.stores.contains(&expr) {
            self.stores.push(expr);
        }
    }

    fn warning(&self, program: &Program, span: Span) -> Diagnostic {
        let count = self.loads.len() + self.stores.len();
        let number = match count {
            2 => "two".into(),
            3 => "three".into(),
            count => count.to_string(),
        };
        let message = format!("one step here, {number} instructions on a processor");
        let names = |list: &[Expr]| {
            let mut all: Vec<String> = Vec::new();
            for var in list.iter().filter_map(variable) {
                let name = format!("`{}`", program.var(var).name);
                if !all.contains(&name) {
                    all.push(name);
                }
            }
            all.join(", ")
        };
        let label = match (self.loads.is_empty(), self.stores.is_empty()) {
            (false, false) => {
                format!("reads {} and writes {}", names(&self.loads), names(&self.stores))
            }
            (false, true) => format!("reads {}", names(&self.loads)),
            (true, _) => format!("writes {}", names(&self.stores)),
        };
        Diagnostic::warning(codes::GRANULARITY, message, span)
            .label(label)
            .help("`--granularity access` performs one access per step; write `atomic` where one step is meant")
    }
}

fn variable(expr: &Expr) -> Option<VarId> {
    match expr {
        Expr::Var(v) | Expr::VarElem(v, _) => Some(*v),
        _ => None,
    }
}
