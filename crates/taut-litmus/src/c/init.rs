//! The initial block of a C test: `{ x=0; [y]=1; atomic_int z; int *p=&x; int a[2]={1,2}; }`.

use taut_source::{Diagnostic, Span};

use super::{Global, Value};
use crate::ast::What;
use crate::error::{self, Failed, Parsed};
use crate::lexer::{Kind, Token};
use crate::parser::Parser;

/// The most locations of a test.
const MOST_LOCATIONS: usize = 256;

/// The most elements of an array.
const MOST_ELEMENTS: i64 = 256;

const ENTRY: &str = "an entry is `x=1`, `int x=1`, `int *p=&x` or `int a[2]={1,2}`";

impl<'s> Parser<'s> {
    pub(super) fn c_init(&mut self) -> Parsed<Vec<Global<'s>>> {
        self.expect(Kind::OpenBrace, "`{`", "the initial block follows the header")?;
        let mut globals: Vec<Global<'s>> = Vec::new();
        loop {
            match self.token.kind {
                Kind::Semicolon => {
                    self.bump();
                }
                Kind::CloseBrace => {
                    self.bump();
                    return Ok(globals);
                }
                Kind::End | Kind::OpenComment => {
                    let help = "the initial block is not closed: put `}` before the first thread";
                    return Err(self.unexpected("`}`", help));
                }
                _ if globals.len() == MOST_LOCATIONS => {
                    return Err(self.too_many("locations", MOST_LOCATIONS));
                }
                _ => match self.c_entry() {
                    Ok(global) => self.add(&mut globals, global),
                    Err(Failed) => self.skip_c_entry()?,
                },
            }
        }
    }

    fn skip_c_entry(&mut self) -> Parsed<()> {
        let stops = [Kind::Semicolon, Kind::CloseBrace, Kind::End, Kind::OpenComment];
        while !stops.contains(&self.token.kind) {
            self.bump();
        }
        if self.is_full() { Err(Failed) } else { Ok(()) }
    }

    /// Adds an entry; a second one about a location says more about it, or contradicts.
    fn add(&mut self, globals: &mut Vec<Global<'s>>, new: Option<Global<'s>>) {
        let Some(new) = new else { return };
        let Some(old) = globals.iter_mut().find(|global| global.name == new.name) else {
            return globals.push(new);
        };
        let contradicts = !old.init.is_empty() && !new.init.is_empty() && old.init != new.init;
        if contradicts {
            let message = format!("`{}` has two initial values", new.name);
            let diagnostic = Diagnostic::error(error::INIT_TWICE, message, new.span)
                .label("expected one value")
                .related(old.span, "the first one")
                .help("remove one of the two");
            self.fail(diagnostic);
            return;
        }
        if old.init.is_empty() {
            old.init = new.init;
        }
        old.ty = old.ty.take().or(new.ty);
        old.len = old.len.or(new.len);
    }

    /// One entry; none for a register that is only declared.
    fn c_entry(&mut self) -> Parsed<Option<Global<'s>>> {
        let start = self.token.start;
        let (name, ty) = match self.token.kind {
            Kind::OpenBracket => {
                self.bump();
                let name = self.expect(Kind::Word, "the name of a location", ENTRY)?;
                self.expect(Kind::CloseBracket, "`]`", ENTRY)?;
                (name, None)
            }
            _ => {
                let Some(name) = self.declared()? else { return self.register(start) };
                (name, Some(start..name.start).filter(|ty| !ty.is_empty()))
            }
        };
        self.identifier(name)?;
        let len = match self.eat(Kind::OpenBracket) {
            true => Some(self.length()?),
            false => None,
        };
        let init = match self.eat(Kind::Equal) {
            true => self.values()?,
            false => Vec::new(),
        };
        if !matches!(self.token.kind, Kind::Semicolon | Kind::CloseBrace) {
            return Err(self.unexpected("`;` or `}`", ENTRY));
        }
        let (name, span) = (self.text_of(name), self.span_from(start));
        Ok(Some(Global { name, ty, len, init, span }))
    }

    /// The name that a declaration declares, after its type; none where a register follows.
    fn declared(&mut self) -> Parsed<Option<Token>> {
        let mut name = None;
        loop {
            match self.token.kind {
                Kind::Number | Kind::Word if self.after().kind == Kind::Colon => return Ok(None),
                Kind::Word => name = Some(self.bump()),
                Kind::Star | Kind::Open | Kind::Close => {
                    self.bump();
                    name = None;
                }
                _ => break,
            }
        }
        match name {
            Some(name) => Ok(Some(name)),
            None => Err(self.unexpected("the name of a location", ENTRY)),
        }
    }

    /// `0:r0`: locals begin where threads declare them.
    fn register(&mut self, start: usize) -> Parsed<Option<Global<'s>>> {
        let item = self.item()?;
        debug_assert!(matches!(item.what, What::Register { .. }));
        if !self.at(Kind::Equal) {
            return Ok(None);
        }
        self.bump();
        self.values()?;
        let message = format!("`{}` is a local of its thread", item.what);
        let diagnostic = Diagnostic::error(error::LOCAL, message, self.span_from(start))
            .label("expected a location")
            .help("give it its value where the thread declares it: `int r0 = 1;`");
        Err(self.fail(diagnostic))
    }

    fn length(&mut self) -> Parsed<u32> {
        let number = self.number()?;
        self.expect(Kind::CloseBracket, "`]`", ENTRY)?;
        match u32::try_from(number) {
            Ok(length @ 1..) if number <= MOST_ELEMENTS => Ok(length),
            _ => {
                let message = "an array has at least one element and at most 256";
                let span: Span = self.span_after();
                let diagnostic = Diagnostic::error(error::ARRAY, message, span)
                    .label(format!("not {number}"))
                    .help(ENTRY);
                Err(self.fail(diagnostic))
            }
        }
    }

    /// `1`, `&x`, `x` or `{1,2}`.
    fn values(&mut self) -> Parsed<Vec<Value<'s>>> {
        if !self.eat(Kind::OpenBrace) {
            return Ok(vec![self.c_value()?]);
        }
        let mut values = Vec::new();
        while !self.eat(Kind::CloseBrace) {
            values.push(self.c_value()?);
            if !self.eat(Kind::Comma) && !self.at(Kind::CloseBrace) {
                return Err(self.unexpected("`,` or `}`", ENTRY));
            }
        }
        Ok(values)
    }

    fn c_value(&mut self) -> Parsed<Value<'s>> {
        let is_address = self.eat(Kind::Ampersand) || self.at(Kind::Word);
        match is_address {
            true => {
                let name = self.expect(Kind::Word, "the name of a location", ENTRY)?;
                self.identifier(name)?;
                Ok(Value::Address(self.text_of(name)))
            }
            false => Ok(Value::Number(self.number()?)),
        }
    }

    /// Refuses a name that C cannot have.
    pub(super) fn identifier(&mut self, name: Token) -> Parsed<()> {
        let text = self.text_of(name);
        if text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Ok(());
        }
        let message = format!("`{text}` is no name in C");
        let diagnostic = Diagnostic::error(error::LOCATION, message, self.span(name))
            .label("expected letters, digits and `_`")
            .help("rename the location");
        Err(self.fail(diagnostic))
    }
}
