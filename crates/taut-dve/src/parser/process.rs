//! Processes and their transitions.

use taut_source::{Descent, Diagnostic, Span};

use super::declarations::Declaration;
use super::{GiveUp, Parse, Parser};
use crate::ast::Name;
use crate::codes;
use crate::lexer::Token;
use crate::surface::{Assertion, Expr, Message, Place, Process, ProcessRef, Sync, Transition};

/// Before these the parser goes on after a mistake in a process.
const PART_STARTS: &[Token] = &[
    Token::State,
    Token::Init,
    Token::Accept,
    Token::Commit,
    Token::Assert,
    Token::Trans,
    Token::RightBrace,
    Token::Process,
    Token::System,
];

/// The words after `accept` that name other automata than Büchi's.
const OTHER_ACCEPTANCE: &[&str] = &["genbuchi", "muller", "rabin", "streett"];

impl Parser<'_, '_> {
    pub(super) fn process(&mut self) -> Parse<Process> {
        let start = self.bump();
        let name = self.name("the name of a process")?;
        let params = if self.at(Token::LeftParen) { Some(self.params()?) } else { None };
        let open = self.expect(Token::LeftBrace)?;
        let mut process = empty(name, params);
        while !matches!(
            self.peek(),
            Token::RightBrace | Token::Process | Token::System | Token::Eof
        ) {
            let before = self.cursor.position();
            if self.part(&mut process).is_err() {
                if self.cursor.position() == before {
                    self.bump();
                }
                self.skip_to(PART_STARTS, Some(Token::Semi));
            }
        }
        let close = self.close(Token::RightBrace, open)?;
        process.span = start.to(close);
        Ok(process)
    }

    fn part(&mut self, process: &mut Process) -> Parse<()> {
        if self.at_declaration() {
            match self.declaration()? {
                Declaration::Variables(all) => process.variables.extend(all),
                Declaration::Channels(all) => process.channels.extend(all),
            }
            return Ok(());
        }
        match self.peek() {
            Token::State => self.locations(&mut process.states),
            Token::Commit => self.locations(&mut process.commit),
            Token::Init => self.init(process),
            Token::Accept => self.accept(process),
            Token::Assert => self.asserts(process),
            Token::Trans => self.transitions(process),
            _ => self.expected("`state`, `init`, `trans` or another part of a process"),
        }
    }

    /// A keyword and a list of locations.
    fn locations(&mut self, list: &mut Vec<Name>) -> Parse<()> {
        self.bump();
        list.extend(self.commas(|p| p.name("a location"))?);
        self.semicolon("a list of locations")
    }

    fn init(&mut self, process: &mut Process) -> Parse<()> {
        let mut found = Vec::new();
        self.locations(&mut found)?;
        for name in found {
            let Some(first) = &process.init else {
                process.init = Some(name);
                continue;
            };
            let message = "a process has one initial location";
            let twice = Diagnostic::error(codes::TWO_INITS, message, name.span);
            let twice = twice.label("a second one").related(first.span, "the first one");
            self.report(twice);
        }
        Ok(())
    }

    fn accept(&mut self, process: &mut Process) -> Parse<()> {
        let listed = matches!(self.peek_at(1), Token::Ident) && self.peek_at(2) == Token::Ident;
        self.bump();
        if OTHER_ACCEPTANCE.iter().any(|word| self.at_word(word))
            && (listed || self.peek_at(1) == Token::LeftParen)
        {
            let message = format!("automata with `accept {}` are not supported", self.slice(0));
            let found = Diagnostic::error(codes::ACCEPTANCE, message, self.span());
            let found = found.label("only Büchi automata");
            self.report(found.help("`accept a, b;` lists the accepting locations"));
            return Err(GiveUp);
        }
        if listed && self.at_word("buchi") {
            self.bump();
        }
        process.accept.extend(self.commas(|p| p.name("a location"))?);
        self.semicolon("a list of locations")
    }

    fn asserts(&mut self, process: &mut Process) -> Parse<()> {
        self.bump();
        let all = self.commas(|p| {
            let state = p.name("a location")?;
            p.expect(Token::Colon)?;
            Ok(Assertion { state, condition: p.expression()? })
        })?;
        process.asserts.extend(all);
        self.semicolon("assertions")
    }

    /// `trans` and all transitions; commas between them may be missing.
    fn transitions(&mut self, process: &mut Process) -> Parse<()> {
        self.bump();
        while matches!(self.peek(), Token::Ident | Token::Arrow) {
            let last = process.transitions.last().map(|t| t.source.clone());
            match self.transition(last) {
                Ok(transition) => process.transitions.push(transition),
                Err(GiveUp) => self.skip_transition(),
            }
            self.eat(Token::Comma);
        }
        let ended = self.eat(Token::Semi);
        if ended || matches!(self.peek(), Token::RightBrace | Token::Eof) {
            return Ok(());
        }
        self.expected("a transition, `;` or `}`")
    }

