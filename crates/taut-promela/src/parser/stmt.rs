//! Statements.

use taut_source::{Diagnostic, Span};

use super::{Parsed, Parser, Reported, can_end};
use crate::ast::*;
use crate::codes;
use crate::token::Kind;
use taut_source::nearest;

impl Parser<'_> {
    /// `{ statements }`
    pub(super) fn braces(&mut self) -> Parsed<Sequence> {
        let open = self.span();
        self.expect(Kind::LeftBrace, "`{`")?;
        let body = self.sequence(open)?;
        if self.eat(Kind::RightBrace) {
            return Ok(body);
        }
        Err(self.unclosed(open, "`}`"))
    }

    /// Reports a block that does not end where it should.
    fn unclosed(&mut self, open: Span, closer: &str) -> Reported {
        let token = self.token();
        let code = if token.kind == Kind::Eof { codes::MISSING_CLOSER } else { codes::EXPECTED };
        let message = format!("expected a statement or {closer}, found {}", token.describe());
        let d = Diagnostic::error(code, message, token.span)
            .label(format!("{closer} expected"))
            .related(open, "the block begins here");
        self.report(d)
    }

    /// Whether a sequence of statements ends here.
    fn at_end(&self) -> bool {
        match self.kind() {
            Kind::Eof | Kind::RightBrace | Kind::Option => true,
            Kind::Keyword => self.at("fi") || self.at("od"),
            _ => false,
        }
    }

    /// Statements up to the end of a block; `open` is where it begins.
    fn sequence(&mut self, open: Span) -> Parsed<Sequence> {
        let mut steps = Vec::new();
        let mut gaps = Vec::new();
        loop {
            gaps.push(self.gap());
            if self.at_end() || self.diagnostics.is_full() {
                break;
            }
            match self.step() {
                Ok(step) => steps.push(step),
                Err(Reported) => self.resume()?,
            }
            let optional =
                self.previous().is_some_and(|t| t.kind == Kind::RightBrace || t.is("else"));
            if !self.at_end() && !optional && !matches!(self.kind(), Kind::Semi | Kind::Arrow) {
                self.expected("`;` or `->`");
                self.resume()?;
            }
        }
        if steps.is_empty() && !self.diagnostics.has_errors() {
            let d = Diagnostic::error(codes::EMPTY_SEQUENCE, "a block needs a statement", open)
                .label("nothing is in it")
                .help("write `skip` for a statement that does nothing");
            self.report(d);
        }
        Ok(Sequence { steps, layout: Layout { gaps } })
    }

    /// Takes the separators between two statements.
    fn gap(&mut self) -> Gap {
        let last = self.previous().unwrap_or(self.token());
        let (last, can_end) = (last.site, can_end(last));
        let mut separator = None;
        while matches!(self.kind(), Kind::Semi | Kind::Arrow) {
            if separator.is_none() && !self.at_line_end() {
                let arrow = self.kind() == Kind::Arrow;
                separator = Some(Separator { site: self.token().site, arrow });
            }
            self.bump();
        }
        Gap { last, can_end, separator, next: self.token().site }
    }

    /// After a mistake: goes to the end of the statement it is in, or gives up.
    fn resume(&mut self) -> Parsed<()> {
        let mut braces = 0usize;
        self.parentheses = 0;
        loop {
            let token = self.token();
            if token.kind == Kind::Eof
                || token.is("proctype")
                || token.is("active")
                || token.is("inline")
            {
                return Err(Reported);
            }
            let ends =
                matches!(self.kind(), Kind::Semi | Kind::Arrow | Kind::Option | Kind::RightBrace);
            if braces == 0 && (ends || self.at("fi") || self.at("od")) {
                return Ok(());
            }
            let (open, close) = match token.kind {
                Kind::Keyword => {
                    (token.is("if") || token.is("do"), token.is("fi") || token.is("od"))
                }
                kind => (kind == Kind::LeftBrace, kind == Kind::RightBrace),
            };
            braces = (braces + usize::from(open)).saturating_sub(usize::from(close));
            self.bump();
            self.parentheses = 0;
        }
    }

    /// A declaration, or a statement with its `unless`.
    fn step(&mut self) -> Parsed<Statement> {
        let start = self.span();
        if self.at_declaration() {
            let kind = StatementKind::Declare(self.variables()?);
            return Ok(Statement { kind, at: self.since(start) });
        }
        if self.at("xr") || self.at("xs") {
            let receive = self.at("xr");
            self.bump();
            let mut channels = vec![self.reference()?];
            while self.eat(Kind::Comma) {
                channels.push(self.reference()?);
            }
            let kind = StatementKind::Exclusive { receive, channels };
            return Ok(Statement { kind, at: self.since(start) });
        }
        let main = self.statement()?;
        if !self.eat_word("unless") {
            return Ok(main);
        }
        let escape = self.statement()?;
        let kind = StatementKind::Unless(Box::new(main), Box::new(escape));
        Ok(Statement { kind, at: self.since(start) })
    }

    /// A statement.
    fn statement(&mut self) -> Parsed<Statement> {
        self.deeper(|this| {
            let start = this.span();
            let kind = match this.kind() {
                Kind::Keyword => this.keyword(start)?,
                Kind::LeftBrace => StatementKind::Block(this.braces()?),
                Kind::Ident => this.begins_with_name()?,
                _ => StatementKind::Condition(this.expr()?),
            };
            Ok(Statement { kind, at: this.since(start) })
        })
    }

    /// A statement that begins with a reserved word.
    fn keyword(&mut self, start: Span) -> Parsed<StatementKind> {
        let word = self.token().text.clone();
        if matches!(&*word, "c_code" | "c_expr" | "c_decl" | "c_state" | "c_track") {
            return Err(self.embedded_c());
        }
        if self.begins_expression(&word) {
            return self.expr().map(StatementKind::Condition);
        }
        self.bump();
        Ok(match &*word {
            "if" => StatementKind::If(self.options(start, "fi")?),
            "do" => StatementKind::Do(self.options(start, "od")?),
            "for" => return self.for_loop(),
            "select" => return self.select(),
            "break" => StatementKind::Break,
            "goto" => StatementKind::Goto(self.name("a label")?),
            "else" => StatementKind::Else,
            "atomic" => StatementKind::Atomic(self.braces()?),
            "d_step" => StatementKind::DStep(self.braces()?),
            "assert" => StatementKind::Assert(self.expr()?),
            "printf" => return self.printf(),
            "printm" => {
                self.expect(Kind::LeftParen, "`(`")?;
                let value = self.expr()?;
                self.expect(Kind::RightParen, "`)`")?;
                StatementKind::Printm(value)
            }
            "set_priority" => {
                self.expect(Kind::LeftParen, "`(`")?;
                let process = self.expr()?;
                self.expect(Kind::Comma, "`,`")?;
                let priority = self.expr()?;
                self.expect(Kind::RightParen, "`)`")?;
                StatementKind::SetPriority(process, priority)
            }
            "return" => self.return_statement(start)?,
            _ => {
                // Back at the start of a statement the end of the line before it says nothing.
                (self.at, self.semi_taken) = (self.at - 1, true);
                return Err(self.expected("a statement"));
            }
        })
    }

    /// `return e`, in an inline whose result is wanted.
    fn return_statement(&mut self, start: Span) -> Parsed<StatementKind> {
        if !self.calls.last().is_some_and(|(_, _, wanted)| *wanted) {
            let d =
                Diagnostic::error(codes::RETURN_PLACE, "there is nobody to return to here", start)
                    .label("only an inline called as `x = f()` can return a value");
            self.report(d);
        }
        self.expr().map(StatementKind::Return)
    }

    /// Whether a reserved word begins an expression.
    fn begins_expression(&self, word: &str) -> bool {
        matches!(word, "true" | "false" | "skip" | "run" | "timeout" | "np_" | "eval")
            || ChannelQuery::from_text(word).is_some()
            || ProcessQuery::from_text(word).is_some()
    }

    /// The options of `if` and `do`.
    fn options(&mut self, start: Span, closer: &str) -> Parsed<Vec<Sequence>> {
        let mut options = Vec::new();
        // An end of a line after nothing at all is no mistake.
        while self.kind() == Kind::Option {
            let open = self.span();
            self.bump();
            options.push(self.sequence(open)?);
            if self.diagnostics.is_full() {
                return Err(Reported);
            }
        }
        if options.is_empty() {
            return Err(self.expected("`::`"));
        }
        if self.eat_word(closer) {
            return Ok(options);
        }
        Err(self.unclosed(start, &format!("`{closer}`")))
    }

    /// `for (x : a .. b) { … }` or `for (x in a) { … }`, after the `for`.
    fn for_loop(&mut self) -> Parsed<StatementKind> {
        self.expect(Kind::LeftParen, "`(`")?;
        let variable = self.reference()?;
        if self.token().is_word("in") {
            self.bump();
            let over = self.reference()?;
            self.expect(Kind::RightParen, "`)`")?;
            return Ok(StatementKind::ForIn(variable, over, self.for_body()?));
        }
        self.expect(Kind::Colon, "`:` or `in`")?;
        let low = self.expr()?;
        self.expect(Kind::DotDot, "`..`")?;
        let high = self.expr()?;
        self.expect(Kind::RightParen, "`)`")?;
        Ok(StatementKind::ForRange(variable, low, high, self.for_body()?))
    }

    /// The body of a loop; the end of the line before it says nothing.
    fn for_body(&mut self) -> Parsed<Sequence> {
        self.eat(Kind::Semi);
        self.braces()
    }

    /// `select (x : a .. b)`, after the `select`.
    fn select(&mut self) -> Parsed<StatementKind> {
        self.expect(Kind::LeftParen, "`(`")?;
        let variable = self.reference()?;
        self.expect(Kind::Colon, "`:`")?;
        let low = self.expr()?;
        self.expect(Kind::DotDot, "`..`")?;
        let high = self.expr()?;
        self.expect(Kind::RightParen, "`)`")?;
        Ok(StatementKind::Select(variable, low, high))
    }

    /// `printf("…", e)`, after the `printf`.
    fn printf(&mut self) -> Parsed<StatementKind> {
        self.expect(Kind::LeftParen, "`(`")?;
        if self.kind() != Kind::Str {
            return Err(self.expected("a text in double quotes"));
        }
        let mut text = self.token().text.to_string();
        self.bump();
        // DIVERGENCE: texts in a row are one, as in C; SPIN refuses them.
        while self.kind() == Kind::Str {
            text.pop();
            text.push_str(&self.token().text[1..]);
            self.bump();
        }
        let mut values = Vec::new();
        while self.eat(Kind::Comma) {
            values.push(self.expr()?);
        }
        self.expect(Kind::RightParen, "`)`")?;
        Ok(StatementKind::Printf(text, values))
    }

    /// A statement that begins with a name: a label, a call, an assignment, a send, a receive, an expression.
    fn begins_with_name(&mut self) -> Parsed<StatementKind> {
        let (next, second) = (self.token().clone(), self.second().kind);
        let ours = !self.declared.contains(&next.text);
        match second {
            Kind::Colon if !self.proctypes.contains(&next.text) => return self.label(),
            Kind::LeftParen if self.inlines.contains_key(&next.text) => return self.call(None),
            Kind::LeftParen
                if MemoryOp::from_text(&next.text).is_none() && !self.second().newline =>
            {
                return Err(self.unknown_inline());
            }
            Kind::LeftBrace if ours && &*next.text == "LOCKED" => {
                self.bump();
                return self.braces().map(StatementKind::Locked);
            }
            _ if ours && &*next.text == "sync" => {
                self.bump();
                let kind = ExprKind::Memory(MemoryOp::SyncWord, Vec::new());
                return Ok(StatementKind::Condition(Expr { kind, at: At(next.span) }));
            }
            _ => {}
        }
        if ours && matches!(second, Kind::Ident | Kind::Keyword) {
            self.misspelt()?;
        }
        let (at, references) = (self.at, self.references);
        let reference = match self.proctypes.contains(&next.text) {
            true => return self.expr().map(StatementKind::Condition),
            false => self.reference()?,
        };
        if let Some(statement) = self.after_reference(&reference)? {
            return Ok(statement);
        }
        (self.at, self.references, self.semi_taken) = (at, references, true);
        self.expr().map(StatementKind::Condition)
    }

    /// What follows a variable at the start of a statement; none if it is an expression.
    fn after_reference(&mut self, reference: &Reference) -> Parsed<Option<StatementKind>> {
        let target = reference.clone();
        let polls = self.second().kind == Kind::LeftBracket;
        let kind = self.kind();
        Ok(Some(match kind {
            Kind::Assign => {
                self.bump();
                let call = self.kind() == Kind::Ident
                    && self.second().kind == Kind::LeftParen
                    && self.inlines.contains_key(&self.token().text);
                if call {
                    return self.call(Some(target)).map(Some);
                }
                StatementKind::Assign(target, self.expr()?)
            }
            Kind::Increment | Kind::Decrement => {
                self.bump();
                match kind {
                    Kind::Increment => StatementKind::Increment(target),
                    _ => StatementKind::Decrement(target),
                }
            }
            Kind::Bang | Kind::BangBang => {
                self.bump();
                let values = self.send_values()?;
                StatementKind::Send { channel: target, sorted: kind == Kind::BangBang, values }
            }
            Kind::Question | Kind::QuestionQuestion if !polls => {
                self.bump();
                let copy = self.eat(Kind::Less);
                let patterns = self.patterns()?;
                if copy {
                    self.expect(Kind::Greater, "`>`")?;
                }
                let random = kind == Kind::QuestionQuestion;
                StatementKind::Receive { channel: target, random, copy, patterns }
            }
            _ => return Ok(None),
        }))
    }

    /// `a,b` or `a(b)` after a send.
    fn send_values(&mut self) -> Parsed<Vec<Expr>> {
        let mut values = vec![self.expr()?];
        if self.eat(Kind::LeftParen) {
            values.push(self.expr()?);
            while self.eat(Kind::Comma) {
                values.push(self.expr()?);
            }
            self.expect(Kind::RightParen, "`)`")?;
            return Ok(values);
        }
        while self.eat(Kind::Comma) {
            values.push(self.expr()?);
        }
        Ok(values)
    }

    /// `label: statement`
    fn label(&mut self) -> Parsed<StatementKind> {
        let name = self.name("a label")?;
        self.bump();
        let alone = self.at_end() || matches!(self.kind(), Kind::Semi | Kind::Arrow);
        if !alone && (self.at_declaration() || self.at("xr") || self.at("xs")) {
            let d = Diagnostic::error(
                codes::EXPECTED,
                "a label cannot stand before a declaration",
                name.at.0,
            )
            .label("move it to the statement after the declaration");
            return Err(self.report(d));
        }
        let statement = if alone { None } else { Some(Box::new(self.statement()?)) };
        Ok(StatementKind::Label(name, statement))
    }

    /// Reports a name before another name: most likely a misspelt reserved word.
    fn misspelt(&mut self) -> Parsed<()> {
        if self.second().newline {
            return Ok(());
        }
        let token = self.token().clone();
        let words = crate::names::KEYWORDS.iter().copied();
        let near = nearest(&token.text, words.chain(self.typedefs.iter().map(|t| &**t)));
        let Some(near) = near else { return Ok(()) };
        let message = format!("expected a statement, found `{}`", token.text);
        let d = Diagnostic::error(codes::EXPECTED, message, token.span)
            .label("this begins no statement")
            .help(format!("did you mean `{near}`?"));
        Err(self.report(d))
    }

    /// Reports a call of something that is no inline.
    pub(super) fn unknown_inline(&mut self) -> Reported {
        let token = self.token().clone();
        let message = format!("there is no inline or macro called `{}`", token.text);
        let mut d =
            Diagnostic::error(codes::UNKNOWN_INLINE, message, token.span).label("called here");
        let known: Vec<&str> = MemoryOp::ALL.iter().map(|op| op.text()).collect();
        let names = self.inlines.keys().map(|k| &**k).chain(known);
        if self.proctypes.contains(&token.text) {
            d = d.help(format!("a proctype is started with `run {}(…)`", token.text));
        } else if let Some(near) = nearest(&token.text, names) {
            d = d.help(format!("did you mean `{near}`?"));
        }
        self.report(d)
    }
}
