//! The parser: tokens to syntax tree, by recursive descent.
//!
//! SPIN ends statements at the ends of lines, after certain words, outside of parentheses, inside of bodies;
//! [`Parser::kind`] shows such an end as a `;` that is not in the text. After `}` and `else` a separator may
//! always be left out. How deep things nest and how tall expressions grow is limited, so that no input
//! overflows the stack here or in anything that walks the tree.

mod claims;
mod decl;
mod expr;
mod inline;
mod items;
mod ltl;
mod stmt;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use taut_source::{Diagnostic, Diagnostics, Span};

use crate::Claim;
use crate::ast::{At, Model, Name, RefId};
use crate::claim::Extra;
use crate::codes;
use crate::preprocess::{Preprocessed, Use, with_macro};
use crate::token::{Kind, Token};
use inline::Definition;
use taut_source::nearest;

/// How deep statements and parentheses may nest.
const DEEPEST: usize = 160;
/// How tall the tree of an expression may be.
const TALLEST: usize = 1_000;

/// The parser at work.
pub(crate) struct Parser<'r> {
    tokens: Rc<[Token]>,
    at: usize,
    /// Whether the `;` that the end of the line stands for has been taken.
    semi_taken: bool,
    /// Whether ends of lines can end statements: inside of bodies and typedefs.
    in_sequence: bool,
    /// How many parentheses are open.
    parentheses: usize,
    depth: usize,
    /// The height of the expression that was parsed last.
    height: usize,
    uses: &'r HashMap<Span, Use>,
    diagnostics: &'r mut Diagnostics,
    /// Every name declared so far: such a name is no operation of a dialect.
    declared: HashSet<Rc<str>>,
    typedefs: HashSet<Rc<str>>,
    proctypes: HashSet<Rc<str>>,
    inlines: HashMap<Rc<str>, Rc<Definition>>,
    /// The inline calls being expanded, the innermost last.
    calls: Vec<(Rc<str>, Span, bool)>,
    /// How many tokens inline calls have produced.
    produced: usize,
    references: u32,
    /// The words of formulas that are names in this model.
    letters: HashSet<Rc<str>>,
}

/// An error has been reported; the caller gives up its part of the tree.
pub(crate) struct Reported;

/// A part of the tree, or a reported error.
type Parsed<T> = Result<T, Reported>;

/// What the parser makes of a model and the claims from outside.
pub(crate) struct Tree {
    pub model: Model,
    pub extra: Vec<Extra>,
    /// How many references there are.
    pub references: u32,
}

/// Parses a preprocessed model and the claims about it.
pub(crate) fn parse(input: &Preprocessed, claims: &[Claim], diagnostics: &mut Diagnostics) -> Tree {
    let mut parser = Parser {
        tokens: input.tokens.clone().into(),
        at: 0,
        semi_taken: false,
        in_sequence: false,
        parentheses: 0,
        depth: 0,
        height: 0,
        uses: &input.uses,
        diagnostics,
        declared: HashSet::new(),
        typedefs: HashSet::new(),
        proctypes: HashSet::new(),
        inlines: HashMap::new(),
        calls: Vec::new(),
        produced: 0,
        references: 0,
        letters: ltl::letters(&input.tokens),
    };
    let model = parser.model();
    let texts = claims.iter().zip(&input.claims);
    let extra = texts.flat_map(|(claim, texts)| parser.claim(claim, texts)).collect();
    Tree { model, extra, references: parser.references }
}