    /// Skips the rest of a transition with a mistake in it.
    fn skip_transition(&mut self) {
        let stops = [Token::RightBrace, Token::Process, Token::System, Token::Trans, Token::Eof];
        while !stops.contains(&self.peek()) {
            self.bump();
        }
        self.eat(Token::RightBrace);
    }

    fn transition(&mut self, last: Option<Name>) -> Parse<Transition> {
        let start = self.span();
        let source = match (self.at(Token::Arrow), last) {
            (true, Some(last)) => last,
            _ => self.name("the location that the transition leaves")?,
        };
        if self.at(Token::FatArrow) {
            return self.probabilistic();
        }
        self.expect(Token::Arrow)?;
        let target = self.name("the location that the transition goes to")?;
        let open = self.expect(Token::LeftBrace)?;
        let guards = if self.eat(Token::Guard) { self.guards()? } else { vec![] };
        let sync = if self.eat(Token::Sync) { Some(self.sync()?) } else { None };
        let effects = if self.eat(Token::Effect) { self.effects()? } else { vec![] };
        self.check_order()?;
        let close = self.close(Token::RightBrace, open)?;
        Ok(Transition { source, target, guards, sync, effects, span: start.to(close), close })
    }

    /// After the last part of a transition: none of them may come once more.
    fn check_order(&mut self) -> Parse<()> {
        if self.at(Token::Ident) {
            return self.expected("`guard`, `sync`, `effect` or `}`");
        }
        if !matches!(self.peek(), Token::Guard | Token::Sync | Token::Effect) {
            return Ok(());
        }
        let message = format!("`{}` stands too late, or twice", self.slice(0));
        let found = Diagnostic::error(codes::PART_ORDER, message, self.span()).label("here");
        self.report(found.help(
            "a transition has at most one `guard`, then one `sync`, then one `effect`, in this order; \
             join conditions by `and` and assignments by commas",
        ));
        Err(GiveUp)
    }

    fn probabilistic<T>(&mut self) -> Parse<T> {
        let message = "probabilistic transitions are not supported";
        let found = Diagnostic::error(codes::PROBABILISTIC, message, self.span());
        self.report(found.label("`=>` chooses by chance").help("write one `->` for each target"));
        Err(GiveUp)
    }

    fn guards(&mut self) -> Parse<Vec<Expr>> {
        let all = self.commas(Self::expression)?;
        self.semicolon("a guard")?;
        Ok(all)
    }

    fn effects(&mut self) -> Parse<Vec<(Place, Expr)>> {
        let all = self.commas(|p| {
            let place = p.place()?;
            p.expect(Token::Equal)?;
            Ok((place, p.expression()?))
        })?;
        self.semicolon("an effect")?;
        Ok(all)
    }

    /// `c!{e, ..}`, `P->c?v`
    fn sync(&mut self) -> Parse<Sync> {
        let start = self.span();
        let (process, channel) = self.channel_name()?;
        let message = match self.peek() {
            Token::Bang => {
                self.bump();
                Message::Send(self.message(Self::expression)?)
            }
            Token::Question => {
                self.bump();
                Message::Receive(self.message(Self::place)?)
            }
            _ => return self.expected("`!` to send or `?` to receive"),
        };
        let span = start.to(self.previous());
        self.semicolon("a channel operation")?;
        Ok(Sync { process, channel, message, span })
    }

    fn channel_name(&mut self) -> Parse<(Option<ProcessRef>, Name)> {
        let name = self.name("the name of a channel")?;
        let process = match self.peek() {
            Token::LeftParen => ProcessRef::Instance(self.arguments(name)?),
            Token::Arrow => ProcessRef::Plain(name),
            _ => return Ok((None, name)),
        };
        self.expect(Token::Arrow)?;
        Ok((Some(process), self.name("a channel of the process")?))
    }

    /// No value, one, or several in braces.
    fn message<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        if matches!(self.peek(), Token::Semi | Token::RightBrace) {
            return Ok(vec![]);
        }
        if !self.at(Token::LeftBrace) {
            return Ok(vec![one(self)?]);
        }
        let open = self.bump();
        let all = if self.at(Token::RightBrace) { vec![] } else { self.commas(one)? };
        self.close(Token::RightBrace, open)?;
        Ok(all)
    }
}

fn empty(name: Name, params: Option<Vec<crate::surface::Param>>) -> Process {
    Process {
        name,
        params,
        variables: vec![],
        channels: vec![],
        states: vec![],
        init: None,
        accept: vec![],
        commit: vec![],
        asserts: vec![],
        transitions: vec![],
        span: Span::NONE,
    }
}
