//! The scanner: m4's algorithm.
//!
//! Input is a stack of texts. A name that is a macro is taken off together with its arguments, and what it expands to
//! is put back on top, so that it is read again. A quotation loses one pair of quotes and is not read again. A
//! comment goes to the output as it stands. Everything else goes to the output, or, while arguments are collected,
//! into the argument.

use std::collections::HashMap;
use std::rc::Rc;

use super::builtin::{self, Builtin};
use super::{DEEPEST_CALL, Kind, LARGEST_OUTPUT, MOST_WORK, MacroError, WORK_OF_A_CALL};

/// What a macro stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A text with `$1`, `$2`, … in it.
    Text(Rc<str>),
    /// One of the macros that are there from the start.
    Builtin(Builtin),
}

/// One text of the input and the position in it.
#[derive(Debug)]
struct Source {
    text: Rc<str>,
    at: usize,
}

/// A macro processor in the course of its work.
#[derive(Debug)]
pub(super) struct Scanner {
    /// Definitions by name, the one in force last (`pushdef`).
    macros: HashMap<String, Vec<Meaning>>,
    input: Vec<Source>,
    /// What was written before the last `divert`.
    output: String,
    /// Output is dropped: `divert(-1)`.
    is_diverted: bool,
    /// What is read at the very end.
    pub(super) wrapped: Vec<String>,
    /// What begins a comment that goes on to the end of the line.
    pub(super) comment: Option<String>,
    /// The line of the text at the bottom of the stack.
    line: usize,
    /// Number of characters looked at so far.
    work: u64,
    depth: usize,
}

const OPEN: u8 = b'`';
const CLOSE: u8 = b'\'';

pub(super) type Result<T> = std::result::Result<T, MacroError>;

impl Scanner {
    pub(super) fn new() -> Scanner {
        let known = builtin::ALL.iter().map(|&b| (b.name().into(), vec![Meaning::Builtin(b)]));
        Scanner {
            macros: known.collect(),
            input: Vec::new(),
            output: String::new(),
            is_diverted: false,
            wrapped: Vec::new(),
            comment: Some("#".into()),
            line: 1,
            work: 0,
            depth: 0,
        }
    }

    /// Reads a whole text.
    pub(super) fn read(&mut self, text: &str) -> Result<()> {
        debug_assert!(self.input.is_empty(), "one text is read to its end before the next begins");
        self.line = 1;
        self.push(text.into());
        let mut piece = String::new();
        while let Some(byte) = self.peek() {
            self.token(byte, &mut piece)?;
            if self.is_diverted {
                piece.clear();
            } else if self.output.len() + piece.len() > LARGEST_OUTPUT {
                return Err(self.error(Kind::TooLarge));
            }
        }
        self.output.push_str(&piece);
        Ok(())
    }

    /// Reads what was kept for the end, and gives the output.
    pub(super) fn finish(mut self) -> Result<String> {
        for text in std::mem::take(&mut self.wrapped) {
            self.read(&text)?;
        }
        Ok(self.output)
    }

    pub(super) fn error(&self, kind: Kind) -> MacroError {
        MacroError::new(kind, self.line)
    }

    /// Replaces the definition in force.
    pub(super) fn define(&mut self, name: &str, text: &str) {
        let all = self.macros.entry(name.into()).or_default();
        all.pop();
        all.push(Meaning::Text(text.into()));
    }

    /// A definition that hides the one in force until it is popped.
    pub(super) fn push_definition(&mut self, name: &str, text: &str) {
        self.macros.entry(name.into()).or_default().push(Meaning::Text(text.into()));
    }

    pub(super) fn pop_definition(&mut self, name: &str) {
        if let Some(all) = self.macros.get_mut(name) {
            all.pop();
            if all.is_empty() {
                self.macros.remove(name);
            }
        }
    }

    pub(super) fn undefine(&mut self, name: &str) {
        self.macros.remove(name);
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.macros.get(name).and_then(|all| all.last())
    }

    /// Puts a text on top of the input.
    fn push(&mut self, text: Rc<str>) {
        taut_budget::tick();
        if !text.is_empty() {
            self.input.push(Source { text, at: 0 });
        }
    }

