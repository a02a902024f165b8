//! Headers, and the acceptance condition in particular.

use std::collections::HashMap;

use super::error::HoaError;
use super::label::Label;
use super::lexer::Kind;
use super::reader::Reader;
use crate::automaton::MOST_BITS;

/// The largest number of states that is read.
pub(super) const MOST_STATES: u64 = 100_000;

/// What the headers say.
#[derive(Default)]
pub(super) struct Header {
    pub states: Option<u64>,
    pub initial: Vec<u32>,
    pub atoms: Option<Vec<String>>,
    pub aliases: HashMap<String, Label>,
    /// Where the aliases stand. They are read last: their atoms may be listed below them.
    aliases_at: Vec<usize>,
    pub acceptance: Option<Acceptance>,
    pub name: Option<String>,
}

/// A condition that generalised Büchi acceptance can express.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Acceptance {
    /// How many sets the automaton has.
    pub sets: u64,
    /// The sets that must be met infinitely often, and whether their complements are meant.
    pub wanted: Vec<(u64, bool)>,
    /// Whether nothing is accepted.
    pub nothing: bool,
}

impl Reader {
    /// All headers, up to `--BODY--`.
    pub(super) fn headers(&mut self) -> Result<(), HoaError> {
        self.version()?;
        loop {
            match self.next() {
                Kind::Body => {
                    self.aliases()?;
                    return self.check_headers();
                }
                Kind::Header(name) => self.one_header(&name)?,
                other => {
                    return Err(self.error(format!("a header is expected, not {}", other.shown())));
                }
            }
        }
    }

    fn version(&mut self) -> Result<(), HoaError> {
        if self.next() != Kind::Header("HOA".to_string()) {
            return Err(self.error("an automaton in HOA format begins with `HOA: v1`"));
        }
        match self.next() {
            Kind::Word(version) if version == "v1" => Ok(()),
            other => Err(self.error(format!("only `HOA: v1` is known, not {}", other.shown()))),
        }
    }

    fn check_headers(&mut self) -> Result<(), HoaError> {
        if self.header.acceptance.is_none() {
            return Err(self.error("the header `Acceptance:` is missing"));
        }
        match (self.header.initial.iter().max(), self.header.states) {
            (Some(&initial), Some(states)) if u64::from(initial) >= states => {
                Err(self
                    .error(format!("the initial state {initial} is not one of {states} states")))
            }
            _ => Ok(()),
        }
    }

