//! What must not be, as constraints: steps in which something is found, states that violate a property, deadlocks.
//!
//! A part of a property that cannot be computed counts as true and as false, so that there may be more constraints than
//! violations, and never fewer.

use std::collections::BTreeSet;

use taut_budget::tick;
use taut_ir::{Action, BinaryOp, Expr, Finding, ProcId, PropertyKind, UnaryOp};
use taut_proof::Constraint;
use taut_witness::State;
use taut_witness::control::{Head, asks_others};

use crate::{Dual, Refusal};

/// The states of one of the first and one of the second.
fn meets(a: &[Head], b: &[Head]) -> Vec<Head> {
    let meet = |(a, b): (&Head, &Head)| {
        tick();
        let agree = a.iter().zip(b).all(|(a, b)| a.is_none() || b.is_none() || a == b);
        agree.then(|| a.iter().zip(b).map(|(a, b)| a.or(*b)).collect())
    };
    let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
    pairs.filter_map(meet).collect::<BTreeSet<_>>().into_iter().collect()
}

impl Dual<'_> {
    /// Constraints that have every step and every state in which there is something that is asked for.
    pub fn bad(&self, is_asked: &dyn Fn(Finding) -> bool) -> Result<Vec<Constraint>, Refusal> {
        let mut all = Vec::new();
        for (p, edges) in self.graph.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| edge.found.iter().any(|&found| is_asked(found)))
            {
                self.undo(&self.thawed(self.graph.anything()), p, edge, &[], &mut all);
            }
        }
        let program = self.graph.machine.program();
        for id in program.property_ids().filter(|&id| is_asked(Finding::Property(id))) {
            let (expr, bad) = match &program.property(id).kind {
                PropertyKind::Forbid(expr) | PropertyKind::Cover(expr) => (expr, true),
                PropertyKind::Invariant(expr) => (expr, false),
                _ => continue,
            };
            let mut is_known = true;
            expr.visit(&mut |e| is_known &= !asks_others(e));
            if !is_known {
                return Err(Refusal::proof("such evidence is not for what a property asks"));
            }
            for head in self.states(expr, bad) {
                // Stores may be pending when the property looks at memory.
                let frozen = head[self.graph.points.len()..].iter().any(Option::is_some);
                all.push(Constraint { frozen, ..self.thawed(head) });
            }
        }
        if is_asked(Finding::Deadlock) {
            let why = Refusal::proof("one process more may end a deadlock");
            program.replicated.is_empty().then_some(()).ok_or(why)?;
            all.extend(self.deadlocks().into_iter().map(|head| self.thawed(head)));
        }
        Ok(all)
    }

    /// States in which an expression has a truth value.
    fn states(&self, expr: &Expr, wanted: bool) -> Vec<Head> {
        if let Expr::Unary(UnaryOp::Not, expr) = expr {
            return self.states(expr, !wanted);
        }
        if let Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) = expr {
            let (a, b) = (self.states(a, wanted), self.states(b, wanted));
            let both = (*op == BinaryOp::And) == wanted;
            return if both { meets(&a, &b) } else { [a, b].concat() };
        }
        // All choices of what the expression may look at.
        let mut places = BTreeSet::new();
        expr.visit(&mut |e| match e {
            Expr::In(p, _) | Expr::At(p, _) | Expr::Alive(p) => drop(places.insert(p.index())),
            Expr::Var(var) | Expr::VarElem(var, _) => {
                let cells = self.graph.cells.iter().filter(|(address, _)| address.var == *var);
                places.extend(cells.map(|(_, cell)| self.graph.points.len() + cell));
            }
            _ => {}
        });
        let mut all = vec![self.graph.anything()];
        for place in places {
            let choose = |head: Head| {
                tick();
                let with = move |value| {
                    let mut head = head.clone();
                    head[place] = Some(value);
                    head
                };
                self.graph.choices(place).into_iter().map(with)
            };
            all = all.into_iter().flat_map(choose).collect();
        }
        let is_so = |value: i64| (value != 0) == wanted;
        all.retain(|head| {
            self.graph.machine.value(&self.graph.state(head), expr).map_or(true, is_so)
        });
        all
    }

    /// States in which all buffers are empty, no process can move, and one may not stop.
    fn deadlocks(&self) -> Vec<Head> {
        let (mut ended, mut stuck) = (vec![self.graph.anything()], Vec::new());
        for p in 0..self.graph.points.len() {
            let [may_stop, must_not] = self.blocked(p);
            let both = [&may_stop[..], &must_not].concat();
            stuck = [meets(&stuck, &both), meets(&ended, &must_not)].concat();
            ended = meets(&ended, &may_stop);
        }
        stuck
    }

    /// Where a process is blocked, by what memory has: where it may stop, and where it may not.
    fn blocked(&self, p: usize) -> [Vec<Head>; 2] {
        let (process, mut found) = (ProcId::from(p), [Vec::new(), Vec::new()]);
        for (at, own) in self.graph.points[p].iter().enumerate() {
            let steps = || self.graph.machine.program().def_of(process).steps_from(own.point);
            let act = |state: &State| {
                let reads = steps().flat_map(|(_, step)| self.graph.looks(state, process, step));
                let is_taken =
                    |id| self.graph.machine.apply(state, Action::step(process, id)).is_ok();
                let is_last = !self.graph.machine.may_stop(state, process);
                (reads.collect(), (steps().any(|(id, _)| is_taken(id)), is_last))
            };
            let mut from = self.graph.anything();
            from[p] = Some(at as i64);
            self.graph.vary(&mut from, &act, &mut |head, (moves, must_not)| {
                found[usize::from(must_not)].extend((!moves).then(|| head.clone()));
            });
        }
        found
    }
}
