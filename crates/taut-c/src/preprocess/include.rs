//! Where included files come from.
//!
//! A file in quotes is looked for beside the file that includes it and in the directories for quotes; then, like a file in
//! angle brackets, in the user's directories, among the headers that Taut ships, and in the directories of the system.
//! So what `-isystem` names cannot replace a header of Taut, whose operations have the meaning of the program model. A program may come from a stranger: only regular files of a
//! reasonable size are opened, and none at all if [`FileAccess`] does not allow it.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use taut_ir::frontend::FileAccess;
use taut_source::{Diagnostic, FileId, Span};

use super::lexer::lex;
use super::token::{Kind, Token, sym};
use super::{Options, Preprocessor};
use crate::{codes, headers};

/// The largest file that can be included.
const MOST_BYTES: u64 = 16 << 20;
/// The deepest nesting of includes.
const DEEPEST_INCLUDE: usize = 64;
/// The largest number of includes.
const MOST_INCLUDES: usize = 4_000;

/// Directories with headers, by the time at which they are looked into.
pub(super) struct Directories {
    quotes: Vec<PathBuf>,
    usual: Vec<PathBuf>,
    system: Vec<PathBuf>,
}

impl Directories {
    pub(super) fn of(options: &Options) -> Directories {
        let paths = |names: &[String]| names.iter().map(PathBuf::from).collect();
        Directories {
            quotes: paths(&options.quote_directories),
            usual: paths(&options.directories),
            system: paths(&options.system_directories),
        }
    }
}

/// A file that was found.
enum Found {
    Shipped(&'static str),
    OnDisk(PathBuf),
}

impl Preprocessor<'_> {
    /// `#include`: `rest` is what follows on the line.
    pub(super) fn include_line(&mut self, span: Span, rest: &[Token], next: bool) {
        let rest = match rest.first() {
            // A name is a macro that stands for the file's name.
            Some(first) if first.kind == Kind::Ident => self.expand(rest.to_vec(), 0),
            _ => rest.to_vec(),
        };
        let Some((path, quoted)) = self.header_name(&rest) else {
            let message = "`#include` needs a file in quotes or angle brackets";
            let found = Diagnostic::error(codes::BAD_DIRECTIVE, message, span);
            return self.report(found.label("here").help("write `#include \"file.h\"`"));
        };
        let place = rest.iter().map(|token| token.span).filter(|s| s.file == span.file);
        let place = place.reduce(Span::to).unwrap_or(span);
        self.include(place, &path, quoted && !next, next);
    }

    /// A file that the command line has included.
    pub(super) fn include_from_outside(&mut self, path: &str) {
        let line = format!("\"{path}\"");
        let file = self.sources.add("-include", line.clone());
        self.built_in.push(file);
        self.include(Span::new(file, 0..line.len()), path, true, false);
        self.flush();
    }

    /// The path that tokens name, and whether it stands in quotes.
    pub(super) fn header_name(&self, tokens: &[Token]) -> Option<(String, bool)> {
        match tokens {
            [one, ..] if one.kind == Kind::Str => {
                let text = self.text(one);
                let inner = text.get(text.find('"')? + 1..text.len() - 1)?;
                Some((inner.to_owned(), true))
            }
            [open, rest @ ..] if open.is(sym::LESS) => {
                let close = rest.iter().position(|token| token.is(sym::GREATER))?;
                let path = self.words(&rest[..close]);
                (!path.is_empty()).then_some((path, false))
            }
            _ => None,
        }
    }

    /// Whether a file could be included.
    pub(super) fn can_include(&self, path: &str, quoted: bool) -> bool {
        self.find(path, quoted, false).is_some()
    }

