//! Expressions of the original as expressions of the translation.

use taut_ir::{Expr, PointId, ProcId, Program, RegId, VarId};

use crate::copies::{Copies, either};
use crate::layout::Layout;

/// Where an expression is computed.
#[derive(Clone, Copy)]
pub(crate) enum Seen<'t> {
    /// In a step, inside of a round: the view is up to date, and all other processes are between rounds.
    Step(&'t Copies, &'t [(Copies, Layout)]),
    /// Of a process between rounds, in a property: the view is kept only of what waits.
    Inside(&'t Copies),
    /// In a property: memory.
    Property(&'t [(Copies, Layout)]),
}

/// Translates expressions.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'t> {
    pub program: &'t Program,
    pub seen: Seen<'t>,
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl<'t> Reader<'t> {
    /// The same value. What has no translation has been refused before.
    pub(crate) fn expr(self, expr: &Expr) -> Expr {
        taut_budget::tick();
        match expr {
            Expr::Var(v) => self.variable(*v, None),
            Expr::VarElem(v, i) => self.variable(*v, Some(self.expr(i))),
            Expr::RegElem(r, i) => Expr::RegElem(*r, boxed(self.expr(i))),
            Expr::Unary(op, a) => Expr::Unary(*op, boxed(self.expr(a))),
            Expr::Binary(op, a, b) => Expr::Binary(*op, boxed(self.expr(a)), boxed(self.expr(b))),
            Expr::Cond(c, a, b) => {
                Expr::Cond(boxed(self.expr(c)), boxed(self.expr(a)), boxed(self.expr(b)))
            }
            Expr::In(p, inner) => self.inside(*p, inner),
            Expr::At(p, points) => self.at(*p, points),
            Expr::Drained(p) => self.drained(*p),
            Expr::Const(_)
            | Expr::Reg(_)
            | Expr::Enabled(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Channel(..)
            | Expr::Poll(_) => expr.clone(),
        }
    }

    fn variable(self, var: VarId, index: Option<Expr>) -> Expr {
        let memory = match index.clone() {
            None => Expr::Var(var),
            Some(i) => Expr::VarElem(var, boxed(i)),
        };
        let view = |view: RegId| match index.clone() {
            None => Expr::Reg(view),
            Some(i) => Expr::RegElem(view, boxed(i)),
        };
        match self.seen {
            Seen::Property(_) => memory,
            Seen::Step(copies, _) => copies.of(var).map_or(memory, |copy| view(copy.view)),
            Seen::Inside(copies) => match copies.of(var) {
                None => memory,
                Some(copy) => {
                    let waits = copies.waits(copy, &index.clone().unwrap_or(Expr::Const(0)));
                    either(waits, view(copy.view), memory)
                }
            },
        }
    }

    fn of(self, process: ProcId) -> Option<&'t (Copies, Layout)> {
        match self.seen {
            Seen::Property(all) => all.get(self.program.process(process).def.index()),
            Seen::Step(..) | Seen::Inside(_) => None,
        }
    }

    /// What a process sees, or a register of it. The parts of a view that name registers are marked one
    /// by one, since only reads can be.
    fn inside(self, process: ProcId, inner: &Expr) -> Expr {
        // In a step only registers are asked about, and they are where they were.
        let Some((copies, layout)) = self.of(process) else {
            return Expr::In(process, boxed(inner.clone()));
        };
        let reader = Reader { program: self.program, seen: Seen::Inside(copies) };
        let seen = reader.expr(inner);
        match inner {
            Expr::Var(_) | Expr::VarElem(..) => {
                // Nobody who does not live sees anything.
                let sees = mark(process, &seen);
                let everywhere = layout.everywhere();
                either(Expr::At(process, everywhere), sees, 0.into())
            }
            _ => Expr::In(process, boxed(seen)),
        }
    }

    fn at(self, process: ProcId, points: &[PointId]) -> Expr {
        let (Seen::Property(parts) | Seen::Step(_, parts)) = self.seen else {
            return Expr::At(process, points.to_vec());
        };
        let Some((_, layout)) = parts.get(self.program.process(process).def.index()) else {
            return Expr::At(process, points.to_vec());
        };
        // A step may ask about its own process, which is inside of a round.
        let own = |l: PointId| matches!(self.seen, Seen::Step(..)).then(|| layout.inside(l));
        let all = points.iter().flat_map(|&l| layout.stands_in(l).into_iter().chain(own(l)));
        let mut all: Vec<PointId> = all.collect();
        all.sort_unstable();
        all.dedup();
        Expr::At(process, all)
    }

    fn drained(self, process: ProcId) -> Expr {
        match self.of(process) {
            Some((copies, _)) => mark(process, &copies.drained()),
            None => Expr::Drained(process),
        }
    }
}

/// An expression over the registers of a process, for a property.
pub(crate) fn mark(process: ProcId, expr: &Expr) -> Expr {
    let go = |e: &Expr| boxed(mark(process, e));
    match expr {
        Expr::Reg(_) | Expr::RegElem(..) => Expr::In(process, boxed(expr.clone())),
        // The index is the process's own; memory is everybody's.
        Expr::VarElem(v, i) => Expr::VarElem(*v, go(i)),
        Expr::Unary(op, a) => Expr::Unary(*op, go(a)),
        Expr::Binary(op, a, b) => Expr::Binary(*op, go(a), go(b)),
        Expr::Cond(c, a, b) => Expr::Cond(go(c), go(a), go(b)),
        _ => expr.clone(),
    }
}
