//! What is asked of processes from outside: references of one process to another, and the questions that only
//! claims may ask.
//!
//! A process is named by its proctype, `P`, or by its proctype and its number, `P[i]`, or by its number. Without a number it is the
//! oldest living one of the proctype, as in SPIN (`f_pid` in its verifier). DIVERGENCE: of a number that is that
//! of a process of another proctype, SPIN reads the memory of that process as if it were one of P; here there is
//! no such process, and all that is asked of it is 0. So it is, as in SPIN, of a process that does not live.

use taut_ir::{BinaryOp, Expr, Lvalue, ProcId, RegId};
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::storage::Home;
use super::table::Marks;
use crate::ast::{self, ExprKind, MemoryOp, Part};
use crate::{Binding, VariableId, codes};

/// The most nodes of an expression about processes that are chosen by a number.
const MOST_NODES: usize = 100_000;
/// The most elements of an array of another process that may be chosen by an expression.
const MOST_ELEMENTS: u32 = 256;

impl<'m> Lowering<'m> {
    /// `P[e]@label`: whether the process of P with that number is there.
    pub(super) fn remote_label(
        &mut self,
        name: &str,
        process: Option<&'m ast::Expr>,
        label: &str,
        span: Span,
    ) -> Expr {
        let pid = process.map(|e| self.expr(e));
        let Some(number) = self.symbols().proctype(name) else { return Expr::Const(0) };
        let Some(point) = self.label_point(number, label) else { return Expr::Const(0) };
        self.choose(number, pid, span, |p| Expr::At(p, vec![point]))
    }

    /// `P[e]:x`, `P[e]:x[i]`, `P[e]:_pid`
    pub(super) fn remote_variable(
        &mut self,
        name: &str,
        process: Option<&'m ast::Expr>,
        variable: &'m Part,
        span: Span,
    ) -> Expr {
        let pid = process.map(|e| self.expr(e));
        let Some(number) = self.symbols().proctype(name) else { return Expr::Const(0) };
        match variable.name.text.as_str() {
            "_pid" => return self.choose(number, pid, span, |p| Expr::In(p, Box::new(Expr::Pid))),
            "_p" => {
                let text = "`_p`, a number of SPIN's own, is not read by Taut".into();
                return self.unsupported(text, span, "`P@label` asks where a process is");
            }
            _ => {}
        }
        let owned = |v: &crate::Variable| v.owner == Some(number) && v.name == variable.name.text;
        let Some(id) = self.symbols().variables.iter().position(owned) else {
            return Expr::Const(0);
        };
        let Some(leaf) = self.storage.of(VariableId(id as u32)).first().cloned() else {
            return Expr::Const(0);
        };
        let Home::Reg(register) = leaf.home else { return Expr::Const(0) };
        let Some(len) = leaf.len() else {
            return self.choose(number, pid, span, |p| Expr::In(p, Box::new(Expr::Reg(register))));
        };
        let index = variable.index.as_ref().map_or(Expr::Const(0), |e| self.expr(e));
        if !self.is_small(&index, len, span) {
            return Expr::Const(0);
        }
        self.choose(number, pid, span, |p| element(p, register, len, &index))
    }

    /// Whether an element may be chosen by this index; reports if not.
    fn is_small(&mut self, index: &Expr, len: u32, span: Span) -> bool {
        let small = matches!(index, Expr::Const(_)) || len <= MOST_ELEMENTS;
        if !small {
            let text = format!(
                "through another process, an array of more than {MOST_ELEMENTS} elements can have a \
                 constant index only"
            );
            self.unsupported(text, span, "name the element by its number");
        }
        small && self.fits(index, len as usize, span)
    }

    /// Whether an expression may be copied so many times; reports if not.
    fn fits(&mut self, expr: &Expr, times: usize, span: Span) -> bool {
        let mut nodes = 0usize;
        expr.visit(&mut |_| nodes += 1);
        let fits = nodes.saturating_mul(times) <= MOST_NODES;
        if !fits {
            let text = "too much is asked of other processes at once";
            self.diagnostics.push(Diagnostic::error(codes::TOO_LARGE, text, span).label("here"));
        }
        fits
    }

    /// What is asked of the process with a number, among those of a proctype; of the oldest if none is given.
    pub(super) fn choose(
        &mut self,
        proctype: u32,
        pid: Option<Expr>,
        span: Span,
        ask: impl Fn(ProcId) -> Expr,
    ) -> Expr {
        let processes = self.processes_of(proctype);
        let Some(pid) = pid else {
            // The living ones of a proctype are always the first.
            return processes.first().map_or(Expr::Const(0), |p| ask(*p));
        };
        let name = &self.symbols().proctypes[proctype as usize].name;
        let fixed = !self.used.run.contains(name);
        self.among(processes, pid, fixed, span, ask)
    }

    /// What is asked of the process with a number, among some; `fixed` says that they keep their numbers,
    /// because they run from the start and are never run again.
    fn among(
        &mut self,
        processes: Vec<ProcId>,
        pid: Expr,
        fixed: bool,
        span: Span,
        ask: impl Fn(ProcId) -> Expr,
    ) -> Expr {
        if let (Expr::Const(number), true) = (&pid, fixed) {
            let it = processes.into_iter().find(|p| i64::from(p.0) == *number);
            return it.map_or(Expr::Const(0), ask);
        }
        if !self.fits(&pid, processes.len(), span) {
            return Expr::Const(0);
        }
        processes.into_iter().rev().fold(Expr::Const(0), |otherwise, p| {
            let its = Expr::In(p, Box::new(Expr::Pid)).equals(pid.clone());
            let is_it = Expr::Alive(p).and(its);
            Expr::Cond(Box::new(is_it), Box::new(ask(p)), Box::new(otherwise))
        })
    }

