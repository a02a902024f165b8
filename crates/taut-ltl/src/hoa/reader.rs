//! Reading the body, and what all parts of the reader share.

use super::HoaAutomaton;
use super::error::HoaError;
use super::header::{Acceptance, Header, MOST_STATES};
use super::label::Label;
use super::lexer::{Kind, Token, tokens};
use crate::automaton::{Automaton, Edge, State};
use crate::guard::{Cube, Guard};

/// The largest number of atoms for which edges may go without labels: a state has an edge for each
/// valuation.
const MOST_IMPLICIT: usize = 16;
/// The largest number of edges that is read.
const MOST_EDGES: usize = 1_000_000;

pub(super) struct Reader {
    tokens: Vec<Token>,
    pub(super) place: usize,
    pub(super) header: Header,
    states: Vec<Option<State>>,
    edges: usize,
}

impl Reader {
    pub fn new(text: &str) -> Result<Reader, HoaError> {
        let tokens = tokens(text)?;
        Ok(Reader { tokens, place: 0, header: Header::default(), states: vec![], edges: 0 })
    }

    pub fn run(mut self) -> Result<HoaAutomaton, HoaError> {
        if let Some(abort) = self.tokens.iter().find(|token| token.kind == Kind::Abort) {
            return Err(HoaError::new(
                abort.line,
                "the tool that wrote this automaton gave up here",
            ));
        }
        self.headers()?;
        loop {
            match self.next() {
                Kind::EndOfAutomaton => break,
                Kind::Header(name) if name == "State" => self.state_with_edges()?,
                other => {
                    let message =
                        format!("`State:` or `--END--` is expected, not {}", other.shown());
                    return Err(self.error(message));
                }
            }
        }
        match self.next() {
            Kind::End => Ok(self.finish()),
            _ => {
                Err(self.error("more follows after `--END--`, and only one automaton can be used"))
            }
        }
    }

    fn finish(mut self) -> HoaAutomaton {
        for initial in &self.header.initial {
            let least = *initial as usize + 1;
            self.states.resize(self.states.len().max(least), None);
        }
        let atoms = self.header.atoms.unwrap_or_default();
        let acceptance = self.header.acceptance;
        let sets = match &acceptance {
            Some(Acceptance { nothing: true, .. }) => 1,
            Some(acceptance) => acceptance.wanted.len() as u32,
            None => 0,
        };
        let automaton = Automaton {
            atoms: atoms.len(),
            states: self.states.into_iter().map(Option::unwrap_or_default).collect(),
            initial: self.header.initial,
            sets,
            name: self.header.name,
        };
        HoaAutomaton { automaton, atoms }
    }

    pub(super) fn peek(&self) -> &Kind {
        &self.tokens[self.place].kind
    }

    /// Takes a token; the last one stays.
    pub(super) fn next(&mut self) -> Kind {
        let kind = self.peek().clone();
        if self.place + 1 < self.tokens.len() {
            self.place += 1;
        }
        kind
    }

    /// The line of the token that follows.
    pub(super) fn line(&self) -> usize {
        self.tokens[self.place].line
    }

    /// An error at the token that was taken last.
    pub(super) fn error(&self, message: impl Into<String>) -> HoaError {
        let last =
            if *self.peek() == Kind::End { self.place } else { self.place.saturating_sub(1) };
        HoaError::new(self.tokens[last].line, message)
    }

