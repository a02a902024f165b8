//! Where a fence or a locked write can be put into the text of a program: see [`taut_source::EditSites`].
//!
//! A fence can stand after every statement that control goes on from, and at the start of the body of a loop. A statement
//! that is the whole branch of an `if` or the whole body of a `while` gets braces. There is no place
//!
//! - *in `locked` blocks*, which are one step;
//! - *between a label and its statement*: the label is the point before the statement.
//!
//! A macro that is used several times has its statements once in the text. If one use wants braces and the other does not,
//! there is no edit for both.

use std::collections::BTreeMap;

use taut_source::layout::{begins_line, indentation, line_end, removal, shortened};
use taut_source::{
    Diagnostics, EditSites, FileId, Point, Replacement, SourceMap, Span, Weakening, Weakenings,
    Weaker, WritePoint,
};

use crate::ast::{Fence, File, Stmt, StmtKind, Store};

/// A fence as a statement.
pub const FENCE: &str = "fence";
/// A store fence as a statement.
pub const STORE_FENCE: &str = "ssfence";
/// A statement that takes a step and does nothing else.
pub const NOTHING: &str = "nop";

const TWICE: &str = "the macro is used in two ways, which no edit serves";

/// The places of a program in which a fence can be put, and the stores that can be made locked.
///
/// ```
/// let mut map = taut_source::SourceMap::new();
/// let text = "forbidden E\ndata x = 0 : [0:1]\nprocess text\n  write: x := 1;\n  E: nop\n";
/// let file = map.add("p.rmm", text);
/// let places = taut_rmm::places(&map, file).unwrap();
/// assert_eq!(places.points[0].words, "after `write: x := 1`");
/// let fenced = taut_source::Insertion::apply(&map, file, &[places.points[0].insert(taut_rmm::FENCE)]);
/// assert!(fenced.contains("  write: x := 1;\n  fence;\n  E: nop\n"), "{fenced}");
/// ```
pub fn places(map: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
    let (tree, _) = crate::tree(map, file)?;
    Ok(Walk::new(map.file(file).text(), file).run(&tree))
}

/// The fences and locked writes of a program that can be weaker.
///
/// ```
/// let mut map = taut_source::SourceMap::new();
/// let text = "forbidden E data x = 0 : [0:1] process text locked write: x := 1; fence; E: nop";
/// let file = map.add("p.rmm", text);
/// let found = taut_rmm::weakenings(&map, file).unwrap();
/// let was: Vec<_> = found.list.iter().map(|weakening| &*weakening.was).collect();
/// assert_eq!(was, ["locked write: x := 1", "fence"]);
/// ```
pub fn weakenings(map: &SourceMap, file: FileId) -> Result<Weakenings, Diagnostics> {
    let (tree, _) = crate::tree(map, file)?;
    let text = map.file(file).text();
    let mut found: BTreeMap<u32, Weakening> = BTreeMap::new();
    for stmt in tree.processes.iter().flat_map(|p| &p.body) {
        weaken(text, file, stmt, &mut found);
    }
    Ok(Weakenings { list: found.into_values().collect(), kept: Vec::new() })
}

/// How a statement stands among others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// In a list: another statement can follow after a `;`.
    Listed,
    /// Alone, where only braces make room for a second one.
    Alone,
}

