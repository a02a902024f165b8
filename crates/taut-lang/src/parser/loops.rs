//! `for`, `do … while` and `switch`, as C has them.

use taut_source::{Descent, Diagnostic, Span};

use super::{GiveUp, Parse, Parser};
use crate::ast::{Block, Case, CaseLabel, For, Stmt, StmtKind, Switch};
use crate::codes;
use crate::lexer::Token;
use crate::mistakes::instead;

const AFTER_CASE: &[Token] = &[Token::RightBrace, Token::Case, Token::Default];

impl Parser<'_, '_> {
    /// `do { … } while (e)`, without the `;`.
    pub(super) fn do_while(&mut self) -> Parse<StmtKind> {
        let word = self.bump();
        let body = self.braces(word)?;
        let start = self.span();
        if self.at_word("until") {
            return self.do_until();
        }
        if !self.eat(Token::While) {
            return self.expected("`while` after the block of `do`");
        }
        let condition = self.condition()?;
        Ok(StmtKind::DoWhile(body, condition, start.to(self.previous())))
    }

    /// `until (e)` after a block, which is reported.
    fn do_until<T>(&mut self) -> Parse<T> {
        let start = self.bump();
        let condition = self.condition()?;
        let text = format!("while (!({}))", self.cursor.text(condition.span));
        let message = "a loop goes on while its condition is true";
        self.foreign(message, "ends with `while`", start.to(self.previous()), instead(&text));
        Err(GiveUp)
    }

    /// `for (i := 0; i < 3; i++) { … }`; each of the three parts may be left out.
    pub(super) fn for_statement(&mut self) -> Parse<StmtKind> {
        let word = self.bump();
        if self.at(Token::Ident) {
            return self.rust_range(word);
        }
        self.expect(Token::LeftParen)?;
        let init = if self.at(Token::Semi) { None } else { Some(self.part()?) };
        self.expect(Token::Semi)?;
        let condition = if self.at(Token::Semi) { None } else { Some(self.expression()?) };
        self.expect(Token::Semi)?;
        let step = if self.at(Token::RightParen) { None } else { Some(self.part()?) };
        self.expect(Token::RightParen)?;
        let head = word.to(self.previous());
        for part in [&init, &step].into_iter().flatten() {
            self.check_part(part)?;
        }
        if matches!(&step, Some(step) if matches!(step.kind, StmtKind::Local(_))) {
            return self.expected("an assignment in place of this declaration");
        }
        let body = match self.lacks_braces(Token::Do) {
            true => self.without_braces("a `for`")?,
            false => self.braces(word)?,
        };
        Ok(StmtKind::For(Box::new(For { init, condition, step, body, head })))
    }

    /// A statement in the head of a `for`.
    fn part(&mut self) -> Parse<Stmt> {
        let start = self.span();
        let kind = self.simple()?;
        let span = start.to(self.previous());
        Ok(Stmt { labels: Vec::new(), may_end: false, kind, span })
    }

    fn check_part(&mut self, part: &Stmt) -> Parse<()> {
        use StmtKind::{Assign, Call, Local, Rmw};
        if matches!(part.kind, Assign(_) | Call(..) | Local(_) | Rmw(_)) {
            return Ok(());
        }
        let message = "this cannot stand in the head of a `for`";
        let found = Diagnostic::error(codes::EXPECTED, message, part.span);
        self.report(found.label("expected an assignment, a call or a declaration"));
        Err(GiveUp)
    }

    /// `switch (e) { case 0: … default: … }`
    pub(super) fn switch(&mut self) -> Parse<StmtKind> {
        let word = self.bump();
        let value = self.condition()?;
        let head = word.to(self.previous());
        let open = self.expect(Token::LeftBrace)?;
        let mut cases = Vec::new();
        while !self.at(Token::RightBrace) {
            if !matches!(self.peek(), Token::Case | Token::Default) {
                return self.outside_of_cases(word);
            }
            cases.push(self.case(word)?);
        }
        let end = self.bump();
        Ok(StmtKind::Switch(Switch { value, head, open, cases, end }))
    }

    fn outside_of_cases<T>(&mut self, word: Span) -> Parse<T> {
        let message = format!("expected `case`, `default` or `}}`, found {}", self.found());
        let found = Diagnostic::error(codes::EXPECTED, message, self.span());
        let found = found.label("no case leads here").related(word, "in this `switch`");
        self.report(found.help("write `case VALUE:` before the first statement"));
        // The brace that ends the `switch` ends nothing else.
        let mut open = 1u32;
        while open > 0 && !self.at(Token::Eof) {
            match self.peek() {
                Token::LeftBrace => open += 1,
                Token::RightBrace => open -= 1,
                _ => {}
            }
            self.bump();
        }
        Err(GiveUp)
    }

    fn case(&mut self, opened: Span) -> Parse<Case> {
        let mut labels = Vec::new();
        while matches!(self.peek(), Token::Case | Token::Default) {
            labels.push(self.case_label()?);
        }
        let block: Block = self.statements(AFTER_CASE, opened, true)?;
        Ok(Case { labels, block })
    }

    /// `case 1:`, `case 1..3:` or `default:`. The value ends at the colon: it is no process whose local follows.
    fn case_label(&mut self) -> Parse<CaseLabel> {
        let start = self.span();
        let mut values = None;
        if self.eat(Token::Default) {
            // Nothing else belongs to it.
        } else {
            self.bump();
            let from = self.in_conditional(true, Self::bound)?;
            let to = match self.eat(Token::DotDot) {
                true => Some(self.in_conditional(true, Self::bound)?),
                false => None,
            };
            values = Some((from, to));
        }
        self.expect(Token::Colon)?;
        Ok(CaseLabel { values, span: start.to(self.previous()) })
    }
}
