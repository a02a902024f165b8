//! A cell of the table: labels and at most one instruction.
//!
//! The two dialects differ in the order of operands and in how memory is written; what leaves this file
//! has a destination and a source and no dialect.

use taut_source::{Diagnostic, Span};

use crate::ast::{Arch, Instruction, Line, Operand, Operation, Value};
use crate::error::{self, Failed, Parsed};
use crate::lexer::{Kind, Token};
use crate::mnemonic::{self, Mnemonic};
use crate::parser::{Parser, shorten};
use crate::register;

impl<'s> Parser<'s> {
    /// Reads a cell up to its `|` or `;`. A mistake in it is reported and the cell skipped.
    pub(crate) fn cell(&mut self, lines: &mut Vec<Line<'s>>) -> Parsed<()> {
        if self.cell_lines(lines).is_err() {
            self.skip_cell();
        }
        if self.is_full() { Err(Failed) } else { Ok(()) }
    }

    fn cell_lines(&mut self, lines: &mut Vec<Line<'s>>) -> Parsed<()> {
        while self.at(Kind::Word) && self.after().kind == Kind::Colon {
            let label = self.bump();
            lines.push(Line::Label(self.text_of(label), self.span(label)));
            self.bump();
        }
        if !self.at_cell_end() {
            lines.push(Line::Instruction(self.instruction()?));
        }
        if self.at_cell_end() {
            return Ok(());
        }
        if self.at_question() {
            return Err(self.open_row());
        }
        Err(self.unexpected("`|` or `;`", "a cell holds one instruction"))
    }

    fn open_row(&mut self) -> Failed {
        let place = self.span_after();
        let diagnostic = Diagnostic::error(error::UNEXPECTED, "the last row does not end", place)
            .label("expected `;`")
            .help("every row ends with `;`, also the last one");
        self.fail(diagnostic)
    }

    fn at_cell_end(&self) -> bool {
        matches!(self.token.kind, Kind::Bar | Kind::Semicolon)
    }

