//! Random formulas of linear temporal logic about random models, as text for SPIN's `ltl`.
//!
//! A formula speaks of one to three atoms, drawn over what the model names from everywhere: global variables,
//! messages in channels, where a process is (`P@label`) and what its variables hold (`P:x`). Two things
//! that a formula may say stay out because SPIN 6.5.2 does not read them in `ltl`: `X`, which only a
//! formula that goes through a never claim may have, and `empty(c)` and its like; `len(c) == 0` says the same.

use super::declare::constant;
use super::rng::Random;
use super::scope::{Channel, Kind, Place, Scope, Watched};

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// An operator, or the text of an atom.
    head: String,
    parts: Vec<Formula>,
}

/// How many operators may be nested.
const DEPTH: usize = 4;
/// How many operators there may be: SPIN takes minutes for the automata of some formulas with more. `W` and
/// `<->`, which SPIN writes out with parts of them twice, count as three.
const OPERATORS: usize = 6;
const WRITTEN_OUT: usize = 3;

impl Formula {
    fn new(head: impl Into<String>, parts: Vec<Formula>) -> Formula {
        Formula { head: head.into(), parts }
    }

    /// The formula with parentheses around every part, as SPIN and Taut read it alike.
    pub fn text(&self) -> String {
        self.write("")
    }

    /// The same with its atoms in double quotes, for who does not know what may stand in an atom.
    pub fn quoted(&self) -> String {
        self.write("\"")
    }

    fn write(&self, quote: &str) -> String {
        match self.parts.as_slice() {
            [] => format!("({quote}{}{quote})", self.head),
            [only] => format!("({} {})", self.head, only.write(quote)),
            [left, right, ..] => {
                format!("({} {} {})", left.write(quote), self.head, right.write(quote))
            }
        }
    }

    /// A smaller formula that still fails: no operator of it can be replaced by one of its parts.
    #[must_use]
    pub fn reduce(&self, mut fails: impl FnMut(&Formula) -> bool) -> Formula {
        let mut formula = self.clone();
        while let Some(smaller) = formula.smaller().into_iter().find(|f| fails(f)) {
            formula = smaller;
        }
        formula
    }

    /// The formulas with one operator less, or more.
    fn smaller(&self) -> Vec<Formula> {
        let mut all = self.parts.clone();
        for (i, part) in self.parts.iter().enumerate() {
            for smaller in part.smaller() {
                let mut parts = self.parts.clone();
                parts[i] = smaller;
                all.push(Formula::new(self.head.clone(), parts));
            }
        }
        all
    }
}

/// What formulas about a model may speak of.
pub(super) struct Subjects<'a> {
    pub(super) globals: &'a Scope,
    pub(super) processes: &'a [Watched],
}

/// Draws a formula, with `X` or without.
pub(super) fn draw(random: &mut Random, subjects: &Subjects, next: bool) -> Formula {
    let atoms = (0..random.between(1, 3)).map(|_| subjects.atom(random)).collect();
    let mut drawing = Drawing { random, atoms, left: OPERATORS, next };
    match drawing.random.chance(40) {
        true => drawing.usual(),
        false => drawing.formula(DEPTH),
    }
}

struct Drawing<'a> {
    random: &'a mut Random,
    atoms: Vec<String>,
    /// How many more operators there may be.
    left: usize,
    next: bool,
}

impl Drawing<'_> {
    fn atom(&mut self) -> Formula {
        Formula::new(self.random.pick(&self.atoms).clone(), vec![])
    }

    fn formula(&mut self, depth: usize) -> Formula {
        if depth == 0 || self.left == 0 || (depth < DEPTH && self.random.chance(25)) {
            return if self.random.chance(4) { self.constant() } else { self.atom() };
        }
        let next = if self.next { 4 } else { 0 };
        let room = usize::from(self.left >= WRITTEN_OUT);
        let (head, count) = self.random.weighted(&[
            (5, ("[]", 1)),
            (5, ("<>", 1)),
            (3, ("!", 1)),
            (next, ("X", 1)),
            (3, ("U", 2)),
            (2, ("V", 2)),
            (2 * room, ("W", 2)),
            (3, ("&&", 2)),
            (3, ("||", 2)),
            (3, ("->", 2)),
            (room, ("<->", 2)),
        ]);
        self.left -= if ["W", "<->"].contains(&head) { WRITTEN_OUT } else { 1 };
        let parts = (0..count).map(|_| self.formula(depth - 1)).collect();
        Formula::new(head, parts)
    }

    fn constant(&mut self) -> Formula {
        Formula::new(*self.random.pick(&["true", "false"]), vec![])
    }

    /// One of the formulas that people write.
    fn usual(&mut self) -> Formula {
        let unary = |head, part| Formula::new(head, vec![part]);
        let eventually = unary("<>", self.atom());
        match self.random.below(5) {
            0 => eventually,
            1 => unary("[]", eventually),
            2 => unary("<>", unary("[]", self.atom())),
            3 => unary("[]", Formula::new("->", vec![self.atom(), eventually])),
            _ => {
                let again = unary("[]", unary("<>", self.atom()));
                Formula::new("->", vec![again, unary("[]", eventually)])
            }
        }
    }
}

