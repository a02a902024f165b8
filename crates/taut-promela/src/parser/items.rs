//! The parts of a model.

use std::rc::Rc;

use taut_source::{Diagnostic, Span};

use super::{Parsed, Parser, Reported};
use crate::ast::*;
use crate::codes;
use crate::token::Kind;

/// The words that begin a part of a model: where reading goes on after a mistake.
const STARTS: &[&str] = &[
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "ltl",
    "typedef",
    "inline",
    "mtype",
    "chan",
    "bit",
    "bool",
    "byte",
    "short",
    "int",
    "unsigned",
    "pid",
    "hidden",
    "show",
    "local",
    "trace",
    "notrace",
    "c_code",
    "c_decl",
    "c_state",
    "c_track",
];

impl Parser<'_> {
    /// The whole model.
    pub(super) fn model(&mut self) -> Model {
        let mut items = Vec::new();
        while self.kind() != Kind::Eof && !self.diagnostics.is_full() {
            if self.eat(Kind::Semi) || self.eat(Kind::Arrow) {
                continue;
            }
            match self.item() {
                Ok(item) => items.push(item),
                Err(Reported) => self.recover(),
            }
            self.in_sequence = false;
            self.parentheses = 0;
        }
        Model { items }
    }

    /// Goes on at the next part of the model.
    fn recover(&mut self) {
        self.in_sequence = false;
        self.depth = 0;
        let mut braces = 0usize;
        loop {
            let token = self.token();
            match token.kind {
                Kind::Eof => return,
                Kind::LeftBrace => braces += 1,
                Kind::RightBrace => braces = braces.saturating_sub(1),
                // A body that is half read is left at the next word that cannot stand in one.
                Kind::Keyword if token.newline => {
                    let strong = [
                        "active",
                        "proctype",
                        "D_proctype",
                        "init",
                        "never",
                        "ltl",
                        "typedef",
                        "inline",
                    ];
                    if strong.contains(&&*token.text)
                        || (braces == 0 && STARTS.contains(&&*token.text))
                    {
                        return;
                    }
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// One part of the model.
    fn item(&mut self) -> Parsed<Item> {
        let start = self.span();
        if self.token().kind == Kind::Keyword {
            let text = self.token().text.clone();
            match &*text {
                "active" | "proctype" | "D_proctype" => return self.proctype().map(Item::Proctype),
                "init" => return self.init(start).map(Item::Init),
                "never" => return self.never(start).map(Item::Never),
                "ltl" => return self.ltl(start).map(Item::Ltl),
                "typedef" => return self.typedef().map(Item::Typedef),
                "inline" => return self.inline().map(Item::Inline),
                "trace" | "notrace" => return self.trace(start).map(Item::Trace),
                "mtype" if self.at_mtype() => return self.mtype().map(Item::Mtype),
                "c_code" | "c_expr" | "c_decl" | "c_state" | "c_track" => {
                    return Err(self.embedded_c());
                }
                _ => {}
            }
        }
        if self.at_declaration() {
            return self.variables().map(Item::Variables);
        }
        Err(self.expected("a declaration, `proctype` or `init`"))
    }

    /// Reports embedded C.
    pub(super) fn embedded_c(&mut self) -> Reported {
        let word = self.token().text.clone();
        let d = Diagnostic::error(
            codes::EMBEDDED_C,
            format!("embedded C (`{word}`) is not supported"),
            self.span(),
        )
        .label("C code cannot be checked on relaxed memory")
        .help("write this part in Promela");
        self.report(d);
        self.skip_braces();
        Reported
    }

    /// `trace { … }` and `notrace { … }`
    fn trace(&mut self, start: Span) -> Parsed<Trace> {
        let negated = self.at("notrace");
        self.bump();
        Ok(Trace { at: At(start), negated, body: self.body()? })
    }

    /// Goes past the next pair of braces.
    fn skip_braces(&mut self) {
        let mut open = 0usize;
        loop {
            match self.token().kind {
                Kind::Eof => return,
                Kind::LeftBrace => open += 1,
                Kind::RightBrace if open <= 1 => return self.bump(),
                Kind::RightBrace => open -= 1,
                Kind::Semi if open == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// `active [n] proctype P(…) … { … }`, or with a star for any number
    fn proctype(&mut self) -> Parsed<Proctype> {
        let active = match self.eat_word("active") {
            false => None,
            true if self.eat(Kind::LeftBracket) => {
                let count = match self.eat(Kind::Star) {
                    true => Active::Any,
                    false => Active::Number(self.expr()?),
                };
                self.expect(Kind::RightBracket, "`]`")?;
                Some(count)
            }
            true => Some(Active::One),
        };
        let deterministic = self.eat_word("D_proctype");
        if !deterministic {
            self.expect_word("proctype")?;
        }
        let name = self.name("the name of a proctype")?;
        self.proctypes.insert(name.text.as_str().into());
        self.declared.insert(name.text.as_str().into());
        self.expect(Kind::LeftParen, "`(`")?;
        let parameters = self.declarations(Kind::RightParen)?;
        self.expect(Kind::RightParen, "`)`")?;
        let priority = self.priority()?;
        let provided = match self.eat_word("provided") {
            false => None,
            true => {
                self.expect(Kind::LeftParen, "`(`")?;
                let condition = self.expr()?;
                self.expect(Kind::RightParen, "`)`")?;
                Some(condition)
            }
        };
        let body = self.body()?;
        Ok(Proctype { name, active, deterministic, parameters, priority, provided, body })
    }

    /// `priority n`, if it is there.
    pub(super) fn priority(&mut self) -> Parsed<Option<i32>> {
        if !self.eat_word("priority") {
            return Ok(None);
        }
        self.number("a priority").map(Some)
    }

    /// `init { … }`
    fn init(&mut self, start: Span) -> Parsed<Init> {
        self.bump();
        let priority = self.priority()?;
        Ok(Init { at: At(start), priority, body: self.body()? })
    }

    /// `never name { … }`
    fn never(&mut self, start: Span) -> Parsed<Never> {
        self.bump();
        let name = if self.kind() == Kind::Ident { Some(self.name("a name")?) } else { None };
        Ok(Never { at: At(start), name, body: self.body()? })
    }

    /// `ltl name { … }`
    pub(super) fn ltl(&mut self, start: Span) -> Parsed<Ltl> {
        self.bump();
        let name = if self.kind() == Kind::Ident { Some(self.name("a name")?) } else { None };
        self.expect(Kind::LeftBrace, "`{`")?;
        let formula = self.formula()?;
        self.eat(Kind::Semi);
        self.expect(Kind::RightBrace, "`}` after the formula")?;
        Ok(Ltl { at: At(start), name, formula })
    }

    /// The body of a process or a claim: braces around statements.
    fn body(&mut self) -> Parsed<Sequence> {
        if self.kind() != Kind::LeftBrace {
            return Err(self.expected("`{`"));
        }
        // The brace may stand on a line of its own.
        (self.in_sequence, self.semi_taken) = (true, true);
        self.parentheses = 0;
        let body = self.braces()?;
        self.in_sequence = false;
        Ok(body)
    }

    /// `typedef T { … }`
    fn typedef(&mut self) -> Parsed<Typedef> {
        self.bump();
        let name = self.name("the name of a type")?;
        self.expect(Kind::LeftBrace, "`{`")?;
        self.in_sequence = true;
        let fields = self.declarations(Kind::RightBrace)?;
        self.in_sequence = false;
        self.typedefs.insert(name.text.as_str().into());
        self.declared.insert(name.text.as_str().into());
        self.expect(Kind::RightBrace, "`}`")?;
        Ok(Typedef { name, fields })
    }

    /// Whether symbolic names follow, rather than variables of type `mtype`.
    fn at_mtype(&self) -> bool {
        let kind = |n: usize| self.tokens.get(self.at + n).map_or(Kind::Eof, |t| t.kind);
        match kind(1) {
            Kind::Assign | Kind::LeftBrace => true,
            Kind::Colon => matches!(kind(3), Kind::Assign | Kind::LeftBrace),
            _ => false,
        }
    }

    /// `mtype:set = { a, b c }`: commas may be left out.
    fn mtype(&mut self) -> Parsed<Mtype> {
        self.bump();
        let set = if self.eat(Kind::Colon) { Some(self.name("a name")?) } else { None };
        self.eat(Kind::Assign);
        self.expect(Kind::LeftBrace, "`{`")?;
        let mut names = Vec::new();
        loop {
            while self.eat(Kind::Comma) {}
            if self.kind() == Kind::RightBrace && !names.is_empty() {
                break;
            }
            let name = self.name("a symbolic name")?;
            self.declared.insert(name.text.as_str().into());
            names.push(name);
        }
        self.bump();
        Ok(Mtype { set, names })
    }

    /// Remembers that a name is declared.
    pub(super) fn declare(&mut self, name: &Name) {
        let text: Rc<str> = name.text.as_str().into();
        self.declared.insert(text);
    }
}