    fn instruction(&mut self) -> Parsed<Instruction<'s>> {
        let start = self.token;
        let help = "a cell holds one instruction, such as `movq $1,(x)`, or nothing";
        let (mut mnemonic, mut name) = self.mnemonic(help)?;
        let lock = (mnemonic == Mnemonic::Lock).then_some(start);
        if lock.is_some() {
            let help = "`lock` stands before an instruction in the same cell";
            (mnemonic, name) = self.mnemonic(help)?;
        }
        let operation = self.operation(mnemonic, name)?;
        if let Some(lock) = lock {
            self.check_lock(lock, name, &operation)?;
        }
        let locked = lock.is_some() || exchanges_memory(&operation);
        Ok(Instruction { operation, locked, span: self.span_from(start.start) })
    }

    fn mnemonic(&mut self, help: &str) -> Parsed<(Mnemonic, Token)> {
        let token = self.expect(Kind::Word, "an instruction", help)?;
        let text = self.text_of(token);
        match mnemonic::find(text) {
            Some(Mnemonic::Unsupported(instead)) => Err(self.unsupported(token, instead)),
            Some(mnemonic) => Ok((mnemonic, token)),
            None => Err(self.unknown_mnemonic(token)),
        }
    }

    fn unsupported(&mut self, token: Token, instead: &str) -> Failed {
        let message = format!("`{}` is not modelled", self.text_of(token));
        let diagnostic = Diagnostic::error(error::UNSUPPORTED, message, self.span(token))
            .label("expected another instruction")
            .help(instead);
        self.fail(diagnostic)
    }

    fn unknown_mnemonic(&mut self, token: Token) -> Failed {
        let text = self.text_of(token);
        let help = if mnemonic::find(&text.to_ascii_lowercase()).is_some() {
            "write instructions all in lower or all in upper case".to_owned()
        } else if let Some(near) = mnemonic::nearest(text) {
            format!("did you mean `{near}`?")
        } else {
            SUPPORTED.to_owned()
        };
        let message = format!("unknown instruction `{}`", shorten(text));
        let diagnostic = Diagnostic::error(error::MNEMONIC, message, self.span(token))
            .label("expected an instruction")
            .help(help);
        self.fail(diagnostic)
    }

    fn operation(&mut self, mnemonic: Mnemonic, name: Token) -> Parsed<Operation<'s>> {
        Ok(match mnemonic {
            Mnemonic::Move => {
                let (to, from) = self.destination_and_source(name)?;
                Operation::Move { to, from }
            }
            Mnemonic::Binary(op) => {
                let (to, from) = self.destination_and_source(name)?;
                Operation::Binary { op, to, from }
            }
            Mnemonic::Unary(op) => Operation::Unary { op, to: self.destination(name)? },
            Mnemonic::Compare => {
                let (left, right) = self.destination_and_source(name)?;
                Operation::Compare { left, right }
            }
            Mnemonic::Test => {
                let (left, right) = self.destination_and_source(name)?;
                Operation::Test { left, right }
            }
            Mnemonic::Exchange => {
                let (to, with) = self.exchanged(name)?;
                Operation::Exchange { to, with }
            }
            Mnemonic::ExchangeAdd => {
                let (to, with) = self.destination_and_source(name)?;
                self.check_register(name, with)?;
                Operation::ExchangeAdd { to, with }
            }
            Mnemonic::CompareExchange => {
                let (to, from) = self.compare_exchanged(name)?;
                Operation::CompareExchange { to, from }
            }
            Mnemonic::Jump(when) => {
                let label = self.expect(Kind::Word, "a label", "a jump names a label: `jmp L0`")?;
                let label_span = self.span(label);
                Operation::Jump { when, label: self.text_of(label), label_span }
            }
            Mnemonic::Fence => Operation::Fence,
            Mnemonic::StoreFence => Operation::StoreFence,
            Mnemonic::Nothing => Operation::Nothing,
            Mnemonic::Lock | Mnemonic::Unsupported(_) => {
                let message = "`lock` after `lock`";
                let diagnostic = Diagnostic::error(error::LOCK, message, self.span(name))
                    .label("expected an instruction")
                    .help("one prefix is enough");
                return Err(self.fail(diagnostic));
            }
        })
    }
}

const SUPPORTED: &str = "known are mov, add, sub, and, or, xor, inc, dec, neg, not, cmp, test, \
     xchg, xadd, cmpxchg, jmp and conditional jumps, mfence, sfence, lfence, nop, and the prefix lock";

const REGISTERS: &str = "registers are `%rax`, `%rbx`, … `%r15` and their parts such as `%eax`";

/// Whether this is an `xchg` with memory, which is locked without a prefix.
fn exchanges_memory(operation: &Operation<'_>) -> bool {
    match operation {
        Operation::Exchange { to, with } => is_memory(to) || is_memory(with),
        _ => false,
    }
}

fn is_memory(operand: &Operand<'_>) -> bool {
    matches!(operand.value, Value::Memory(_))
}

/// Whether an instruction takes the lock prefix, and its destination.
fn lockable<'a, 's>(operation: &'a Operation<'s>) -> Option<&'a Operand<'s>> {
    match operation {
        Operation::Exchange { to, with } => Some(if is_memory(to) { to } else { with }),
        Operation::Binary { to, .. }
        | Operation::Unary { to, .. }
        | Operation::ExchangeAdd { to, .. }
        | Operation::CompareExchange { to, .. } => Some(to),
        _ => None,
    }
}

/// What operands may be.
impl<'s> Parser<'s> {
    fn check_lock(&mut self, lock: Token, name: Token, op: &Operation<'s>) -> Parsed<()> {
        let diagnostic = match lockable(op) {
            Some(to) if is_memory(to) => return Ok(()),
            Some(to) => Diagnostic::error(error::LOCK, "`lock` without memory", to.span)
                .label("expected a memory location")
                .related(self.span(lock), "because of this prefix")
                .help("leave `lock` out: nobody else sees a register"),
            None => {
                let message = format!("`{}` takes no `lock` prefix", self.text_of(name));
                Diagnostic::error(error::LOCK, message, self.span(lock))
                    .label("expected no prefix")
                    .help("`lock` goes with add, sub, and, or, xor, inc, dec, neg, not, xchg, xadd, cmpxchg")
            }
        };
        Err(self.fail(diagnostic))
    }

