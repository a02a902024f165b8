//! What stands outside of processes: declarations, processes, templates and the system.

use taut_source::{Descent, Span};

use super::declarations::Declaration;
use super::{GiveUp, Parse, Parser};
use crate::ast::{Formula, Name, System};
use crate::lexer::Token;
use crate::surface::{Call, Expr, File, For, If, Instantiable, Item, Macro, Param};

/// Before these the parser goes on after a mistake.
const ITEM_STARTS: &[Token] = &[Token::Process, Token::System];

impl Parser<'_, '_> {
    pub(super) fn file(&mut self) -> File {
        let mut items = Vec::new();
        while !matches!(self.peek(), Token::Eof | Token::System) {
            let (start, declaration) = (self.cursor.position(), self.at_declaration());
            match self.item() {
                Ok(item) => items.push(item),
                Err(GiveUp) => {
                    if self.cursor.position() == start {
                        self.bump();
                    }
                    // Only declarations end with a `;`; in a process it ends nothing.
                    let after = if declaration { Some(Token::Semi) } else { None };
                    self.skip_to(ITEM_STARTS, after);
                }
            }
        }
        let system = self.system().ok();
        File { items, system }
    }

    fn item(&mut self) -> Parse<Item> {
        if self.at_declaration() {
            return Ok(match self.declaration()? {
                Declaration::Variables(all) => Item::Variables(all),
                Declaration::Channels(all) => Item::Channels(all),
            });
        }
        match self.peek() {
            Token::Property => self.property(),
            Token::Process if !self.at_instance() => Ok(Item::Process(self.process()?)),
            Token::Ident if self.at_word("expression") => Ok(Item::Expression(self.macro_()?)),
            Token::Process | Token::Ident if self.at_instantiable() => {
                Ok(Item::Instantiable(self.instantiable()?))
            }
            _ => self.expected("a declaration, `process` or `system`"),
        }
    }

    /// `property process P {..}` or `property ltl name "formula"`
    fn property(&mut self) -> Parse<Item> {
        let start = self.bump();
        if self.at(Token::Process) {
            return Ok(Item::PropertyProcess(self.process()?));
        }
        if !self.at_word("ltl") {
            return self.expected("`process` or `ltl`");
        }
        self.bump();
        let name = self.name("the name of a formula")?;
        if !self.at(Token::Str) {
            return self.expected("a formula in double quotes");
        }
        let text = self.slice(0).trim_matches('"').to_string();
        let quoted = self.bump();
        self.eat(Token::Semi);
        let text_span = Span { start: quoted.start + 1, end: quoted.end - 1, ..quoted };
        Ok(Item::Formula(Formula { name, text, text_span, span: start.to(quoted) }))
    }

    /// `expression name(a, b) { e }`
    fn macro_(&mut self) -> Parse<Macro> {
        let start = self.bump();
        let name = self.name("the name of an expression")?;
        let params = self.params()?;
        let open = self.expect(Token::LeftBrace)?;
        let body = self.expression()?;
        let span = start.to(self.close(Token::RightBrace, open)?);
        Ok(Macro { name, params, body, span })
    }

    /// `(key a, b)`
    pub(super) fn params(&mut self) -> Parse<Vec<Param>> {
        let open = self.expect(Token::LeftParen)?;
        let params = if self.at(Token::RightParen) { vec![] } else { self.commas(Self::param)? };
        self.close(Token::RightParen, open)?;
        Ok(params)
    }

    fn param(&mut self) -> Parse<Param> {
        let key = self.at_word("key") && self.peek_at(1) == Token::Ident;
        if key {
            self.bump();
        }
        Ok(Param { name: self.name("a parameter")?, key })
    }

    /// Whether `process P(..)` is an instance: a template goes on with a brace.
    fn at_instance(&self) -> bool {
        if !self.at(Token::Process) || self.peek_at(2) != Token::LeftParen {
            return false;
        }
        let mut open = 0u32;
        for ahead in 2.. {
            match self.peek_at(ahead) {
                Token::LeftParen => open += 1,
                Token::RightParen if open == 1 => {
                    return self.peek_at(ahead + 1) != Token::LeftBrace;
                }
                Token::RightParen => open -= 1,
                Token::LeftBrace | Token::Semi | Token::Eof => return false,
                _ => {}
            }
        }
        false
    }

    fn at_instantiable(&self) -> bool {
        let block = self.at_word("for") || self.at_word("if");
        self.at_instance() || block && self.peek_at(1) == Token::LeftParen
    }

    fn instantiable(&mut self) -> Parse<Instantiable> {
        match self.peek() {
            Token::Process => Ok(Instantiable::Instance(self.instance()?)),
            _ if self.at_word("for") => Ok(Instantiable::For(Box::new(self.nested(Self::for_)?))),
            _ => Ok(Instantiable::If(self.nested(Self::if_)?)),
        }
    }

    fn instance(&mut self) -> Parse<Call> {
        let start = self.bump();
        let name = self.name("the name of a template")?;
        let mut call = self.arguments(name)?;
        self.semicolon("an instance of a process")?;
        call.span = start.to(call.span);
        Ok(call)
    }

    /// `for (x : first .. last) { .. }`
    fn for_(&mut self) -> Parse<For> {
        let start = self.bump();
        let open = self.expect(Token::LeftParen)?;
        let variable = self.name("a name")?;
        self.expect(Token::Colon)?;
        let first = self.expression()?;
        self.expect(Token::DotDot)?;
        let last = self.expression()?;
        let span = start.to(self.close(Token::RightParen, open)?);
        let body = self.instances()?;
        Ok(For { variable, first, last, body, span })
    }

    /// `if (c) { .. } else if (d) { .. } else { .. }`
    fn if_(&mut self) -> Parse<If> {
        self.bump();
        let mut branches = vec![self.branch()?];
        let mut otherwise = vec![];
        while self.at_word("else") {
            self.bump();
            if !self.at_word("if") {
                otherwise = self.instances()?;
                break;
            }
            self.bump();
            branches.push(self.branch()?);
        }
        Ok(If { branches, otherwise })
    }

    fn branch(&mut self) -> Parse<(Expr, Vec<Instantiable>)> {
        let open = self.expect(Token::LeftParen)?;
        let condition = self.expression()?;
        self.close(Token::RightParen, open)?;
        Ok((condition, self.instances()?))
    }

    fn instances(&mut self) -> Parse<Vec<Instantiable>> {
        let open = self.expect(Token::LeftBrace)?;
        let mut all = Vec::new();
        while self.at_instantiable() {
            all.push(self.instantiable()?);
        }
        if !self.at(Token::RightBrace) && !self.at(Token::Eof) {
            return self.expected("an instance of a process, `for`, `if` or `}`");
        }
        self.close(Token::RightBrace, open)?;
        Ok(all)
    }

    /// `system async property Q;`
    fn system(&mut self) -> Parse<System> {
        let start = self.expect(Token::System)?;
        let synchronous = match self.peek() {
            Token::Async => false,
            Token::Sync => true,
            _ => return self.expected("`async`"),
        };
        let mut end = self.bump();
        let mut property: Option<Name> = None;
        if self.eat(Token::Property) {
            let name = self.name("the name of the property process")?;
            end = name.span;
            property = Some(name);
        }
        self.eat(Token::Semi);
        if !self.at(Token::Eof) {
            self.expected::<()>("the end of the file after the system")?;
        }
        Ok(System { synchronous, property, span: start.to(end) })
    }
}
