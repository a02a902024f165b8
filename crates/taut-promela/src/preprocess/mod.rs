//! The C preprocessor as models use it, with exact places.
//!
//! Every token keeps the place it stands at in a source file. A token that comes out of a macro's body gets
//! the place where the macro is used, so that a message points at a line the user wrote, and remembers its
//! place in the `#define` besides; an argument of a macro keeps its own place. Comments become blank space and
//! a macro call is one line, as in C: both matter, because the end of a line can end a statement in Promela.
//!
//! Macros that name themselves stop there, as in C: a token remembers which macros it came out of
//! ([`crate::token::Hide`]). What all expansions produce together is limited, so that no model can hang the
//! preprocessor.

mod condition;
mod directive;
mod expand;
mod words;

use std::collections::HashMap;
use std::rc::Rc;

use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::files::Files;
use crate::lexer::{Interner, MOST_TOKENS, lex, too_large};
use crate::token::{Kind, Token};
use crate::{Claim, ClaimText, Include, codes};

/// A macro.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    pub name: Rc<str>,
    /// Where its name stands in its definition.
    pub span: Span,
    /// The parameters of a function-like macro.
    pub parameters: Option<Vec<Rc<str>>>,
    /// Whether the last parameter takes all further arguments.
    pub variadic: bool,
    pub body: Vec<Token>,
}

impl Macro {
    /// What it stands for, as text.
    pub(crate) fn text(&self) -> String {
        directive::words(&self.body)
    }
}

/// What a use of a macro refers to: kept by the place of the use.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub name: Rc<str>,
    pub defined: Span,
}

/// A model after preprocessing.
pub(crate) struct Preprocessed {
    /// The tokens, [`Kind::Eof`] last.
    pub tokens: Vec<Token>,
    /// The macro behind each place at which one is used.
    pub uses: HashMap<Span, Use>,
    pub includes: Vec<Include>,
    pub macros: HashMap<Rc<str>, Rc<Macro>>,
    /// The tokens of each text of each claim from outside, without an end.
    pub claims: Vec<Vec<Vec<Token>>>,
}

/// How deep files may include each other.
const DEEPEST_INCLUDE: usize = 32;
/// How many files may be included in all.
const MOST_INCLUDES: usize = 1_000;

/// The state of one `#if`.
struct Conditional {
    span: Span,
    /// Whether the lines of the current part are kept.
    active: bool,
    /// Whether a part was kept already.
    taken: bool,
    /// Whether `#else` was seen.
    last: bool,
}

/// The preprocessor at work on one model.
pub(crate) struct Preprocessor<'r> {
    map: &'r mut SourceMap,
    files: &'r mut dyn Files,
    pub(super) diagnostics: &'r mut Diagnostics,
    interner: Interner,
    macros: HashMap<Rc<str>, Rc<Macro>>,
    uses: HashMap<Span, Use>,
    output: Vec<Token>,
    includes: Vec<Include>,
    /// The files being read, the innermost last.
    open: Vec<String>,
    /// How many tokens expansions have produced.
    produced: usize,
    /// Set when a limit was met: nothing more is read.
    stopped: bool,
    /// Whether `#property` lines mean something: in files of formulas.
    properties: bool,
}

