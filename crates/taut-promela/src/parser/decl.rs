//! Declarations of variables.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::Kind;

impl Parser<'_> {
    /// Whether a declaration follows.
    pub(super) fn at_declaration(&self) -> bool {
        if self.at_line_end() {
            return false;
        }
        let token = self.token();
        match token.kind {
            Kind::Keyword => {
                matches!(&*token.text, "hidden" | "show" | "local")
                    || builtin(&token.text).is_some()
            }
            Kind::Ident if self.at_ghost() => true,
            Kind::Ident => self.typedefs.contains(&token.text),
            _ => false,
        }
    }

    /// Whether Taut's `ghost` follows, before a declaration.
    fn at_ghost(&self) -> bool {
        let next = self.second();
        let typed = match next.kind {
            Kind::Keyword => {
                builtin(&next.text).is_some() || matches!(&*next.text, "hidden" | "show" | "local")
            }
            Kind::Ident => self.typedefs.contains(&next.text),
            _ => false,
        };
        typed && self.token().is_word("ghost") && !self.declared.contains("ghost")
    }

    /// Declarations up to a closing sign: parameters or fields.
    pub(super) fn declarations(&mut self, close: Kind) -> Parsed<Vec<Variables>> {
        let mut list = Vec::new();
        loop {
            while self.eat(Kind::Semi) {}
            if self.kind() == close {
                return Ok(list);
            }
            if !self.at_declaration() {
                return Err(self.expected("a type"));
            }
            list.push(self.variables()?);
            if !matches!(self.kind(), Kind::Semi) && self.kind() != close {
                let closer = if close == Kind::RightParen { "`;` or `)`" } else { "`;` or `}`" };
                return Err(self.expected(closer));
            }
        }
    }

    /// One declaration.
    pub(super) fn variables(&mut self) -> Parsed<Variables> {
        let ghost = self.at_ghost();
        if ghost {
            self.bump();
        }
        let visibility = self.visibility();
        let ty = self.ty()?;
        let mut list = Vec::new();
        loop {
            let one = self.declarator()?;
            let channel = matches!(one.initial, Some(Initial::Channel { .. }));
            list.push(one);
            if channel && self.kind() == Kind::Comma {
                // SPIN's grammar sees a `;` after the `}` and so must its readers.
                return Err(self.expected("`;` (each new channel has a declaration of its own)"));
            }
            if !self.eat(Kind::Comma) {
                return Ok(Variables { visibility, ghost, ty, list });
            }
        }
    }

    /// `hidden`, `show`, `local`, if it is there.
    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match () {
            () if self.at("hidden") => Visibility::Hidden,
            () if self.at("show") => Visibility::Show,
            () if self.at("local") => Visibility::Local,
            () => return None,
        };
        self.bump();
        Some(visibility)
    }

    /// A type.
    fn ty(&mut self) -> Parsed<Type> {
        if self.kind() == Kind::Ident && self.typedefs.contains(&self.token().text) {
            return self.name("a type").map(Type::User);
        }
        let known = if self.kind() == Kind::Keyword { builtin(&self.token().text) } else { None };
        let Some(ty) = known else { return Err(self.expected("a type")) };
        self.bump();
        if matches!(ty, Type::Mtype(_)) && self.eat(Kind::Colon) {
            return Ok(Type::Mtype(Some(self.name("the name of an mtype")?)));
        }
        Ok(ty)
    }

    /// One variable with its width, size and initial value.
    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        self.declare(&name);
        let (mut width, mut size) = (None, None);
        if self.eat(Kind::Colon) {
            width = Some(self.number("a width in bits")?);
        } else if self.eat(Kind::LeftBracket) {
            size = Some(self.expr()?);
            self.expect(Kind::RightBracket, "`]`")?;
        }
        let initial = if self.eat(Kind::Assign) { Some(self.initial()?) } else { None };
        Ok(Declarator { name, width, size, initial })
    }

    /// An initial value.
    fn initial(&mut self) -> Parsed<Initial> {
        match self.kind() {
            Kind::LeftBrace => self.initial_list().map(Initial::List),
            Kind::LeftBracket => self.channel(),
            _ => self.expr().map(Initial::Value),
        }
    }

    /// `{ 1, 2, 3 }`
    fn initial_list(&mut self) -> Parsed<Vec<Expr>> {
        self.bump();
        let mut values = vec![self.expr()?];
        while self.eat(Kind::Comma) {
            values.push(self.expr()?);
        }
        self.expect(Kind::RightBrace, "`}`")?;
        Ok(values)
    }

    /// `[n] of { types }`
    fn channel(&mut self) -> Parsed<Initial> {
        let start = self.span();
        self.bump();
        let capacity = self.expr()?;
        self.expect(Kind::RightBracket, "`]`")?;
        self.expect_word("of")?;
        self.expect(Kind::LeftBrace, "`{`")?;
        let mut fields = vec![self.ty()?];
        while self.eat(Kind::Comma) {
            fields.push(self.ty()?);
        }
        self.expect(Kind::RightBrace, "`}`")?;
        Ok(Initial::Channel { capacity, fields, at: self.since(start) })
    }
}

/// A type that is built in, by its word.
fn builtin(word: &str) -> Option<Type> {
    Some(match word {
        "bit" => Type::Bit,
        "bool" => Type::Bool,
        "byte" => Type::Byte,
        "pid" => Type::Pid,
        "short" => Type::Short,
        "int" => Type::Int,
        "unsigned" => Type::Unsigned,
        "mtype" => Type::Mtype(None),
        "chan" => Type::Chan,
        _ => return None,
    })
}
