//! Where a fence can be put.
//!
//! - After every statement that is an expression, a declaration with a value, assembly, `do … while`, or the use of a macro
//!   with a semicolon behind it.
//! - Before every other statement that no such statement comes before, so that there is a place behind every loop, branch and
//!   label, and at the start of every body.
//! - A statement that an `if` or a loop has without braces gets them.
//!
//! Parts of an expression and the heads of loops have no place for a statement. Whether a statement stands by itself is read
//! off the text: what comes before it is `{`, `}`, `;` or a label.

use taut_source::layout::{begins_line, indentation, line_end};
use taut_source::{EditSites, Point, Span};

use super::MACRO;
use super::written::Written;
use crate::hir::{Block, Expr, Stmt, StmtKind, Unit};
use crate::visit::Part;

/// Longest text of a statement in words.
const LONGEST: usize = 60;

/// The points of a unit.
pub(super) fn points(unit: &Unit, written: &Written<'_>) -> EditSites {
    let mut walk = Walk { written, sites: EditSites::default() };
    for body in unit.functions.iter().filter_map(|function| function.body.as_ref()) {
        walk.block(body, Start::Function);
    }
    let mut sites = walk.sites;
    sites.points.sort_by_key(|point| point.at);
    sites.points.dedup_by_key(|point| point.at);
    // What a macro makes needs no point of its own if there is one behind its use.
    let covered = |span: Span| {
        let covers = |p: &Point| p.span.start <= span.start && span.end <= p.span.end;
        sites.points.iter().any(covers)
    };
    let open = sites.unpatchable.iter().copied().filter(|&(span, _)| !covered(span)).collect();
    sites.unpatchable = open;
    sites
}

/// What a block is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// The body of a function: a place at its start is one behind each call.
    Function,
    /// Another one.
    Body,
}

