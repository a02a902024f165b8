//! From words to a formula, by [`taut_ltl::reader`].
//!
//! What stands between two operators of formulas is a *stretch*. If an operator of expressions stands in it,
//! such as `==`, all of it is one condition, and `+`, `*` and `^` in it compute: `a + b <= 1`. Otherwise they
//! are operators of formulas, as DiVinE has them: `p + q`. So operators before a formula are for the whole
//! stretch: `<> x == 1` is `<> (x == 1)`.

use std::ops::Range;

use taut_ltl::reader::{self, Between, Host};
use taut_ltl::{Formula, MOST_DEPTH, Prefix};
use taut_source::{Diagnostic, FileId, Span};

use super::codes;
use super::words::{Kind, Word};

/// The deepest nesting of parentheses and operators before a formula: each takes a part of the stack.
const MOST_NESTED: usize = 150;

/// How operators between formulas bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    /// By their levels.
    Levels,
    /// All alike, from left to right, as in DiVinE.
    Alike,
}

/// Who knows what a condition means.
pub(super) trait Conditions {
    /// The formula of a condition, which is a part of the text.
    fn condition(&mut self, words: &[Word]) -> Result<Formula, Box<Diagnostic>>;
}

/// Reads the words of a formula. They are those of one file, and end with [`Kind::End`].
pub(super) fn formula(
    words: &[Word],
    file: FileId,
    binding: Binding,
    conditions: &mut dyn Conditions,
) -> Result<Formula, Box<Diagnostic>> {
    let closed = brackets(words, file)?;
    let mut parser = Parser { words, closed, file, binding, conditions, at: 0, nested: 0 };
    if parser.kind() == Kind::End {
        let found = parser.error(parser.span(0..1), "the formula is empty");
        return Err(Box::new(found.help("for example: `[](P.wait -> <>P.critical)`")));
    }
    let read = reader::formula(&mut parser)?;
    match parser.kind() {
        Kind::End => Ok(read.formula),
        _ => Err(parser.missing_operator()),
    }
}

/// For each bracket that opens, where it is closed; for all other words their own place.
fn brackets(words: &[Word], file: FileId) -> Result<Vec<usize>, Box<Diagnostic>> {
    let error = |word: &Word, message: &str| {
        let span = Span::new(file, word.at.clone());
        Box::new(Diagnostic::error(codes::BAD_FORMULA, message, span).label("here"))
    };
    let mut closed: Vec<usize> = (0..words.len()).collect();
    let mut open: Vec<usize> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        match word.kind {
            Kind::Open | Kind::OpenIndex => open.push(place),
            Kind::Close | Kind::CloseIndex => {
                let wanted = if word.kind == Kind::Close { Kind::Open } else { Kind::OpenIndex };
                match open.pop() {
                    Some(first) if words[first].kind == wanted => closed[first] = place,
                    _ => return Err(error(word, "this bracket closes nothing")),
                }
            }
            _ => {}
        }
    }
    match open.pop() {
        Some(first) => Err(error(&words[first], "this bracket is not closed")),
        None => Ok(closed),
    }
}

/// A formula and the height of its tree.
pub(super) struct Read {
    formula: Formula,
    height: usize,
}

pub(super) struct Parser<'w> {
    words: &'w [Word],
    closed: Vec<usize>,
    file: FileId,
    binding: Binding,
    conditions: &'w mut dyn Conditions,
    at: usize,
    nested: usize,
}

