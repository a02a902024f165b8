//! Conditions as tests with two exits each.
//!
//! `&&`, `||`, `!` and the conditional are no operators here but ways through a list of tests, taken in the
//! order in which the expression would compute them. What is no test of one field stays an expression, whose
//! value is asked for on the way. Equalities that follow each other and are about the same word are one test.

use taut_ir::UnaryOp;
use taut_memory::MemorySystem;

use super::test::{Test, Truth};
use crate::code::{Code, FirstFault};

/// A condition.
#[derive(Debug)]
pub(crate) struct Decision {
    nodes: Box<[Node]>,
    entry: u16,
}

#[derive(Debug)]
struct Node {
    condition: Condition,
    /// Where to go on.
    yes: u16,
    no: u16,
}

#[derive(Debug)]
enum Condition {
    Test(Test),
    Code(Code),
}

/// The ends of a decision are places where there is no node.
const YES: u16 = u16::MAX;
const NO: u16 = u16::MAX - 1;

impl Decision {
    /// Whether all of these conditions are true, computed in order until one is not; none if there are too many.
    pub(crate) fn all(conditions: Vec<&Code>) -> Option<Decision> {
        let mut builder = Builder { nodes: Vec::new() };
        let entry = builder.all(conditions, YES, NO)?;
        Some(Decision { nodes: builder.nodes.into(), entry })
    }

    /// The answer in a state; none if something goes wrong on the way.
    #[inline]
    pub(super) fn decide<M: MemorySystem>(&self, memory: &M, state: &[u64]) -> Option<bool> {
        let mut at = self.entry;
        while let Some(node) = self.nodes.get(usize::from(at)) {
            let holds = match &node.condition {
                Condition::Test(test) => test.holds(state),
                Condition::Code(code) => {
                    let mut fault = FirstFault::default();
                    let value = code.value(memory, state, &mut fault);
                    if !fault.is_none() {
                        return None;
                    }
                    value != 0
                }
            };
            at = if holds { node.yes } else { node.no };
        }
        Some(at == YES)
    }
}

/// Nodes come behind those that they lead to.
struct Builder {
    nodes: Vec<Node>,
}

impl Builder {
    /// The way in to a condition that leads to `yes` or `no`. What is one test, a negation included, is one node
    /// with its exits as they are: [`Builder::all`] joins such nodes.
    fn condition(&mut self, code: &Code, yes: u16, no: u16) -> Option<u16> {
        taut_budget::tick();
        match Truth::of(code) {
            Some(Truth::Always) => return Some(yes),
            Some(Truth::Never) => return Some(no),
            Some(Truth::If(_)) if yes == no => return Some(yes),
            Some(Truth::If(test)) => return self.push(Condition::Test(test), yes, no),
            None => {}
        }
        match code {
            Code::And(..) => self.all(vec![code], yes, no),
            Code::Or(a, b) => {
                let right = self.condition(b, yes, no)?;
                self.condition(a, yes, right)
            }
            Code::Unary(UnaryOp::Not, a) => self.condition(a, no, yes),
            Code::Cond(parts) => {
                let [condition, a, b] = &**parts;
                let (a, b) = (self.condition(a, yes, no)?, self.condition(b, yes, no)?);
                self.condition(condition, a, b)
            }
            _ => self.push(Condition::Code(code.clone()), yes, no),
        }
    }

    fn all(&mut self, mut conditions: Vec<&Code>, yes: u16, no: u16) -> Option<u16> {
        let mut next = yes;
        // The test behind this one, if nothing but this one leads to it.
        let mut behind: Option<Test> = None;
        while let Some(code) = conditions.pop() {
            if let Code::And(a, b) = code {
                conditions.extend([&**a, &**b]);
                continue;
            }
            let test = match Truth::of(code) {
                Some(Truth::If(test)) => Some(test),
                _ => None,
            };
            let both = test.zip(behind).and_then(|(test, behind)| test.and(behind));
            if let Some(both) = both {
                self.nodes[usize::from(next)].condition = Condition::Test(both);
                behind = Some(both);
                continue;
            }
            let before = self.nodes.len();
            next = self.condition(code, next, no)?;
            behind = test.filter(|_| self.nodes.len() > before);
        }
        Some(next)
    }

    fn push(&mut self, condition: Condition, yes: u16, no: u16) -> Option<u16> {
        let at = u16::try_from(self.nodes.len()).ok().filter(|&at| at < NO)?;
        self.nodes.push(Node { condition, yes, no });
        Some(at)
    }
}