    /// What is asked of the process that an argument names: `P`, `P[i]`, or a number.
    pub(super) fn of_process(
        &mut self,
        argument: &'m ast::Expr,
        span: Span,
        ask: impl Fn(ProcId) -> Expr,
    ) -> Expr {
        if let ExprKind::Reference(reference) = &argument.kind
            && let Binding::Proctype(number) = self.symbols().binding(reference)
        {
            let pid = reference.parts[0].index.as_deref().map(|e| self.expr(e));
            return self.choose(number, pid, span, ask);
        }
        if let ExprKind::RemoteVariable { proctype, process, variable } = &argument.kind
            && let Some(number) = self.symbols().proctype(&proctype.text)
            && variable.name.text == "_pid"
        {
            let pid = process.as_deref().map(|e| self.expr(e));
            return self.choose(number, pid, span, ask);
        }
        let pid = self.expr(argument);
        let fixed = self.used.run.is_empty();
        let all = self.program.process_ids().collect();
        self.among(all, pid, fixed, span, ask)
    }

    /// An operation of a dialect in a claim.
    pub(super) fn observed(
        &mut self,
        op: MemoryOp,
        arguments: &'m [ast::Expr],
        span: Span,
    ) -> Expr {
        match (op, arguments) {
            (MemoryOp::Gsvar, [variable]) => self.mm_read(variable),
            (MemoryOp::Svar, [process, variable]) => match self.mm_place(variable) {
                Some(place) => self.view(process, place, span),
                None => Expr::Const(0),
            },
            (MemoryOp::View, [process, variable]) => {
                let place = match &variable.kind {
                    ExprKind::Reference(reference) => self.place(reference),
                    _ => None,
                };
                match place {
                    Some(place) => self.view(process, place, span),
                    None => {
                        let text = "`view` needs a process and a variable".into();
                        self.unsupported(text, variable.at.0, "as in `view(P, x) == 1`")
                    }
                }
            }
            (MemoryOp::Drained, [process]) => self.of_process(process, span, Expr::Drained),
            _ => {
                let text = format!("`{}` cannot stand in a claim", op.text());
                let help = "a claim reads memory by the variable's name, mmlib's with `GSVAR`";
                self.unsupported(text, span, help)
            }
        }
    }

    /// What a process sees in a place of memory. The index is computed from memory, by who asks.
    fn view(&mut self, process: &'m ast::Expr, place: Lvalue, span: Span) -> Expr {
        match place {
            Lvalue::Var(v) => self.of_process(process, span, |p| Expr::In(p, Box::new(v.into()))),
            Lvalue::VarElem(v, index) => {
                let len = self.program.var(v).len.unwrap_or(0);
                if !self.is_small(&index, len, span) {
                    return Expr::Const(0);
                }
                let seen = |p| {
                    by_number(len, &index, |i| {
                        let element = Expr::VarElem(v, Box::new(Expr::Const(i)));
                        Expr::In(p, Box::new(element))
                    })
                };
                self.of_process(process, span, seen)
            }
            Lvalue::Reg(_) | Lvalue::RegElem(..) => {
                let text = "a claim has no variables of its own".into();
                self.unsupported(text, span, "`P:x` is the variable `x` of a process of `P`")
            }
        }
    }

    /// `np_`: no process is at a `progress` label.
    pub(super) fn non_progress(&mut self) -> Expr {
        self.marked(|marks| marks.progress).map_or(Expr::TRUE, Expr::not)
    }

    /// Whether some process, or the trace assertion, is at a state with a mark; none if no state has it.
    pub(super) fn marked(&self, has: fn(Marks) -> bool) -> Option<Expr> {
        let mut somebody: Option<Expr> = self.observer.as_ref().and_then(|o| o.marked(has));
        for number in 0..self.graphs.len() {
            let Some(graph) = &self.graphs[number] else { continue };
            let states = graph.points.iter().filter(|(s, _)| has(graph.table.marks[s.0]));
            let mut points: Vec<_> = states.map(|(_, point)| *point).collect();
            points.sort();
            if points.is_empty() {
                continue;
            }
            for process in self.processes_of(number as u32) {
                let there = Expr::At(process, points.clone());
                somebody = Some(match somebody {
                    None => there,
                    Some(others) => Expr::binary(BinaryOp::Or, others, there),
                });
            }
        }
        somebody
    }
}

/// An element of an array of another process.
fn element(process: ProcId, register: RegId, len: u32, index: &Expr) -> Expr {
    by_number(len, index, |i| {
        Expr::In(process, Box::new(Expr::RegElem(register, Box::new(Expr::Const(i)))))
    })
}

/// An element of an array of which each is asked for by its number: the index is computed by who asks.
fn by_number(len: u32, index: &Expr, element: impl Fn(i64) -> Expr) -> Expr {
    match index {
        Expr::Const(i) if (0..i64::from(len)).contains(i) => element(*i),
        Expr::Const(_) => Expr::Const(0),
        _ => (0..i64::from(len)).rev().fold(Expr::Const(0), |otherwise, i| {
            let is_it = Box::new(index.clone().equals(Expr::Const(i)));
            Expr::Cond(is_it, Box::new(element(i)), Box::new(otherwise))
        }),
    }
}
