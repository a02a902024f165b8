//! From tokens to a formula, by precedence climbing.

use std::ops::Range;

use super::error::ParseError;
use super::lexer::{Kind, Token, tokens};
use crate::formula::{AtomId, Formula};
use crate::translate::MOST_DEPTH;

/// How deep parentheses and operators before a formula may nest: each level takes a part of the
/// stack.
const MOST_NESTED: usize = 200;

/// What was read, and whether it may be a part of an atom.
struct Operand {
    formula: Formula,
    /// The height of the tree.
    height: usize,
    /// Whether there is nothing temporal in it.
    plain: bool,
}

impl Operand {
    fn leaf(formula: Formula) -> Operand {
        Operand { formula, height: 1, plain: true }
    }
}

pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    place: usize,
    nested: usize,
    atoms: Vec<String>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Result<Parser<'a>, ParseError> {
        Ok(Parser { tokens: tokens(text)?, place: 0, nested: 0, atoms: vec![] })
    }

    /// The formula, and the texts of its atoms by number.
    pub fn run(mut self) -> Result<(Formula, Vec<String>), ParseError> {
        if self.kind() == Kind::End {
            return Err(ParseError::new(self.at(), "the formula is empty")
                .help("for example: `[] (p -> <> q)`"));
        }
        let operand = self.infix(0)?;
        match self.kind() {
            Kind::End => Ok((operand.formula, self.atoms)),
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

    /// One level deeper.
    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        if self.nested >= MOST_NESTED {
            let message = format!("more than {MOST_NESTED} levels of nesting");
            return Err(ParseError::new(self.at(), message));
        }
        self.nested += 1;
        let result = read(self);
        self.nested -= 1;
        result
    }

    /// Operators between formulas, of at least the given level.
    fn infix(&mut self, lowest: u8) -> Result<Operand, ParseError> {
        let mut left = self.expression()?;
        while let Some((level, make)) = infix_operator(self.kind()) {
            if level < lowest {
                break;
            }
            let operator = self.token().clone();
            self.bump();
            self.expect_operand(&operator)?;
            let right = self.deeper(|this| this.infix(level + 1))?;
            let height = left.height.max(right.height) + 1;
            if height > MOST_DEPTH {
                let message = format!("the formula is more than {MOST_DEPTH} operators deep");
                return Err(ParseError::new(operator.at, message));
            }
            let plain = left.plain && right.plain && !operator.kind.is_temporal();
            left = Operand { formula: make(left.formula, right.formula), height, plain };
        }
        Ok(left)
    }

    /// An error that names the operator if nothing follows it.
    fn expect_operand(&self, operator: &Token) -> Result<(), ParseError> {
        match self.kind() {
            Kind::End | Kind::RightParen => {
                let message = format!("nothing follows `{}`", operator.text);
                Err(ParseError::new(operator.at.clone(), message))
            }
            _ => Ok(()),
        }
    }

    /// Operands with operators of expressions between them: then all of it is one atom.
    fn expression(&mut self) -> Result<Operand, ParseError> {
        let start = self.place;
        let first = self.prefix()?;
        if self.kind() != Kind::Arithmetic {
            return Ok(first);
        }
        let mut plain = first.plain;
        while self.kind() == Kind::Arithmetic {
            let operator = self.token().clone();
            self.bump();
            self.expect_operand(&operator)?;
            plain &= self.prefix()?.plain;
            if !plain {
                let message = format!("`{}` stands beside a temporal formula", operator.text);
                return Err(ParseError::new(operator.at, message)
                    .help("put the comparison in parentheses: `[] (x == 1)`"));
            }
        }
        Ok(self.atom(start))
    }

    /// The tokens since `start` as one atom.
    fn atom(&mut self, start: usize) -> Operand {
        let text = text_of(&self.tokens[start..self.place]);
        self.atom_of(text)
    }

    fn atom_of(&mut self, text: String) -> Operand {
        let number = AtomId(self.atoms.len() as u32);
        self.atoms.push(text);
        Operand::leaf(Formula::Atom(number))
    }

    /// An operand with the operators before it.
    fn prefix(&mut self) -> Result<Operand, ParseError> {
        let start = self.place;
        let make: fn(Formula) -> Formula = match self.kind() {
            Kind::Not => Formula::not,
            Kind::Next => Formula::next,
            Kind::Always => Formula::always,
            Kind::Eventually => Formula::eventually,
            Kind::Arithmetic if matches!(self.token().text, "-" | "~") => |f| f,
            _ => return self.primary(),
        };
        let operator = self.token().clone();
        self.bump();
        self.expect_operand(&operator)?;
        let inner = self.deeper(Self::prefix)?;
        if operator.kind != Kind::Arithmetic {
            let plain = inner.plain && operator.kind == Kind::Not;
            return Ok(Operand { formula: make(inner.formula), height: inner.height + 1, plain });
        }
        if !inner.plain {
            let message = format!("`{}` stands before a temporal formula", operator.text);
            return Err(ParseError::new(operator.at, message));
        }
        Ok(self.atom(start))
    }

    fn primary(&mut self) -> Result<Operand, ParseError> {
        let token = self.token().clone();
        match token.kind {
            Kind::LeftParen => self.parenthesis(),
            Kind::Word => self.name(),
            Kind::True | Kind::False => {
                self.bump();
                let truth = token.kind == Kind::True;
                Ok(Operand::leaf(if truth { Formula::True } else { Formula::False }))
            }
            Kind::Quoted => {
                self.bump();
                let inside = &token.text[1..token.text.len() - 1];
                let text = inside.split_whitespace().collect::<Vec<_>>().join(" ");
                Ok(Operand { plain: false, ..self.atom_of(text) })
            }
            Kind::End => Err(ParseError::new(token.at, "the formula ends too early")),
            Kind::RightParen => {
                Err(ParseError::new(token.at, "a formula is expected before this `)`"))
            }
            _ => Err(unexpected(&token)),
        }
    }

    fn parenthesis(&mut self) -> Result<Operand, ParseError> {
        let open = self.at();
        self.bump();
        if self.kind() == Kind::End {
            return Err(not_closed(open));
        }
        let inner = self.deeper(|this| this.infix(0))?;
        match self.kind() {
            Kind::RightParen => {
                self.bump();
                Ok(inner)
            }
            Kind::End => Err(not_closed(open)),
            _ => Err(self.missing_operator()),
        }
    }

    /// A name or a number, with what belongs to it: `P[1]@cs`, `view(P, x)`.
    fn name(&mut self) -> Result<Operand, ParseError> {
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
            "1" if self.place == start + 1 => Operand::leaf(Formula::True),
            "0" if self.place == start + 1 => Operand::leaf(Formula::False),
            _ => self.atom(start),
        })
    }

    /// Skips what stands in brackets: it is a matter of the atom.
    fn bracketed(&mut self, open: Kind, close: Kind) -> Result<(), ParseError> {
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

type Make = fn(Formula, Formula) -> Formula;

/// The level of an operator between formulas, and what it makes.
fn infix_operator(kind: Kind) -> Option<(u8, Make)> {
    Some(match kind {
        Kind::Implies => (1, Formula::implies),
        Kind::Iff => (1, Formula::iff),
        Kind::Or => (2, Formula::or),
        Kind::And => (3, Formula::and),
        Kind::Until => (4, Formula::until),
        Kind::Release => (4, Formula::release),
        Kind::WeakUntil => (4, Formula::weak_until),
        Kind::StrongRelease => (4, Formula::strong_release),
        _ => return None,
    })
}

/// The text of an atom, with regular white space.
fn text_of(tokens: &[Token]) -> String {
    let mut text = String::new();
    // Whether an operator that follows has something to its left.
    let mut after_operand = false;
    for token in tokens {
        let binary = after_operand && (token.kind == Kind::Arithmetic || is_boolean(token.kind));
        let spelled = match token.kind {
            Kind::Not => "!",
            Kind::And => "&&",
            Kind::Or => "||",
            Kind::Implies => "->",
            Kind::Iff => "<->",
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
            || token.kind != Kind::Not && is_name(token) && !binary;
    }
    text
}

fn is_boolean(kind: Kind) -> bool {
    matches!(kind, Kind::And | Kind::Or | Kind::Implies | Kind::Iff)
}
