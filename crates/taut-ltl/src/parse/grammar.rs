//! From tokens to a formula whose atoms are texts.

use std::ops::Range;

use super::error::ParseError;
use super::lexer::{Kind, Token, tokens};
use crate::formula::Formula;
use crate::operator::{Infix, Prefix};
use crate::reader::{self, Between, Host};
use crate::translate::MOST_DEPTH;

/// The deepest nesting of parentheses and operators before a formula: each level takes a part of the
/// stack.
const MOST_NESTED: usize = 200;

type Read<T> = Result<T, ParseError>;

/// A formula that may turn out to be a part of an atom.
pub(super) struct Operand {
    formula: Formula<String>,
    /// The height of the tree.
    height: usize,
    /// Whether there is nothing temporal in it.
    plain: bool,
    /// The number of its first token.
    start: usize,
}

pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    place: usize,
    nested: usize,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Read<Parser<'a>> {
        Ok(Parser { tokens: tokens(text)?, place: 0, nested: 0 })
    }

    /// The formula, over the texts of its atoms.
    pub fn run(mut self) -> Read<Formula<String>> {
        if self.kind() == Kind::End {
            return Err(ParseError::new(self.at(), "the formula is empty")
                .help("for example: `[] (p -> <> q)`"));
        }
        let operand = reader::formula(&mut self)?;
        match self.kind() {
            Kind::End => Ok(operand.formula),
            Kind::RightParen => Err(ParseError::new(self.at(), "this `)` closes nothing")),
            _ => Err(self.missing_operator()),
        }
    }

    fn token(&self) -> &Token<'a> {
        &self.tokens[self.place]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn at(&self) -> Range<usize> {
        self.token().at.clone()
    }

    fn bump(&mut self) {
        if self.place + 1 < self.tokens.len() {
            self.place += 1;
        }
    }

    fn missing_operator(&self) -> ParseError {
        let message = format!("an operator is missing before `{}`", self.token().text);
        ParseError::new(self.at(), message).help("operators: `&&` `||` `->` `<->` `U` `W` `V`")
    }

    /// An error that names the operator if nothing follows it.
    fn expect_operand(&self, operator: &Token) -> Read<()> {
        match self.kind() {
            Kind::End | Kind::RightParen => {
                let message = format!("nothing follows `{}`", operator.text);
                Err(ParseError::new(operator.at.clone(), message))
            }
            _ => Ok(()),
        }
    }

    /// The tokens since `start` as one atom.
    fn atom(&self, start: usize) -> Operand {
        self.leaf(start, Formula::Atom(text_of(&self.tokens[start..self.place])))
    }

    fn leaf(&self, start: usize, formula: Formula<String>) -> Operand {
        Operand { formula, height: 1, plain: true, start }
    }

    /// `-x` or `~x`, which is a part of an atom.
    fn signed(&mut self) -> Read<Operand> {
        let start = self.place;
        let sign = self.take()?;
        let inner = self.recurse(reader::prefixed)?;
        if !inner.plain {
            let message = format!("`{}` stands before a temporal formula", sign.text);
            return Err(ParseError::new(sign.at, message));
        }
        Ok(self.atom(start))
    }

    fn primary(&mut self) -> Read<Operand> {
        let (token, start) = (self.token().clone(), self.place);
        match token.kind {
            Kind::LeftParen => self.parenthesis(),
            Kind::Word => self.name(),
            Kind::Constant(truth) => {
                self.bump();
                Ok(self.leaf(start, constant(truth)))
            }
            Kind::Quoted => {
                self.bump();
                let inside = &token.text[1..token.text.len() - 1];
                let text = inside.split_whitespace().collect::<Vec<_>>().join(" ");
                Ok(Operand { plain: false, ..self.leaf(start, Formula::Atom(text)) })
            }
            Kind::Arithmetic if matches!(token.text, "-" | "~") => self.signed(),
            Kind::End => Err(ParseError::new(token.at, "the formula ends too early")),
            Kind::RightParen => {
                Err(ParseError::new(token.at, "a formula is expected before this `)`"))
            }
            _ => Err(unexpected(&token)),
        }
    }

    fn parenthesis(&mut self) -> Read<Operand> {
        let (open, start) = (self.at(), self.place);
        self.bump();
        if self.kind() == Kind::End {
            return Err(not_closed(open));
        }
        let inner = self.recurse(reader::formula)?;
        match self.kind() {
            Kind::RightParen => {
                self.bump();
                Ok(Operand { start, ..inner })
            }
            Kind::End => Err(not_closed(open)),
            _ => Err(self.missing_operator()),
        }
    }

    /// A name or a number, with what belongs to it: `P[1]@cs`, `view(P, x)`.
    fn name(&mut self) -> Read<Operand> {
        let start = self.place;
        let word = self.token().text;
        self.bump();
        loop {
            match self.kind() {
                Kind::Joint => {
                    let joint = self.token().clone();
                    self.bump();
                    if !is_name(self.token()) {
                        let message = format!("a name must follow `{}`", joint.text);
                        return Err(ParseError::new(joint.at, message));
                    }
                    self.bump();
                }
                Kind::LeftParen => self.bracketed(Kind::LeftParen, Kind::RightParen)?,
                Kind::LeftBracket => self.bracketed(Kind::LeftBracket, Kind::RightBracket)?,
                _ => break,
            }
        }
        Ok(match word {
            "1" | "0" if self.place == start + 1 => self.leaf(start, constant(word == "1")),
            _ => self.atom(start),
        })
    }

    /// Skips what stands in brackets: it is a matter of the atom.
    fn bracketed(&mut self, open: Kind, close: Kind) -> Read<()> {
        let first = self.at();
        let mut depth = 0;
        loop {
            let token = self.token().clone();
            match token.kind {
                Kind::End => return Err(not_closed(first)),
                kind if kind == open => depth += 1,
                kind if kind == close => depth -= 1,
                kind if kind.is_temporal() && !is_name(&token) => {
                    let message = format!("`{}` cannot stand inside an atom", token.text);
                    return Err(ParseError::new(token.at, message));
                }
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return Ok(());
            }
        }
    }
}

