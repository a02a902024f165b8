//! The C preprocessor, with exact places and without the machine's headers.
//!
//! A file is read token by token. Text between two directives is kept until a directive needs it to be done
//! (`#define`, `#undef`, `#include`, the end of the file); then macros are replaced in it by Prosser's algorithm
//! (`hide`). The result is one text for the parser and a table of places ([`Places`]): a token from the body of a
//! macro has the place of the macro's use, an argument of a macro keeps its own place. A file that was preprocessed before
//! (`.i`) goes through unchanged; its line markers are ignored.
//!
//! Headers come from the directories that the user names and from the ones that Taut ships ([`crate::headers`]), never from
//! the machine. So a file means the same everywhere.
//!
//! Work is limited: the number of tokens that are read and made, the depth of includes, and the sizes of hide sets.
//!
//! | file | idea |
//! | --- | --- |
//! | `token.rs`, `lexer.rs` | tokens, and where they begin and end |
//! | `hide.rs` | macros that a token must not be replaced by again |
//! | `expand.rs`, `substitute.rs` | uses of macros; bodies with their arguments, `#` and `##` |
//! | `directive.rs`, `condition.rs` | lines that begin with `#`; the conditions of `#if` |
//! | `include.rs` | where included files come from |
//! | `items.rs`, `library.rs` | which functions a program defines and uses; those of Taut that it needs |
//! | `predefined.rs` | macros that every program finds |
//! | `clean.rs` | what the parser cannot read, and what has another meaning here |
//! | `output.rs` | the text for the parser, with its places |

mod clean;
mod condition;
mod directive;
mod expand;
mod hide;
mod include;
mod items;
mod lexer;
mod library;
mod output;
mod predefined;
mod substitute;
mod token;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use taut_ir::frontend::FileAccess;
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

pub use output::Places;

use crate::codes;
use expand::Macro;
use hide::HideSets;
use include::Directories;
use lexer::{MOST_TOKENS, lex, too_large};
use token::{Interner, Symbol, Token, sym};

/// The largest number of tokens that are read, replaced or made in all.
const MOST_WORK: usize = 1 << 24;
/// The deepest nesting of `#if`.
const DEEPEST_IF: usize = 256;

/// What is given from outside of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Macros to define, each `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Macros to forget, after all are defined.
    pub undefines: Vec<String>,
    /// Directories with headers that are included in quotes; they come before all others.
    pub quote_directories: Vec<String>,
    /// Directories with headers, first those to look into first.
    pub directories: Vec<String>,
    /// Directories that are looked into after those and after the headers that Taut ships.
    pub system_directories: Vec<String>,
    /// Files that are included before the first line.
    pub includes: Vec<String>,
    /// True if the locks of the library must not tell threads apart: then they know that they are held, not by which thread.
    pub alike: bool,
}

/// A part of the text of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text that the caller adds.
    Own(String),
    /// A part of the file, by its bytes. Messages and steps have their places in it.
    Text(Range<usize>),
}

/// A file after preprocessing.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The text for the parser: Taut's own types, the program, and those of Taut's own functions that it uses.
    pub text: String,
    /// The place of each part of the text.
    pub places: Places,
    /// Messages that do not stop the reading.
    pub warnings: Diagnostics,
    /// Files that the user can change and that were included.
    pub included: Vec<FileId>,
    /// Files that belong to Taut: headers, and its own types and functions.
    pub built_in: Vec<FileId>,
}

/// Preprocesses a file.
pub fn preprocess(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    access: FileAccess,
) -> Result<Preprocessed, Diagnostics> {
    let _phase = taut_budget::phase("the preprocessor runs");
    Preprocessor::read(sources, file, options, access).finish()
}

/// Preprocesses parts of a file, and text between them. No file is read.
pub fn preprocess_parts(
    sources: &mut SourceMap,
    file: FileId,
    parts: &[Part],
) -> Result<Preprocessed, Diagnostics> {
    let _phase = taut_budget::phase("the preprocessor runs");
    let options = Options::default();
    let mut this = Preprocessor::new(sources, FileAccess::Denied, Directories::of(&options));
    this.predefine(&options);
    for part in parts {
        match part {
            Part::Own(text) => {
                let own = this.sources.add("<added>", text.as_str());
                this.built_in.push(own);
                this.file(own);
            }
            Part::Text(range) => this.part(file, range.clone()),
        }
    }
    this.flush();
    this.finish()
}

/// The text of a file with macros replaced and nothing else done, as `cc -E -P` prints it.
pub fn expanded(
    sources: &mut SourceMap,
    file: FileId,
    options: &Options,
    access: FileAccess,
) -> Result<String, Diagnostics> {
    let _phase = taut_budget::phase("the preprocessor runs");
    Preprocessor::read(sources, file, options, access).text_only()
}

/// The state of one `#if`.
struct Conditional {
    span: Span,
    /// The lines of the current part are kept.
    active: bool,
    /// A part was kept already.
    taken: bool,
    /// `#else` was seen.
    last: bool,
}

