//! Rewriting: every formula is made through these functions, which return an equivalent one that is
//! smaller or easier to translate.
//!
//! The rules are the well-known ones of Somenzi and Bloem (CAV 2000, here *SB*) and of Etessami and
//! Holzmann (CONCUR 2000, here *EH*). They are written down for `||`, `U` and `X` only; `&&` and
//! `V` go through the negation and get the dual of each rule.

use super::nodes::{Node, NodeId, Nodes};
use crate::formula::Formula;

/// A formula and its negation.
type Both = (NodeId, NodeId);

impl Nodes {
    /// A formula and its negation. Both at once, because `<->` needs both of both sides: asked one
    /// by one, nested equivalences would take exponential time.
    pub fn both(&mut self, formula: &Formula) -> Both {
        taut_budget::tick();
        use Formula::*;
        let positive = match formula {
            True => Nodes::TRUE,
            False => Nodes::FALSE,
            Atom(atom) => self.intern(Node::Literal(atom.0, true)),
            Not(f) => self.both(f).1,
            And(f, g) => self.two(f, g, |nodes, a, b| nodes.and(vec![a.0, b.0])),
            Or(f, g) => self.two(f, g, |nodes, a, b| nodes.or(vec![a.0, b.0])),
            Implies(f, g) => self.two(f, g, |nodes, a, b| nodes.or(vec![a.1, b.0])),
            Iff(f, g) => self.two(f, g, |nodes, a, b| {
                let both = nodes.and(vec![a.0, b.0]);
                let neither = nodes.and(vec![a.1, b.1]);
                nodes.or(vec![both, neither])
            }),
            Next(f) => {
                let f = self.both(f).0;
                self.next(f)
            }
            Always(f) => {
                let f = self.both(f).0;
                self.release(Nodes::FALSE, f)
            }
            Eventually(f) => {
                let f = self.both(f).0;
                self.until(Nodes::TRUE, f)
            }
            Until(f, g) => self.two(f, g, |nodes, a, b| nodes.until(a.0, b.0)),
            Release(f, g) => self.two(f, g, |nodes, a, b| nodes.release(a.0, b.0)),
            WeakUntil(f, g) => self.two(f, g, |nodes, a, b| {
                let either = nodes.or(vec![a.0, b.0]);
                nodes.release(b.0, either)
            }),
            StrongRelease(f, g) => self.two(f, g, |nodes, a, b| {
                let both = nodes.and(vec![a.0, b.0]);
                nodes.until(b.0, both)
            }),
        };
        (positive, self.negate(positive))
    }

    fn two(
        &mut self,
        f: &Formula,
        g: &Formula,
        make: fn(&mut Nodes, Both, Both) -> NodeId,
    ) -> NodeId {
        let f = self.both(f);
        let g = self.both(g);
        make(self, f, g)
    }

    /// `&&`, as the dual of `||`.
    pub fn and(&mut self, parts: Vec<NodeId>) -> NodeId {
        let parts = parts.into_iter().map(|part| self.negate(part)).collect();
        let negation = self.or(parts);
        self.negate(negation)
    }

    /// `V`, as the dual of `U`.
    pub fn release(&mut self, f: NodeId, g: NodeId) -> NodeId {
        let (f, g) = (self.negate(f), self.negate(g));
        let negation = self.until(f, g);
        self.negate(negation)
    }

    /// `X`. A suspendable formula is as true now as next (EH).
    pub fn next(&mut self, f: NodeId) -> NodeId {
        if self.is_suspendable(f) { f } else { self.intern(Node::Next(f)) }
    }

    /// `||`.
    pub fn or(&mut self, parts: Vec<NodeId>) -> NodeId {
        taut_budget::tick();
        let mut parts = self.flat(parts);
        loop {
            taut_budget::tick();
            parts.sort();
            parts.dedup();
            self.drop_implied(&mut parts);
            if parts.contains(&Nodes::TRUE) || self.is_exhaustive(&parts) {
                return Nodes::TRUE;
            }
            let Some((i, j, joined)) = self.joinable(&parts) else { break };
            parts.remove(j);
            parts.remove(i);
            parts.extend(self.flat(vec![joined]));
        }
        match parts[..] {
            [] => Nodes::FALSE,
            [part] => part,
            _ => self.intern(Node::Or(parts)),
        }
    }

    /// The parts of nested disjunctions.
    fn flat(&self, parts: Vec<NodeId>) -> Vec<NodeId> {
        let inner = |part: NodeId| match self.get(part) {
            Node::Or(parts) => parts.clone(),
            _ => vec![part],
        };
        parts.into_iter().flat_map(inner).collect()
    }

