//! Formulas in negation normal form, each stored once.
//!
//! Equal formulas have equal numbers, `&&` and `||` have any number of sorted parts, and the only
//! temporal operators are `X`, `U` and `V`: `<> f` is `true U f` and `[] f` is `false V f`. What
//! enters the store has been rewritten (see [`super::rewrite`]); nothing here changes a formula.

use std::collections::HashMap;

/// A formula of the store by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(u32);

/// A formula whose parts are in the store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    True,
    False,
    /// An atom and whether it is meant as it is.
    Literal(u32, bool),
    And(Vec<NodeId>),
    Or(Vec<NodeId>),
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
}

/// Two properties that Etessami and Holzmann, "Optimizing Büchi automata" (CONCUR 2000), rewrite
/// by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Facts {
    /// A pure eventuality: if it holds of a run it holds with anything put before the run.
    pub eventual: bool,
    /// Purely universal: if it holds of a run it holds of all its suffixes.
    pub universal: bool,
}

/// The store.
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    numbers: HashMap<Node, NodeId>,
    /// The negation of each formula, once it was asked for.
    negations: HashMap<NodeId, NodeId>,
    /// What is known of which formula implies which; see [`super::imply`].
    pub(super) implications: HashMap<(NodeId, NodeId), bool>,
}

impl Nodes {
    pub const TRUE: NodeId = NodeId(0);
    pub const FALSE: NodeId = NodeId(1);

    pub fn new() -> Nodes {
        let mut nodes = Nodes {
            nodes: vec![],
            facts: vec![],
            numbers: HashMap::new(),
            negations: HashMap::new(),
            implications: HashMap::new(),
        };
        assert_eq!(nodes.intern(Node::True), Nodes::TRUE);
        assert_eq!(nodes.intern(Node::False), Nodes::FALSE);
        nodes
    }

    /// How many formulas there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn facts(&self, id: NodeId) -> Facts {
        self.facts[id.0 as usize]
    }

    /// A formula that cannot be told from its tails by a prefix: `[] <> p`. Its truth can be asked
    /// later.
    pub fn is_suspendable(&self, id: NodeId) -> bool {
        self.facts(id).eventual && self.facts(id).universal
    }

    /// The number of a formula as it is.
    pub fn intern(&mut self, node: Node) -> NodeId {
        taut_budget::tick();
        if let Some(id) = self.numbers.get(&node) {
            return *id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.facts.push(self.facts_of(&node));
        self.nodes.push(node.clone());
        self.numbers.insert(node, id);
        id
    }

    fn facts_of(&self, node: &Node) -> Facts {
        let all = |parts: &[NodeId]| Facts {
            eventual: parts.iter().all(|p| self.facts(*p).eventual),
            universal: parts.iter().all(|p| self.facts(*p).universal),
        };
        match node {
            Node::True | Node::False => Facts { eventual: true, universal: true },
            Node::Literal(..) => Facts { eventual: false, universal: false },
            Node::And(parts) | Node::Or(parts) => all(parts),
            Node::Next(f) => self.facts(*f),
            Node::Until(f, g) => {
                let both = all(&[*f, *g]);
                Facts { eventual: both.eventual || *f == Nodes::TRUE, ..both }
            }
            Node::Release(f, g) => {
                let both = all(&[*f, *g]);
                Facts { universal: both.universal || *f == Nodes::FALSE, ..both }
            }
        }
    }

    /// The negation: every operator becomes its dual.
    pub fn negate(&mut self, id: NodeId) -> NodeId {
        if let Some(known) = self.negations.get(&id) {
            return *known;
        }
        let dual = match self.get(id).clone() {
            Node::True => Node::False,
            Node::False => Node::True,
            Node::Literal(atom, positive) => Node::Literal(atom, !positive),
            Node::And(parts) => Node::Or(self.negate_all(parts)),
            Node::Or(parts) => Node::And(self.negate_all(parts)),
            Node::Next(f) => Node::Next(self.negate(f)),
            Node::Until(f, g) => Node::Release(self.negate(f), self.negate(g)),
            Node::Release(f, g) => Node::Until(self.negate(f), self.negate(g)),
        };
        let negation = self.intern(dual);
        self.negations.insert(id, negation);
        self.negations.insert(negation, id);
        negation
    }

    fn negate_all(&mut self, parts: Vec<NodeId>) -> Vec<NodeId> {
        let mut parts: Vec<NodeId> = parts.into_iter().map(|p| self.negate(p)).collect();
        parts.sort();
        parts
    }
}
