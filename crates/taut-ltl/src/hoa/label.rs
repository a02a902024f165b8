//! Labels: boolean expressions over the atoms, as guards.

use super::error::HoaError;
use super::lexer::Kind;
use super::reader::Reader;
use crate::guard::{Cube, Guard};

/// The largest number of cubes in a guard that is read.
const MOST_CUBES: usize = 2_000;
/// How deep a label may nest.
const MOST_NESTED: usize = 200;

/// A label and its negation, each as a guard if it is not too large. Both are kept so that a
/// negation costs nothing, and an alias can be used either way without being worked out again.
#[derive(Clone, Debug)]
pub(super) struct Label {
    yes: Option<Guard>,
    no: Option<Guard>,
}

impl Label {
    fn constant(truth: bool) -> Label {
        let label = Label { yes: Some(Guard::always()), no: Some(Guard::never()) };
        if truth { label } else { label.negated() }
    }

    fn atom(atom: u32) -> Label {
        let literal = |positive| Some(Guard::from(Cube::literal(atom, positive)));
        Label { yes: literal(true), no: literal(false) }
    }

    fn negated(self) -> Label {
        Label { yes: self.no, no: self.yes }
    }

    fn and(self, other: Label) -> Label {
        Label { yes: both(self.yes, other.yes), no: either(self.no, other.no) }
    }

    fn or(self, other: Label) -> Label {
        Label { yes: either(self.yes, other.yes), no: both(self.no, other.no) }
    }
}

fn both(a: Option<Guard>, b: Option<Guard>) -> Option<Guard> {
    let (a, b) = (a?, b?);
    (a.cubes.len() * b.cubes.len() <= MOST_CUBES).then(|| a.and(&b))
}

fn either(a: Option<Guard>, b: Option<Guard>) -> Option<Guard> {
    let (a, b) = (a?, b?);
    (a.cubes.len() + b.cubes.len() <= MOST_CUBES).then(|| a.or(&b))
}

impl Reader {
    /// A label in brackets.
    pub(super) fn bracketed_label(&mut self) -> Result<Guard, HoaError> {
        let line = self.line();
        self.expect('[')?;
        let label = self.label()?;
        self.expect(']')?;
        label.yes.ok_or_else(|| {
            HoaError::new(line, format!("this label needs more than {MOST_CUBES} cubes"))
        })
    }

    /// A label: `|` binds loosest, then `&`, then `!`.
    pub(super) fn label(&mut self) -> Result<Label, HoaError> {
        self.disjunction(0)
    }

    fn disjunction(&mut self, nested: usize) -> Result<Label, HoaError> {
        let mut label = self.conjunction(nested)?;
        while self.eat('|') {
            label = label.or(self.conjunction(nested)?);
        }
        Ok(label)
    }

    fn conjunction(&mut self, nested: usize) -> Result<Label, HoaError> {
        let mut label = self.literal(nested)?;
        while self.eat('&') {
            label = label.and(self.literal(nested)?);
        }
        Ok(label)
    }

    fn literal(&mut self, nested: usize) -> Result<Label, HoaError> {
        if nested > MOST_NESTED {
            return Err(self.error(format!("a label nests more than {MOST_NESTED} deep")));
        }
        match self.next() {
            Kind::Sign('!') => Ok(self.literal(nested + 1)?.negated()),
            Kind::Sign('(') => {
                let label = self.disjunction(nested + 1)?;
                self.expect(')')?;
                Ok(label)
            }
            Kind::Word(word) if word == "t" => Ok(Label::constant(true)),
            Kind::Word(word) if word == "f" => Ok(Label::constant(false)),
            Kind::Number(atom) if (atom as usize) < self.atoms().len() => {
                Ok(Label::atom(atom as u32))
            }
            Kind::Number(atom) => {
                let count = self.atoms().len();
                Err(self.error(format!("there is no atom {atom}: `AP:` has {count}")))
            }
            Kind::Alias(name) => match self.alias(&name) {
                Some(label) => Ok(label.clone()),
                None => Err(self.error(format!("the alias `@{name}` is not defined above"))),
            },
            other => Err(self.error(format!("a label is expected, not {}", other.shown()))),
        }
    }
}