struct Walk<'w, 't> {
    written: &'w Written<'t>,
    sites: EditSites,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &Block, start: Start) {
        let mut has_place = start == Start::Function;
        for stmt in block {
            taut_budget::tick();
            if !std::mem::take(&mut has_place) {
                self.before(stmt);
            }
            has_place = match &stmt.kind {
                StmtKind::Expr(_) | StmtKind::Init(..) | StmtKind::Asm(_) => self.after(stmt),
                StmtKind::DoWhile(..) => self.after(stmt),
                StmtKind::Declare(_) => true,
                _ => false,
            };
            self.inside(stmt);
        }
    }

    /// The blocks of a statement. The head of a `for` is none.
    fn inside(&mut self, stmt: &Stmt) {
        let mut blocks: Vec<&Block> = Vec::new();
        let mut exprs: Vec<&Expr> = Vec::new();
        match &stmt.kind {
            StmtKind::For(_, condition, step, body) => {
                exprs.extend(condition.iter().chain(step));
                blocks.push(body);
            }
            _ => stmt.parts(&mut |part| match part {
                Part::Block(block) => blocks.push(block),
                Part::Expr(expr) => exprs.push(expr),
                Part::Place(_) => {}
            }),
        }
        blocks.into_iter().for_each(|block| self.block(block, Start::Body));
        exprs.into_iter().for_each(|expr| self.statement_expressions(expr));
    }

    fn statement_expressions(&mut self, expr: &Expr) {
        expr.parts(&mut |part| match part {
            Part::Block(block) => self.block(block, Start::Body),
            Part::Expr(inner) => self.statement_expressions(inner),
            Part::Place(_) => {}
        });
    }

    /// The place after a statement; true if there is one.
    fn after(&mut self, stmt: &Stmt) -> bool {
        let written = self.written;
        let Some(text) = written.slice(stmt.span) else { return false };
        let (start, mut end) = (stmt.span.start as usize, stmt.span.end as usize);
        if !text.ends_with(';') {
            let is_declaration = matches!(stmt.kind, StmtKind::Init(..));
            match written.after(end) {
                Some((at, ';')) if is_declaration => end = at + 1,
                // There is a place after the last of several declarations.
                Some((_, ',')) if is_declaration => return false,
                _ => {
                    self.sites.unpatchable.push((stmt.span, MACRO));
                    return false;
                }
            }
        }
        let point = match written.stands_alone(start) {
            true => self.behind(start, end),
            false if matches!(stmt.kind, StmtKind::Init(..)) => return false,
            false => self.with_braces(start, end),
        };
        let Some((at, before, after, opening)) = point else { return false };
        let words = format!("after `{}`", shortened(text.trim_end_matches(';')));
        let file = written.file;
        let span = Span::new(file, start..end);
        self.sites.points.push(Point { file, at, before, after, opening, span, words });
        true
    }

    /// The place behind a statement of a block.
    fn behind(&self, start: usize, end: usize) -> Option<Insert> {
        let text = self.written.text;
        let indent = indentation(text, start);
        if let Some(line) = line_end(text, end) {
            return Some((line.at, format!("{}{indent}", line.newline), String::new(), None));
        }
        let tight = text[end..].starts_with(|c: char| !c.is_whitespace());
        let after = if tight { " " } else { "" };
        Some((end, " ".into(), after.into(), None))
    }

    /// The place behind a statement that is the whole body of another and has no braces.
    fn with_braces(&self, start: usize, end: usize) -> Option<Insert> {
        let text = self.written.text;
        let (head, last) = self.written.before(start)?;
        // The head of a `for`, an operand.
        if !(last == ')' || last.is_alphanumeric() || last == '_') {
            return None;
        }
        let opening = Some((head, " {".to_owned()));
        let line = line_end(text, end);
        let has_line = begins_line(text, start);
        match line {
            Some(line) if has_line || line.comment => {
                let outer = indentation(text, head - 1);
                let inner = match has_line {
                    true => indentation(text, start).to_owned(),
                    false => format!("{outer}  "),
                };
                let before = format!("{}{inner}", line.newline);
                Some((line.at, before, format!("{}{outer}}}", line.newline), opening))
            }
            _ => Some((end, " ".into(), " }".into(), opening)),
        }
    }

    /// The place before a statement.
    fn before(&mut self, stmt: &Stmt) {
        let written = self.written;
        let (words, at) = match (&stmt.kind, written.slice(stmt.span)) {
            // What is known of it is its end.
            (StmtKind::DoWhile(..), _) => return,
            (kind, Some(text)) if begins_with_its_word(kind, text) => {
                (shortened(text.trim_end_matches(';')), stmt.span.start as usize)
            }
            _ => return,
        };
        let is_own = matches!(written.before(at), Some((_, '{' | '}' | ';')));
        if !is_own {
            return;
        }
        let text = written.text;
        let after = match begins_line(text, at) {
            true => {
                let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
                format!("{newline}{}", indentation(text, at))
            }
            false => " ".into(),
        };
        self.sites.points.push(Point {
            file: written.file,
            at,
            before: String::new(),
            after,
            opening: None,
            span: Span::new(written.file, at..at + 1),
            words: format!("before `{words}`"),
        });
    }
}

/// An insertion: its place, what stands before and after the fence, and a brace to open.
type Insert = (usize, String, String, Option<(usize, String)>);

/// Whether a text begins as a statement of its kind does: no macro makes its beginning.
fn begins_with_its_word(kind: &StmtKind, text: &str) -> bool {
    match kind {
        StmtKind::If(..) => text.starts_with("if"),
        StmtKind::While(..) => text.starts_with("while"),
        StmtKind::For(..) => text.starts_with("for"),
        StmtKind::Switch(..) => text.starts_with("switch"),
        StmtKind::Return(_) | StmtKind::ReturnStruct(_) => text.starts_with("return"),
        StmtKind::Expr(_) | StmtKind::Init(..) => text.ends_with(';'),
        _ => false,
    }
}

/// A statement on one short line.
pub(super) fn shortened(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{} …", words[..cut].trim_end()),
        None => words,
    }
}