impl Subjects<'_> {
    fn atom(&self, random: &mut Random) -> String {
        let channels: Vec<_> = self.globals.channels.iter().filter(|c| c.capacity > 0).collect();
        let labelled: Vec<_> = self.processes.iter().filter(|p| !p.labels.is_empty()).collect();
        let with_locals: Vec<_> = self.processes.iter().filter(|p| !p.locals.is_empty()).collect();
        let form = random.weighted(&[
            (4, "place"),
            (if channels.is_empty() { 0 } else { 3 }, "channel"),
            (if labelled.is_empty() { 0 } else { 5 }, "label"),
            (if with_locals.is_empty() { 0 } else { 2 }, "local"),
        ]);
        match form {
            "channel" => {
                let channel = *random.pick(&channels);
                about_channel(random, channel)
            }
            "label" => {
                let process = *random.pick(&labelled);
                format!("{}@{}", process.text, random.pick(&process.labels))
            }
            "local" => {
                let process = *random.pick(&with_locals);
                let local = random.pick(&process.locals);
                compare(random, &format!("{}:{}", process.text, local.text), local.kind)
            }
            _ => {
                let place = random.pick(&self.globals.places);
                compare(random, &place.text, place.kind)
            }
        }
    }
}

fn about_channel(random: &mut Random, channel: &Channel) -> String {
    if channel.fields.is_empty() || random.chance(60) {
        let op = *random.pick(&["==", ">", "<"]);
        return format!("len({}) {op} 1", channel.text);
    }
    let fields = channel.fields.iter().map(|&kind| constant(random, kind));
    let fields: Vec<_> = fields.collect();
    format!("{}?[{}]", channel.text, fields.join(", "))
}

fn compare(random: &mut Random, place: &str, kind: Kind) -> String {
    match kind {
        Kind::Mtype => format!("{place} == {}", constant(random, kind)),
        Kind::Bit | Kind::Bool => format!("{place} == {}", random.below(2)),
        _ => {
            let op = *random.pick(&["==", "==", "!=", "<", ">"]);
            format!("{place} {op} {}", random.between(usize::from(op == "<"), 2))
        }
    }
}

/// The processes that a formula can ask about: of each proctype the oldest, and, as long as none is run
/// later, each by its number. A number that is used again is read by SPIN as if it were that of the process
/// it once belonged to; and of an array of another process it reads, in `ltl`, the address.
pub(super) fn processes(proctypes: &[(Watched, usize)], numbered: bool) -> Vec<Watched> {
    let mut all = Vec::new();
    let mut number = 0;
    for (proctype, active) in proctypes {
        let locals = proctype.locals.iter().filter(|p| !p.text.contains('[')).cloned();
        let locals: Vec<Place> = locals.collect();
        let named =
            |text| Watched { text, labels: proctype.labels.clone(), locals: locals.clone() };
        all.push(named(proctype.text.clone()));
        let numbers = number..number + if numbered { *active } else { 0 };
        all.extend(numbers.map(|pid| named(format!("{}[{pid}]", proctype.text))));
        number += active;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn atom(text: &str) -> Formula {
        Formula::new(text, vec![])
    }

    #[test]
    fn every_operator_stands_in_parentheses() {
        let until = Formula::new("U", vec![atom("x == 1"), atom("P@L")]);
        let formula = Formula::new("!", vec![Formula::new("[]", vec![until])]);
        assert_eq!(formula.text(), "(! ([] ((x == 1) U (P@L))))");
        assert_eq!(formula.quoted(), "(! ([] ((\"x == 1\") U (\"P@L\"))))");
    }

    #[test]
    fn reduction_keeps_what_the_failure_needs() {
        let always = Formula::new("[]", vec![Formula::new("!", vec![atom("p")])]);
        let formula = Formula::new("&&", vec![atom("q"), Formula::new("<>", vec![always])]);
        let reduced = formula.reduce(|f| f.text().contains('p') && f.text().contains("[]"));
        assert_eq!(reduced.text(), "([] (p))");
    }
}
