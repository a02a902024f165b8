//! The text for the parser, and the place of each of its tokens.

use std::ops::Range;

use taut_source::{Diagnostic, Diagnostics, Span};

use super::token::{Interner, Kind, Token};
use super::{Preprocessed, Preprocessor, clean};
use crate::{codes, runtime};

/// The places of a text's tokens in the files that it was made from.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// Where each token begins in the text, in rising order.
    starts: Vec<u32>,
    spans: Vec<Span>,
    /// True for tokens that stand in the body of a macro.
    expanded: Vec<bool>,
}

impl Places {
    /// The place of a part of the text in the user's files. What a macro made has the place of its use. If the
    /// part reaches over two files, the place of its first token.
    pub fn span(&self, range: Range<usize>) -> Span {
        let Some((first, last)) = self.tokens(range) else { return Span::NONE };
        let (first, last) = (self.spans[first], self.spans[last]);
        if first.file == last.file { first.to(last) } else { first }
    }

    /// Whether a part of the text stands in a file as it is: its first and last token come from no macro, and from
    /// the same file.
    pub fn is_written(&self, range: Range<usize>) -> bool {
        let Some((first, last)) = self.tokens(range) else { return false };
        let same_file = self.spans[first].file == self.spans[last].file;
        same_file && !self.expanded[first..=last].iter().any(|expanded| *expanded)
    }

    /// The tokens of the text.
    pub(crate) fn words<'t>(&self, text: &'t str) -> impl Iterator<Item = &'t str> {
        let ends = self.starts.iter().skip(1).map(|start| *start as usize).chain([text.len()]);
        self.starts.iter().zip(ends).map(|(start, end)| text[*start as usize..end].trim_end())
    }

    /// The number of the token at an offset of the text.
    pub(crate) fn index(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= offset).saturating_sub(1)
    }

    /// Where a token begins in the text, and where the next one does.
    pub(crate) fn range(&self, token: usize) -> Range<usize> {
        let start = |token: usize| self.starts.get(token).map_or(0, |start| *start as usize);
        start(token)..start(token + 1).max(start(token))
    }

    /// The place of a token, by its number.
    pub(crate) fn token(&self, token: usize) -> Span {
        self.spans.get(token).copied().unwrap_or(Span::NONE)
    }

    /// The first and the last token of a part of the text.
    fn tokens(&self, range: Range<usize>) -> Option<(usize, usize)> {
        let index = |offset: usize| self.starts.partition_point(|start| *start as usize <= offset);
        let first = index(range.start).checked_sub(1)?;
        let last = index(range.end.max(range.start + 1) - 1).checked_sub(1)?;
        debug_assert!(first <= last, "a part that ends before it begins");
        Some((first, last))
    }
}

impl Preprocessor<'_> {
    /// The program alone, or the messages.
    pub(super) fn text_only(self) -> Result<String, Diagnostics> {
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        Ok(write(&self.output, &self.interner).0)
    }

    /// The result, or the messages.
    pub(super) fn finish(mut self) -> Result<Preprocessed, Diagnostics> {
        let mut program = std::mem::take(&mut self.output);
        self.check_characters(&program);
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        program = clean::clean(&mut self, program);
        let (features, functions) = self.runtime(&program);
        let mut tokens = self.own_tokens("<taut types>", runtime::PRELUDE, &features);
        tokens.extend(program);
        tokens.extend(functions);
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        let (text, places) = write(&tokens, &self.interner);
        let (warnings, included, built_in) = (self.diagnostics, self.included, self.built_in);
        Ok(Preprocessed { text, places, warnings, included, built_in })
    }

    /// The tokens of a text of Taut's own, read with some macros and no others.
    pub(super) fn own_tokens(&mut self, name: &str, text: &str, defined: &[&str]) -> Vec<Token> {
        self.macros.clear();
        for name in defined {
            self.define_text(&format!("{name} 1"));
        }
        let file = self.sources.add(name, text);
        self.built_in.push(file);
        self.file(file);
        self.flush();
        std::mem::take(&mut self.output)
    }

    /// Reports quotations without an end and characters that C does not have.
    fn check_characters(&mut self, tokens: &[Token]) {
        for token in tokens {
            let found = match token.kind {
                Kind::Open => {
                    let message = "this text has no closing quote";
                    Diagnostic::error(codes::OPEN_QUOTE, message, token.span)
                        .label("it begins here")
                        .help("a string ends on its line; close it, or end the line with `\\`")
                }
                Kind::Other => {
                    let message =
                        format!("the character `{}` has no meaning here", self.text(token));
                    Diagnostic::error(codes::STRANGE_CHARACTER, message, token.span)
                        .label("this character")
                        .help("remove it")
                }
                _ => continue,
            };
            self.report(found);
        }
    }
}

/// The text of tokens with blanks between them, a line where one began in the source.
fn write(tokens: &[Token], interner: &Interner) -> (String, Places) {
    let (mut text, mut places) = (String::new(), Places::default());
    for token in tokens {
        taut_budget::tick();
        if !text.is_empty() {
            text.push(if token.line { '\n' } else { ' ' });
        }
        places.starts.push(text.len() as u32);
        places.spans.push(token.span);
        places.expanded.push(token.expanded);
        push(&mut text, token.kind, interner.text(token.text));
    }
    debug_assert!(u32::try_from(text.len()).is_ok(), "a text of more than 4 GiB");
    text.push('\n');
    (text, places)
}

/// Adds a token. The parser reads names of ASCII letters only: others become their numbers.
fn push(text: &mut String, kind: Kind, word: &str) {
    if kind != Kind::Ident || word.is_ascii() {
        return text.push_str(word);
    }
    for c in word.chars() {
        match c.is_ascii() {
            true => text.push(c),
            false => text.push_str(&format!("_u{:04x}", u32::from(c))),
        }
    }
}