impl<'r> Preprocessor<'r> {
    /// A preprocessor with the definitions given from outside, each `NAME` or `NAME=VALUE`.
    pub(crate) fn new(
        map: &'r mut SourceMap,
        files: &'r mut dyn Files,
        defines: &[String],
        diagnostics: &'r mut Diagnostics,
    ) -> Preprocessor<'r> {
        let mut this = Preprocessor {
            map,
            files,
            diagnostics,
            interner: Interner::default(),
            macros: HashMap::new(),
            uses: HashMap::new(),
            output: Vec::new(),
            includes: Vec::new(),
            open: Vec::new(),
            produced: 0,
            stopped: false,
            properties: false,
        };
        defines.iter().for_each(|text| this.define_from_outside(text));
        this
    }

    /// Takes over a definition from the command line.
    fn define_from_outside(&mut self, text: &str) {
        let line = match text.split_once('=') {
            Some((name, value)) => format!("{name} {value}"),
            None => format!("{text} 1"),
        };
        let file = self.map.add(format!("-D{text}"), line.clone());
        let tokens = lex(&line, file, &mut self.interner, self.diagnostics);
        self.define(Span::new(file, 0..line.len()), &tokens);
    }

    /// Reads a file and all it includes, and then, with the macros at its end, the claims.
    pub(crate) fn run(mut self, file: FileId, claims: &[Claim]) -> Preprocessed {
        let _phase = taut_budget::phase("the preprocessor runs");
        let mut tokens = self.words_of(file);
        let end = self.map.file(file).text().len();
        tokens.push(Token::eof("", Span::new(file, end..end)));
        // What the claims define and include is no part of the model.
        let (macros, includes) = (self.macros.clone(), self.includes.clone());
        let claims = claims.iter().map(|claim| {
            self.properties = claim.text == ClaimText::File;
            claim.files.iter().map(|file| self.words_of(*file)).collect()
        });
        let claims = claims.collect();
        Preprocessed { tokens, uses: self.uses, includes, macros, claims }
    }

    /// The words of a file and of all it includes.
    fn words_of(&mut self, file: FileId) -> Vec<Token> {
        self.file(file);
        let output = std::mem::take(&mut self.output);
        self.finish(output)
    }

    /// Reads one file: its lines, directives apart from text.
    fn file(&mut self, file: FileId) {
        let source = self.map.file(file);
        self.open.push(source.name().to_string());
        let text = source.text().to_string();
        let tokens = lex(&text, file, &mut self.interner, self.diagnostics);
        let mut stack: Vec<Conditional> = Vec::new();
        let mut text: Vec<Token> = Vec::new();
        for line in tokens.split_inclusive(|t| t.kind == Kind::Newline) {
            if self.stopped || self.diagnostics.is_full() {
                break;
            }
            let line = trim(line);
            match line.first() {
                Some(first) if first.kind == Kind::Hash => {
                    self.text(std::mem::take(&mut text));
                    self.directive(first.span, &line[1..], &mut stack);
                }
                _ if stack.iter().all(|c| c.active) => text.extend_from_slice(line),
                _ => {}
            }
        }
        self.text(text);
        if let Some(open) = stack.last() {
            self.report(
                Diagnostic::error(codes::UNBALANCED_IF, "this `#if` has no `#endif`", open.span)
                    .label("it begins here"),
            );
        }
        self.open.pop();
    }

    /// Expands text between two directives and keeps it.
    fn text(&mut self, tokens: Vec<Token>) {
        if tokens.is_empty() || self.stopped {
            return;
        }
        let span = tokens[0].span;
        let expanded = self.expand(tokens, 0);
        self.output.extend(expanded);
        if self.output.len() > MOST_TOKENS {
            too_large(span, self.diagnostics);
            self.output.truncate(MOST_TOKENS);
            self.stopped = true;
        }
    }

    /// Reads an included file.
    fn include(&mut self, span: Span, path: &str) {
        let from = self.open.last().cloned().unwrap_or_default();
        let found = match self.files.find(&from, path) {
            Ok(found) => found,
            Err(missing) => {
                let message = format!("cannot read `{path}`");
                let (label, help) = missing.words();
                return self.report(
                    Diagnostic::error(codes::NO_INCLUDE, message, span).label(label).help(help),
                );
            }
        };
        let cycle = self.open.contains(&found.name);
        if cycle || self.open.len() >= DEEPEST_INCLUDE || self.includes.len() >= MOST_INCLUDES {
            let message = match cycle {
                true => format!("`{path}` includes itself"),
                false => format!("more than {DEEPEST_INCLUDE} levels or {MOST_INCLUDES} includes"),
            };
            self.stopped |= !cycle;
            return self.report(
                Diagnostic::error(codes::INCLUDE_CYCLE, message, span).label("included again here"),
            );
        }
        match self.map.add_bytes(found.name, found.bytes) {
            Ok(file) => {
                let (path, built_in) = (path.into(), found.built_in);
                self.includes.push(Include { path, file, span, built_in });
                self.file(file);
            }
            Err(problem) => self.report(*problem),
        }
    }

    /// Adds a message, with the macro it is about if its place is a use of one.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(with_macro(&self.uses, diagnostic));
    }
}

/// A line without its end.
fn trim(line: &[Token]) -> &[Token] {
    match line.last() {
        Some(last) if last.kind == Kind::Newline => &line[..line.len() - 1],
        _ => line,
    }
}

/// A message with the definition of the macro that is used at its place, if one is.
pub(crate) fn with_macro(uses: &HashMap<Span, Use>, diagnostic: Diagnostic) -> Diagnostic {
    let Some(used) = uses.get(&diagnostic.span) else { return diagnostic };
    if diagnostic.related.iter().any(|(_, text)| text.contains("macro")) {
        return diagnostic;
    }
    let text = format!("in the expansion of the macro `{}`", used.name);
    diagnostic.related(used.defined, text)
}
