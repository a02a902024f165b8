//! Which formula implies which, as far as the syntax shows it.
//!
//! The rules are those of Somenzi and Bloem, "Efficient Büchi automata from LTL formulae" (CAV
//! 2000), with the eventual and universal formulas of Etessami and Holzmann. A "no" means "not
//! shown".

use super::nodes::{Node, NodeId, Nodes};

/// Beyond so many formulas nothing but equality is asked: the question is quadratic in their
/// number.
const MOST_NODES: usize = 4_000;

impl Nodes {
    /// Whether the first formula implies the second.
    pub fn implies(&mut self, f: NodeId, g: NodeId) -> bool {
        taut_budget::tick();
        if f == g || f == Nodes::FALSE || g == Nodes::TRUE {
            return true;
        }
        if f == Nodes::TRUE || g == Nodes::FALSE || self.len() > MOST_NODES {
            return false;
        }
        if let Some(known) = self.implications.get(&(f, g)) {
            return *known;
        }
        let answer = self.implies_by_left(f, g) || self.implies_by_right(f, g);
        self.implications.insert((f, g), answer);
        answer
    }

    /// Rules that take the left formula apart.
    fn implies_by_left(&mut self, f: NodeId, g: NodeId) -> bool {
        match self.get(f).clone() {
            Node::Or(parts) => parts.into_iter().all(|part| self.implies(part, g)),
            Node::And(parts) => parts.into_iter().any(|part| self.implies(part, g)),
            // `a U b` says that `a` or `b` holds now, and that `b` will.
            Node::Until(a, b) => {
                self.implies(b, g) && (self.facts(g).eventual || self.implies(a, g))
                    || self.same_operator(f, g)
            }
            Node::Release(_, b) => self.implies(b, g) || self.same_operator(f, g),
            Node::Next(a) => {
                self.facts(g).eventual && self.implies(a, g) || self.same_operator(f, g)
            }
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }

    /// Rules that take the right formula apart: the duals.
    fn implies_by_right(&mut self, f: NodeId, g: NodeId) -> bool {
        match self.get(g).clone() {
            Node::And(parts) => parts.into_iter().all(|part| self.implies(f, part)),
            Node::Or(parts) => parts.into_iter().any(|part| self.implies(f, part)),
            Node::Release(a, b) => {
                self.implies(f, b) && (self.facts(f).universal || self.implies(f, a))
            }
            Node::Until(_, b) => self.implies(f, b),
            Node::Next(a) => self.facts(f).universal && self.implies(f, a),
            Node::True | Node::False | Node::Literal(..) => false,
        }
    }

    /// The temporal operators are monotonic.
    fn same_operator(&mut self, f: NodeId, g: NodeId) -> bool {
        match (self.get(f).clone(), self.get(g).clone()) {
            (Node::Until(a, b), Node::Until(c, d)) | (Node::Release(a, b), Node::Release(c, d)) => {
                self.implies(a, c) && self.implies(b, d)
            }
            (Node::Next(a), Node::Next(b)) => self.implies(a, b),
            _ => false,
        }
    }
}