impl Parser<'_> {
    /// The next token in the text.
    fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The token after the next.
    fn second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    /// The token before the next.
    fn previous(&self) -> Option<&Token> {
        self.at.checked_sub(1).map(|at| &self.tokens[at])
    }

    /// Whether the end of the line stands for a `;` here.
    fn at_line_end(&self) -> bool {
        let next = self.token();
        if self.semi_taken || !self.in_sequence || self.parentheses > 0 || !next.newline {
            return false;
        }
        match self.previous() {
            Some(t) if t.kind == Kind::RightBrace => !next.is("unless"),
            Some(t) => can_end(t),
            None => false,
        }
    }

    /// The kind of the next token, the `;` that an end of a line stands for included.
    fn kind(&self) -> Kind {
        if self.at_line_end() { Kind::Semi } else { self.token().kind }
    }

    /// Whether the next token is the given reserved word.
    fn at(&self, word: &str) -> bool {
        !self.at_line_end() && self.token().is(word)
    }

    /// Takes the next token.
    fn bump(&mut self) {
        taut_budget::tick();
        if self.at_line_end() {
            self.semi_taken = true;
            return;
        }
        match self.token().kind {
            Kind::LeftParen => self.parentheses += 1,
            Kind::RightParen => self.parentheses = self.parentheses.saturating_sub(1),
            Kind::Eof => return,
            _ => {}
        }
        self.at += 1;
        self.semi_taken = false;
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Takes the next token if it is this reserved word.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at(word);
        if found {
            self.bump();
        }
        found
    }

    /// The place of the next token.
    fn span(&self) -> Span {
        self.token().span
    }

    /// From a place to the last token that was taken.
    fn since(&self, start: Span) -> At {
        let end = self.previous().map_or(start, |t| t.span);
        At(join(start, end))
    }

    /// A fresh number for a reference.
    fn fresh(&mut self) -> RefId {
        self.references += 1;
        RefId(self.references - 1)
    }

    /// Requires a token.
    fn expect(&mut self, kind: Kind, what: &str) -> Parsed<()> {
        if self.eat(kind) { Ok(()) } else { Err(self.expected(what)) }
    }

    /// Requires a reserved word.
    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    /// Requires a name that is not reserved.
    fn name(&mut self, what: &str) -> Parsed<Name> {
        if self.kind() == Kind::Ident {
            let token = self.token();
            let name = Name { text: token.text.to_string(), at: At(token.span) };
            self.bump();
            return Ok(name);
        }
        if self.kind() == Kind::Keyword {
            let message = format!("`{}` is a reserved word", self.token().text);
            let d = Diagnostic::error(codes::KEYWORD_AS_NAME, message, self.span())
                .label(format!("{what} expected"))
                .help("choose another name");
            return Err(self.report(d));
        }
        Err(self.expected(what))
    }

    /// Reports that something else was expected.
    fn expected(&mut self, what: &str) -> Reported {
        let token = self.token();
        let end = token.kind == Kind::Eof && token.text.is_empty();
        let (message, span) = match self.at_line_end() {
            true => {
                let span = self.previous().map_or(token.span, |t| t.span.after());
                (format!("expected {what}, found the end of the line"), span)
            }
            false => (format!("expected {what}, found {}", token.describe()), token.span),
        };
        let near = match token.kind {
            Kind::Ident if !self.at_line_end() => {
                nearest(&token.text, crate::names::KEYWORDS.iter().copied())
            }
            _ => None,
        };
        let code = if end { codes::MISSING_CLOSER } else { codes::EXPECTED };
        let mut d = Diagnostic::error(code, message, span).label(format!("{what} expected"));
        if let Some(near) = near {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report(d)
    }

    /// Adds a message: with the macro or the inline call that the place comes from.
    fn report(&mut self, mut d: Diagnostic) -> Reported {
        let token = self.token();
        if token.span == d.span
            && let (Some(defined), Some(used)) = (token.defined, self.uses.get(&token.span))
        {
            d = d.related(defined, format!("in the expansion of the macro `{}`", used.name));
        }
        d = with_macro(self.uses, d);
        if let Some((name, span, _)) = self.calls.last() {
            d = d.related(*span, format!("in this call of the inline `{name}`"));
        }
        self.diagnostics.push(d);
        Reported
    }

    /// Goes one level deeper, if that is allowed.
    fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    /// Sets the height of the expression just parsed, if that is allowed.
    fn grow(&mut self, height: usize) -> Parsed<()> {
        self.height = height;
        if height > TALLEST { Err(self.too_deep()) } else { Ok(()) }
    }

    /// Reports something nested too deeply.
    fn too_deep(&mut self) -> Reported {
        let d = Diagnostic::error(
            codes::TOO_DEEP,
            "this is nested too deeply or too long",
            self.span(),
        )
        .label(format!("at most {DEEPEST} levels, and {TALLEST} operators in a row"));
        let reported = self.report(d);
        // What follows would only repeat the message at every level.
        self.at = self.tokens.len() - 1;
        reported
    }
}

/// Whether a statement can end after this token, when its line ends there.
fn can_end(token: &Token) -> bool {
    match token.kind {
        Kind::Ident
        | Kind::Number
        | Kind::Char
        | Kind::RightParen
        | Kind::RightBracket
        | Kind::RightBrace
        | Kind::Increment
        | Kind::Decrement => true,
        Kind::Keyword => {
            matches!(
                &*token.text,
                "od" | "fi" | "else" | "break" | "true" | "false" | "skip" | "timeout"
            )
        }
        _ => false,
    }
}

/// From one place to another, if they stand in one file and in this order.
pub(crate) fn join(start: Span, end: Span) -> Span {
    if start.file == end.file && start.start <= end.start { start.to(end) } else { start }
}
