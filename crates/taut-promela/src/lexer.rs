//! Source text to tokens, before preprocessing: comments go, the ends of lines stay.

use std::collections::HashMap;
use std::rc::Rc;

use logos::Logos;
use taut_source::{Diagnostic, Diagnostics, FileId, Span};

use crate::codes;
use crate::token::{Kind, Token};

/// The most tokens of one model, all included files and expansions together. What a person or another
/// tool writes has far fewer; the limit keeps memory within bounds.
pub(crate) const MOST_TOKENS: usize = 1 << 21;

/// Texts of tokens, each kept once.
#[derive(Default)]
pub(crate) struct Interner {
    texts: HashMap<Box<str>, Rc<str>>,
}

impl Interner {
    /// The shared copy of a text.
    pub(crate) fn get(&mut self, text: &str) -> Rc<str> {
        if let Some(shared) = self.texts.get(text) {
            return shared.clone();
        }
        let shared: Rc<str> = text.into();
        self.texts.insert(text.into(), shared.clone());
        shared
    }
}

/// The tokens of a file. Ends of lines are tokens, except inside of comments; [`Kind::Strange`] stands for
/// what is no token, and is reported only if it survives the preprocessor.
pub(crate) fn lex(
    text: &str,
    file: FileId,
    interner: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut lexer = Kind::lexer(text);
    let (mut newline, mut last_end) = (true, 0);
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        let space = newline || range.start > last_end;
        last_end = range.end;
        let kind = match result {
            Ok(Kind::LineComment | Kind::BlockComment) => {
                newline |= lexer.slice().contains('\n');
                last_end = 0;
                continue;
            }
            Ok(kind) => kind,
            Err(()) if lexer.slice().starts_with("/*") => {
                open_comment(Span::new(file, range.start..range.start + 2), diagnostics);
                break;
            }
            Err(()) => Kind::Strange,
        };
        if tokens.len() >= MOST_TOKENS {
            too_large(Span::new(file, range), diagnostics);
            break;
        }
        let text =
            if kind == Kind::Newline { interner.get("\n") } else { interner.get(lexer.slice()) };
        let span = Span::new(file, range);
        let (site, defined, hide) = (span, None, None);
        tokens.push(Token { kind, text, span, site, defined, hide, newline, space });
        newline = kind == Kind::Newline;
    }
    tokens
}

/// Reports a comment that never ends.
fn open_comment(span: Span, diagnostics: &mut Diagnostics) {
    diagnostics.push(
        Diagnostic::error(codes::OPEN_COMMENT, "this comment never ends", span)
            .label("it begins here")
            .help("add `*/` where it ends"),
    );
}

/// Reports a model that is too large.
pub(crate) fn too_large(span: Span, diagnostics: &mut Diagnostics) {
    let message = format!("the model has more than {MOST_TOKENS} words");
    diagnostics.push(
        Diagnostic::error(codes::TOO_LARGE, message, span)
            .label("everything from here on is left out"),
    );
}
