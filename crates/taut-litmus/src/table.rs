//! The table: a row with the names of the threads, then rows of cells, one column per thread.

use taut_source::{Diagnostic, Span};

use crate::ast::Thread;
use crate::error::{self, Failed, Parsed};
use crate::lexer::Kind;
use crate::names::is_decimal;
use crate::parser::Parser;

/// The most threads a test may have.
const MOST_THREADS: usize = 256;
/// The most rows a table may have.
const MOST_ROWS: usize = 4_096;

const TABLE_HELP: &str = "the first row names the threads: `P0 | P1 ;`";

/// The words that end the table.
const QUESTION_WORDS: [&str; 6] = ["exists", "forall", "final", "filter", "locations", "observed"];

impl<'s> Parser<'s> {
    /// `P0 | P1 ;`
    pub(crate) fn thread_names(&mut self) -> Parsed<Vec<Thread<'s>>> {
        let mut threads: Vec<Thread<'s>> = Vec::new();
        loop {
            let thread = self.thread_name()?;
            if let Some(first) = threads.iter().find(|t| t.number == thread.number) {
                let message = format!("there are two threads P{}", thread.number);
                let diagnostic = Diagnostic::error(error::THREADS, message, thread.span)
                    .label("expected another number")
                    .related(first.span, "the first one")
                    .help("number the threads P0, P1, P2, …");
                return Err(self.fail(diagnostic));
            }
            threads.push(thread);
            if threads.len() > MOST_THREADS {
                return Err(self.too_many("threads", MOST_THREADS));
            }
            match self.token.kind {
                Kind::Bar => self.bump(),
                Kind::Semicolon => break,
                _ => return Err(self.unexpected("`|` or `;`", TABLE_HELP)),
            };
        }
        self.bump();
        Ok(threads)
    }

    fn thread_name(&mut self) -> Parsed<Thread<'s>> {
        let text = self.text_of(self.token);
        let digits = text.strip_prefix('P').filter(|digits| is_decimal(digits));
        let Some(number) = digits.and_then(|digits| digits.parse().ok()) else {
            return Err(self.no_thread_name());
        };
        let token = self.bump();
        Ok(Thread { number, span: self.span(token), lines: Vec::new() })
    }

    fn no_thread_name(&mut self) -> Failed {
        if self.at(Kind::OpenComment) {
            return self.open_comment();
        }
        let message = match self.at_question() {
            true => "there is no table",
            false => "the table does not start with the names of the threads",
        };
        let diagnostic = Diagnostic::error(error::THREADS, message, self.span(self.token))
            .label("expected `P0`, `P1`, …")
            .help(TABLE_HELP);
        self.fail(diagnostic)
    }

    /// The rows of cells; gives their places.
    pub(crate) fn rows(&mut self, threads: &mut [Thread<'s>]) -> Parsed<Vec<Span>> {
        let mut rows = Vec::new();
        while !self.at_question() && !self.at(Kind::Open) {
            if self.at(Kind::OpenComment) {
                return Err(self.open_comment());
            }
            let start = self.token.start;
            self.row(threads)?;
            rows.push(self.span_from(start));
            if rows.len() > MOST_ROWS {
                return Err(self.too_many("rows", MOST_ROWS));
            }
        }
        Ok(rows)
    }

    /// One row, up to and with its `;`.
    fn row(&mut self, threads: &mut [Thread<'s>]) -> Parsed<()> {
        let start = self.token.start;
        let mut cells = 0;
        loop {
            let lines = threads.get_mut(cells).map(|t| &mut t.lines);
            self.cell(lines.unwrap_or(&mut Vec::new()))?;
            cells += 1;
            if !self.eat(Kind::Bar) {
                break;
            }
        }
        let span = self.span_from(start);
        if self.eat(Kind::Semicolon) && cells != threads.len() {
            let (some, needed) = (plural(cells, "cell"), plural(threads.len(), "thread"));
            let message = format!("a row of {some} in a table of {needed}");
            let names = threads[0].span.to(threads[threads.len() - 1].span);
            let diagnostic = Diagnostic::error(error::CELLS, message, span)
                .label(format!("expected {}", plural(threads.len(), "cell")))
                .related(names, "one column for each of these")
                .help("separate cells with `|`; a cell may be empty");
            self.fail(diagnostic);
        }
        if self.is_full() { Err(Failed) } else { Ok(()) }
    }

    /// Skips to the end of a cell that could not be read.
    pub(crate) fn skip_cell(&mut self) {
        let end = |kind| matches!(kind, Kind::Bar | Kind::Semicolon | Kind::OpenComment);
        while !end(self.token.kind) && !self.at_question() {
            self.bump();
        }
    }

    /// Whether the table is over: the file ends or a word of the question follows.
    pub(crate) fn at_question(&self) -> bool {
        match self.token.kind {
            Kind::End | Kind::Tilde => true,
            Kind::Word => {
                let (word, after) = (self.text_of(self.token), self.after());
                let refused = word == "not" && self.text_of(after) == "exists";
                refused || (QUESTION_WORDS.contains(&word) && after.kind != Kind::Colon)
            }
            _ => false,
        }
    }
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