    pub(super) fn eat(&mut self, sign: char) -> bool {
        let there = *self.peek() == Kind::Sign(sign);
        if there {
            self.next();
        }
        there
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<(), HoaError> {
        match self.next() {
            Kind::Sign(found) if found == sign => Ok(()),
            other => Err(self.error(format!("`{sign}` is expected, not {}", other.shown()))),
        }
    }

    pub(super) fn number(&mut self, after: &str) -> Result<u64, HoaError> {
        match self.next() {
            Kind::Number(number) => Ok(number),
            other => {
                Err(self.error(format!("a number must follow `{after}`, not {}", other.shown())))
            }
        }
    }

    pub(super) fn atoms(&self) -> &[String] {
        self.header.atoms.as_deref().unwrap_or_default()
    }

    pub(super) fn alias(&self, name: &str) -> Option<&Label> {
        self.header.aliases.get(name)
    }

    /// One state; a conjunction of several is alternation.
    pub(super) fn state(&mut self) -> Result<u32, HoaError> {
        let state = match self.next() {
            Kind::Number(state) => state,
            other => {
                return Err(self.error(format!("a state is expected, not {}", other.shown())));
            }
        };
        let most = self.header.states.unwrap_or(MOST_STATES);
        if state >= most {
            return Err(self.error(format!("state {state} is not one of {most} states")));
        }
        if *self.peek() == Kind::Sign('&') {
            return Err(self.error("alternating automata cannot be used"));
        }
        Ok(state as u32)
    }

    /// What follows `State:`.
    fn state_with_edges(&mut self) -> Result<(), HoaError> {
        let label = self.optional_label()?;
        let number = self.state()? as usize;
        let name = match self.peek().clone() {
            Kind::Text(name) => {
                self.next();
                Some(name)
            }
            _ => None,
        };
        let marks = self.marks()?;
        let edges = self.state_edges(label, marks)?;
        self.states.resize(self.states.len().max(number + 1), None);
        match self.states[number].replace(State { edges, name }) {
            None => Ok(()),
            Some(_) => Err(self.error(format!("a second state {number}"))),
        }
    }

    /// The edges of a state with a label and marks.
    fn state_edges(&mut self, label: Option<Guard>, marks: u64) -> Result<Vec<Edge>, HoaError> {
        let mut edges = vec![];
        let mut labels = 0;
        while matches!(self.peek(), Kind::Number(_) | Kind::Sign('[')) {
            let own = self.optional_label()?;
            if own.is_some() && label.is_some() {
                return Err(self.error("this edge has a label, and so has its state"));
            }
            labels += own.is_some() as usize;
            let target = self.state()?;
            self.states.resize(self.states.len().max(target as usize + 1), None);
            let guard = own.or_else(|| label.clone()).unwrap_or_default();
            let marks = marks | self.marks()?;
            let accepts = self.renamed(marks);
            edges.push(Edge { guard, target, accepts });
            self.edges += 1;
            if self.edges > MOST_EDGES {
                return Err(self.error(format!("more than {MOST_EDGES} edges")));
            }
        }
        match labels {
            0 if label.is_none() => self.label_implicitly(&mut edges)?,
            _ if label.is_none() && labels < edges.len() => {
                return Err(self.error("some edges of this state have labels and some have not"));
            }
            _ => {}
        }
        Ok(edges)
    }

    /// Edges without labels are one for each valuation, in order.
    fn label_implicitly(&self, edges: &mut [Edge]) -> Result<(), HoaError> {
        let atoms = self.atoms().len();
        if edges.is_empty() {
            return Ok(());
        }
        if atoms > MOST_IMPLICIT || edges.len() != 1 << atoms {
            let message = format!(
                "{} edges without labels, but there must be one for each valuation of {atoms} \
                 atoms",
                edges.len()
            );
            return Err(self.error(message));
        }
        let all = (1 << atoms) - 1;
        for (valuation, edge) in (0u64..).zip(edges) {
            edge.guard = Guard::from(Cube { yes: valuation, no: all & !valuation });
        }
        Ok(())
    }

    fn optional_label(&mut self) -> Result<Option<Guard>, HoaError> {
        match self.peek() {
            Kind::Sign('[') => self.bracketed_label().map(Some),
            _ => Ok(None),
        }
    }

    /// Marks in braces, by the numbers of the text.
    fn marks(&mut self) -> Result<u64, HoaError> {
        let mut marks = 0;
        if !self.eat('{') {
            return Ok(0);
        }
        while !self.eat('}') {
            let set = self.number("{")?;
            let sets = self.header.acceptance.as_ref().map_or(0, |acceptance| acceptance.sets);
            if set >= sets {
                return Err(self.error(format!("there is no acceptance set {set}")));
            }
            marks |= 1 << set;
        }
        Ok(marks)
    }

    /// Marks by the numbers of the sets that the condition wants.
    fn renamed(&self, marks: u64) -> u64 {
        let Some(acceptance) = &self.header.acceptance else { return 0 };
        if acceptance.nothing {
            return 0;
        }
        let met = |(set, complement): &(u64, bool)| (marks >> set & 1 == 1) != *complement;
        let wanted = acceptance.wanted.iter().enumerate();
        wanted.filter(|(_, set)| met(set)).fold(0, |word, (i, _)| word | 1 << i)
    }
}