impl<'a> Host for Parser<'a> {
    type Tree = Operand;
    /// Operators of expressions are not told apart: their order is a matter of the atom.
    type Plain = ();
    type Sign = Token<'a>;
    type Error = ParseError;

    fn prefix(&self) -> Option<Prefix> {
        if let Kind::Prefix(operator) = self.kind() { Some(operator) } else { None }
    }

    fn infix(&self) -> Option<Between<()>> {
        match self.kind() {
            Kind::Infix(operator) => Some(Between::Formula(operator)),
            Kind::Arithmetic => Some(Between::Plain(())),
            _ => None,
        }
    }

    fn level(&self, operator: Between<()>) -> u8 {
        match operator {
            Between::Formula(infix) => infix.level(),
            Between::Plain(()) => Infix::Until.level() + 1,
        }
    }

    fn take(&mut self) -> Read<Token<'a>> {
        let operator = self.token().clone();
        self.bump();
        self.expect_operand(&operator)?;
        Ok(operator)
    }

    fn operand(&mut self) -> Read<Operand> {
        self.primary()
    }

    fn recurse(&mut self, read: fn(&mut Self) -> Read<Operand>) -> Read<Operand> {
        if self.nested >= MOST_NESTED {
            let message = format!("more than {MOST_NESTED} levels of nesting");
            return Err(ParseError::new(self.at(), message));
        }
        self.nested += 1;
        let result = read(self);
        self.nested -= 1;
        result
    }

    fn apply(&mut self, operator: Prefix, sign: Token<'a>, inner: Operand) -> Read<Operand> {
        let formula = operator.apply(inner.formula);
        let plain = inner.plain && !operator.is_temporal();
        // The sign is one token, right before what it is applied to.
        let start = inner.start - 1;
        debug_assert_eq!(self.tokens[start].at, sign.at);
        Ok(Operand { formula, height: inner.height + 1, plain, start })
    }

    fn join(
        &mut self,
        operator: Between<()>,
        sign: Token<'a>,
        left: Operand,
        right: Operand,
    ) -> Read<Operand> {
        let (start, plain) = (left.start, left.plain && right.plain);
        let Between::Formula(operator) = operator else {
            return if plain { Ok(self.atom(start)) } else { Err(beside_temporal(&sign)) };
        };
        let height = left.height.max(right.height) + 1;
        if height > MOST_DEPTH {
            let message = format!("the formula is more than {MOST_DEPTH} operators deep");
            return Err(ParseError::new(sign.at, message));
        }
        let plain = plain && !operator.is_temporal();
        Ok(Operand { formula: operator.apply(left.formula, right.formula), height, plain, start })
    }
}

fn constant(truth: bool) -> Formula<String> {
    if truth { Formula::True } else { Formula::False }
}

/// The message about an operator of expressions whose operand is a temporal formula.
fn beside_temporal(sign: &Token) -> ParseError {
    let message = format!("`{}` stands beside a temporal formula", sign.text);
    ParseError::new(sign.at.clone(), message)
        .help("put the comparison in parentheses: `[] (x == 1)`")
}

/// Whether a token could be a name in a place where only a name can stand: a variable may be called
/// `X`.
fn is_name(token: &Token) -> bool {
    token.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn not_closed(open: Range<usize>) -> ParseError {
    ParseError::new(open, "this bracket is not closed")
}

fn unexpected(token: &Token) -> ParseError {
    let error = ParseError::new(
        token.at.clone(),
        format!("a formula is expected here, not `{}`", token.text),
    );
    if is_name(token) {
        let text = token.text;
        return error
            .help(format!("`{text}` is an operator; as a name it is written `\"{text}\"`"));
    }
    error
}

/// The text of an atom, with regular white space.
fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    // Whether an operator that follows has something to its left.
    let mut after_operand = false;
    for token in tokens {
        let joins = matches!(token.kind, Kind::Arithmetic) || is_boolean(token.kind);
        let binary = after_operand && joins;
        let spelled = match token.kind {
            Kind::Prefix(Prefix::Not) => "!",
            Kind::Infix(operator) if is_boolean(token.kind) => operator.symbol(),
            _ => token.text,
        };
        match token.kind {
            _ if binary => text.extend([" ", spelled, " "]),
            Kind::Comma => text.push_str(", "),
            // Two words side by side stand in brackets; they must not become one.
            _ if after_operand && is_name(token) => text.extend([" ", spelled]),
            _ => text.push_str(spelled),
        }
        after_operand = matches!(token.kind, Kind::RightParen | Kind::RightBracket)
            || token.kind != Kind::Prefix(Prefix::Not) && is_name(token) && !binary;
    }
    text
}

fn is_boolean(kind: Kind) -> bool {
    matches!(kind, Kind::Infix(operator) if !operator.is_temporal())
}
