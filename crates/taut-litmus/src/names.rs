//! Registers and memory locations outside of instructions, and the names both can have.

use taut_source::Diagnostic;

use crate::ast::{Arch, Item, What};
use crate::error::{self, Parsed};
use crate::lexer::{Kind, Token};
use crate::parser::{Parser, shorten};
use crate::{mnemonic, register};

const ITEM_HELP: &str = "a register is written `0:rax`, a memory location `x` or `[x]`";

impl<'s> Parser<'s> {
    /// `x`, `[x]`, `0:rax`, `P0:rax`, `0:%r`
    pub(crate) fn item(&mut self) -> Parsed<Item<'s>> {
        let start = self.token.start;
        let what = match self.token.kind {
            Kind::OpenBracket => {
                self.bump();
                let name = self.location()?;
                self.expect(Kind::CloseBracket, "`]`", ITEM_HELP)?;
                What::Location(name)
            }
            Kind::Number if self.after().kind == Kind::Colon => self.register_of_thread()?,
            Kind::Word if self.after().kind == Kind::Colon => self.register_of_thread()?,
            Kind::Word => What::Location(self.location()?),
            _ => return Err(self.unexpected("a register or a location", ITEM_HELP)),
        };
        Ok(Item { what, span: self.span_from(start) })
    }

    fn register_of_thread(&mut self) -> Parsed<What<'s>> {
        let token = self.bump();
        let text = self.text_of(token);
        let digits = if token.kind == Kind::Word { &text[1..] } else { text };
        let named = token.kind == Kind::Number || text.starts_with('P');
        let number = if is_decimal(digits) { digits.parse::<u32>().ok() } else { None };
        let (true, Some(thread)) = (named, number) else {
            let message = format!("`{}` is no thread", shorten(text));
            let diagnostic = Diagnostic::error(error::NO_THREAD, message, self.span(token))
                .label("expected a thread number, `0` or `P0`")
                .help(ITEM_HELP);
            return Err(self.fail(diagnostic));
        };
        self.expect(Kind::Colon, "`:` and a register", ITEM_HELP)?;
        let name = self.register_in_state()?;
        Ok(What::Register { thread, name })
    }

    fn register_in_state(&mut self) -> Parsed<&'s str> {
        if self.at(Kind::Percent) && self.arch == Arch::X86 {
            return self.symbolic_register();
        }
        if self.arch == Arch::C {
            let help = "a local is written with its thread: `0:r0`";
            let token = self.expect(Kind::Word, "the name of a local", help)?;
            return Ok(self.text_of(token));
        }
        self.eat(Kind::Percent);
        let token = self.expect(Kind::Word, "a register", ITEM_HELP)?;
        let text = self.text_of(token);
        if let Some(name) = register::in_state(self.arch, text) {
            return Ok(name);
        }
        let whole = register::in_code(self.arch, text);
        let help = match (whole, self.arch) {
            (Some(whole), Arch::X86_64 | Arch::C) => {
                format!("write `{whole}`: states have whole registers")
            }
            (Some(whole), Arch::X86) => {
                format!("write `{whole}`: states have whole registers in capitals")
            }
            (None, Arch::X86_64 | Arch::C) => "registers are `rax`, `rbx`, … `r15`".to_owned(),
            (None, Arch::X86) => "registers are `EAX`, `EBX`, … or `%name`".to_owned(),
        };
        let message = match whole {
            Some(_) => format!("`{text}` cannot stand for a register here"),
            None => format!("unknown register `{}`", shorten(text)),
        };
        let diagnostic = Diagnostic::error(error::REGISTER, message, self.span(token))
            .label("expected the name of a register")
            .help(help);
        Err(self.fail(diagnostic))
    }

    /// `%name` in the 32-bit dialect: a register that the test need not choose.
    pub(crate) fn symbolic_register(&mut self) -> Parsed<&'s str> {
        let percent = self.bump();
        if !self.at(Kind::Word) || self.token.start != percent.end {
            return Err(
                self.unexpected("a name right after `%`", "a symbolic register is written `%r`")
            );
        }
        let word = self.bump();
        if let Some(real) = register::in_code(self.arch, self.text_of(word)) {
            let message = format!("`%{}` is not the register `{real}`", self.text_of(word));
            let place = self.span(percent).to(self.span(word));
            let diagnostic = Diagnostic::error(error::REGISTER, message, place)
                .label(format!("expected `{real}`"))
                .help("in X86 tests `%name` is a symbolic register; real ones have no `%`");
            return Err(self.fail(diagnostic));
        }
        Ok(self.slice(percent, word))
    }

    /// The name of a memory location.
    pub(crate) fn location(&mut self) -> Parsed<&'s str> {
        let help = "a location is named by letters, digits and `_ / . -`, a letter first";
        let token = self.expect(Kind::Word, "the name of a location", help)?;
        let text = self.text_of(token);
        if self.arch == Arch::C {
            return self.element(token);
        }
        let (taken, help) = if register::in_code(self.arch, text).is_some() {
            ("a register", format!("a register is written with its thread: `0:{text}`"))
        } else if mnemonic::find(text).is_some() {
            ("an instruction", "locations cannot be named like instructions: rename it".to_owned())
        } else {
            return Ok(text);
        };
        let message = format!("`{text}` is {taken}, not a memory location");
        let diagnostic = Diagnostic::error(error::LOCATION, message, self.span(token))
            .label("expected the name of a location")
            .help(help);
        Err(self.fail(diagnostic))
    }

    /// `x` or `a[1]`: a location of a C test.
    fn element(&mut self, name: Token) -> Parsed<&'s str> {
        if !self.eat(Kind::OpenBracket) {
            return Ok(self.text_of(name));
        }
        let help = "an element of an array is written `a[1]`";
        self.expect(Kind::Number, "a number", help)?;
        let close = self.expect(Kind::CloseBracket, "`]`", help)?;
        Ok(self.slice(name, close))
    }
}

pub(crate) fn is_decimal(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