    /// The next byte, without taking it.
    fn peek(&mut self) -> Option<u8> {
        while let Some(top) = self.input.last() {
            match top.text.as_bytes().get(top.at) {
                Some(&byte) => return Some(byte),
                None => {
                    self.input.pop();
                }
            }
        }
        None
    }

    fn work(&mut self, amount: u64) -> Result<()> {
        self.work += amount;
        if self.work > MOST_WORK { Err(self.error(Kind::TooMuchWork)) } else { Ok(()) }
    }

    /// Takes a byte off the input.
    fn next(&mut self) -> Result<Option<u8>> {
        taut_budget::tick();
        self.work(1)?;
        let Some(byte) = self.peek() else { return Ok(None) };
        if byte == b'\n' && self.input.len() == 1 {
            self.line += 1;
        }
        if let Some(top) = self.input.last_mut() {
            top.at += 1;
        }
        Ok(Some(byte))
    }

    /// Takes one token off the input, and adds what it gives to `into`.
    fn token(&mut self, byte: u8, into: &mut String) -> Result<()> {
        if self.begins_comment() {
            return self.comment(into);
        }
        if byte == OPEN {
            return self.quotation(into);
        }
        if is_letter(byte) {
            return self.name(into);
        }
        self.character(into)
    }

    fn begins_comment(&self) -> bool {
        let (Some(begin), Some(top)) = (&self.comment, self.input.last()) else { return false };
        top.text.as_bytes()[top.at..].starts_with(begin.as_bytes())
    }

    /// A comment, to the end of its line, as it stands.
    fn comment(&mut self, into: &mut String) -> Result<()> {
        let mut bytes = Vec::new();
        while let Some(byte) = self.next()? {
            bytes.push(byte);
            if byte == b'\n' {
                break;
            }
        }
        self.append(&bytes, into);
        Ok(())
    }

    /// A quotation without its outer quotes.
    fn quotation(&mut self, into: &mut String) -> Result<()> {
        let began = self.line;
        self.next()?;
        let (mut level, mut bytes) = (1, Vec::new());
        while let Some(byte) = self.next()? {
            match byte {
                OPEN => level += 1,
                CLOSE => level -= 1,
                _ => {}
            }
            if level == 0 {
                self.append(&bytes, into);
                return Ok(());
            }
            bytes.push(byte);
        }
        Err(MacroError::new(Kind::OpenQuote, began))
    }

    /// A character that means nothing, with all of its bytes: they stand in one text.
    fn character(&mut self, into: &mut String) -> Result<()> {
        let mut bytes: Vec<u8> = self.next()?.into_iter().collect();
        while let Some(byte) = self.peek().filter(|byte| byte & 0xC0 == 0x80) {
            bytes.push(byte);
            self.next()?;
        }
        self.append(&bytes, into);
        Ok(())
    }

    fn append(&self, bytes: &[u8], into: &mut String) {
        // Texts are cut at ASCII characters only, so nothing is lost here.
        into.push_str(&String::from_utf8_lossy(bytes));
    }

    /// A name: the name itself, or the call of a macro.
    fn name(&mut self, into: &mut String) -> Result<()> {
        let mut name = String::new();
        while let Some(byte) = self.peek().filter(|&byte| is_letter(byte) || byte.is_ascii_digit())
        {
            name.push(char::from(byte));
            self.next()?;
        }
        let has_arguments = self.peek() == Some(b'(');
        let Some(meaning) = self.meaning(&name).cloned() else {
            if has_arguments && builtin::is_withheld(&name) {
                return Err(self.error(Kind::Unavailable(name)));
            }
            into.push_str(&name);
            return Ok(());
        };
        if let Meaning::Builtin(builtin) = meaning
            && !has_arguments
            && builtin.needs_arguments()
        {
            into.push_str(&name);
            return Ok(());
        }
        self.work(WORK_OF_A_CALL)?;
        let arguments = if has_arguments { self.arguments(&name)? } else { Vec::new() };
        let result = match meaning {
            Meaning::Text(text) => substitute(&text, &name, &arguments),
            Meaning::Builtin(Builtin::Dnl) => return self.skip_line(),
            Meaning::Builtin(Builtin::Divert) => return self.divert(&arguments, into),
            Meaning::Builtin(builtin) => builtin.call(self, &arguments)?,
        };
        if result.len() > LARGEST_OUTPUT {
            return Err(self.error(Kind::TooLarge));
        }
        self.push(result.into());
        Ok(())
    }

