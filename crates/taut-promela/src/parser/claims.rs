//! Claims from outside, read after the model and with what it declares.
//!
//! A file of formulas is first cut into its entries ([`taut_ltl::file`]); then each entry is read by itself, so that
//! a mistake in one says nothing about the others.

use taut_ltl::file::{Mark, Role};
use taut_source::{Diagnostic, FileId, Span};

use super::expr::binary_operator;
use super::{Parsed, Parser};
use crate::ast::*;
use crate::claim::Extra;
use crate::token::{Kind, PROPERTY, Token};
use crate::{Claim, ClaimText, codes};

impl Parser<'_> {
    /// A claim, given its texts; what was wrong has been reported.
    pub(super) fn claim(&mut self, claim: &Claim, texts: &[Vec<Token>]) -> Vec<Extra> {
        match (&claim.text, &claim.files[..], texts) {
            (ClaimText::Formula { name }, [file], [text]) => {
                let start = Span::new(*file, 0..0);
                self.load(text.clone(), start);
                let formula = self.whole_formula();
                let name = Some(Name { text: name.clone(), at: At(start) });
                let ltl = formula.map(|formula| Ltl { at: self.whole(text, start), name, formula });
                ltl.map(Extra::Formula).into_iter().collect()
            }
            (ClaimText::File, [file], [text]) => self.file_of_formulas(*file, text),
            (ClaimText::Automaton { name, automaton }, files, texts) => {
                let start = files.first().map_or(Span::NONE, |file| Span::new(*file, 0..0));
                let name = Name { text: name.clone(), at: At(start) };
                if automaton.atoms != texts.len() {
                    self.missing_propositions(&name, automaton.atoms, texts.len());
                    return Vec::new();
                }
                let all = files.iter().zip(texts);
                let propositions: Option<_> =
                    all.map(|(file, text)| self.proposition(*file, text)).collect();
                let automaton = automaton.clone();
                let made =
                    propositions.map(|p| Extra::Automaton { name, automaton, propositions: p });
                made.into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Starts to read another text.
    fn load(&mut self, mut tokens: Vec<Token>, start: Span) {
        let end = tokens.last().map_or(start, |t| t.span.after());
        tokens.push(Token::eof("the formula", end));
        self.tokens = tokens.into();
        (self.at, self.depth, self.height, self.parentheses) = (0, 0, 0, 0);
        (self.in_sequence, self.semi_taken) = (false, false);
    }

    /// The place of a whole text.
    fn whole(&self, text: &[Token], start: Span) -> At {
        match (text.first(), text.last()) {
            (Some(first), Some(last)) => At(super::join(first.span, last.span)),
            _ => At(start),
        }
    }

    /// A formula and nothing after it, but for a `;`; none, reported, if that is not so.
    fn whole_formula(&mut self) -> Option<Formula> {
        self.formula().and_then(|formula| self.ends(formula)).ok()
    }

    fn ends<T>(&mut self, read: T) -> Parsed<T> {
        self.eat(Kind::Semi);
        match self.kind() {
            Kind::Eof => Ok(read),
            _ => Err(self.expected("an operator or the end of the formula")),
        }
    }

    /// An atomic proposition of an automaton: a condition on one state.
    fn proposition(&mut self, file: FileId, text: &[Token]) -> Option<Expr> {
        self.load(text.to_vec(), Span::new(file, 0..0));
        match self.whole_formula()? {
            Formula::Atom(expr) => Some(expr),
            _ => {
                let span = text.first().map_or(Span::new(file, 0..0), |t| t.span);
                let message = "an atomic proposition is a condition on one state";
                self.diagnostics.push(
                    Diagnostic::error(codes::TEMPORAL, message, span)
                        .label("there is a temporal operator or an arrow in it"),
                );
                None
            }
        }
    }

    fn missing_propositions(&mut self, name: &Name, wanted: usize, given: usize) {
        let message = format!(
            "the automaton `{}` has {wanted} atomic propositions, and {given} are given",
            name.text
        );
        self.diagnostics.push(Diagnostic::error(codes::CLAIM_ATOMS, message, name.at.0));
    }

    /// The formulas of a file.
    fn file_of_formulas(&mut self, file: FileId, text: &[Token]) -> Vec<Extra> {
        let mut formulas = Vec::new();
        let mut properties = 0;
        let marks: Vec<Mark> = text.iter().map(mark).collect();
        for range in taut_ltl::file::entries(&marks) {
            if self.diagnostics.is_full() {
                break;
            }
            self.load(text[range].to_vec(), Span::new(file, 0..0));
            let read = self.entry(&mut properties).and_then(|ltl| self.ends(ltl));
            formulas.extend(read.map(Extra::Formula));
        }
        formulas
    }

    /// One formula of a file, with its name.
    fn entry(&mut self, properties: &mut usize) -> Parsed<Ltl> {
        let start = self.span();
        if self.eat_word(PROPERTY) {
            *properties += 1;
            let name = Some(Name { text: format!("property_{properties}"), at: At(start) });
            let formula = self.formula()?;
            return Ok(Ltl { at: self.since(start), name, formula });
        }
        let block = |t: &Token| t.kind == Kind::LeftBrace;
        if self.at("ltl")
            && (block(self.second()) || self.tokens.get(self.at + 2).is_some_and(block))
        {
            return self.ltl(start);
        }
        self.eat_word("ltl");
        if self.second().kind != Kind::Colon {
            return Err(self.expected("`NAME: formula` or `ltl NAME { formula }`"));
        }
        let name = Some(self.name("the name of a formula")?);
        self.bump();
        let formula = self.formula()?;
        Ok(Ltl { at: self.since(start), name, formula })
    }
}

/// The part that a token plays in the layout of a file.
fn mark(token: &Token) -> Mark {
    let role = match token.kind {
        Kind::LeftParen | Kind::LeftBracket => Role::Open,
        Kind::RightParen | Kind::RightBracket => Role::Close,
        Kind::LeftBrace => Role::OpenBrace,
        Kind::RightBrace => Role::CloseBrace,
        Kind::Semi => Role::Semicolon,
        Kind::Ident | Kind::Number | Kind::Char => Role::Operand,
        Kind::Keyword if token.is("ltl") => Role::Ltl,
        Kind::Keyword if token.is(PROPERTY) => Role::Property,
        Kind::Keyword => Role::Operand,
        Kind::Arrow | Kind::Equivalent => Role::Infix,
        kind if binary_operator(kind).is_some() => Role::Infix,
        _ => Role::Other,
    };
    Mark { role, begins_line: token.newline }
}