    /// SB: `f || g` is `g` if `f` implies `g`.
    fn drop_implied(&mut self, parts: &mut Vec<NodeId>) {
        let mut i = 0;
        while i < parts.len() {
            let part = parts[i];
            let others: Vec<NodeId> = parts.iter().copied().filter(|p| *p != part).collect();
            if part == Nodes::FALSE || others.into_iter().any(|other| self.implies(part, other)) {
                parts.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// SB: `f || g` is true if the negation of `f` implies `g`.
    fn is_exhaustive(&mut self, parts: &[NodeId]) -> bool {
        for (i, &f) in parts.iter().enumerate() {
            let opposite = self.negate(f);
            if parts[i + 1..].iter().any(|&g| self.implies(opposite, g)) {
                return true;
            }
        }
        false
    }

    /// Two parts that are one formula together, and that formula.
    fn joinable(&mut self, parts: &[NodeId]) -> Option<(usize, usize, NodeId)> {
        for (i, &f) in parts.iter().enumerate() {
            for (j, &g) in parts.iter().enumerate().skip(i + 1) {
                if let Some(joined) = self.joined(f, g) {
                    return Some((i, j, joined));
                }
            }
        }
        None
    }

    /// `f || g` as one temporal formula.
    fn joined(&mut self, f: NodeId, g: NodeId) -> Option<NodeId> {
        match (self.get(f).clone(), self.get(g).clone()) {
            // X f || X g = X (f || g)
            (Node::Next(a), Node::Next(b)) => {
                let either = self.or(vec![a, b]);
                Some(self.next(either))
            }
            // (f U g) || (f U h) = f U (g || h)
            (Node::Until(a, b), Node::Until(c, d)) if a == c => {
                let either = self.or(vec![b, d]);
                Some(self.until(a, either))
            }
            // (f V h) || (g V h) = (f || g) V h
            (Node::Release(a, b), Node::Release(c, d)) if b == d => {
                let either = self.or(vec![a, c]);
                Some(self.release(either, b))
            }
            // [] <> f || [] <> g = [] <> (f || g)
            (Node::Release(Nodes::FALSE, a), Node::Release(Nodes::FALSE, b)) => {
                let (Some(a), Some(b)) = (self.eventually_part(a), self.eventually_part(b)) else {
                    return None;
                };
                let either = self.or(vec![a, b]);
                let eventually = self.until(Nodes::TRUE, either);
                Some(self.release(Nodes::FALSE, eventually))
            }
            _ => None,
        }
    }

    /// `f` if the formula is `<> f`.
    fn eventually_part(&self, id: NodeId) -> Option<NodeId> {
        match self.get(id) {
            Node::Until(Nodes::TRUE, f) => Some(*f),
            _ => None,
        }
    }

    /// `U`.
    pub fn until(&mut self, f: NodeId, g: NodeId) -> NodeId {
        // EH: an eventuality need not be waited for. SB: nor what is there when `f` is.
        if f == Nodes::FALSE || self.facts(g).eventual || self.implies(f, g) {
            return g;
        }
        // SB: f U g = <> g if g fails only where f holds.
        let missing = self.negate(g);
        if f != Nodes::TRUE && self.implies(missing, f) {
            return self.until(Nodes::TRUE, g);
        }
        if let Some(simpler) = self.until_by_right(f, g) {
            return simpler;
        }
        match self.get(f).clone() {
            // (f U g) U g = f U g
            Node::Until(_, b) if b == g => f,
            // EH: a universal f that holds until g holds for ever, or g is there.
            _ if f != Nodes::TRUE && self.facts(f).universal => {
                let eventually = self.until(Nodes::TRUE, g);
                let wait = self.and(vec![f, eventually]);
                self.or(vec![g, wait])
            }
            _ => self.intern(Node::Until(f, g)),
        }
    }

    /// Rules of `U` that look into its right side.
    fn until_by_right(&mut self, f: NodeId, g: NodeId) -> Option<NodeId> {
        match self.get(g).clone() {
            // f U (g U h) = g U h if f implies g; with f true: <> (g U h) = <> h
            Node::Until(a, _) if self.implies(f, a) => Some(g),
            Node::Until(_, b) if f == Nodes::TRUE => Some(self.until(Nodes::TRUE, b)),
            // <> X g = X <> g, and X f U X g = X (f U g)
            Node::Next(b) if f == Nodes::TRUE => {
                let inner = self.until(Nodes::TRUE, b);
                Some(self.next(inner))
            }
            Node::Next(b) => match self.get(f).clone() {
                Node::Next(a) => {
                    let inner = self.until(a, b);
                    Some(self.next(inner))
                }
                _ => None,
            },
            Node::And(parts) => self.pull_out(f, parts, Nodes::and),
            Node::Or(parts) => self.pull_out(f, parts, Nodes::or),
            _ => None,
        }
    }

    /// EH: what is suspendable need not stand under `U`: `<> (g && [] <> h)` is `<> g && [] <> h`.
    /// For `||` too; for `&&` under `f U` the same holds.
    fn pull_out(
        &mut self,
        f: NodeId,
        parts: Vec<NodeId>,
        join: fn(&mut Nodes, Vec<NodeId>) -> NodeId,
    ) -> Option<NodeId> {
        let (mut out, inside): (Vec<NodeId>, Vec<NodeId>) =
            parts.into_iter().partition(|part| self.is_suspendable(*part));
        if out.is_empty() {
            return None;
        }
        let inside = join(self, inside);
        out.push(self.until(f, inside));
        Some(join(self, out))
    }
}