    /// `dnl`: everything up to the end of the line is dropped.
    fn skip_line(&mut self) -> Result<()> {
        while let Some(byte) = self.next()? {
            if byte == b'\n' {
                break;
            }
        }
        Ok(())
    }

    /// `divert`: what was written so far is kept or dropped now, as the diversion that ends says.
    fn divert(&mut self, arguments: &[String], into: &mut String) -> Result<()> {
        let target = arguments.first().map_or("", |target| target.trim());
        let drops = match target {
            "" | "0" => false,
            number if number.starts_with('-') => true,
            _ => {
                let why = "only divert(0) and divert(-1) are known";
                return Err(self.error(Kind::BadCall("divert", why)));
            }
        };
        if self.depth > 0 {
            let why = "it cannot stand in the argument of a macro";
            return Err(self.error(Kind::BadCall("divert", why)));
        }
        let piece = std::mem::take(into);
        if !self.is_diverted {
            self.output.push_str(&piece);
        }
        self.is_diverted = drops;
        Ok(())
    }

    /// The arguments of a call, with the macros in them expanded.
    fn arguments(&mut self, name: &str) -> Result<Vec<String>> {
        if self.depth == DEEPEST_CALL {
            return Err(self.error(Kind::TooDeep));
        }
        self.depth += 1;
        let began = self.line;
        self.next()?;
        let mut all = Vec::new();
        loop {
            let (argument, is_last) = self
                .argument()?
                .ok_or_else(|| MacroError::new(Kind::OpenCall(name.into()), began))?;
            all.push(argument);
            if is_last {
                self.depth -= 1;
                return Ok(all);
            }
        }
    }

    /// One argument and whether it is the last one; none if the input ends before it does.
    fn argument(&mut self) -> Result<Option<(String, bool)>> {
        let (mut text, mut parentheses) = (String::new(), 0);
        self.skip_space()?;
        while let Some(byte) = self.peek() {
            match byte {
                b',' | b')' if parentheses == 0 => {
                    self.next()?;
                    return Ok(Some((text, byte == b')')));
                }
                b'(' => parentheses += 1,
                b')' => parentheses -= 1,
                _ => {}
            }
            self.token(byte, &mut text)?;
            if text.len() > LARGEST_OUTPUT {
                return Err(self.error(Kind::TooLarge));
            }
        }
        Ok(None)
    }

    /// White space before an argument does not count.
    fn skip_space(&mut self) -> Result<()> {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.next()?;
        }
        Ok(())
    }
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// A definition with its arguments in place: `$1`, `$0` (the name), `$#` (their number), `$*` and `$@` (all of them,
/// the latter each in quotes).
fn substitute(text: &str, name: &str, arguments: &[String]) -> String {
    taut_budget::tick();
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        result.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let used = match after.bytes().next() {
            _ if digits > 0 => {
                result.push_str(argument(&after[..digits], name, arguments));
                digits
            }
            Some(b'#') => {
                result.push_str(&arguments.len().to_string());
                1
            }
            Some(b'*') => {
                result.push_str(&arguments.join(","));
                1
            }
            Some(b'@') => {
                let quoted: Vec<_> = arguments.iter().map(|a| format!("`{a}'")).collect();
                result.push_str(&quoted.join(","));
                1
            }
            _ => {
                result.push('$');
                0
            }
        };
        rest = &after[used..];
    }
    result.push_str(rest);
    result
}

/// The argument with a number; the name of the macro for number 0, nothing for one that is not given.
fn argument<'a>(digits: &str, name: &'a str, arguments: &'a [String]) -> &'a str {
    match digits.parse::<usize>() {
        Ok(0) => name,
        Ok(number) => arguments.get(number - 1).map_or("", String::as_str),
        Err(_) => "",
    }
}