    /// Looks for a file.
    fn find(&self, path: &str, quoted: bool, next: bool) -> Option<Found> {
        if path.is_empty() {
            return None;
        }
        let is_shipped = self.open.last().is_some_and(|file| self.built_in.contains(file));
        // A header of ours includes headers of ours.
        let on_disk = self.access == FileAccess::Allowed && !is_shipped;
        let shipped = || headers::shipped(path).map(Found::Shipped);
        if !on_disk {
            return shipped();
        }
        let current = self.open.last().map(|file| self.sources.file(*file).name());
        let here = current.and_then(|name| Path::new(name).parent()).unwrap_or(Path::new(""));
        let Directories { quotes, usual, system } = &self.directories;
        let beside =
            quoted.then(|| std::iter::once(here).chain(quotes.iter().map(PathBuf::as_path)));
        let is_other = |file: &PathBuf| !next || current.is_none_or(|name| Path::new(name) != file);
        let first = |directories: &mut dyn Iterator<Item = &Path>| {
            let candidates = directories.map(|directory| directory.join(path));
            candidates.filter(is_other).find(|file| file.is_file()).map(Found::OnDisk)
        };
        let usual = usual.iter().map(PathBuf::as_path);
        first(&mut beside.into_iter().flatten().chain(usual))
            .or_else(shipped)
            .or_else(|| first(&mut system.iter().map(PathBuf::as_path)))
    }

    /// Reads an included file.
    fn include(&mut self, span: Span, path: &str, quoted: bool, next: bool) {
        self.includes += 1;
        if self.open.len() > DEEPEST_INCLUDE || self.includes > MOST_INCLUDES {
            self.stopped = true;
            let message =
                format!("more than {DEEPEST_INCLUDE} levels or {MOST_INCLUDES} files are included");
            let found = Diagnostic::error(codes::INCLUDE_DEPTH, message, span);
            return self.report(
                found
                    .label("one too many here")
                    .help("does a file include itself? `#pragma once` ends that"),
            );
        }
        let Some(found) = self.find(path, quoted, next) else { return self.missing(span, path) };
        let name = match &found {
            Found::Shipped(_) => format!("<{path}>"),
            Found::OnDisk(file) => file.to_string_lossy().into_owned(),
        };
        let known = self.files.get(&name).cloned();
        let Some((file, tokens)) = known.or_else(|| self.open_file(span, name, found)) else {
            return;
        };
        if !self.once.contains(&file) {
            self.tokens(file, &tokens);
            self.flush();
        }
    }

    /// Reads a file for the first time.
    fn open_file(
        &mut self,
        span: Span,
        name: String,
        found: Found,
    ) -> Option<(FileId, Arc<[Token]>)> {
        let file = match found {
            Found::Shipped(text) => {
                let file = self.sources.add(name.clone(), text);
                self.built_in.push(file);
                file
            }
            Found::OnDisk(path) => {
                let Some(bytes) = read_regular(&path) else {
                    let message = format!("cannot read `{name}`");
                    let found = Diagnostic::error(codes::NO_INCLUDE, message, span);
                    self.report(
                        found
                            .label("included here")
                            .help("only regular files of up to 16 MiB are included"),
                    );
                    return None;
                };
                match self.sources.add_bytes(name.clone(), bytes) {
                    Ok(file) => file,
                    Err(problem) => {
                        self.report(*problem);
                        return None;
                    }
                }
            }
        };
        if !self.built_in.contains(&file) {
            self.included.push(file);
        }
        let text = self.sources.file(file).text().to_owned();
        let tokens: Arc<[Token]> =
            lex(&text, file, &mut self.interner, &mut self.diagnostics).into();
        self.files.insert(name, (file, tokens.clone()));
        Some((file, tokens))
    }

    fn missing(&mut self, span: Span, path: &str) {
        let found =
            Diagnostic::error(codes::NO_INCLUDE, format!("there is no header `{path}`"), span);
        let near = taut_source::nearest(path, headers::names());
        if let Some(advice) = crate::advice::on_header(path) {
            return self.report(found.label("not found").help(advice));
        }
        let help = match (near, self.access) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, FileAccess::Denied) => {
                "no files are read here; put what is needed into the program".into()
            }
            (None, FileAccess::Allowed) => {
                "Taut has headers of its own for the C library; `-I DIRECTORY` adds the program's"
                    .into()
            }
        };
        self.report(found.label("not found").help(help));
    }
}

/// The bytes of a regular file of reasonable size.
fn read_regular(path: &Path) -> Option<Vec<u8>> {
    // Before it is opened: to open a pipe is to wait for its other end.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    // Not by the size that the system tells, which is 0 for files such as those of `/proc`.
    File::open(path).ok()?.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= MOST_BYTES).then_some(bytes)
}