/// The preprocessor at work.
struct Preprocessor<'s> {
    sources: &'s mut SourceMap,
    access: FileAccess,
    directories: Directories,
    diagnostics: Diagnostics,
    interner: Interner,
    hides: HideSets,
    /// Macros by the number of their name.
    macros: Vec<Option<Arc<Macro>>>,
    /// Text since the last directive that had it replaced.
    pending: Vec<Token>,
    output: Vec<Token>,
    /// Files that were read before, by name.
    files: HashMap<String, (FileId, Arc<[Token]>)>,
    once: HashSet<FileId>,
    /// The files being read, the innermost last.
    open: Vec<FileId>,
    included: Vec<FileId>,
    built_in: Vec<FileId>,
    /// Number of `#include` lines so far.
    includes: usize,
    /// Number of tokens that were read, replaced or made.
    work: usize,
    /// The next value of `__COUNTER__`.
    counter: u32,
    /// The tokens being replaced are a condition: `defined` has a meaning.
    in_condition: bool,
    /// A limit was met: nothing more is read.
    stopped: bool,
    /// Locks must not tell threads apart.
    alike: bool,
}

impl<'s> Preprocessor<'s> {
    /// Reads a file with what is given from outside.
    fn read(
        sources: &'s mut SourceMap,
        file: FileId,
        options: &Options,
        access: FileAccess,
    ) -> Self {
        let mut this = Preprocessor::new(sources, access, Directories::of(options));
        this.predefine(options);
        this.alike = options.alike;
        for path in &options.includes {
            this.include_from_outside(path);
        }
        this.file(file);
        this.flush();
        this
    }

    fn new(sources: &'s mut SourceMap, access: FileAccess, directories: Directories) -> Self {
        Preprocessor {
            sources,
            access,
            directories,
            diagnostics: Diagnostics::new(),
            interner: Interner::new(),
            hides: HideSets::new(),
            macros: Vec::new(),
            pending: Vec::new(),
            output: Vec::new(),
            files: HashMap::new(),
            once: HashSet::new(),
            open: Vec::new(),
            included: Vec::new(),
            built_in: Vec::new(),
            includes: 0,
            work: 0,
            counter: 0,
            in_condition: false,
            stopped: false,
            alike: false,
        }
    }

    /// The tokens of a text that belongs to Taut or to the command line.
    fn own_text(&mut self, name: &str, text: &str) -> Vec<Token> {
        let file = self.sources.add(name, text);
        self.built_in.push(file);
        lex(text, file, &mut self.interner, &mut self.diagnostics)
    }

    /// Reads a file: its directives are obeyed, its text is kept.
    fn file(&mut self, file: FileId) {
        let text = self.sources.file(file).text().to_owned();
        let tokens = lex(&text, file, &mut self.interner, &mut self.diagnostics);
        self.tokens(file, &tokens);
    }

    /// Reads a part of a file. What stands before it is blank, so that places stay what they are.
    fn part(&mut self, file: FileId, range: Range<usize>) {
        let text = self.sources.file(file).text();
        let blank = " ".repeat(range.start);
        let text = blank + text.get(range).unwrap_or_default();
        let tokens = lex(&text, file, &mut self.interner, &mut self.diagnostics);
        self.tokens(file, &tokens);
    }

    /// Reads the tokens of a file.
    fn tokens(&mut self, file: FileId, tokens: &[Token]) {
        self.open.push(file);
        let mut stack: Vec<Conditional> = Vec::new();
        let mut at = 0;
        while at < tokens.len() && !self.stopped && !self.diagnostics.is_full() {
            let end = line_end(tokens, at);
            let active = stack.last().is_none_or(|c| c.active);
            if tokens[at].line && tokens[at].is(sym::HASH) {
                self.directive(tokens[at].span, &tokens[at + 1..end], &mut stack);
            } else if active {
                self.pending.extend_from_slice(&tokens[at..end]);
            }
            self.spend(end - at, tokens[at].span);
            at = end;
        }
        if let Some(open) = stack.last().filter(|_| !self.stopped) {
            let found =
                Diagnostic::error(codes::UNBALANCED_IF, "this `#if` has no `#endif`", open.span);
            self.report(found.label("it begins here").help("add `#endif` after its last line"));
        }
        self.open.pop();
    }

    /// Replaces macros in the text that was kept.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let Some(first) = pending.first().filter(|_| !self.stopped) else { return };
        let span = first.span;
        let expanded = self.expand(pending, 0);
        self.output.extend(expanded);
        if self.output.len() > MOST_TOKENS {
            self.stopped = true;
            self.report(too_large(span));
        }
    }

    /// Counts work, and ends the reading if it is too much.
    fn spend(&mut self, tokens: usize, span: Span) {
        taut_budget::tick_many(tokens);
        self.work += tokens;
        if (self.work <= MOST_WORK && !self.hides.is_full()) || self.stopped {
            return;
        }
        self.stopped = true;
        let found =
            Diagnostic::error(codes::MACRO_LIMIT, "macros and includes make too much text", span);
        let label = format!("more than {MOST_WORK} tokens up to here");
        self.report(
            found.label(label).help("is a macro used inside of its own arguments many times?"),
        );
    }

    /// A macro by its name.
    fn lookup(&self, name: Symbol) -> Option<&Arc<Macro>> {
        self.macros.get(name.index())?.as_ref()
    }

    /// Whether a name is that of a macro, or of something that behaves like one.
    fn is_defined(&self, name: Symbol) -> bool {
        self.lookup(name).is_some() || expand::is_special(name)
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn text(&self, token: &Token) -> &str {
        self.interner.text(token.text)
    }
}

/// The place after the last token of a line.
fn line_end(tokens: &[Token], start: usize) -> usize {
    let rest = tokens[start + 1..].iter().position(|token| token.line);
    rest.map_or(tokens.len(), |length| start + 1 + length)
}