struct Walk<'t> {
    text: &'t str,
    file: FileId,
    /// By the byte of the statement's end; of several with one end, the innermost first.
    points: Vec<Point>,
    found: EditSites,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str, file: FileId) -> Walk<'t> {
        Walk { text, file, points: Vec::new(), found: EditSites::default() }
    }

    fn run(mut self, tree: &File) -> EditSites {
        tree.processes.iter().for_each(|process| self.list(&process.body));
        for point in std::mem::take(&mut self.points) {
            let same = |p: &&Point| p.at == point.at && p.span == point.span;
            match self.found.points.iter().find(same) {
                // The same statement of a macro, by another use.
                Some(other) if *other == point => {}
                Some(_) => self.found.unpatchable.push((point.span, TWICE)),
                None => self.found.points.push(point),
            }
        }
        let conflicts: Vec<Span> = self.found.unpatchable.iter().map(|(span, _)| *span).collect();
        self.found.points.retain(|point| !conflicts.contains(&point.span));
        self.found.points.sort_by_key(|point| point.at);
        self.found
    }

    fn list(&mut self, list: &[Stmt]) {
        list.iter().for_each(|stmt| self.statement(stmt, Standing::Listed));
    }

    fn statement(&mut self, stmt: &Stmt, standing: Standing) {
        match &stmt.kind {
            StmtKind::If(_, then, otherwise) => {
                self.statement(then, Standing::Alone);
                otherwise.iter().for_each(|s| self.statement(s, Standing::Alone));
            }
            StmtKind::While(_, body) => {
                self.at_start(body);
                self.statement(body, Standing::Alone);
            }
            StmtKind::Either(all) => all.iter().for_each(|list| self.list(list)),
            StmtKind::Block(list) => self.list(list),
            StmtKind::Store(Store { is_locked: false, .. }) => self.write(stmt),
            _ => {}
        }
        // After the last statement of a block is after the block.
        let is_block = matches!(stmt.kind, StmtKind::Block(_)) && standing == Standing::Alone;
        if !stmt.leaves() && !is_block {
            self.after(stmt, standing);
        }
    }

    /// A plain store can become a locked one.
    fn write(&mut self, stmt: &Stmt) {
        let start = stmt.span.start as usize;
        let known = self.found.writes.iter().any(|w| w.span == stmt.span);
        let StmtKind::Store(Store { place, .. }) = &stmt.kind else { return };
        if known || !self.text[start..].starts_with("write") {
            return;
        }
        let edit = Replacement { span: Span::new(self.file, start..start), text: "locked ".into() };
        let variable = self.text[range(place.span)].to_owned();
        let steps = vec![stmt.span];
        self.found.writes.push(WritePoint { span: stmt.span, steps, variable, edits: vec![edit] });
    }

    /// The point after a statement.
    fn after(&mut self, stmt: &Stmt, standing: Standing) {
        let end = stmt.span.end as usize;
        let words = format!("after `{}`", shortened(&self.text[range(stmt.span)]));
        let (at, before, after, opening) = match (standing, self.semicolon(end)) {
            (Standing::Alone, _) => {
                let start = stmt.label.as_ref().map_or(stmt.span, |l| l.span).start as usize;
                (end, "; ".into(), " }".into(), Some((start, "{ ".into())))
            }
            (Standing::Listed, Some(semicolon)) => self.between(stmt, semicolon),
            (Standing::Listed, None) => {
                let line = format!(";\n{}", self.indent(stmt));
                let before = if line_end(self.text, end).is_some() { line } else { "; ".into() };
                (end, before, String::new(), None)
            }
        };
        let (file, span) = (self.file, stmt.span);
        self.points.push(Point { file, at, before, after, opening, span, words });
    }

    /// The point between a `;` and the next statement.
    fn between(&self, stmt: &Stmt, semicolon: usize) -> Placed {
        match line_end(self.text, semicolon) {
            Some(line) => {
                let before = format!("{}{}", line.newline, self.indent(stmt));
                (line.at, before, ";".into(), None)
            }
            None => (semicolon, " ".into(), ";".into(), None),
        }
    }

    /// The byte after the `;` that follows a statement.
    fn semicolon(&self, end: usize) -> Option<usize> {
        let mut rest = self.text[end..].trim_start();
        while let Some(comment) = rest.strip_prefix("/*") {
            rest = comment[comment.find("*/")? + 2..].trim_start();
        }
        rest.starts_with(';').then(|| self.text.len() - rest.len() + 1)
    }

    /// The point at the start of a loop's body in braces.
    fn at_start(&mut self, body: &Stmt) {
        let StmtKind::Block(list) = &body.kind else { return };
        let Some(first) = list.first().filter(|s| s.label.is_none()) else { return };
        let open = body.span.start as usize;
        if body.label.is_some() || !self.text[open..].starts_with('{') {
            return;
        }
        let span = Span::new(self.file, open..open + 1);
        let (before, after) = match begins_line(self.text, first.span.start as usize) {
            true => (format!("\n{}", self.indent(first)), ";".into()),
            false => (" ".into(), "; ".into()),
        };
        let words = "at the start of the loop".into();
        let (file, at) = (self.file, open + 1);
        self.points.push(Point { file, at, before, after, opening: None, span, words });
    }

    fn indent(&self, stmt: &Stmt) -> String {
        let start = stmt.label.as_ref().map_or(stmt.span, |l| l.span).start;
        indentation(self.text, start as usize).to_owned()
    }
}

/// The byte, what stands before and after the fence, and the brace that is opened.
type Placed = (usize, String, String, Option<(usize, String)>);

/// What can be weaker in a statement and in those inside of it.
fn weaken(text: &str, file: FileId, stmt: &Stmt, found: &mut BTreeMap<u32, Weakening>) {
    let said = &text[range(stmt.span)];
    let weaker = match &stmt.kind {
        // A statement that a macro made of an argument cannot be edited here.
        StmtKind::Fence(Fence::Full) if said == FENCE => {
            let store_fence = Replacement { span: stmt.span, text: STORE_FENCE.into() };
            let store_fence = Some((format!("`{STORE_FENCE}`"), vec![store_fence]));
            Some(Weaker::Fence { without: without(text, file, stmt), store_fence })
        }
        StmtKind::Fence(Fence::Store) if said == STORE_FENCE => {
            Some(Weaker::StoreFence { without: without(text, file, stmt) })
        }
        StmtKind::Store(Store { place, is_locked: true, .. }) => said.find("write").map(|length| {
            let start = stmt.span.start as usize;
            let word = Span::new(file, start..start + length);
            let edits = vec![Replacement { span: word, text: String::new() }];
            let variable = text[range(place.span)].to_owned();
            Weaker::Write { variable, becomes: "a plain store".into(), edits }
        }),
        _ => None,
    };
    if let Some(weaker) = weaker {
        let was = shortened(said);
        found.insert(stmt.span.start, Weakening { span: stmt.span, was, weaker });
    }
    if !matches!(stmt.kind, StmtKind::Locked(_)) {
        stmt.children().into_iter().for_each(|child| weaken(text, file, child, found));
    }
}

/// The edit that takes a fence out. With a label, or without a `;` right after it, `nop` stays in its place.
fn without(text: &str, file: FileId, stmt: &Stmt) -> Vec<Replacement> {
    let Span { start, end, .. } = stmt.span;
    let (start, end) = (start as usize, end as usize);
    if stmt.label.is_some() || !text[end..].starts_with(';') {
        return vec![Replacement { span: stmt.span, text: NOTHING.into() }];
    }
    let gone = removal(text, start..end + 1);
    vec![Replacement { span: Span::new(file, gone), text: String::new() }]
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