    fn wrong_operand(&mut self, name: Token, span: Span, expected: &str, help: &str) -> Failed {
        let message = format!("`{}` does not take these operands", self.text_of(name));
        let diagnostic = Diagnostic::error(error::OPERANDS, message, span)
            .label(format!("expected {expected}"))
            .help(help);
        self.fail(diagnostic)
    }

    fn check_register(&mut self, name: Token, operand: Operand<'s>) -> Parsed<()> {
        if matches!(operand.value, Value::Register(_)) {
            return Ok(());
        }
        let help = "one operand is a register, the other a register or memory";
        Err(self.wrong_operand(name, operand.span, "a register", help))
    }

    fn check_destination(&mut self, name: Token, operand: Operand<'s>) -> Parsed<()> {
        if !matches!(operand.value, Value::Immediate(_)) {
            return Ok(());
        }
        let help = match self.arch {
            Arch::X86_64 | Arch::C => "X86_64 tests write the source first: `movq $1,(x)`",
            Arch::X86 => "X86 tests write the destination first: `MOV [x],$1`",
        };
        Err(self.wrong_operand(name, operand.span, "a register or memory", help))
    }

    fn check_one_memory(&mut self, name: Token, a: Operand<'s>, b: Operand<'s>) -> Parsed<()> {
        if !is_memory(&a) || !is_memory(&b) {
            return Ok(());
        }
        let help = "an instruction has at most one operand in memory: go through a register";
        Err(self.wrong_operand(name, a.span.to(b.span), "a register on one side", help))
    }

    fn destination(&mut self, name: Token) -> Parsed<Operand<'s>> {
        let operand = self.operand()?;
        if matches!(operand.value, Value::Immediate(_)) {
            let help = "the instruction changes its operand, which a number cannot be";
            return Err(self.wrong_operand(name, operand.span, "a register or memory", help));
        }
        Ok(operand)
    }

    fn two_operands(&mut self) -> Parsed<(Operand<'s>, Operand<'s>)> {
        let first = self.operand()?;
        let help = "this instruction has two operands";
        self.expect(Kind::Comma, "`,` and a second operand", help)?;
        Ok((first, self.operand()?))
    }

    /// Destination and source, in whichever order the dialect writes them.
    fn destination_and_source(&mut self, name: Token) -> Parsed<(Operand<'s>, Operand<'s>)> {
        let (first, second) = self.two_operands()?;
        let (to, from) = match self.arch {
            Arch::X86_64 | Arch::C => (second, first),
            Arch::X86 => (first, second),
        };
        self.check_destination(name, to)?;
        self.check_one_memory(name, first, second)?;
        Ok((to, from))
    }

    fn exchanged(&mut self, name: Token) -> Parsed<(Operand<'s>, Operand<'s>)> {
        let (first, second) = self.two_operands()?;
        self.check_one_memory(name, first, second)?;
        let (to, with) = if is_memory(&second) { (second, first) } else { (first, second) };
        self.check_register(name, with)?;
        self.check_destination(name, to)?;
        Ok((to, with))
    }

    /// The operands of `cmpxchg`: destination first in both dialects. The AT&T order is accepted where
    /// it cannot be misread, that is if the second operand is in memory.
    fn compare_exchanged(&mut self, name: Token) -> Parsed<(Operand<'s>, Operand<'s>)> {
        self.exchanged(name)
    }
}

