//! Reading a list from its file: words on lines.

use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use super::{AtomicEntry, AtomicList, TransitionRef};
use crate::ast::{Model, Name};
use crate::lower::codes;

/// What an entry looks like.
const SHAPES: &str = "`write VARIABLE PROCESS NUMBER` or `fence PROCESS NUMBER`";

/// A word of a line.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    span: Span,
}

impl Word<'_> {
    fn name(self) -> Name {
        Name { text: self.text.into(), span: self.span }
    }
}

/// Reads the list in a file of the map, and checks it against its model.
pub fn parse_atomic(
    sources: &SourceMap,
    file: FileId,
    model: &Model,
) -> Result<AtomicList, Diagnostics> {
    let mut list = AtomicList::default();
    let mut diagnostics = Diagnostics::new();
    let mut start = 0;
    for line in sources.file(file).text().split_inclusive('\n') {
        let words = words(file, start, line);
        start += line.len();
        match entry(&words) {
            Ok(entry) => list.entries.extend(entry),
            Err(diagnostic) => diagnostics.push(*diagnostic),
        }
        if diagnostics.is_full() {
            break;
        }
    }
    if diagnostics.is_empty() {
        diagnostics = list.check(model);
    }
    if diagnostics.is_empty() { Ok(list) } else { Err(diagnostics) }
}

/// The words of a line that begins at an offset, up to a comment.
fn words(file: FileId, start: usize, line: &str) -> Vec<Word<'_>> {
    let end = [line.find('#'), line.find("//")].into_iter().flatten().min().unwrap_or(line.len());
    let line = &line[..end];
    let mut words = Vec::new();
    let mut at = 0;
    for text in line.split(char::is_whitespace) {
        if !text.is_empty() {
            let span = Span::new(file, start + at..start + at + text.len());
            words.push(Word { text, span });
        }
        // One character of blank space follows, of any width.
        at += text.len();
        at += line[at..].chars().next().map_or(0, char::len_utf8);
    }
    words
}

/// The entry on a line; none if it is empty.
fn entry(words: &[Word<'_>]) -> Result<Option<AtomicEntry>, Box<Diagnostic>> {
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Ok(None) };
    let span = first.span.to(last.span);
    match (first.text, &words[1..]) {
        ("write", [variable, process, number, route @ ..]) => {
            let (variable, element) = written(*variable)?;
            let at = transition(*process, *number, route)?;
            Ok(Some(AtomicEntry::Write { variable, element, at, span }))
        }
        ("fence", [process, number, route @ ..]) => {
            let at = transition(*process, *number, route)?;
            Ok(Some(AtomicEntry::Fence { at, span }))
        }
        ("write" | "fence", _) => Err(malformed("an entry that is too short", span)),
        _ => Err(malformed(&format!("`{}` is no entry", first.text), first.span)),
    }
}

/// `x`, `x[2]` or `*`.
fn written(word: Word<'_>) -> Result<(Option<Name>, Option<u32>), Box<Diagnostic>> {
    if word.text == "*" {
        return Ok((None, None));
    }
    let Some((name, index)) = word.text.split_once('[') else {
        return Ok((Some(word.name()), None));
    };
    let index = index.strip_suffix(']').and_then(|i| i.parse().ok());
    let Some(index) = index else {
        let text = format!("`{}` is no variable and no element of one", word.text);
        return Err(malformed(&text, word.span));
    };
    Ok((Some(Name { text: name.into(), span: word.span }), Some(index)))
}

fn transition(
    process: Word<'_>,
    number: Word<'_>,
    route: &[Word<'_>],
) -> Result<TransitionRef, Box<Diagnostic>> {
    let Ok(index) = number.text.parse::<u32>() else {
        let text = format!("`{}` is no number of a transition", number.text);
        return Err(malformed(&text, number.span));
    };
    let end = route.last().map_or(number.span, |word| word.span);
    // `s->t`, `s -> t` and everything between.
    let joined: String = route.iter().map(|word| word.text).collect();
    let route = match joined.split_once("->") {
        Some((source, target)) if !source.is_empty() && !target.is_empty() => {
            Some((source.to_owned(), target.to_owned()))
        }
        None if joined.is_empty() => None,
        _ => {
            let span = route.first().map_or(end, |word| word.span.to(end));
            return Err(malformed("after the number only `source->target` can stand", span));
        }
    };
    let span = number.span.to(end);
    Ok(TransitionRef { process: process.name(), index: index as usize, route, span })
}

fn malformed(text: &str, span: Span) -> Box<Diagnostic> {
    let d = Diagnostic::error(codes::ENTRY, text, span).label("not understood");
    Box::new(d.help(format!("an entry is {SHAPES}, with `source->target` after it if you like")))
}