impl Parser<'_> {
    fn kind(&self) -> Kind {
        self.words[self.at].kind
    }

    /// Where some words stand.
    fn span(&self, words: Range<usize>) -> Span {
        let last = &self.words[words.end.max(words.start + 1) - 1];
        Span::new(self.file, self.words[words.start].at.start..last.at.end)
    }

    fn error(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(codes::BAD_FORMULA, message, span).label("here"))
    }

    fn missing_operator(&self) -> Box<Diagnostic> {
        let found =
            self.error(self.span(self.at..self.at + 1), "an operator is missing before this");
        Box::new(found.help("operators: `&&` `||` `->` `<->` `^` `U` `V` `W`"))
    }

    fn too_large(&self, place: usize) -> Box<Diagnostic> {
        let message = format!("this formula is more than {MOST_NESTED} operators deep");
        let span = self.span(place..place + 1);
        Box::new(Diagnostic::error(codes::TOO_LARGE, message, span).label("too deep"))
    }

    /// An error that names the operator if nothing follows it.
    fn expect_operand(&self, operator: usize) -> Result<(), Box<Diagnostic>> {
        match self.kind() {
            Kind::End | Kind::Close => {
                Err(self.error(self.span(operator..operator + 1), "nothing follows this operator"))
            }
            _ => Ok(()),
        }
    }

    fn unclear_not(&self, operator: usize) -> Box<Diagnostic> {
        let end = self.stretch_end();
        let message = "it is not clear what this negation is for";
        let found = Diagnostic::error(codes::UNCLEAR_NOT, message, self.span(operator..end));
        let found = found.label("DVE negates the first operand only");
        Box::new(found.help("write `!(a == b)` for the whole, or `(!a) == b`"))
    }

    /// The end of the stretch that begins here: the next operator of formulas, bracket that closes, or
    /// end.
    fn stretch_end(&self) -> usize {
        let mut at = self.at;
        while !ends_stretch(self.words[at].kind) {
            at = self.closed[at] + 1;
        }
        at
    }

    /// Whether the words from here to `end` have an operator of expressions among them.
    fn computes(&self, end: usize) -> bool {
        let mut at = self.at;
        while at < end {
            if self.words[at].kind == Kind::Sign {
                return true;
            }
            at = self.closed[at] + 1;
        }
        false
    }

    /// A formula in parentheses or a condition.
    fn stretch(&mut self) -> Result<Read, Box<Diagnostic>> {
        let end = self.stretch_end();
        if self.computes(end) {
            return self.condition(end);
        }
        match self.kind() {
            Kind::Open => self.parenthesis(),
            Kind::Word | Kind::Quoted => {
                let end = self.name_end();
                self.condition(end)
            }
            Kind::End => {
                Err(self.error(self.span(self.at..self.at + 1), "the formula ends too early"))
            }
            _ => Err(self.error(self.span(self.at..self.at + 1), "a formula is expected here")),
        }
    }

    /// `(f)`
    fn parenthesis(&mut self) -> Result<Read, Box<Diagnostic>> {
        let (open, close) = (self.at, self.closed[self.at]);
        self.at += 1;
        if self.at == close {
            return Err(self.error(self.span(open..close + 1), "there is no formula in here"));
        }
        let inner = self.recurse(reader::formula)?;
        if self.at != close {
            return Err(self.missing_operator());
        }
        self.at += 1;
        Ok(inner)
    }

    /// The end of a name with what belongs to it: `P.s`, `P->v[1]`, `a[x + 1]`.
    fn name_end(&self) -> usize {
        let mut at = self.at + 1;
        loop {
            match self.words[at].kind {
                Kind::Joint if self.words[at + 1].kind == Kind::Word => at += 2,
                Kind::Joint => at += 1,
                Kind::OpenIndex => at = self.closed[at] + 1,
                _ => return at,
            }
        }
    }

    /// The words up to `end` are one condition.
    fn condition(&mut self, end: usize) -> Result<Read, Box<Diagnostic>> {
        let words = self.at..end;
        if let Some(inside) = words.clone().find(|&w| self.words[w].kind.is_temporal()) {
            let message = "a temporal operator cannot stand in an expression";
            let found = self.error(self.span(inside..inside + 1), message);
            return Err(Box::new(found.help("put comparisons in parentheses: `[] (x == 1)`")));
        }
        let formula = self.conditions.condition(&self.words[words])?;
        self.at = end;
        Ok(Read { formula, height: 1 })
    }
}

/// Whether a word ends a stretch: an operator of formulas, a bracket that closes, or the end.
fn ends_stretch(kind: Kind) -> bool {
    kind.is_operator() || matches!(kind, Kind::Close | Kind::End)
}

impl Host for Parser<'_> {
    type Tree = Read;
    /// Operators of expressions are parts of stretches.
    type Plain = std::convert::Infallible;
    type Sign = usize;
    type Error = Box<Diagnostic>;

    fn prefix(&self) -> Option<Prefix> {
        if let Kind::Prefix(operator) = self.kind() { Some(operator) } else { None }
    }

    fn infix(&self) -> Option<Between<Self::Plain>> {
        let (Kind::Infix(operator) | Kind::Either(operator)) = self.kind() else { return None };
        Some(Between::Formula(operator))
    }

    fn level(&self, Between::Formula(operator): Between<Self::Plain>) -> u8 {
        if self.binding == Binding::Alike { 1 } else { operator.level() }
    }

    fn take(&mut self) -> Result<usize, Box<Diagnostic>> {
        let operator = self.at;
        self.at += 1;
        self.expect_operand(operator)?;
        let is_not = self.words[operator].kind == Kind::Prefix(Prefix::Not);
        if is_not && self.computes(self.stretch_end()) {
            return Err(self.unclear_not(operator));
        }
        Ok(operator)
    }

    fn operand(&mut self) -> Result<Read, Box<Diagnostic>> {
        self.stretch()
    }

    fn recurse(
        &mut self,
        read: fn(&mut Self) -> Result<Read, Box<Diagnostic>>,
    ) -> Result<Read, Box<Diagnostic>> {
        if self.nested >= MOST_NESTED {
            return Err(self.too_large(self.at));
        }
        self.nested += 1;
        let result = read(self);
        self.nested -= 1;
        result
    }

    fn apply(&mut self, operator: Prefix, _: usize, inner: Read) -> Result<Read, Box<Diagnostic>> {
        Ok(Read { formula: operator.apply(inner.formula), height: inner.height + 1 })
    }

    fn join(
        &mut self,
        Between::Formula(operator): Between<Self::Plain>,
        sign: usize,
        left: Read,
        right: Read,
    ) -> Result<Read, Box<Diagnostic>> {
        // One more for `^`, which becomes two operators.
        let height = left.height.max(right.height) + 2;
        if height > MOST_DEPTH {
            return Err(self.too_large(sign));
        }
        Ok(Read { formula: operator.apply(left.formula, right.formula), height })
    }
}