/// How operands are written.
impl<'s> Parser<'s> {
    fn operand(&mut self) -> Parsed<Operand<'s>> {
        let start = self.token.start;
        let value = match self.token.kind {
            Kind::Dollar | Kind::Number => self.immediate()?,
            Kind::Percent => Value::Register(self.percent_register()?),
            Kind::Open | Kind::OpenBracket => Value::Memory(self.memory()?),
            Kind::Word => Value::Register(self.bare_register()?),
            _ => {
                let help = match self.arch {
                    Arch::X86_64 | Arch::C => "an operand is `$1`, `%rax` or `(x)`",
                    Arch::X86 => "an operand is `$1`, `EAX` or `[x]`",
                };
                return Err(self.unexpected("an operand", help));
            }
        };
        Ok(Operand { value, span: self.span_from(start) })
    }

    fn immediate(&mut self) -> Parsed<Value<'s>> {
        let dollar = self.eat(Kind::Dollar);
        if dollar && self.at(Kind::Word) {
            return Err(self.no_address(self.span(self.token), "the address of a location"));
        }
        let number = self.token;
        let value = self.number()?;
        if self.at(Kind::Open) || self.at(Kind::OpenBracket) {
            return Err(self.no_address(self.span(number), "an offset"));
        }
        Ok(Value::Immediate(value))
    }

    fn no_address(&mut self, span: Span, what: &str) -> Failed {
        let memory = self.memory_example();
        let message = format!("{what} is not supported: locations have names, not addresses");
        let diagnostic = Diagnostic::error(error::ADDRESS, message, span)
            .label(format!("expected `$1` or `{memory}`"))
            .help("name the location in the instruction that accesses it");
        self.fail(diagnostic)
    }

    fn memory_example(&self) -> &'static str {
        match self.arch {
            Arch::X86_64 | Arch::C => "(x)",
            Arch::X86 => "[x]",
        }
    }

    fn percent_register(&mut self) -> Parsed<&'s str> {
        if self.arch == Arch::X86 {
            return self.symbolic_register();
        }
        let percent = self.bump();
        let token = self.expect(Kind::Word, "the name of a register", REGISTERS)?;
        let text = self.text_of(token);
        register::in_code(self.arch, text).ok_or_else(|| {
            let message = format!("unknown register `%{}`", shorten(text));
            let place = self.span(percent).to(self.span(token));
            let diagnostic = Diagnostic::error(error::REGISTER, message, place)
                .label("expected a register")
                .help(REGISTERS);
            self.fail(diagnostic)
        })
    }

    fn bare_register(&mut self) -> Parsed<&'s str> {
        let token = self.bump();
        let text = self.text_of(token);
        if let Some(name) = register::in_code(self.arch, text) {
            return Ok(name);
        }
        let wide = register::in_code(Arch::X86_64, text).is_some();
        let help = match self.arch {
            Arch::X86 if wide => "X86 tests have the registers `EAX`, `EBX`, …".to_owned(),
            Arch::X86 => format!("a memory location is written `[{}]`", shorten(text)),
            Arch::X86_64 | Arch::C => format!("a memory location is written `({})`", shorten(text)),
        };
        let message = format!("`{}` is no register", shorten(text));
        let diagnostic = Diagnostic::error(error::REGISTER, message, self.span(token))
            .label("expected an operand")
            .help(help);
        Err(self.fail(diagnostic))
    }

    /// `(x)` or `[x]`; only the latter in the 32-bit dialect.
    fn memory(&mut self) -> Parsed<&'s str> {
        let open = self.bump();
        let (close, what) = match open.kind {
            Kind::Open => (Kind::Close, "`)`"),
            _ => (Kind::CloseBracket, "`]`"),
        };
        let word = self.text_of(self.token);
        if self.at(Kind::Percent) || register::in_code(self.arch, word).is_some() {
            let percent = self.span(self.token);
            self.eat(Kind::Percent);
            let place = percent.to(self.span(self.token));
            return Err(self.no_address(place, "an address in a register"));
        }
        let name = self.location()?;
        self.expect(close, what, "a memory location is written by its name alone")?;
        if open.kind == Kind::Open && self.arch == Arch::X86 {
            let place = self.span_from(open.start);
            let message = format!("`({name})` is no operand of an X86 test");
            let diagnostic = Diagnostic::error(error::OPERANDS, message, place)
                .label(format!("expected `[{name}]`"))
                .help("only X86_64 tests write memory in parentheses");
            return Err(self.fail(diagnostic));
        }
        Ok(name)
    }
}
