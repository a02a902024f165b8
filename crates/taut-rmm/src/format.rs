//! The usual layout: a file written afresh, with its comments.
//!
//! Words are laid out, not trees, so that macros stay as they are. The line breaks are the author's; the words that begin a
//! part of the file begin a line. Blanks and indentation are ours. At most one blank line is kept in a row.

use taut_source::{Diagnostics, FileId, SourceMap};

use crate::lexer::{Lexed, Spanned, Token};

/// Formats a file: the same words and comments in the usual layout.
///
/// ```
/// let mut map = taut_source::SourceMap::new();
/// let file = map.add("p.rmm", "forbidden E\nprocess text\nE :nop ;\n  goto   E");
/// assert_eq!(taut_rmm::format(&map, file).unwrap(), "forbidden E\nprocess\ntext\n  E: nop;\n  goto E\n");
/// ```
pub fn format(map: &SourceMap, file: FileId) -> Result<String, Diagnostics> {
    let (_, lexed) = crate::tree(map, file)?;
    Ok(Layout::new(map.file(file).text(), &lexed).run())
}

/// The part of a file in which a word stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Between parts.
    Top,
    /// Declarations, labels, predicates.
    Listed,
    /// Statements.
    Text,
}

struct Layout<'t> {
    text: &'t str,
    lexed: &'t Lexed,
    out: String,
    part: Part,
    /// Open braces.
    braces: usize,
    /// Open brackets.
    brackets: usize,
    /// Where in the text the last thing ends.
    end: usize,
    /// The first comment that is not written yet.
    comment: usize,
}

impl<'t> Layout<'t> {
    fn new(text: &'t str, lexed: &'t Lexed) -> Layout<'t> {
        let (out, part) = (String::new(), Part::Top);
        Layout { text, lexed, out, part, braces: 0, brackets: 0, end: 0, comment: 0 }
    }

    fn run(mut self) -> String {
        for index in 0..self.lexed.tokens.len() {
            let token = self.lexed.tokens[index];
            self.leave(token.token);
            let indent = self.indent(index);
            self.comments_before(token.start as usize, indent);
            if token.token != Token::Eof {
                self.word(index, indent);
                self.enter(index);
            }
        }
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
        self.out
    }

    fn slice(&self, token: Spanned) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn before(&self, index: usize) -> Option<Token> {
        Some(self.lexed.tokens[index.checked_sub(1)?].token)
    }

    /// What a word closes.
    fn leave(&mut self, token: Token) {
        match token {
            Token::RightBrace => self.braces = self.braces.saturating_sub(1),
            Token::RightBracket => self.brackets = self.brackets.saturating_sub(1),
            _ if begins_part(token) || token == Token::Eof => {
                (self.part, self.braces, self.brackets) = (Part::Top, 0, 0);
            }
            _ => {}
        }
    }

    /// What a word opens.
    fn enter(&mut self, index: usize) {
        match self.lexed.tokens[index].token {
            Token::LeftBrace => self.braces += 1,
            Token::LeftBracket => self.brackets += 1,
            Token::Text | Token::Macro => self.part = Part::Text,
            Token::Forbidden | Token::Data | Token::Registers | Token::Predicates => {
                self.part = Part::Listed;
            }
            _ => {}
        }
    }

    /// The indentation of a word that begins a line.
    fn indent(&self, index: usize) -> usize {
        let token = self.lexed.tokens[index].token;
        let own = match self.part {
            Part::Top => return 0,
            Part::Listed => return 1,
            Part::Text if token == Token::Or => self.braces.max(1),
            Part::Text => 1 + self.braces,
        };
        own + usize::from(self.continues(index))
    }

    /// Whether a word goes on with a statement that the word before it began.
    fn continues(&self, index: usize) -> bool {
        let starts = match self.before(index) {
            None | Some(Token::Semi | Token::LeftBrace | Token::Or | Token::Text) => true,
            // A label, the head of a macro, or a macro that stands for statements.
            Some(Token::Colon) => index < 2 || self.before(index - 1) == Some(Token::Ident),
            Some(Token::RightParen) => true,
            _ => false,
        };
        let token = self.lexed.tokens[index].token;
        !starts && !matches!(token, Token::RightBrace | Token::Or | Token::Else)
    }

    /// The number of line breaks in the text before a place.
    fn breaks(&self, at: usize) -> usize {
        self.text[self.end..at].matches('\n').count()
    }

    fn comments_before(&mut self, at: usize, indent: usize) {
        while let Some(span) = self.lexed.comments.get(self.comment).copied()
            && (span.start as usize) < at
        {
            self.comment += 1;
            let breaks = self.breaks(span.start as usize);
            self.separate(breaks, indent, true);
            let text = &self.text[span.start as usize..span.end as usize];
            let lines: Vec<_> = text.lines().map(str::trim_end).collect();
            self.out.push_str(&lines.join("\n"));
            self.end = span.end as usize;
        }
    }

    fn word(&mut self, index: usize, indent: usize) {
        let token = self.lexed.tokens[index];
        let breaks = self.breaks(token.start as usize);
        let is_head = token.token == Token::Text && self.before(index) == Some(Token::Process);
        let forced = begins_part(token.token) || is_head;
        let breaks = if forced && !self.out.is_empty() { breaks.max(1) } else { breaks };
        let after_comment = self.out.ends_with("*/");
        self.separate(breaks, indent, after_comment || self.has_blank(index));
        self.out.push_str(self.slice(token));
        self.end = token.end as usize;
    }

    fn separate(&mut self, breaks: usize, indent: usize, blank: bool) {
        if self.out.is_empty() {
            return;
        }
        if breaks > 0 {
            self.out.push_str(if breaks > 1 { "\n\n" } else { "\n" });
            self.out.push_str(&"  ".repeat(indent));
        } else if blank {
            self.out.push(' ');
        }
    }

    /// Whether a blank stands between a word and the one before it on the same line.
    fn has_blank(&self, index: usize) -> bool {
        use Token::*;
        let Some(before) = self.before(index) else { return false };
        let token = self.lexed.tokens[index].token;
        match (before, token) {
            (_, Semi | Comma | RightParen | RightBracket) | (LeftParen | LeftBracket, _) => false,
            (Cas | Process | Ident, LeftParen) | (Ident, LeftBracket) => false,
            // `x = 0 : [0:1]`, but `read: x` and `L: nop`
            (_, Colon) => self.part == Part::Listed && self.brackets == 0,
            (Colon, _) => self.part != Part::Listed || self.brackets == 0,
            (Minus, _) => !self.is_sign(index - 1),
            _ => true,
        }
    }

    /// Whether a `-` is a sign, not a difference.
    fn is_sign(&self, index: usize) -> bool {
        use Token::{Int, Register, RightParen};
        !matches!(self.before(index), Some(Int | Register | RightParen | Token::Ident))
    }
}

/// Whether a word begins a part of the file, and so a line.
fn begins_part(token: Token) -> bool {
    use Token::{Data, EndMacro, Forbidden, Macro, Predicates, Process, Registers, Text};
    matches!(token, Forbidden | Predicates | Data | Registers | Process | Text | Macro | EndMacro)
}
