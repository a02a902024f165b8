//! `include "locks.taut";`: the declarations of another file, in its place.
//!
//! A path is relative to the file that includes. A file that is on its way already is a cycle, and refused where it is
//! named. Only regular files are opened, and only where files may be read at all ([`FileAccess`]): a text from a stranger
//! names no file of this machine.
//!
//! **How.** The files are joined to one text, which is read as any other: so a name, a place and an assertion mean the same
//! as if the text stood in one file. Then every place is moved back to the file it came from ([`Whole::original`]), in the
//! program and in messages. Each file is also parsed by itself, to find what it includes; a mistake of grammar is told then,
//! and nothing is joined.
//!
//! Changes to a program (`taut repair`) need it in one file.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

use taut_ir::frontend::FileAccess;
use taut_ir::{Claim, Program, PropertyKind};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::ast::{ItemKind, Name};
use crate::lower::Constants;
use crate::{Options, codes};

/// The most bytes of a program with all that it includes.
const MOST_BYTES: usize = 16 << 20;
/// The most files that are included, each time they are.
const MOST_FILES: usize = 1000;

/// A program that was read, its constants, and whether it includes others.
pub(crate) type Included = (Program, Constants, bool);

/// Reads a program with the files that it includes.
pub(crate) fn read(
    map: &mut SourceMap,
    file: FileId,
    access: FileAccess,
    options: &Options,
    claims: &[Claim],
) -> Result<Included, Diagnostics> {
    // Most programs include nothing, and are parsed once.
    let plain = |map: &SourceMap| {
        let (program, constants) = crate::read(map, file, options, claims)?;
        Ok((program, constants, false))
    };
    if !map.file(file).text().contains("include") {
        return plain(map);
    }
    let mut diagnostics = Diagnostics::new();
    let whole = Whole::of(map, file, access, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    if whole.pieces.len() < 2 {
        return plain(map);
    }
    let mut joined = map.clone();
    let id = joined.add(map.file(file).name(), whole.text.clone());
    let at = |span: Span| if span.file == id { whole.original(span) } else { span };
    match crate::read(&joined, id, options, claims) {
        Ok((mut program, mut constants)) => {
            let line = |span: Span| joined.position(span).map_or(0, |p| p.line);
            rename(&mut program, map, file, line, &at);
            move_places(&mut program, &at);
            constants.move_places(|start| at(Span { file: id, start, end: start }).start);
            Ok((program, constants, true))
        }
        Err(found) => Err(moved(&found, &at)),
    }
}

/// The message about an `include` where no file is read.
pub(crate) fn refused(path: &Name) -> Diagnostic {
    refusal(path, "no files are read here", "put its declarations into the program itself")
}

/// The message of commands that change a program.
pub(crate) fn unchanged(map: &SourceMap, file: FileId) -> Diagnostics {
    let mut ignored = Diagnostics::new();
    let (tree, _) = crate::tree(map, file, &mut ignored);
    let mut includes = tree.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Include(path) => Some(path.span),
        _ => None,
    });
    let span = includes.next().unwrap_or(Span::new(file, 0..0));
    let message = "a program that includes files is not changed";
    let found = Diagnostic::error(codes::INCLUDE, message, span).label("another file");
    found.help("put its declarations into the program itself").into()
}

fn refusal(path: &Name, label: &str, help: &str) -> Diagnostic {
    let message = format!("cannot include `{}`", path.text);
    Diagnostic::error(codes::INCLUDE, message, path.span).label(label).help(help)
}

/// All files of a program as one text.
#[derive(Default)]
struct Whole {
    text: String,
    /// The parts of the text, in its order.
    pieces: Vec<Piece>,
}

/// A part of a file in the whole.
struct Piece {
    /// Where it begins in the whole.
    at: u32,
    /// Where it is in its file.
    span: Span,
}

impl Whole {
    fn of(
        map: &mut SourceMap,
        file: FileId,
        access: FileAccess,
        diagnostics: &mut Diagnostics,
    ) -> Whole {
        let path = PathBuf::from(map.file(file).name());
        let open = vec![(path, Span::NONE)];
        let whole = Whole::default();
        let mut joining = Joining { map, access, open, count: 0, whole, diagnostics };
        joining.join(file);
        joining.whole
    }

    fn push(&mut self, text: &str, span: Span) {
        self.pieces.push(Piece { at: self.text.len() as u32, span });
        self.text.push_str(text);
    }

    /// The place in its file of a place in the whole. One that goes over the end of a piece ends there.
    fn original(&self, span: Span) -> Span {
        let index = self.pieces.partition_point(|piece| piece.at <= span.start);
        let Some(piece) = index.checked_sub(1).map(|i| &self.pieces[i]) else { return span };
        let moved = |place: u32| (piece.span.start + (place - piece.at)).min(piece.span.end);
        Span { file: piece.span.file, start: moved(span.start), end: moved(span.end) }
    }
}

struct Joining<'m, 'd> {
    map: &'m mut SourceMap,
    access: FileAccess,
    /// The files on the way here, each with the place that included it.
    open: Vec<(PathBuf, Span)>,
    count: usize,
    whole: Whole,
    diagnostics: &'d mut Diagnostics,
}