    fn one_header(&mut self, name: &str) -> Result<(), HoaError> {
        match name {
            "States" => {
                let states = self.number("States:")?;
                if states > MOST_STATES {
                    return Err(self.error(format!("more than {MOST_STATES} states")));
                }
                let again = self.header.states.replace(states).is_some();
                self.once(name, again)
            }
            "Start" => {
                let state = self.state()?;
                self.header.initial.push(state);
                Ok(())
            }
            "AP" => {
                let atoms = self.atom_names()?;
                let again = self.header.atoms.replace(atoms).is_some();
                self.once(name, again)
            }
            "Alias" => {
                self.header.aliases_at.push(self.place);
                self.skip_header();
                Ok(())
            }
            "Acceptance" => {
                let acceptance = self.acceptance()?;
                let again = self.header.acceptance.replace(acceptance).is_some();
                self.once(name, again)
            }
            "name" => self.name_header(),
            _ if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                // The format says so: what begins with a capital letter may change the meaning.
                Err(self.error(format!("the header `{name}:` is not known")))
            }
            _ => {
                self.skip_header();
                Ok(())
            }
        }
    }

    fn skip_header(&mut self) {
        while !matches!(self.peek(), Kind::Header(_) | Kind::Body | Kind::End) {
            self.next();
        }
    }

    fn once(&self, name: &str, again: bool) -> Result<(), HoaError> {
        if again { Err(self.error(format!("a second `{name}:`"))) } else { Ok(()) }
    }

    fn name_header(&mut self) -> Result<(), HoaError> {
        match self.next() {
            Kind::Text(name) => {
                self.header.name = Some(name);
                Ok(())
            }
            other => Err(self.error(format!("a text must follow `name:`, not {}", other.shown()))),
        }
    }

    fn aliases(&mut self) -> Result<(), HoaError> {
        let body = self.place;
        for at in std::mem::take(&mut self.header.aliases_at) {
            self.place = at;
            self.one_alias()?;
            if !matches!(self.peek(), Kind::Header(_) | Kind::Body) {
                let message = format!("a header is expected, not {}", self.peek().shown());
                return Err(HoaError::new(self.line(), message));
            }
        }
        self.place = body;
        Ok(())
    }

    fn one_alias(&mut self) -> Result<(), HoaError> {
        let Kind::Alias(name) = self.next() else {
            return Err(self.error("a name with `@` must follow `Alias:`"));
        };
        let label = self.label()?;
        match self.header.aliases.insert(name.clone(), label) {
            None => Ok(()),
            Some(_) => Err(self.error(format!("a second alias `@{name}`"))),
        }
    }

    fn atom_names(&mut self) -> Result<Vec<String>, HoaError> {
        let count = self.number("AP:")?;
        if count > MOST_BITS as u64 {
            return Err(self.error(format!("{count} atoms, and at most {MOST_BITS} are allowed")));
        }
        let mut atoms = vec![];
        while let Kind::Text(_) = self.peek() {
            if let Kind::Text(text) = self.next() {
                atoms.push(text);
            }
        }
        if atoms.len() as u64 == count {
            return Ok(atoms);
        }
        Err(self.error(format!("`AP:` says {count} atoms and lists {}", atoms.len())))
    }

    fn acceptance(&mut self) -> Result<Acceptance, HoaError> {
        let sets = self.number("Acceptance:")?;
        if sets > MOST_BITS as u64 {
            return Err(
                self.error(format!("{sets} acceptance sets, and at most {MOST_BITS} are allowed"))
            );
        }
        let mut acceptance = Acceptance { sets, wanted: vec![], nothing: false };
        self.conjuncts(&mut acceptance, 0)?;
        if matches!(self.peek(), Kind::Sign('|')) {
            return Err(self.error(NOT_BUCHI));
        }
        acceptance.wanted.sort();
        acceptance.wanted.dedup();
        if acceptance.wanted.len() > MOST_BITS {
            return Err(self.error(format!("the condition wants more than {MOST_BITS} sets")));
        }
        let outside = |(set, _): &&(u64, bool)| *set >= sets;
        match acceptance.wanted.iter().find(outside) {
            Some((set, _)) => Err(self.error(format!("there is no acceptance set {set}"))),
            None => Ok(acceptance),
        }
    }

    /// A conjunction of `Inf(…)`.
    fn conjuncts(&mut self, acceptance: &mut Acceptance, nested: usize) -> Result<(), HoaError> {
        loop {
            match self.next() {
                Kind::Word(word) if word == "t" => {}
                Kind::Word(word) if word == "f" => acceptance.nothing = true,
                Kind::Word(word) if word == "Inf" => {
                    self.expect('(')?;
                    let complement = self.eat('!');
                    let set = self.number("Inf(")?;
                    self.expect(')')?;
                    acceptance.wanted.push((set, complement));
                }
                Kind::Sign('(') if nested < MOST_BITS => {
                    self.conjuncts(acceptance, nested + 1)?;
                    if matches!(self.peek(), Kind::Sign('|')) {
                        return Err(self.error(NOT_BUCHI));
                    }
                    self.expect(')')?;
                }
                Kind::Word(word) if word == "Fin" => return Err(self.error(NOT_BUCHI)),
                other => {
                    let message =
                        format!("an acceptance condition is expected, not {}", other.shown());
                    return Err(self.error(message));
                }
            }
            if !self.eat('&') {
                return Ok(());
            }
        }
    }
}

const NOT_BUCHI: &str = "only Büchi and generalised Büchi acceptance can be used (`Inf` and `&`, \
                         no `Fin` or `|`); Spot's `autfilt --tgba` translates others";