impl Joining<'_, '_> {
    /// Adds a file, with those that it includes in their places.
    fn join(&mut self, file: FileId) {
        let (tree, _) = crate::tree(self.map, file, self.diagnostics);
        let text = self.map.file(file).text().to_owned();
        let mut after = 0;
        for item in tree.items {
            taut_budget::tick();
            let ItemKind::Include(path) = item.kind else { continue };
            let start = item.span.start as usize;
            self.whole.push(&text[after..start], Span::new(file, after..start));
            after = item.span.end as usize;
            match self.open(&path) {
                Ok((found, included)) => {
                    self.open.push((found, path.span));
                    self.join(included);
                    self.open.pop();
                    // A comment at the end of a file ends with it.
                    self.whole.text.push('\n');
                }
                Err(refusal) => self.diagnostics.push(*refusal),
            }
        }
        self.whole.push(&text[after..], Span::new(file, after..text.len()));
    }

    fn open(&mut self, path: &Name) -> Result<(PathBuf, FileId), Box<Diagnostic>> {
        if self.access == FileAccess::Denied {
            return Err(refused(path).into());
        }
        let from = self.open.last().map_or(Path::new(""), |(from, _)| from);
        let found = plain(&from.parent().unwrap_or(Path::new("")).join(&path.text));
        if let Some(at) = self.open.iter().position(|(open, _)| plain(open) == found) {
            let help = "put what both need into a third file";
            let refusal = refusal(path, "this file includes itself", help);
            let through = self.open[at + 1..].iter().map(|(_, span)| *span);
            return Err(through.fold(refusal, |d, span| d.related(span, "through this")).into());
        }
        self.count += 1;
        // The same file by another name, as through a symbolic link, is a cycle that ends here.
        if self.count > MOST_FILES {
            let help = "does a file include itself through a link?";
            return Err(refusal(path, "more than 1,000 files are included", help).into());
        }
        let left = MOST_BYTES.saturating_sub(self.whole.text.len());
        let bytes = regular(&found, left).map_err(|(label, help)| refusal(path, label, help))?;
        let name = found.to_string_lossy().into_owned();
        let id = self.map.add_bytes(name, bytes)?;
        Ok((found, id))
    }
}

/// A path without `.` and without `name/..`, as far as the text tells.
fn plain(path: &Path) -> PathBuf {
    let mut all = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if all.file_name().is_some() => {
                all.pop();
            }
            part => all.push(part),
        }
    }
    all
}

/// What is in a regular file of at most so many bytes; else what to say, and what to do.
fn regular(path: &Path, most: usize) -> Result<Vec<u8>, (&'static str, &'static str)> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::InvalidInput => {
            ("no such file", "files are looked for beside the file that includes them")
        }
        _ => ("the file cannot be read", "look at its permissions"),
    };
    // Before it is opened: to open a pipe is to wait for its other end.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        let help = "only regular files are included: no folder, pipe or device";
        return Err(("not a regular file", help));
    }
    let mut bytes = Vec::new();
    // Not by the size that the system tells, which is 0 for files such as those of `/proc`.
    let file = File::open(path).map_err(failed)?;
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() > most {
        true => Err(("all files together are larger than 16 MiB", "include the part that is used")),
        false => Ok(bytes),
    }
}

/// Moves all places of a program.
fn move_places(program: &mut Program, at: &impl Fn(Span) -> Span) {
    let to = |span: &mut Span| *span = at(*span);
    program.vars.iter_mut().for_each(|v| to(&mut v.span));
    program.properties.iter_mut().for_each(|p| to(&mut p.span));
    for def in &mut program.defs {
        to(&mut def.span);
        def.registers.iter_mut().for_each(|r| to(&mut r.span));
        def.steps.iter_mut().for_each(|s| to(&mut s.span));
    }
}

/// Moves all places of messages.
fn moved(found: &Diagnostics, at: &impl Fn(Span) -> Span) -> Diagnostics {
    let mut all = Diagnostics::new();
    for one in found.iter() {
        let related = one.related.iter().map(|(span, words)| (at(*span), words.clone()));
        let related = related.collect();
        all.push(Diagnostic { span: at(one.span), related, ..one.clone() });
    }
    all
}

/// Assertions without a name are called after their line: that of their own file, with its name if it is included.
fn rename(
    program: &mut Program,
    map: &SourceMap,
    main: FileId,
    line: impl Fn(Span) -> u32,
    at: &impl Fn(Span) -> Span,
) {
    for property in &mut program.properties {
        let prefix = format!("assert:{}", line(property.span));
        let rest =
            property.name.strip_prefix(&prefix).filter(|r| r.is_empty() || r.starts_with(':'));
        let (PropertyKind::Assert, Some(rest)) = (&property.kind, rest) else { continue };
        let place = at(property.span);
        let Some(position) = map.position(place) else { continue };
        property.name = match place.file == main {
            true => format!("assert:{}{rest}", position.line),
            false => {
                let name = map.file(place.file).name();
                let name = name.rsplit('/').next().unwrap_or(name);
                format!("assert:{name}:{}{rest}", position.line)
            }
        };
    }
}
